"""Samples of lm-evaluation-harness: `samples_TASK_DATE.jsonl`, beside the `results_DATE.json` that names the model.

Source of the form: `lm_eval.loggers.evaluation_tracker` of 0.4.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from modex.core.edge.imports.records import (
    MAX_FILE_BYTES,
    ForeignRun,
    ForeignSample,
    label,
    moment,
    read_object,
    score_in,
    whole,
)
from modex.core.edge.imports.spool import Spool
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets.rows import MAX_LINE_BYTES
from modex.core.suite.files import FileFaultError, open_regular, read_text

_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl")
_HARMLESS = frozenset({"bypass"})
"""What stands among the metrics and is none."""


def read_lm_eval(path: Path, metric: str | None, highest: float) -> Iterator[ForeignRun]:
    """The run whose samples stand in `path`. `metric` names the score, as `exact_match` or `exact_match,filter`.

    Raises:
        ConfigurationError: it is no file of samples, or has no such metric.
    """
    named = _NAME.fullmatch(path.name)
    rows = _rows(path)
    first = next(rows, None)
    if first is None or "doc_id" not in first or "resps" not in first:
        raise ConfigurationError(
            f"{path}: these are no samples of lm-evaluation-harness; `lm_eval --log_samples` writes samples_TASK_DATE.jsonl"
        )
    name, _, wanted = (metric or "").partition(",")
    metrics = [str(one) for one in first.get("metrics") or () if one not in _HARMLESS]
    name = name or next(iter(metrics), "")
    if name not in metrics:
        raise ConfigurationError(f"{path}: there is no metric '{name}'; there are {', '.join(metrics) or 'none'}")
    chosen = wanted or str(first.get("filter") or "none")
    task = label(named["task"] if named else None, path.stem)
    results = _results(path, named["date"] if named else "")
    model = str(results.get("model_name") or "unknown")
    begun, took_s = _number(results.get("date")), _number(results.get("total_evaluation_time_seconds"))
    others: Counter[str] = Counter()
    repeated = 0
    spool = Spool()
    for row in chain([first], rows):
        filtered = str(row.get("filter") or "none")
        others[filtered] += 1
        if filtered == chosen:
            sample = _sample(row, task, name, highest)
            repeated += "all answers" in sample.found
            spool.put(sample)
    if chosen not in others:
        raise ConfigurationError(f"{path}: there is no filter '{chosen}'; there are {', '.join(others)}")

    notes = [f"verdicts by the filter '{one}' ({number} rows)" for one, number in others.items() if one != chosen]
    if repeated:
        notes.append(
            f"repeats as epochs ({repeated} rows with one verdict for all their answers, which stand in the details)"
        )
    yield ForeignRun(
        tool="lm-evaluation-harness",
        path=path,
        name=label(f"{task}-{_date(named['date']) if named else path.stem}-{model.rpartition('/')[2]}", path.stem),
        task=task,
        model=model,
        scorer=f"{name} ({chosen})",
        samples=lambda: iter(spool),
        started_at=moment(begun) if begun else None,
        completed_at=moment(begun + took_s) if begun else None,
        duration_ms=whole(1000 * took_s),
        notes=notes,
    )


def _number(value: Any) -> float:
    """A number that may stand there as text; 0 where it is none."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return 0.0
    return number if math.isfinite(number) and number > 0 else 0.0


def _date(text: str) -> str:
    return text[:19].replace("T", "-")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            number = 0
            while line := file.readline(MAX_LINE_BYTES + 1):
                number += 1
                if len(line) > MAX_LINE_BYTES:
                    raise FileFaultError(
                        f"line {number} is longer than {MAX_LINE_BYTES // 1024 // 1024} MiB; shorten it"
                    )
                if line.strip():
                    yield read_object(line, f"{path}:{number}")
    except FileFaultError as fault:
        raise ConfigurationError(f"{path}: {fault.message}") from None
    except OSError as error:
        raise ConfigurationError(
            f"{path}: cannot be read ({getattr(error, 'strerror', None) or error}); name a file that can be"
        ) from error


