"""Conversations in other forms than OpenAI's chat as messages of that, and what of a conversation is not read.

Items of the Responses API: https://platform.openai.com/docs/api-reference/responses/object.
Content blocks of Anthropic's Messages: https://docs.anthropic.com/en/api/messages.
CAIA's agent output: https://github.com/caiba-ai/caia-benchmark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from modex.core.suite.datasets.asked import role_of

CALLS = ("function_call", "custom_tool_call", "mcp_call")
"""Items of the Responses API that are a call."""
RESULTS = ("function_call_output", "custom_tool_call_output")
LISTS: Mapping[str, tuple[str, ...]] = {
    "reasoning_list": ("reasoning", "step"),
    "tool_use_list": ("tool_name", "tool_input", "tool_output", "tool_description"),
}
"""Lists beside an answer in CAIA's agent output, each with the keys by one of which an entry is known.

An entry with its list's name as its `type` is an item too.
"""
_ITEMS = (*CALLS, *RESULTS, "reasoning", *LISTS)
_BLOCKS = (
    "tool_use",
    "server_tool_use",
    "mcp_tool_use",
    "tool_result",
    "mcp_tool_result",
    "thinking",
    "redacted_thinking",
)
_TEXTS = ("text", "input_text", "output_text", "summary_text", "reasoning_text")
_ENVELOPE = frozenset({"type", "id", "status", "index", "object"})
_MESSAGE = _ENVELOPE | {
    "role", "from", "content", "value", "name", "tool_calls", "tool_call_id", "function_call", "reasoning",
    "reasoning_content", "is_error",
}  # fmt: skip
_READ: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(CALLS, _ENVELOPE | {"call_id", "name", "arguments", "input", "output", "error"}),
    **dict.fromkeys(RESULTS, _ENVELOPE | {"call_id", "output"}),
    "reasoning": _ENVELOPE | {"summary", "content"},
    "reasoning_list": _ENVELOPE | {*LISTS["reasoning_list"]},
    "tool_use_list": _ENVELOPE | {"call_id", *LISTS["tool_use_list"]},
    **dict.fromkeys(("tool_use", "server_tool_use", "mcp_tool_use"), _ENVELOPE | {"name", "input"}),
    **dict.fromkeys(("tool_result", "mcp_tool_result"), _ENVELOPE | {"tool_use_id", "content", "is_error"}),
    "thinking": _ENVELOPE | {"thinking"},
    "redacted_thinking": _ENVELOPE,
    **dict.fromkeys(_TEXTS, _ENVELOPE | {"text"}),
}
"""Keys that are read of an item or a block of each kind."""


def holds_messages(value: Any) -> bool:
    """Whether a value is a conversation in one of the forms."""
    if not isinstance(value, list) or not value or not all(isinstance(one, dict) for one in value):
        return False
    return bool(role_of(value[0])) or value[0].get("type") in _ITEMS


def items_in(response: Any) -> list[Any]:
    """What a whole response of an API holds, or a line of a batch with one in its `body`; empty for anything else."""
    body = response.get("body", response) if isinstance(response, dict) else None
    if not isinstance(body, dict):
        return []
    choices = body.get("choices")
    first = (
        choices[0].get("message") if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
    )
    if isinstance(first, dict):
        return [{"role": "assistant", **first}]
    if holds_messages(body.get("output")):
        return list(body["output"])
    return [body] if role_of(body) == "assistant" and isinstance(body.get("content"), list) else []


def as_messages(items: Sequence[Any]) -> list[Any]:
    """A conversation as messages of OpenAI's chat; one that is so already is left as it is."""
    if not any(_is_other(item) for item in items):
        return list(items)
    found: list[dict[str, Any]] = []
    thought: list[str] = []
    for item in items:
        kind = item.get("type")
        if kind in CALLS:
            _assistant(found, "", [_call(item, item.get("call_id") or item.get("id"))], thought)
            if item.get("output") is not None or item.get("error"):
                found.append(_result(item.get("call_id") or item.get("id"), item.get("output") or item.get("error")))
                found[-1]["is_error"] = bool(item.get("error"))
        elif kind in RESULTS:
            found.append(_result(item.get("call_id"), item.get("output")))
        elif kind == "reasoning":
            thought += texts_in(item.get("summary")) or texts_in(item.get("content"))
        elif kind == "reasoning_list":
            thought += [f"Step {item.get('step', '?')}: {said}" for said in texts_in(item.get("reasoning"))]
        elif kind == "tool_use_list":
            _of_tool_use(found, item, thought)
        elif role_of(item) == "assistant":
            _of_assistant(found, item, thought)
        elif role_of(item):
            found += _of_others(item)
    if thought and items[-1].get("type") == "reasoning_list":
        _assistant(found, "", [], thought)
    return found


