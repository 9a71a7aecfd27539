"""Who answers a tool call: the tool's mock, or its handler. Whatever happens, the model gets an answer."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.errors import ErrorType, ModelCallError
from core.safety import redact
from core.suite.definitions import ToolDefinition
from core.tools.base import ToolHandler, ToolResult, ToolSession
from core.tools.code_mocks import unavailable as code_unavailable
from core.tools.mocks import answer_mock
from core.tools.registry import find_handler, handler_unavailable

MAX_RESULT_CHARS = 100_000


class SuiteToolExecutor:
    """A `ToolExecutor` over mocks and handlers; one instance serves every thread.

    `handlers` come before the registered ones; `stop` ends the simulated latency of mocks.
    """

    def __init__(self, handlers: Mapping[str, ToolHandler] | None = None, stop: threading.Event | None = None) -> None:
        self._handlers = dict(handlers or {})
        self._stop = stop

    def call(self, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        """The answer, at most 100,000 characters; an exception of a handler becomes a tool error.

        Raises:
            ModelCallError: the tool is missing on this machine, which is no fault of the model (`tool_unavailable`).
        """
        if tool.handler is None:
            return _capped(answer_mock(tool, arguments, session, self._stop))
        handler = self._handlers.get(tool.handler) or find_handler(tool.handler)
        missing = self.unavailable(tool)
        if handler is None or missing is not None:
            raise ModelCallError(missing or f"no handler '{tool.handler}'", ErrorType.TOOL_UNAVAILABLE)
        before = time.monotonic()
        try:
            result = handler(arguments, session)
        except Exception as error:
            said = redact(f"{tool.name} failed: {type(error).__name__}: {error}")[:1000]
            result = ToolResult(json.dumps({"error": said}, ensure_ascii=False), is_error=True)
        elapsed = round((time.monotonic() - before) * 1000)
        return _capped(replace(result, duration_ms=result.duration_ms or elapsed))

    def unavailable(self, tool: ToolDefinition) -> str | None:
        """Why this machine cannot run the tool, or None."""
        if tool.handler is None:
            return code_unavailable(tool.mock)
        if tool.handler in self._handlers:
            return None
        return handler_unavailable(tool.handler)


def _capped(result: ToolResult) -> ToolResult:
    left_out = len(result.content) - MAX_RESULT_CHARS
    if left_out <= 0:
        return result
    return replace(result, content=f"{result.content[:MAX_RESULT_CHARS]}\n[… {left_out:,} characters left out]")
