"""evonic's past runs: its SQLite database (`evaluation_runs` with `individual_test_results`, of older versions `test_results`).

Source of the form: `models/schema.py` of https://github.com/anvie/evonic.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from modex.core.edge.imports.databases import foreign_rows
from modex.core.edge.imports.records import ForeignRun, ForeignSample, label, moment, table, whole
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.sample import PASS_SCORE
from modex.core.suite.datasets.mapping import level_of, nearest_level

TOOL = "evonic"
SUFFIXES = (".db", ".sqlite", ".sqlite3")
_RUNS = "evaluation_runs"
_RESULTS = "individual_test_results"
_CELLS = "test_results"
"""One row a domain and level: all that a run of an older version has."""
_JUDGED = ("passed", "failed", "partial")
_SHOWN = ("response", "thinking", "conversation_log", "tools_available", "prompt")
"""Details that stand elsewhere in a sample, or only serve its page."""


def read_evonic(path: Path) -> Iterator[ForeignRun]:
    """A run for each of the database at `path`, in the order of their numbers.

    Raises:
        ConfigurationError: it cannot be read, or holds no runs of evonic.
    """
    runs = list(_rows(path, f'SELECT * FROM "{_RUNS}" ORDER BY run_id'))
    if not runs:
        raise ConfigurationError(f"{path}: no run of evonic stands in it; name its database (db/evonic.db)")
    for run in runs:
        open_, otherwise = _counted(_results(path, run["run_id"]))
        ended = run.get("completed_at") is not None
        yield ForeignRun(
            tool=TOOL,
            path=path,
            name=label(f"{path.stem}-{run['run_id']}", path.stem),
            task=TOOL,
            model=label(run.get("model_name"), TOOL),
            scorer="its own evaluators",
            samples=partial(_samples, path, run["run_id"]),
            started_at=moment(run.get("started_at")),
            completed_at=moment(run.get("completed_at")),
            duration_ms=whole(run.get("total_duration_ms")),
            finished=ended and not open_,
            reason=None if ended and not open_ else _reason(run, open_),
            notes=list(_notes(run, otherwise)),
        )


def _reason(run: Mapping[str, Any], open_: int) -> str:
    if open_:
        return f"{open_:,} of its tests were not judged there"
    return f"its status there is {str(run.get('status') or 'interrupted')[:20]!r}"


def _counted(results: Iterator[dict[str, Any]]) -> tuple[int, Counter[str]]:
    """How many of a run's rows were not judged, and how many, by their status there, pass here and not there or the other way."""
    open_, otherwise = 0, Counter[str]()
    for row in results:
        status, score = row.get("status"), row.get("score")
        open_ += status not in _JUDGED
        passes = isinstance(score, int | float) and score >= PASS_SCORE
        if status in _JUDGED and isinstance(score, int | float) and (status == "passed") is not passes:
            otherwise[str(status)] += 1
    return open_, otherwise


def _notes(run: Mapping[str, Any], otherwise: Mapping[str, int]) -> Iterator[str]:
    """What is not carried over, or counts otherwise here."""
    if run.get("notes"):
        yield f"its note: {str(run['notes'])[:200]}"
    if run.get("summary"):
        yield "its `summary` in words"
    for status, count in otherwise.items():
        yield f"{count:,} of status {status!r} there: here {PASS_SCORE:g} and more passes"


def _results(path: Path, run: Any) -> Iterator[dict[str, Any]]:
    """A run's rows: one a test, of a run without them one a domain and level."""
    found = False
    for row in _rows(path, f'SELECT * FROM "{_RESULTS}" WHERE run_id = ? ORDER BY id', run, may_lack=True):
        found = True
        yield row
    if not found:
        yield from _rows(path, f'SELECT * FROM "{_CELLS}" WHERE run_id = ? ORDER BY id', run, may_lack=True)


def _samples(path: Path, run: Any) -> Iterator[ForeignSample]:
    for row in _results(path, run):
        yield _sample(row)


