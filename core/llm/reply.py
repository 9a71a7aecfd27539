"""A chat completion as JSON → what the pipeline is told: text, thinking, tool calls, tokens, flags."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from modex.core.foundation.errors import ModelCallError
from modex.core.jsonvalues.jsonargs import too_deep
from modex.core.llm import faults, quirks
from modex.core.llm.faults import Provider
from modex.core.llm.thinking import strip_thinking
from modex.core.llm.timing import Timing
from modex.core.llm.types import Completion, ToolCall, Usage

Cut = Literal["runaway", "time_limit"]
"""Why modex itself ended an answer: it repeated itself, or took longer than it may."""
ANSWERS = {"stop", "length", "tool_calls"}
"""Endings after which there is an answer, whole or cut off."""
_THOUGHTS = quirks.names("thinking field")
_THINKING_PARTS = frozenset(quirks.names("thinking part"))
_WANTED_BACK = quirks.names("wanted back")
_BACK_ASIDE = quirks.names("wanted back aside")
_BACK_WITH_A_CALL = quirks.names("wanted back with a call")
_CACHED = quirks.names("cached tokens")
_BLOCKED_PROMPT = quirks.names("blocked prompt")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a provider sent, read but not yet interpreted."""

    content: str = ""
    reasoning: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    usage: Usage | None = None
    refusal: bool = False
    carry: Mapping[str, Any] = field(default_factory=dict)
    """See `Completion.carry`."""
    timing: Timing | None = None
    """When it was written; None where it came whole."""
    cut: str | None = None
    """Where modex ended it (`finish_reason` is then a `Cut`): why, in words."""
    data: Mapping[str, Any] | None = None
    """The whole answer as JSON, of a call that goes on with texts."""


def read_reply(who: Provider, data: Any) -> Reply:
    """Read a chat completion.

    Raises:
        ModelCallError: it holds an error, no choice, no message, or was stopped by a content filter.
    """
    if not isinstance(data, Mapping):
        raise faults.invalid_response(who, "the answer is JSON, but no chat completion", json.dumps(data)[:200])
    choices = data.get("choices")
    if data.get("error") and not choices:
        raise faults.from_error_body(who, data["error"])
    if not isinstance(choices, list):
        raise faults.invalid_response(who, "the answer is JSON, but no chat completion", json.dumps(data)[:200])
    if not choices:
        raise _without_choices(who, data)
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(message, Mapping):
        raise faults.invalid_response(who, "a choice without a message", json.dumps(choice)[:200])
    finish = _finish_reason(choice)
    content, thought = _content(message.get("content"))
    usage = usage_of(data.get("usage"))
    ending = faults.ending_of(finish)
    if ending not in ANSWERS or choice.get("error"):
        error = faults.stopped_by(who, finish, ending, choice.get("error"), content)
        error.usage = usage
        raise error
    aside = message.get("provider_specific_fields")
    aside = aside if isinstance(aside, Mapping) else {}
    refusal = message.get("refusal") or aside.get("refusal")
    if not content and isinstance(refusal, str) and refusal:
        content = refusal
    reasoning = next((message[k] for k in _THOUGHTS if _text(message.get(k))), thought)
    calls = _tool_calls(message)
    return Reply(content, reasoning, calls, str(ending), usage, bool(refusal), _carried(message, aside))


