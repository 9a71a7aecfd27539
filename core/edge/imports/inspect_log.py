"""Logs of inspect_ai: `.json`, and `.eval` (a ZIP file with a member a sample).

Source of the form: `inspect_ai.log.EvalLog`, version 2; what is not known is left alone, as its own reader does.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from modex.core.edge.imports.archives import Archive
from modex.core.edge.imports.records import (
    ForeignRun,
    ForeignSample,
    label,
    level_in,
    moment,
    read_file,
    read_object,
    score_in,
    table,
    whole,
)
from modex.core.edge.imports.spool import read_once
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.clock import parse

_HEADERS = ("header.json", "_journal/start.json")
_SAMPLES = "samples/"


def read_inspect(path: Path, scorer: str | None, highest: float) -> Iterator[ForeignRun]:
    """The run in the log at `path`. `scorer` chooses among several (`name`, or `name.key` where its value is an object).

    Raises:
        ConfigurationError: it is no log, or has no such scorer.
    """
    archived = path.suffix == ".eval"
    head = _archived_head(path) if archived else read_file(path)
    spec = head.get("eval")
    if not isinstance(spec, dict) or not isinstance(spec.get("model"), str):
        raise ConfigurationError(
            f"{path}: this is no log of inspect_ai: it has no 'eval' with a 'model'; name another file"
        )
    chosen = scorer or _headline(head)
    task = label(spec.get("task"), path.stem)
    stats = table(head.get("stats"))

    def samples() -> Iterator[ForeignSample]:
        for sample in _archived_samples(path) if archived else head.get("samples") or ():
            if isinstance(sample, dict):
                yield _sample(sample, task, chosen, highest)

    error = head.get("error")
    started_at = moment(stats.get("started_at") or spec.get("created"))
    completed_at = moment(stats.get("completed_at"))
    yield ForeignRun(
        tool="inspect_ai",
        path=path,
        name=label(
            f"{task.replace('/', '-')}-{str(spec.get('eval_id') or spec.get('run_id') or path.stem)[:8]}", path.stem
        ),
        task=task,
        model=spec["model"],
        scorer=chosen or "none",
        samples=read_once(samples),
        started_at=started_at,
        completed_at=completed_at,
        duration_ms=_between(started_at, completed_at),
        finished=head.get("status") == "success",
        reason=str(error.get("message"))[:500] if isinstance(error, dict) else None,
        notes=["events, attachments and the store of its samples"],
    )


def _archived_head(path: Path) -> dict[str, Any]:
    with Archive(path) as archive:
        for name in _HEADERS:  # a log that was cut off has only the journal of its start
            if name in archive.names:
                return read_object(archive.read(name), f"{path}: {name}")
    raise ConfigurationError(
        f"{path}: this is no log of inspect_ai: it has no {' and no '.join(_HEADERS)}; name another file"
    )


def _archived_samples(path: Path) -> Iterator[dict[str, Any]]:
    with Archive(path) as archive:
        for name in archive.names:
            if name.startswith(_SAMPLES) and name.endswith(".json"):
                yield read_object(archive.read(name), f"{path}: {name}")


def _headline(head: dict[str, Any]) -> str | None:
    """The scorer that the log shows first."""
    results = table(head.get("results"))
    headline = results.get("headline")
    if isinstance(headline, dict) and isinstance(headline.get("scorer"), str):
        return str(headline["scorer"])
    for score in results.get("scores") or ():
        if isinstance(score, dict) and isinstance(score.get("scorer") or score.get("name"), str):
            return str(score.get("scorer") or score["name"])
    return None


def _between(started_at: str | None, completed_at: str | None) -> int:
    """Milliseconds from one moment to the other; the log has its own length nowhere else."""
    if started_at is None or completed_at is None:
        return 0
    return whole(1000 * (parse(completed_at) - parse(started_at)).total_seconds())


def _sample(sample: dict[str, Any], task: str, scorer: str | None, highest: float) -> ForeignSample:
    metadata = table(sample.get("metadata"))
    messages = [one for one in sample.get("messages") or () if isinstance(one, dict)]
    output = table(sample.get("output"))
    choice = next(iter(output.get("choices") or ()), None)
    choice = choice if isinstance(choice, dict) else {}
    message = table(choice.get("message"))
    usage = _usage(sample)
    read = ForeignSample(
        test_id=label(metadata.get("test_id"), label(sample.get("id"), "sample")),
        epoch=whole(sample.get("epoch")) or 1,
        question=_question(sample.get("input"), sample.get("choices")),
        gold=_gold(sample.get("target")),
        domain=label(metadata.get("domain"), task),
        level=level_in(metadata.get("level")),
        weight=_weight(metadata.get("weight")),
        system_prompt=next((_text(one.get("content")) for one in messages if one.get("role") == "system"), None),
        response=str(output["completion"])
        if output.get("completion") is not None
        else _text(message.get("content")) or None,
        reasoning=_thinking(message.get("content")) or None,
        transcript=[_entry(one) for one in messages],
        duration_ms=whole(1000 * (sample.get("working_time") or sample.get("total_time") or 0)),
        finish_reason=str(choice["stop_reason"]) if choice.get("stop_reason") else None,
        started_at=moment(sample.get("started_at")),
        completed_at=moment(sample.get("completed_at")),
        prompt_tokens=usage("input_tokens"),
        completion_tokens=usage("output_tokens"),
        reasoning_tokens=usage("reasoning_tokens"),
        cached_tokens=usage("input_tokens_cache_read"),
        cost_usd=_cost(sample),
    )
    if isinstance(sample.get("error"), dict):
        read.error = str(sample["error"].get("message") or "the sample ended with an error")
    _take_score(read, sample.get("scores"), scorer, highest)
    return read


def _take_score(read: ForeignSample, scores: Any, scorer: str | None, highest: float) -> None:
    known = (
        {str(name): score for name, score in scores.items() if isinstance(score, dict)}
        if isinstance(scores, dict)
        else {}
    )
    name, _, key = (scorer or next(iter(known), "")).partition(".")
    score = known.get(name) or {}
    value = score.get("value")
    if isinstance(value, dict):
        value = value.get(key) if key else next(iter(value.values()), None)
    read.score = score_in(value, highest)
    read.answer = None if score.get("answer") is None else str(score["answer"])
    read.why = str(score["explanation"])[:2000] if score.get("explanation") else None
    read.found = {f"{other} says": found.get("value") for other, found in known.items() if other != name}
    if score and read.score is None and read.error is None:
        read.error = (
            f"{name} gave {value!r:.100}, which is no score from 0 to {highest:g}; --max-score says what the most is"
        )


def _weight(value: Any) -> float:
    """What a test weighs in its cell; 1 where the log says nothing of use."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e6 else 1.0


