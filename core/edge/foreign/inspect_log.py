"""A run as a log of inspect_ai (version 2 of its JSON form), which its reader and its viewer open.

Source of the form: `inspect_ai.log.EvalLog` of 0.3, as `read_eval_log` takes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from modex.core.edge.foreign.plain import document, name_of, strict, text
from modex.core.features.story.figures import CORRECTED, level_rows, run_figures
from modex.core.foundation.parties import party_of
from modex.core.foundation.version import version
from modex.core.store.bounds import Bounds, open_bounds
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample, turns_of

SCORER = "modex"
_STATUS = {"completed": "success", "aborted": "error", "error": "error"}
_STOP = {
    "stop": "stop",
    "length": "max_tokens",
    "tool_calls": "tool_calls",
    "content_filter": "content_filter",
    "model_context_window_exceeded": "model_length",
}


def inspect_log(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    """The run as one JSON document, in pieces."""
    head = json.dumps(strict(_head(reader, run)), ensure_ascii=True)
    yield head[:-1] + ', "samples": [\n'
    for index, sample in enumerate(reader.samples(run.id, query)):
        yield (",\n" if index else "") + document(_sample(sample, run.model))
    yield "\n]}\n"


def _head(reader: Reader, run: RunRow) -> dict[str, Any]:
    started = run.started_at or run.completed_at or "1970-01-01T00:00:00Z"
    scored = run.passed_tests + run.failed_tests
    usage = _usage(run.prompt_tokens, run.completion_tokens)
    every = open_bounds(reader, run)
    return {
        "version": 2,
        "status": _STATUS.get(run.state, "cancelled"),
        "eval": {
            "eval_id": run.exp_id,
            "run_id": run.exp_id,
            "created": started,
            "task": run.exp_id,
            "task_id": run.exp_id,
            "dataset": {"name": _dataset(run), "samples": run.total_tests},
            "model": run.model,
            "model_generate_config": _generation(run),
            "config": {"epochs": _epochs(run)},
            "packages": {"modex": version()},
            "scorers": [{"name": SCORER, "options": {}, "metrics": [], "metadata": {}}],
        },
        "plan": {"name": "modex", "steps": [], "config": {}},
        "results": {
            "total_samples": run.total_tests,
            "completed_samples": run.done_tests,
            "scores": [
                {
                    "name": SCORER,
                    "scorer": SCORER,
                    "scored_samples": scored,
                    "unscored_samples": run.total_tests - scored,
                    "metrics": _metrics(run, scored, every.whole),
                    "metadata": {"level_scores": level_rows(reader, run, every)},
                },
                *_figures(reader, run),
            ],
        },
        "stats": {
            "started_at": started,
            "completed_at": run.completed_at or "",
            "model_usage": {run.model: usage} if usage else {},
        },
        "metadata": {"cost_usd": run.cost_usd, "note": run.note} | ({"reason": run.reason} if run.reason else {}),
    } | ({"error": _error(run.reason)} if run.state in ("aborted", "error") and run.reason else {})


def _dataset(run: RunRow) -> str:
    selection = run.config.get("selection")
    if not isinstance(selection, dict):
        return "suite"
    files = [str(one.get("path")) for one in selection.get("datasets") or () if isinstance(one, dict)]
    return ", ".join(files) or str(selection.get("suite") or "bundled suite")


def _epochs(run: RunRow) -> int:
    epochs = run.config.get("epochs")
    return epochs if isinstance(epochs, int) else 1


def _generation(run: RunRow) -> dict[str, Any]:
    model = run.config.get("model")
    asked = model if isinstance(model, dict) else {}
    return {name: asked[name] for name in ("temperature", "max_tokens", "seed") if asked.get(name) is not None}


def _metrics(run: RunRow, scored: int, open_: Bounds | None) -> dict[str, Any]:
    """The run's two scores; each with what lacks a verdict all wrong and all right, where something does."""
    found = {"weighted_score": run.overall_score, "accuracy": run.passed_tests / scored if scored else None}
    told = {name: {"name": name, "value": value} for name, value in found.items() if value is not None}
    if open_ is not None:
        every = scored + open_.number
        ends = {
            "weighted_score": open_.ends,
            "accuracy": (run.passed_tests / every, (run.passed_tests + open_.number) / every),
        }
        for name, one in told.items():
            low, high = ends[name]
            one["metadata"] = {"without_verdict": open_.number, "if_all_wrong": low, "if_all_right": high}
    return told


def _figures(reader: Reader, run: RunRow) -> list[dict[str, Any]]:
    """Scores that no sample has, whose metrics are the run's figures: its viewer shows the metrics of every score."""
    found: dict[str, dict[str, Any]] = {}
    for figure in run_figures(reader, run):
        told: dict[str, Any] = {"unit": figure.unit, "n": figure.n, **figure.more}
        if figure.interval is not None:
            told["ci_low"], told["ci_high"] = figure.interval
        place = "labels" if figure.name.startswith(CORRECTED) else "bounds" if figure.unit == "score" else "speed"
        found.setdefault(place, {})[figure.name] = {"name": figure.name, "value": figure.value, "metadata": told}
    return [{"name": place, "scorer": SCORER, "metrics": metrics} for place, metrics in found.items()]