def _carried(message: Mapping[str, Any], aside: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a message that its provider demands back, in the form that each path sends them."""
    found = {name: value for name in _WANTED_BACK if (value := message.get(name) or aside.get(name))}
    if back := {name: aside[name] for name in _BACK_ASIDE if aside.get(name)}:
        found["provider_specific_fields"] = back
    return found


def _without_choices(who: Provider, data: Mapping[str, Any]) -> ModelCallError:
    """Nothing was written: because the prompt was blocked, or for no reason given."""
    feedback = next((data[name] for name in _BLOCKED_PROMPT if data.get(name)), None)
    blocked = feedback.get("blockReason") if isinstance(feedback, Mapping) else None
    error = faults.content_filter(who, f"the prompt was blocked: {blocked}") if blocked else faults.empty_choices(who)
    error.usage = usage_of(data.get("usage"))
    return error


def _finish_reason(choice: Mapping[str, Any]) -> str:
    """Why the model stopped, in the provider's own word: litellm calls what it does not know `stop`, and keeps the word aside."""
    fields = choice.get("provider_specific_fields")
    native = fields.get("native_finish_reason") if isinstance(fields, Mapping) else None
    return str(native or choice.get("finish_reason") or "stop")


def read_continued(who: Provider, data: Any) -> Reply:
    """Read the answer of `/completions`, of which whoever asked knows the form.

    Raises:
        ModelCallError: it is none.
    """
    if not isinstance(data, Mapping):
        raise faults.invalid_response(who, "the answer is JSON, but no completion", json.dumps(data)[:200])
    if data.get("error") and not data.get("choices"):
        raise faults.from_error_body(who, data["error"])
    return Reply(usage=usage_of(data.get("usage")), data=data)


def interpret(reply: Reply, *, turn: int) -> Completion:
    """Strip the thinking, and flag what a reader should know.

    `turn` is the number of messages sent; it makes the ids of calls that came without one unique in the conversation.
    """
    thinking = strip_thinking(reply.content)
    text, calls = thinking.answer, reply.tool_calls
    flags: list[str] = []
    reasoning = "\n\n".join(part for part in (reply.reasoning, thinking.reasoning) if part) or None
    if reasoning:
        text = text.lstrip()
    empty = not text.strip() and not calls
    if reply.cut is not None:
        flags.append(reply.finish_reason)
    elif thinking.truncated or (empty and reply.finish_reason == "length"):
        flags.append("truncated_reasoning")
    elif reply.finish_reason == "length":
        flags.append("truncated_output")
    elif empty:
        flags.append("empty_answer")
    if reply.refusal:
        flags.append("refusal")
    if reply.usage is None:
        flags.append("usage_missing")
    return Completion(
        text=text,
        reasoning=reasoning,
        tool_calls=identified(calls, turn),
        finish_reason=reply.finish_reason,
        usage=reply.usage or Usage(),
        flags=tuple(flags),
        raw_text=reply.content,
        carry=reply.carry,
        timing=reply.timing,
        cut=reply.cut,
    )


def identified(calls: tuple[ToolCall, ...], turn: int) -> tuple[ToolCall, ...]:
    """The calls with an id each, no two alike, so that one result answers one call."""
    seen: set[str] = set()
    found: list[ToolCall] = []
    for number, call in enumerate(calls, start=1):
        identity = call.id if call.id and call.id not in seen else f"call_{turn}_{number}"
        seen.add(identity)
        found.append(replace(call, id=identity))
    return tuple(found)


def _content(content: Any) -> tuple[str, str | None]:
    """Text and thinking of a content that is a string, or a list of parts."""
    if isinstance(content, str):
        return content, None
    if not isinstance(content, list) or too_deep(content):
        return "", None
    texts: list[str] = []
    thoughts: list[str] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping):
            inner = part.get("text") if "text" in part else part.get("thinking")
            words = inner if isinstance(inner, str) else _content(inner)[0]
            (thoughts if part.get("type") in _THINKING_PARTS else texts).append(words)
    return "".join(texts), "\n".join(thoughts) or None


def _tool_calls(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    given = message.get("tool_calls")
    calls = [_tool_call(item) for item in given if isinstance(item, Mapping)] if isinstance(given, list) else []
    old_form = message.get("function_call")
    if not calls and isinstance(old_form, Mapping):
        calls = [_tool_call({"function": old_form})]
    return tuple(calls)


def _tool_call(item: Mapping[str, Any]) -> ToolCall:
    function = item.get("function")
    function = function if isinstance(function, Mapping) else {}
    arguments = function.get("arguments")
    if arguments is None or arguments == "":
        arguments = "{}"
    elif not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    extra = {name: item[name] for name in _BACK_WITH_A_CALL if item.get(name)}
    return ToolCall(_text(item.get("id")), _text(function.get("name")), arguments, extra=extra)


def usage_of(usage: Any) -> Usage | None:
    """The tokens counted; None where the provider did not say, so that nothing is made up."""
    if not isinstance(usage, Mapping) or not (_count(usage, "prompt_tokens") or _count(usage, "completion_tokens")):
        return None
    completion_details, prompt_details = usage.get("completion_tokens_details"), usage.get("prompt_tokens_details")
    return Usage(
        prompt=_count(usage, "prompt_tokens"),
        completion=_count(usage, "completion_tokens"),
        reasoning=_count(completion_details, "reasoning_tokens"),
        cached=_count(prompt_details, "cached_tokens") or max((_count(usage, name) for name in _CACHED), default=0),
    )


def _count(counts: Any, name: str) -> int:
    value = counts.get(name) if isinstance(counts, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**53:
        return 0
    return int(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
