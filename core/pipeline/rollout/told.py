"""What an answer tells of how it came about, as a transcript: an agent's steps or messages, or those of a row in a file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.reply import identified
from modex.core.llm.textcalls.reading import extract_tool_calls
from modex.core.llm.types import ToolCall
from modex.core.pipeline.rollout.asking import Rollout, result_entry
from modex.core.pipeline.rollout.chat_forms import LISTS, as_messages, unread_keys
from modex.core.pipeline.rollout.chats import CHATS, entries_of, items_of, odd_lists
from modex.core.pipeline.rollout.claims import CALLS_UNANSWERED
from modex.core.store.call_results import call_results
from modex.core.tools.base import ToolResult

MAX_STEPS = 500
PHASE = "agent"
_KEYS = frozenset({"answer", "error", "steps", "reasoning", "usage", "cost_usd"})
_STEP = frozenset({"content", "thought", "tool", "arguments", "result", "error"})


def told_entries(answer: Mapping[str, Any], column: str | None = None) -> list[dict[str, Any]]:
    """Its steps, else its conversation, as entries of a transcript, each result with its call; none where it tells nothing.

    Raises:
        ModelCallError: a step or a message has another form.
    """
    if answer.get("steps"):
        return list(_steps(answer["steps"]))
    entries = entries_of(as_messages(items_of(answer, column)), PHASE)
    if len(entries) > 4 * MAX_STEPS:
        raise _invalid(f"the agent gives {len(entries):,} messages; at most {4 * MAX_STEPS} are kept")
    _pair(entries)
    return entries


def tells(answer: Mapping[str, Any], column: str | None = None) -> bool:
    """Whether it tells how it came about, be it that nothing was called."""
    return isinstance(answer.get("steps"), list) or bool(items_of(answer, column))


def _steps(steps: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise _invalid("the agent's `steps` are no list of objects")
    if len(steps) > MAX_STEPS:
        raise _invalid(f"the agent gives {len(steps):,} steps; at most {MAX_STEPS} are kept")
    for number, step in enumerate(steps, 1):
        yield from _step(step, number)


def _step(step: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """A thought, or the call of a tool with its result."""
    content = str(step.get("content") or step.get("thought") or "")
    entry: dict[str, Any] = {"role": "assistant", "content": content, "phase": PHASE, "iteration": number}
    name = step.get("tool")
    if name is None:
        if not content:
            raise _invalid(f"the agent's step {number} has neither `content` nor `tool`")
        yield entry
        return
    arguments = step.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, dict | str):
        raise _invalid(f"the agent's step {number}: `tool` is a name, `arguments` an object")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    call = ToolCall(f"step_{number}", name, text)
    yield {**entry, "tool_calls": [call.as_dict()]}
    result = step.get("result")
    shown = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    yield result_entry(call, ToolResult(shown, is_error=step.get("error") is True), PHASE, number)


def _pair(entries: Sequence[dict[str, Any]]) -> None:
    """Give each result without a known call's id the first call before it that has its name, or any, and no result yet."""
    open_calls: list[dict[str, Any]] = []
    for entry in entries:
        if entry.get("tool_calls"):
            open_calls = list(entry["tool_calls"])
        elif entry["role"] == "tool":
            found = next((call for call in open_calls if call["id"] == entry["tool_call_id"]), None)
            if found is None and not any(call["id"] == entry["tool_call_id"] for call in _calls(entries)):
                found = next((call for call in open_calls if entry["name"] in ("", call["name"])), None)
            if found is not None:
                open_calls.remove(found)
                entry["tool_call_id"], entry["name"] = found["id"], entry["name"] or found["name"]


def _calls(entries: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        yield from entry.get("tool_calls") or ()


def read_text_calls(
    entries: Sequence[dict[str, Any]], offered: Mapping[str, Mapping[str, Any]], rollout: Rollout
) -> None:
    """Make calls of those that stand in the assistant's texts, where a message holds none otherwise; flagged as a model's are."""
    if not offered:
        return
    changed = False
    for place, entry in enumerate(entries):
        if entry["role"] != "assistant" or entry.get("tool_calls") or not entry["content"]:
            continue
        found = extract_tool_calls(entry["content"], offered)
        if found.calls:
            entry["content"] = found.text
            entry["tool_calls"] = [call.as_dict() for call in identified(found.calls, place)]
            rollout.flag("text_tool_calls")
            changed = True
        elif found.looks_like:
            rollout.flag("looks_like_call")
    if changed:
        _pair(entries)


def mark_unanswered(entries: Sequence[dict[str, Any]], rollout: Rollout) -> None:
    """Mark the calls that were never executed (`unanswered`): these have no result where others have one, or where it goes on.

    A conversation that ends in its first calls holds what a model would do, and these are calls as any (so do BFCL's outputs).
    What a user says next may be the result of a call that stood in a text.
    """
    found = call_results(entries)
    results = any(result is not None for calls in found.calls.values() for _, result in calls)
    for place, calls in found.calls.items():
        said = ("", entries[place]["content"].strip())  # an answer beside the conversation repeats its last message
        others = (one for one in entries[place + 1 :] if one["role"] != "tool" and one["content"].strip() not in said)
        after = next(others, None)
        for call, result in calls:
            in_text = call.get("form") and after is not None and after["role"] == "user"
            if result is None and not in_text and (results or after is not None):
                call["unanswered"] = True  # type: ignore[index]
                rollout.flag(CALLS_UNANSWERED)


def unread_of(answer: Mapping[str, Any]) -> Counter[str]:
    """The keys of an agent's answer that are not read, however deep, with how often they stand there."""
    told = next((name for name in CHATS if not answer.get("steps") and items_of({name: answer.get(name)})), None)
    found = Counter(str(key) for key in answer if key not in _KEYS and key != told)
    if told is not None:
        found += unread_keys(items_of({told: answer[told]}))
    elif not answer.get("steps"):
        beside = {name: answer[name] for name in LISTS if name in answer}
        odd = Counter(name for words in odd_lists(beside) for name in beside if f"`{name}`" in words)
        found = found - Counter(list(beside)) + unread_keys(items_of(beside)) + odd
    steps = answer.get("steps")
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict):
            found.update(f"step.{key}" for key in step if key not in _STEP)
    return found


def _invalid(message: str) -> ModelCallError:
    return ModelCallError(message, ErrorType.INVALID_RESPONSE)