def _sample(row: Mapping[str, Any]) -> ForeignSample:
    domain = label(row.get("domain"), TOOL)
    told = row.get("level")
    level = level_of(told) or nearest_level(told) or 1
    details = table(_json(row.get("details")))
    pass2 = table(details.get("pass2"))
    status, score = row.get("status"), row.get("score")
    response = row.get("response") if isinstance(row.get("response"), str) else None
    sample = ForeignSample(
        test_id=label(row.get("test_id"), f"{domain}_{level}"),
        question=str(row.get("prompt") or ""),
        gold=_gold(_json(row.get("expected"))),
        domain=domain,
        level=level,
        system_prompt=row.get("system_prompt") or None,
        response=response,
        reasoning=details.get("thinking") if isinstance(details.get("thinking"), str) else None,
        answer=pass2.get("extracted_answer") if isinstance(pass2.get("extracted_answer"), str) else None,
        transcript=_way(str(row.get("prompt") or ""), details.get("conversation_log"), response),
        duration_ms=whole(row.get("duration_ms")),
        started_at=moment(row.get("created_at") or row.get("timestamp")),
        why=_why(details),
        found={
            **{name: value for name, value in details.items() if name not in _SHOWN},
            "status there": status,
            "expected there": _json(row.get("expected")),
        },
    )
    if status not in _JUDGED:
        sample.error = f"its status there is {str(status)[:20]!r}: {str(details.get('error') or 'not judged')[:300]}"
    elif isinstance(score, int | float) and 0 <= score <= 1:
        sample.score = float(score)
    return sample


def _why(details: Mapping[str, Any]) -> str | None:
    """The sentence that its evaluator gives, or what it could not do."""
    said = details.get("details") or details.get("error") or details.get("reasoning")
    return said if isinstance(said, str) else None


def _gold(expected: Any) -> Any:
    """The answer that a test names; None where it names calls, keywords or parts of a query, which stand beside the verdict."""
    if isinstance(expected, dict):
        expected = expected.get("answer", expected.get("value"))
    return expected if isinstance(expected, str | int | float | list) and expected not in ("", []) else None


def _way(prompt: str, log: Any, response: str | None) -> list[dict[str, Any]]:
    """The turns with their calls and results, between the question and the answer."""
    if not isinstance(log, list) or not log:
        return []
    entries: list[dict[str, Any]] = [{"role": "user", "content": prompt}]
    for number, turn in enumerate(table(one) for one in log):
        calls = [table(call) for call in turn.get("tool_calls") or () if isinstance(call, dict)]
        results = [result for result in turn.get("tool_results") or () if result is not None]
        if not calls:
            continue
        said = [
            {"id": f"call_{number}_{at}", "name": _name(call), "arguments": _text(_arguments(call))}
            for at, call in enumerate(calls)
        ]
        thought = turn.get("thinking")
        entries.append({"role": "assistant", "content": turn.get("content") or None, "tool_calls": said,
                        **({"reasoning": thought} if isinstance(thought, str) and thought else {})})  # fmt: skip
        for call, result in zip(said, results, strict=False):
            came = result.get("result", result) if isinstance(result, dict) else result
            entries.append({"role": "tool", "tool_call_id": call["id"], "content": _text(came)})
    return [*entries, {"role": "assistant", "content": response or ""}]


def _name(call: Mapping[str, Any]) -> str:
    return str(call.get("name") or table(call.get("function")).get("name") or "")


def _arguments(call: Mapping[str, Any]) -> Any:
    function = table(call.get("function"))
    return next((one["arguments"] for one in (call, function) if "arguments" in one), call.get("args", {}))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _json(value: Any) -> Any:
    """What a text says as JSON; the text itself where it is none."""
    if not isinstance(value, str) or not value.strip():
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _rows(path: Path, query: str, *values: Any, may_lack: bool = False) -> Iterator[dict[str, Any]]:
    return foreign_rows(
        path,
        query,
        *values,
        fault=lambda why: f"{path}: no runs of evonic can be read in it ({why}); name its database (db/evonic.db)",
        may_lack=may_lack,
    )
