"""Faults that a test plants in its tools, call by call, to see how a model takes them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace

from modex.core.suite.definitions import ToolDefinition
from modex.core.tools.base import ToolResult, ToolSession

SLOW_S = 2.0
"""How long a `slow` answer takes, in seconds."""


def planted(tool: ToolDefinition, session: ToolSession) -> str:
    """The fault of this call of `tool`, counted in `session.call_counts`; `none` beyond the list."""
    planned = session.faults.get(tool.id) or session.faults.get(tool.name) or ()
    call = max(1, session.call_counts.get(tool.name, 1))
    return planned[call - 1] if call <= len(planned) else "none"


def answer_with(
    fault: str,
    tool: ToolDefinition,
    session: ToolSession,
    answer: Callable[[], ToolResult],
    stop: threading.Event | None = None,
) -> ToolResult:
    """What the model gets instead of, or made of, the tool's own answer; where the tool was not reached it did nothing."""
    if fault == "error":
        return _error(f"{tool.name} failed: internal error")
    if fault == "timeout":
        return _error(f"{tool.name} timed out after 30 s")
    if fault == "slow":
        session.rest(SLOW_S, stop)
        return answer()
    result = answer()
    if fault == "empty":
        return replace(result, content="", images=())
    if fault == "garbled":
        half = result.content[: max(1, len(result.content) // 2)]
        return replace(result, content=f"{half}\ufffd\ufffd", images=())
    return result


def _error(words: str) -> ToolResult:
    return ToolResult(json.dumps({"error": words}), is_error=True)
