"""A chat completion as JSON → what the pipeline is told: text, thinking, tool calls, tokens, flags."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.llm import faults
from core.llm.faults import Provider
from core.llm.texttools import extract_tool_calls
from core.llm.thinking import strip_thinking
from core.llm.types import Completion, ToolCall, Usage

_FINISH = {
    "max_tokens": "length",
    "max_output_tokens": "length",
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a provider sent, read but not yet interpreted."""

    content: str = ""
    reasoning: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    usage: Usage | None = None
    refusal: bool = False


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
        raise faults.empty_choices(who)
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(message, Mapping):
        raise faults.invalid_response(who, "a choice without a message", json.dumps(choice)[:200])
    finish = str(choice.get("finish_reason") or "stop")
    finish = _FINISH.get(finish, finish)
    content, thought = _content(message.get("content"))
    if finish == "content_filter":
        raise faults.content_filter(who, content)
    refusal = message.get("refusal")
    if not content and isinstance(refusal, str) and refusal:
        content = refusal
    reasoning = next((message[k] for k in ("reasoning_content", "reasoning") if _text(message.get(k))), thought)
    calls = _tool_calls(message)
    return Reply(content, reasoning, calls, finish, _usage(data.get("usage")), refusal=bool(refusal))


def interpret(reply: Reply, *, turn: int) -> Completion:
    """Strip the thinking, take tool calls out of the text, and flag what a reader should know.

    `turn` is the number of messages sent; it makes the ids of calls that came without one unique in the conversation.
    """
    thinking = strip_thinking(reply.content)
    text, calls = thinking.answer, reply.tool_calls
    flags: list[str] = []
    if not calls and text:
        found = extract_tool_calls(text)
        if found.calls:
            text, calls = found.text, found.calls
            flags.append("text_tool_calls")
    reasoning = "\n\n".join(part for part in (reply.reasoning, thinking.reasoning) if part) or None
    if reasoning:
        text = text.lstrip()
    empty = not text.strip() and not calls
    if thinking.truncated or (empty and reply.finish_reason == "length"):
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
        tool_calls=_identified(calls, turn),
        finish_reason=reply.finish_reason,
        usage=reply.usage or Usage(),
        flags=tuple(flags),
        raw_text=reply.content,
    )


def _identified(calls: tuple[ToolCall, ...], turn: int) -> tuple[ToolCall, ...]:
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
    if not isinstance(content, list):
        return "", None
    texts: list[str] = []
    thoughts: list[str] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping):
            inner = part.get("text") if "text" in part else part.get("thinking")
            words = inner if isinstance(inner, str) else _content(inner)[0]
            (thoughts if part.get("type") in {"thinking", "reasoning"} else texts).append(words)
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
    return ToolCall(_text(item.get("id")), _text(function.get("name")), arguments)


def _usage(usage: Any) -> Usage | None:
    """The tokens counted; None where the provider did not say, so that nothing is made up."""
    if not isinstance(usage, Mapping) or not (_count(usage, "prompt_tokens") or _count(usage, "completion_tokens")):
        return None
    completion_details, prompt_details = usage.get("completion_tokens_details"), usage.get("prompt_tokens_details")
    return Usage(
        prompt=_count(usage, "prompt_tokens"),
        completion=_count(usage, "completion_tokens"),
        reasoning=_count(completion_details, "reasoning_tokens"),
        cached=_count(prompt_details, "cached_tokens") or _count(usage, "prompt_cache_hit_tokens"),
    )


def _count(counts: Any, name: str) -> int:
    value = counts.get(name) if isinstance(counts, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**53:
        return 0
    return int(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