def _is_other(item: Any) -> bool:
    if not isinstance(item, dict):
        return False
    content = item.get("content")
    blocks = content if isinstance(content, list) else []
    return item.get("type") in _ITEMS or any(isinstance(one, dict) and one.get("type") in _BLOCKS for one in blocks)


def _assistant(found: list[dict[str, Any]], content: Any, calls: list[dict[str, Any]], thought: list[str]) -> None:
    """Add a message of the assistant; calls alone belong to the one just before."""
    if not content and calls and not thought and found and found[-1]["role"] == "assistant":
        found[-1].setdefault("tool_calls", []).extend(calls)
        return
    message = {"role": "assistant", "content": content}
    if calls:
        message["tool_calls"] = calls
    if thought:
        message["reasoning"] = "\n\n".join(thought)
        thought.clear()
    found.append(message)


def _of_assistant(found: list[dict[str, Any]], item: Mapping[str, Any], thought: list[str]) -> None:
    """What an assistant's message holds: thinking, text, calls, and results of tools that its server called."""
    content = item.get("content")
    blocks = content if isinstance(content, list) else []
    results = []
    calls = list(item.get("tool_calls") or ())
    rest = []
    for block in blocks:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind in ("thinking", "redacted_thinking"):
            thought += [block["thinking"]] if isinstance(block.get("thinking"), str) else []
        elif kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
            calls.append(_call(block, block.get("id")))
        elif kind in ("tool_result", "mcp_tool_result"):
            results.append(_result_of(block))
        else:
            rest.append(block)
    if isinstance(item.get("reasoning"), str):
        thought.append(item["reasoning"])
    said = content if not isinstance(content, list) else rest or ""
    _assistant(found, said, calls, thought)
    found += results


def _of_tool_use(found: list[dict[str, Any]], item: Mapping[str, Any], thought: list[str]) -> None:
    """A tool use of CAIA's: a call with its tool's description, and the result where there is one."""
    id_ = item.get("call_id") or f"tool_use_{len(found) + 1}"
    call = _call({"name": item.get("tool_name"), "arguments": item.get("tool_input")}, id_)
    described = item.get("tool_description")
    _assistant(found, "", [{**call, **({"description": described} if described else {})}], thought)
    if item.get("tool_output") is not None:
        found.append(_result(id_, item["tool_output"]))


def _of_others(item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A message of another role; results of tools in it are messages of their own, before what else it says."""
    content = item.get("content")
    if not isinstance(content, list):
        yield dict(item)
        return
    rest = []
    for block in content:
        if isinstance(block, dict) and block.get("type") in ("tool_result", "mcp_tool_result"):
            yield _result_of(block)
        else:
            rest.append(block)
    if rest:
        yield {**item, "content": rest}


def _call(item: Mapping[str, Any], id_: Any) -> dict[str, Any]:
    arguments = item.get("arguments", item.get("input"))
    function = {"name": item.get("name"), "arguments": {} if arguments is None else arguments}
    return {"id": id_, "type": "function", "function": function}


def _result_of(block: Mapping[str, Any]) -> dict[str, Any]:
    return {**_result(block.get("tool_use_id"), block.get("content")), "is_error": block.get("is_error") is True}


def _result(id_: Any, content: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id_, "content": "" if content is None else content}


def texts_in(parts: Any) -> list[str]:
    """The texts of a text, or of a list of texts and of objects with a `text`."""
    if isinstance(parts, str):
        return [parts]
    found = [one.get("text") if isinstance(one, dict) else one for one in parts] if isinstance(parts, list) else []
    return [text for text in found if isinstance(text, str)]


def unread_keys(items: Sequence[Any]) -> Counter[str]:
    """What of a conversation is not read: keys that hold something, and kinds of items and content, with how often."""
    found: Counter[str] = Counter()
    for item in items:
        if not isinstance(item, dict):
            continue
        if role_of(item):
            found.update(f"message.{key}" for key in _more(item, _MESSAGE))
            for call in item["tool_calls"] if isinstance(item.get("tool_calls"), list) else ():
                if isinstance(call, dict):
                    found.update(
                        f"tool_call.{key}"
                        for key in _more(call, _ENVELOPE | {"function", "name", "arguments", "description"})
                    )
            content = item.get("content")
            for block in content if isinstance(content, list) else ():
                if isinstance(block, dict):
                    found.update(_unread(block, "content", "text"))
        else:
            found.update(_unread(item, "item"))
    return found


def _unread(part: Mapping[str, Any], what: str, otherwise: str = "") -> Iterator[str]:
    kind = str(part.get("type") or otherwise)
    if kind not in _READ:
        yield f"{what} of type {kind or 'unknown'}"
        return
    yield from (f"{kind}.{key}" for key in _more(part, _READ[kind]))


def _more(part: Mapping[str, Any], read: frozenset[str]) -> Iterator[str]:
    """The other keys that hold something."""
    return (str(key) for key, value in part.items() if key not in read and value not in (None, "", [], {}, False))
