"""What the mocks would know after calls that were made elsewhere: a transcript's calls, made again on the test's own mocks."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

from modex.core.evaluators.tool_call.final_state import STATE_UNKNOWN
from modex.core.llm.types import ToolCall
from modex.core.pipeline.rollout.asking import Asking
from modex.core.pipeline.rollout.claims import plain_name
from modex.core.pipeline.rollout.tool_loop import ToolLoop
from modex.core.suite.definitions import ToolDefinition
from modex.core.tools.executor import SuiteToolExecutor

STATE_REPLAYED = "state_replayed"
"""The flag of a final state that follows from the calls of a transcript, which nobody saw."""
_OWN = ("world:", "live:", "python:code_workspace")
"""Handlers that leave what mocks know as it is."""


def keeps_state(asking: Asking) -> bool:
    """Whether the sample's mocks remember anything, or a server tells what it knows."""
    if asking.sample.definition.tool_state:
        return True
    tools = asking.context.tools_of(asking.sample)
    if any(tool.server is not None and tool.server.state for tool in tools):
        return True
    return any(entry.get("set") for tool in tools for entry in _entries(tool))


def replay_state(asking: Asking, entries: Sequence[dict[str, Any]]) -> None:
    """Keep the state that the calls in `entries` lead to; where that cannot be told, flag it with the reason."""
    if not keeps_state(asking):
        return
    why = _replayed(asking, entries)
    if why:
        unknown(asking, why)
        return
    asking.keep_state(mocks_only=True)
    if any(entry.get("tool_calls") for entry in entries):
        asking.rollout.flag(STATE_REPLAYED)


def unknown(asking: Asking, why: str) -> None:
    """Note that the final state cannot be told."""
    asking.rollout.tool_state = None
    asking.rollout.flag(STATE_UNKNOWN)
    if asking.rollout.transcript:
        asking.rollout.transcript[-1][STATE_UNKNOWN] = why


def _replayed(asking: Asking, entries: Sequence[dict[str, Any]]) -> str:
    """Make the calls on the mocks without their pauses; why that tells nothing, empty where it does."""
    tools = {tool.name: tool for tool in asking.context.tools_of(asking.sample)}
    if any(tool.server is not None and tool.server.state for tool in tools.values()):
        return "a server tells it, which knows nothing of calls that were made elsewhere"
    at_once = threading.Event()
    at_once.set()
    with closing(SuiteToolExecutor(stop=at_once)) as executor:
        loop = ToolLoop(asking, [one for one in tools.values() if one.server is None], asking.session(), executor)
        for number, (call, result) in enumerate(_calls(entries), 1):
            name = plain_name(call.name, tools)
            tool = tools.get(name)
            if tool is not None and (tool.server is not None or (tool.handler or "").startswith(_OWN)):
                continue
            said = f"call {number} ({call.name[:80]})"
            if tool is not None and tool.handler is not None:
                return f"{said} is answered by a handler of a plugin, which is not asked again"
            ours = loop.call(ToolCall(call.id, name, call.arguments))
            failed = _failed(ours.content, said=ours.is_error)
            if result is not None and _failed(result["content"], said=result["is_error"]) != failed:
                here, there = ("an error", "none") if failed else ("no error", "one")
                return f"{said} gets {here} of the test's mocks and got {there} where it was made"
    return ""


def _calls(entries: Sequence[dict[str, Any]]) -> Iterator[tuple[ToolCall, dict[str, Any] | None]]:
    """Each call that was executed, with its result, where it has one."""
    for place, entry in enumerate(entries):
        results: dict[str, dict[str, Any]] = {}
        for after in entries[place + 1 :]:
            if after["role"] != "tool":
                break
            results.setdefault(after["tool_call_id"], after)
        for call in entry.get("tool_calls") or ():
            if not call.get("unanswered"):
                yield ToolCall(call["id"], call["name"], call["arguments"]), results.get(call["id"])


def _failed(content: str, *, said: bool) -> bool:
    """Whether a result is an error: it is said to be, is an object with an `error`, or begins with the word."""
    if said or content.lstrip()[:5].casefold() == "error":
        return True
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and bool(value.get("error"))


def _entries(tool: ToolDefinition) -> list[dict[str, Any]]:
    return [entry for entry in tool.mock if isinstance(entry, dict)] if isinstance(tool.mock, list) else []