def _usage(prompt: int, completion: int) -> dict[str, Any]:
    known = prompt or completion
    return {"input_tokens": prompt, "output_tokens": completion, "total_tokens": prompt + completion} if known else {}


def _error(message: str | None) -> dict[str, Any]:
    return {"message": message or "", "traceback": "", "traceback_ansi": ""}


def _sample(sample: EvaluationSample, model: str) -> dict[str, Any]:
    usage = _usage(sample.prompt_tokens, sample.completion_tokens)
    if usage and sample.reasoning_tokens:
        usage["reasoning_tokens"] = sample.reasoning_tokens
    if usage and sample.cached_tokens:
        usage["input_tokens_cache_read"] = sample.cached_tokens
    messages = _messages(sample)
    written: dict[str, Any] = {
        "id": name_of(sample),
        "epoch": sample.epoch,
        "input": sample.prompt if not sample.definition.turns else "\n\n".join(turns_of(sample)),
        "target": _target(sample.expected),
        "messages": messages,
        "output": _output(sample, model, messages, usage),
        "metadata": _metadata(sample),
        "model_usage": {model: usage} if usage else {},
        "total_time": sample.duration_ms / 1000,
    }
    for name in ("started_at", "completed_at"):
        if getattr(sample, name):
            written[name] = getattr(sample, name)
    if sample.score is not None:
        written["scores"] = {
            SCORER: {"value": sample.score, "answer": sample.extracted_answer, "explanation": sample.why or None}
        }
    if sample.status == "error":
        written["error"] = _error(f"{sample.error_type or 'error'}: {sample.error_message or ''}")
    return written


def _target(expected: Any) -> str | list[str]:
    if isinstance(expected, list):
        return [text(item) for item in expected]
    return "" if expected is None else text(expected)


def _metadata(sample: EvaluationSample) -> dict[str, Any]:
    return {
        "source": sample.source,
        "domain": sample.domain,
        "level": sample.level,
        "weight": sample.weight,
        "test_id": sample.test_id,
        "name": sample.name,
        "evaluator_id": sample.evaluator_id,
        "status": sample.status,
        "error_type": sample.error_type,
        "fault": party_of(sample),
        "flags": list(sample.noted),
        "cost_usd": sample.cost_usd,
        "ttft_ms": sample.ttft_ms,
        "output_tokens_per_s": sample.output_tokens_per_s,
        "thinking_ms": sample.thinking_ms,
        "attempts": sample.attempts,
    }


def _messages(sample: EvaluationSample) -> list[dict[str, Any]]:
    return [message for message in map(_message, sample.transcript) if message is not None]


def _message(entry: dict[str, Any]) -> dict[str, Any] | None:
    role, content = entry.get("role"), entry.get("content") or ""
    if role not in ("system", "user", "assistant", "tool"):
        return None
    message: dict[str, Any] = {"role": role, "content": text(content)}
    if reasoning := entry.get("reasoning"):
        message["content"] = [
            {"type": "reasoning", "reasoning": str(reasoning)},
            {"type": "text", "text": text(content)},
        ]
    if role == "assistant" and entry.get("tool_calls"):
        message["tool_calls"] = [_call(call) for call in entry["tool_calls"] if isinstance(call, dict)]
    if role == "tool":
        message["tool_call_id"] = entry.get("tool_call_id")
        message["function"] = entry.get("name")
        if entry.get("is_error"):
            message["error"] = {"type": "unknown", "message": text(content)}
    return message


def _call(call: dict[str, Any]) -> dict[str, Any]:
    arguments = _parsed(call.get("arguments"))
    given = {"id": str(call.get("id") or ""), "function": str(call.get("name") or ""), "type": "function"}
    if isinstance(arguments, dict):
        return given | {"arguments": arguments}
    return given | {"arguments": {}, "parse_error": f"not an object: {text(arguments)}"}


def _parsed(arguments: Any) -> Any:
    """The arguments as an object; as they are where they are none."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments


def _output(
    sample: EvaluationSample, model: str, messages: list[dict[str, Any]], usage: dict[str, Any]
) -> dict[str, Any]:
    if sample.response is None:
        return {"model": model, "choices": []} | ({"usage": usage} if usage else {})
    last = next((message for message in reversed(messages) if message["role"] == "assistant"), None)
    message = last or {"role": "assistant", "content": sample.response}
    stopped = _STOP.get(sample.finish_reason or "", "unknown")
    return {
        "model": model,
        "choices": [{"message": message, "stop_reason": stopped}],
        "completion": sample.response,
    } | ({"usage": usage} if usage else {})
