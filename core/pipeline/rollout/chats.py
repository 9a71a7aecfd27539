"""Conversations as OpenAI's API has them: messages, responses with `choices`, lines of its batches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.pipeline.rollout.chat_forms import LISTS, as_messages, holds_messages, items_in, texts_in
from modex.core.suite.datasets.asked import role_of

CHATS = ("transcript", "messages", "conversation")
"""Keys under which a row holds a conversation."""


def text_of(value: Any) -> str | None:
    """The text of a value that can be one: a text, a number, a message, content in parts, a whole response; else None."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        if value and all(isinstance(part, str) for part in value):
            return "\n".join(value)
        parts = [part.get("text") for part in value if isinstance(part, dict)]
        texts = [text for text in parts if isinstance(text, str)]
        return "".join(texts) if texts else None
    if not isinstance(value, dict):
        return None
    for inner in (value.get("body"), _first_message(value), value.get("content"), value.get("text")):
        if inner is not None and (text := text_of(inner)) is not None:
            return text
    return None


def _first_message(value: Mapping[str, Any]) -> Any:
    choices = value.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    return first.get("message") if isinstance(first.get("message"), dict) else first.get("text")


def chat_of(row: Mapping[str, Any], response: str | None = None) -> list[Any]:
    """The messages that a row holds, under one of `CHATS` or in its column `response`; empty where it holds none.

    Items of the Responses API and Anthropic's content blocks are made messages.
    """
    return as_messages(items_of(row, response))


def items_of(row: Mapping[str, Any], response: str | None = None) -> list[Any]:
    """`chat_of`, as the row has it; also the one message, or the items, of a whole response in its column `response`."""
    for name in (*CHATS, response):
        value = _listed(row.get(name)) if name is not None else None
        if holds_messages(value):
            return value or []
    return (items_in(row.get(response)) if response is not None else []) or list(_beside(row))


def _listed(value: Any) -> list[Any] | None:
    """The list that a value is, or that its text is in JSON, as in a column of CSV or Parquet; None for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, list) else None


def _beside(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What a row's lists of reasoning and tool use hold, each entry with its list's name as its `type`."""
    for name in LISTS:
        yield from (entry for entry in _entries(name, row.get(name)) if entry is not None)


def odd_lists(row: Mapping[str, Any]) -> Iterator[str]:
    """Which of a row's lists of reasoning and tool use cannot be read, or hold an entry that cannot, in words."""
    for name in LISTS:
        found = list(_entries(name, row.get(name)))
        if None in found:
            yield f"`{name}`" if not any(found) else f"an entry of `{name}`"


def _entries(name: str, value: Any) -> Iterator[dict[str, Any] | None]:
    """The entries of such a list, of one entry alone too; a text is a step of reasoning. None for what cannot be read."""
    listed = _listed(value)
    for place, entry in enumerate([value] if listed is None else listed, 1):
        found = entry
        if isinstance(entry, str) and entry.lstrip().startswith("{"):
            with suppress(ValueError, RecursionError):
                found = json.loads(entry)
        if isinstance(found, dict) and any(found.get(key) for key in LISTS[name]) and not _is_odd(name, found):
            yield {**found, "type": name}
        elif name == "reasoning_list" and isinstance(entry, str) and entry.strip():
            yield {"step": place, "reasoning": entry, "type": name}
        elif entry not in (None, "", {}, []):
            yield None


def _is_odd(name: str, entry: Mapping[str, Any]) -> bool:
    """Whether an entry's reasoning is none that can be read."""
    said = entry.get("reasoning")
    return name == "reasoning_list" and said not in (None, "", []) and not texts_in(said)


def last_answer(messages: Sequence[Any]) -> str | None:
    """What the assistant said last, None where it said nothing."""
    for message in reversed(messages):
        if isinstance(message, dict) and role_of(message) == "assistant":
            return _content(message)
    return None


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content", message.get("value"))
    if content is None:
        return ""
    text = text_of(content)
    return json.dumps(content, ensure_ascii=False) if text is None else text


def entries_of(messages: Sequence[Any], phase: str) -> list[dict[str, Any]]:
    """Messages, with tool calls in OpenAI's form, as entries of a transcript.

    Raises:
        ModelCallError: one is no object with a role.
    """
    entries: list[dict[str, Any]] = []
    names: dict[str, str] = {}
    for number, message in enumerate(messages, 1):
        role = role_of(message) if isinstance(message, dict) else None
        if role not in ("system", "user", "assistant", "tool"):
            raise ModelCallError(f"the agent's message {number} is no object with a role", ErrorType.INVALID_RESPONSE)
        entry: dict[str, Any] = {"role": role, "content": _content(message), "phase": phase, "iteration": number}
        reasoning = message.get("reasoning", message.get("reasoning_content"))
        if isinstance(reasoning, str):
            entry["reasoning"] = reasoning
        if calls := _calls(message):
            entry["tool_calls"] = [_call(call, f"{number}_{place}") for place, call in enumerate(calls)]
            names |= {call["id"]: call["name"] for call in entry["tool_calls"]}
        if role == "tool":
            identity = str(message.get("tool_call_id") or "")
            entry |= {
                "tool_call_id": identity,
                "name": str(message.get("name") or names.get(identity, "")),
                "is_error": message.get("is_error") is True,
                "duration_ms": 0,
            }
        entries.append(entry)
    return entries


def _calls(message: Mapping[str, Any]) -> list[Any]:
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        return calls
    old = message.get("function_call")
    return [old] if isinstance(old, dict) else []


def _call(call: Any, otherwise: str) -> dict[str, Any]:
    call = call if isinstance(call, dict) else {}
    inner = call.get("function") if isinstance(call.get("function"), dict) else call
    assert isinstance(inner, dict)
    arguments = inner.get("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    described = call.get("description")
    return {
        "id": str(call.get("id") or otherwise), "name": str(inner.get("name") or ""), "arguments": text,
        **({"description": described} if isinstance(described, str) and described else {}),
    }  # fmt: skip