def _usage(sample: dict[str, Any]) -> Callable[[str], int]:
    """The sum over all models that took part, by the name of the figure."""
    return lambda name: sum(whole(one.get(name)) for one in _used(sample))


def _cost(sample: dict[str, Any]) -> float | None:
    """What all models that took part cost in dollars; None where the log has a price for none of them."""
    found = [one["total_cost"] for one in _used(sample) if isinstance(one.get("total_cost"), int | float)]
    return math.fsum(found) if found else None


def _used(sample: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in table(sample.get("model_usage")).values() if isinstance(one, dict)]


def _question(given: Any, choices: Any) -> str:
    """What was asked: a text, or what the user says in a list of messages; then the choices, by the letters of their targets."""
    if isinstance(given, list):
        users = [one for one in given if isinstance(one, dict) and one.get("role") == "user"]
        lines = [_text(one.get("content")) for one in users]
    else:
        lines = [str(given or "")]
    offered = choices if isinstance(choices, list) else []
    lettered = "\n".join(f"{letter}) {choice}" for letter, choice in zip(ascii_uppercase, offered, strict=False))
    return "\n\n".join([*lines, *([lettered] if lettered else ())])


def _gold(target: Any) -> Any:
    if isinstance(target, list):
        return target[0] if len(target) == 1 else [str(item) for item in target] or None
    return target if target not in ("", None) else None


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    return "\n".join(
        str(one.get("text") or "") if one.get("type") == "text" else f"[{one.get('type')}]"
        for one in parts
        if one.get("type") != "reasoning"
    )


def _thinking(content: Any) -> str:
    parts = content if isinstance(content, list) else []
    return "\n".join(
        str(one.get("reasoning") or one.get("summary") or "")
        for one in parts
        if isinstance(one, dict) and one.get("type") == "reasoning"
    )


def _entry(message: dict[str, Any]) -> dict[str, Any]:
    """A message as our transcripts hold it."""
    role = message.get("role")
    entry: dict[str, Any] = {
        "role": role if role in ("system", "user", "assistant", "tool") else "user",
        "content": _text(message.get("content")),
        "phase": "pass1",
        "iteration": 0,
    }
    if thinking := _thinking(message.get("content")):
        entry["reasoning"] = thinking
    calls = [one for one in message.get("tool_calls") or () if isinstance(one, dict)]
    if calls:
        entry["tool_calls"] = [
            {"id": str(one.get("id") or ""), "name": str(one.get("function") or ""), "arguments": _arguments(one)}
            for one in calls
        ]
    if role == "tool":
        entry |= {"tool_call_id": str(message.get("tool_call_id") or ""), "name": str(message.get("function") or "")}
        if message.get("error"):
            entry["is_error"] = True
    return entry


def _arguments(call: dict[str, Any]) -> str:
    given = call.get("arguments")
    return given if isinstance(given, str) else json.dumps(given or {}, ensure_ascii=False)
