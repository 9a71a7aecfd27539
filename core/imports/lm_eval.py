"""Samples of lm-evaluation-harness: `samples_TASK_DATE.jsonl`, beside the `results_DATE.json` that names the model.

Source of the form: `lm_eval.loggers.evaluation_tracker` of 0.4.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from core.errors import ConfigurationError
from core.imports.records import ForeignRun, ForeignSample, label, read_object, score_in
from core.imports.spool import Spool

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
    others: Counter[str] = Counter()
    spool = Spool()
    for row in chain([first], rows):
        filtered = str(row.get("filter") or "none")
        others[filtered] += 1
        if filtered == chosen:
            spool.put(_sample(row, task, name, highest))
    if chosen not in others:
        raise ConfigurationError(f"{path}: there is no filter '{chosen}'; there are {', '.join(others)}")

    notes = [f"verdicts by the filter '{one}' ({number} rows)" for one, number in others.items() if one != chosen]
    yield ForeignRun(
        tool="lm-evaluation-harness",
        path=path,
        name=label(f"{task}-{_date(named['date']) if named else path.stem}-{model.rpartition('/')[2]}", path.stem),
        task=task,
        model=model,
        scorer=f"{name} ({chosen})",
        samples=lambda: iter(spool),
        notes=notes,
    )


def _date(text: str) -> str:
    return text[:16].replace("T", "-")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield read_object(line, f"{path}:{number}")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def _results(path: Path, date: str) -> dict[str, Any]:
    """The summary that was written with these samples; empty where there is none."""
    for beside in (path.with_name(f"results_{date}.json"), *sorted(path.parent.glob("results_*.json"))):
        try:
            found = json.loads(beside.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(found, dict):
            return found
    return {}


def _sample(row: dict[str, Any], task: str, metric: str, highest: float) -> ForeignSample:
    asked = _arguments(row.get("arguments"))
    choices = [one[1] for one in asked if len(one) > 1 and isinstance(one[1], str)]
    question = str(asked[0][0]) if asked and asked[0] else json.dumps(row.get("doc"), ensure_ascii=False)
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
        response=said,
        answer=answer,
        transcript=[
            {"role": "user", "content": question, "phase": "pass1", "iteration": 0},
            {"role": "assistant", "content": said or "", "phase": "pass1", "iteration": 0},
        ],
        score=score_in(row.get(metric), highest),
        found={
            str(name): row.get(name) for name in row.get("metrics") or () if name != metric and name not in _HARMLESS
        },
    )
    if picked:
        read.found["log likelihoods"] = dict(zip([choice.strip() for choice in choices], likelihoods, strict=True))
    if read.score is None:
        read.error = f"{metric} is {row.get(metric)!r:.100}, which is no score from 0 to {highest:g}"
    return read


def _arguments(given: Any) -> list[list[Any]]:
    """The arguments of each request: `{"gen_args_0": {"arg_0": …}}` as it is written, or lists in older files."""
    if isinstance(given, dict):
        return [list(one.values()) for one in given.values() if isinstance(one, dict)]
    return [list(one) for one in given if isinstance(one, list | tuple)] if isinstance(given, list) else []


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