def _results(path: Path, date: str) -> dict[str, Any]:
    """The summary that was written with these samples (NAME_DATE.json with `--output_path NAME.json`), or {}."""
    dated = sorted(path.parent.glob(f"*_{date}.json")) if date else []
    for beside in (path.with_name(f"results_{date}.json"), *dated, *sorted(path.parent.glob("results_*.json"))):
        try:
            found = json.loads(read_text(beside, MAX_FILE_BYTES))
        except (FileFaultError, ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    return {}


def _sample(row: dict[str, Any], task: str, metric: str, highest: float) -> ForeignSample:
    asked = _arguments(row.get("arguments"))
    choices = [one[1] for one in asked if len(one) > 1 and isinstance(one[1], str)]
    turns = _turns(asked[0][0] if asked and asked[0] else json.dumps(row.get("doc"), ensure_ascii=False))
    question = "\n\n".join(one["content"] for one in turns if one["role"] != "system")
    likelihoods = _likelihoods(row.get("resps"))
    picked = len(choices) == len(asked) == len(likelihoods) > 0
    answer = (
        choices[max(range(len(likelihoods)), key=likelihoods.__getitem__)].strip()
        if picked
        else _first(row.get("filtered_resps"))
    )
    said = answer if picked else _first(row.get("resps"))
    target = row.get("target")
    if picked and isinstance(target, str | int) and str(target).isdecimal() and int(target) < len(choices):
        target = choices[int(target)].strip()
    read = ForeignSample(
        test_id=label(row.get("doc_id"), "row"),
        question=question,
        gold=target if target not in ("", None) else None,
        domain=task,
        system_prompt=next((one["content"] for one in turns if one["role"] == "system"), None),
        response=said,
        answer=answer,
        transcript=[
            *({**one, "phase": "pass1", "iteration": 0} for one in turns),
            {"role": "assistant", "content": said or "", "phase": "pass1", "iteration": 0},
        ],
        score=score_in(row.get(metric), highest),
        found={
            str(name): row.get(name) for name in row.get("metrics") or () if name != metric and name not in _HARMLESS
        },
    )
    if picked:
        read.found["log likelihoods"] = dict(zip([choice.strip() for choice in choices], likelihoods, strict=True))
    elif len(answers := _repeats(row.get("resps"))) > 1:
        read.found["all answers"] = answers
    if read.score is None:
        read.error = f"{metric} is {row.get(metric)!r:.100}, which is no score from 0 to {highest:g}"
    return read


def _arguments(given: Any) -> list[list[Any]]:
    """The arguments of each request: `{"gen_args_0": {"arg_0": …}}` as it is written, or lists in older files."""
    if isinstance(given, dict):
        return [list(one.values()) for one in given.values() if isinstance(one, dict)]
    return [list(one) for one in given if isinstance(one, list | tuple)] if isinstance(given, list) else []


def _turns(asked: Any) -> list[dict[str, str]]:
    """The turns of a request: with a chat template and an API it is `["[{…}]"]`, messages as JSON in a list; else it is text."""
    text = asked[0] if isinstance(asked, list) and len(asked) == 1 and isinstance(asked[0], str) else asked
    messages = text
    if text is not asked:
        with contextlib.suppress(ValueError, RecursionError):
            messages = json.loads(text)
    if isinstance(messages, list) and messages and all(isinstance(one, dict) and "role" in one for one in messages):
        return [_turn(one) for one in messages]
    return [{"role": "user", "content": str(text)}]


def _turn(message: dict[str, Any]) -> dict[str, str]:
    role, content = message["role"], message.get("content")
    if isinstance(content, list):
        parts = [one for one in content if isinstance(one, dict)]
        content = "\n".join(
            str(one.get("text") or "") if one.get("type") == "text" else f"[{one.get('type')}]" for one in parts
        )
    return {"role": role if role in ("system", "user", "assistant", "tool") else "user", "content": str(content or "")}


def _repeats(resps: Any) -> list[str]:
    """Each repeat's answer to the one request of a row."""
    one = resps[0] if isinstance(resps, list) and len(resps) == 1 else None
    return [str(said) for said in one] if isinstance(one, list) and all(isinstance(said, str) for said in one) else []


def _likelihoods(resps: Any) -> list[float]:
    """The log likelihoods, where every response is one with whether it is greedy; else nothing."""
    found = []
    for one in resps if isinstance(resps, list) else ():
        pair = one[0] if isinstance(one, list) and len(one) == 1 and isinstance(one[0], list) else one
        if not (isinstance(pair, list) and len(pair) == 2):
            return []
        try:
            found.append(float(pair[0]))
        except (TypeError, ValueError):
            return []
    return found


def _first(resps: Any) -> str | None:
    """The first text in nested lists of responses."""
    while isinstance(resps, list) and resps:
        resps = resps[0]
    return None if resps is None or isinstance(resps, list) else str(resps)
