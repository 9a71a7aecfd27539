"""Answers that were made elsewhere as rollouts: a JSONL file, a line for each answer, found by its test's id."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import ConfigurationError, ErrorType, ModelCallError
from core.pipeline.rollout.asking import Asking
from core.store.sample import EvaluationSample
from core.suite.datasets.rows import BadRow, json_lines

PREFIX = "answers:"
"""What a run's `agent` begins with where its answers come from a file."""
_IDS = ("test_id", "task_id", "id", "question_id")
_ANSWERS = ("answer", "response", "model_answer", "output", "prediction")
Answers = Mapping[tuple[str, int], dict[str, Any]]
"""Each answer's line by its test's id as given and its epoch."""


def file_of(agent: str | None) -> Path | None:
    """The file whose answers a run takes; None for a run that asks."""
    return Path(agent.removeprefix(PREFIX)) if agent is not None and agent.startswith(PREFIX) else None


def read_answers(path: Path) -> Answers:
    """The answers of a file; read once as long as it stays as it is.

    Raises:
        ConfigurationError: it cannot be read, or a line is no answer; the message names the line.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise ConfigurationError(
            f"{path}: cannot be read ({error.strerror or error}); name a file that can be"
        ) from None
    return _read(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4)
def _read(path: Path, _changed: int, _size: int) -> Answers:
    answers: dict[tuple[str, int], dict[str, Any]] = {}
    for row in json_lines(path):
        if isinstance(row, BadRow):
            raise ConfigurationError(f"{path}:{row.line}: {row.message}")
        data = row.data
        identity = next((data[name] for name in _IDS if isinstance(data.get(name), str | int)), None)
        if identity is None or isinstance(identity, bool):
            raise ConfigurationError(f"{path}:{row.line}: the answer names no test; give its id as `test_id`")
        epoch = data.get("epoch", 1)
        if isinstance(epoch, bool) or not isinstance(epoch, int) or epoch < 1:
            raise ConfigurationError(f"{path}:{row.line}: `epoch` is a whole number of 1 or more")
        text = next((data[name] for name in _ANSWERS if isinstance(data.get(name), str)), None)
        if text is None and not isinstance(data.get("error"), str):
            raise ConfigurationError(f"{path}:{row.line}: there is no text `answer` (and no `error`)")
        if (str(identity), epoch) in answers:
            raise ConfigurationError(
                f"{path}:{row.line}: test '{str(identity)[:80]}' (epoch {epoch}) is answered already; leave one of the two out"
            )
        answers[str(identity), epoch] = {**data, "answer": text}
    if not answers:
        raise ConfigurationError(
            f"{path}: no answer stands in it; write one JSON object a line, with `test_id` and `answer`"
        )
    return answers


def has_answer(answers: Answers, domain: str, level: int, test_id: str) -> bool:
    """Whether a test is answered, by its id or by `domain/level/id`."""
    return (test_id, 1) in answers or (f"{domain}/{level}/{test_id}", 1) in answers


def answer_of(sample: EvaluationSample, path: Path) -> dict[str, Any] | None:
    """The line that answers a sample; None where there is none."""
    answers = read_answers(path)
    full = f"{sample.domain}/{sample.level}/{sample.test_id}"
    return answers.get((full, sample.epoch)) or answers.get((sample.test_id, sample.epoch))


def digest_of(sample: EvaluationSample, path: Path) -> str:
    """The digest of a sample's answer: another one is another rollout."""
    text = json.dumps(answer_of(sample, path), sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def roll_out_by_answers(asking: Asking, path: Path) -> None:
    """Take the sample's answer from the file.

    Raises:
        ModelCallError: there is none, the file says that it failed, or its steps have another form.
    """
    from core.pipeline.rollout.agents import take_answer

    sample = asking.sample
    found = answer_of(sample, path)
    if found is None:
        raise ModelCallError(f"{path.name} has no answer for epoch {sample.epoch} of this test", ErrorType.AGENT_ERROR)
    if found["answer"] is None:
        raise ModelCallError(f"the answer failed where it was made: {found['error']}", ErrorType.AGENT_ERROR)
    turns = sample.definition.turns or [{"role": "user", "content": sample.prompt}]
    messages = found.get("transcript")
    if isinstance(messages, list) and messages and not found.get("steps"):
        asking.rollout.transcript += _entries(messages)
        found = {**found, "said": _last(messages) == found["answer"].strip()}
    else:
        opening = [{"role": "system", "content": sample.system_prompt}] if sample.system_prompt else []
        asking.told([*opening, *turns], "agent", turns=len(turns))
    take_answer(found, asking)


def _entries(messages: list[Any]) -> list[dict[str, Any]]:
    """Chat messages, with tool calls in OpenAI's form, as a transcript."""
    entries: list[dict[str, Any]] = []
    for number, message in enumerate(messages, 1):
        if not isinstance(message, dict) or message.get("role") not in ("system", "user", "assistant", "tool"):
            raise ModelCallError(
                f"message {number} of the transcript is no object with a role", ErrorType.INVALID_RESPONSE
            )
        content = message.get("content")
        text = (
            content if isinstance(content, str) else "" if content is None else json.dumps(content, ensure_ascii=False)
        )
        entry: dict[str, Any] = {"role": message["role"], "content": text, "phase": "agent", "iteration": number}
        if isinstance(message.get("reasoning"), str):
            entry["reasoning"] = message["reasoning"]
        if isinstance(calls := message.get("tool_calls"), list):
            entry["tool_calls"] = [_call(call, f"{number}_{place}") for place, call in enumerate(calls)]
        if message["role"] == "tool":
            entry |= {
                "tool_call_id": str(message.get("tool_call_id") or ""),
                "name": str(message.get("name") or ""),
                "is_error": message.get("is_error") is True,
                "duration_ms": 0,
            }
        entries.append(entry)
    return entries


def _call(call: Any, otherwise: str) -> dict[str, Any]:
    call = call if isinstance(call, dict) else {}
    inner = call.get("function") if isinstance(call.get("function"), dict) else call
    assert isinstance(inner, dict)
    arguments = inner.get("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": str(call.get("id") or otherwise), "name": str(inner.get("name") or ""), "arguments": text}


def _last(messages: list[Any]) -> str:
    """What the assistant said last."""
    said = [
        message.get("content")
        for message in messages
        if isinstance(message, dict) and message.get("role") == "assistant"
    ]
    return said[-1].strip() if said and isinstance(said[-1], str) else ""
