"""Who answers a tool call: the tool's mock, or its handler. Whatever happens, the model gets an answer."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.gate import Interrupted
from modex.core.safety import redact, without_secrets_in
from modex.core.sandbox.bubblewrap.box import BoxError
from modex.core.suite.definitions import McpServer, ToolDefinition
from modex.core.tools.base import ToolHandler, ToolResult, ToolSession, given_up
from modex.core.tools.cassettes import Recorder, Replayer
from modex.core.tools.code_mocks import unavailable as code_unavailable
from modex.core.tools.faults import answer_with, planted
from modex.core.tools.mocks import answer_mock
from modex.core.tools.registry import find_handler, handler_unavailable

if TYPE_CHECKING:
    from modex.core.tools.mcp_servers import McpServers

MAX_RESULT_CHARS = 100_000
_LOOK_S = 0.05
"""How often it is looked whether whoever called still waits."""


class SuiteToolExecutor:
    """A `ToolExecutor` over mocks, handlers and servers; one instance serves every thread.

    `handlers` come before the registered ones; `stop` ends the simulated latency of mocks. `recorder` keeps every answer;
    with a `replayer` nothing but it answers.
    """

    def __init__(
        self,
        handlers: Mapping[str, ToolHandler] | None = None,
        stop: threading.Event | None = None,
        *,
        recorder: Recorder | None = None,
        replayer: Replayer | None = None,
    ) -> None:
        self._handlers = dict(handlers or {})
        self._stop = stop
        self.recorder = recorder
        self.replayer = replayer
        self._servers: McpServers | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the servers that were started."""
        if self._servers is not None:
            self._servers.close()

    def begin(self, tools: Iterable[ToolDefinition], session: ToolSession) -> None:
        """Start the servers of `tools` that can be asked here; the sample's first call waits for what is left of it."""
        asked = [tool.server for tool in tools if tool.server is not None and self.unavailable(tool) is None]
        if asked and self.replayer is None:
            self._all_servers().begin(dict.fromkeys(asked), str(id(session)))

    def release(self, session: ToolSession) -> None:
        """The sample is done: servers that were its own end."""
        if self._servers is not None:
            self._servers.release(str(id(session)))

    def call(self, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        """The answer, at most 100,000 characters; an exception of a handler becomes a tool error.

        A fault that the test plants comes last: what is recorded is what the tool said.

        Raises:
            ModelCallError: the tool is missing on this machine, or its call was not recorded, which is no fault of the
                model (`tool_unavailable`).
        """
        fault = planted(tool, session) if session.faults else "none"
        if fault == "none":
            return _capped(self._recorded(tool, arguments, session))
        return _capped(answer_with(fault, tool, session, lambda: self._recorded(tool, arguments, session), self._stop))

    def _recorded(self, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        if tool.handler is not None and tool.handler.startswith("workspace:"):
            # A recorded answer would leave the folder as it was, by which the sample is judged.
            return self._answered(tool, arguments, session)
        if self.replayer is not None:
            return self.replayer.give(tool, arguments, session)
        result = self._answered(tool, arguments, session)
        if self.recorder is not None:
            self.recorder.keep(tool, arguments, session, result)
        return result

    def _answered(self, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        if tool.server is not None:
            return self._asked(tool.server, tool, without_secrets_in(arguments), session)
        if tool.handler is None:
            return answer_mock(tool, arguments, session, self._stop)
        handler = self._handlers.get(tool.handler) or find_handler(tool.handler)
        missing = self.unavailable(tool)
        if handler is None or missing is not None:
            raise ModelCallError(missing or f"no handler '{tool.handler}'", ErrorType.TOOL_UNAVAILABLE)
        before = time.monotonic()
        if tool.handler.startswith("live:"):  # what leaves the machine holds no key, whoever wrote it there
            arguments = without_secrets_in(arguments)
        if session.until is None:
            result = _handled(handler, tool, arguments, session)
        else:
            result = self._handled_in_time(handler, tool, arguments, session)
        elapsed = round((time.monotonic() - before) * 1000)
        return replace(result, duration_ms=result.duration_ms or elapsed)

    def _handled_in_time(
        self, handler: ToolHandler, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession
    ) -> ToolResult:
        """The answer of a handler that whoever calls cannot wait for; nothing ends a function, so it goes on for nobody."""
        answered: queue.SimpleQueue[ToolResult | ModelCallError] = queue.SimpleQueue()

        def answer() -> None:
            try:
                answered.put(_handled(handler, tool, arguments, session))
            except ModelCallError as error:
                answered.put(error)
            except Interrupted:
                pass  # nobody waits

        threading.Thread(target=answer, name="tool", daemon=True).start()
        while not session.is_over and not (self._stop is not None and self._stop.is_set()):
            with contextlib.suppress(queue.Empty):
                if isinstance(result := answered.get(timeout=_LOOK_S), ModelCallError):
                    raise result
                return result
        return given_up(tool.name)

    def _asked(
        self, server: McpServer, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession
    ) -> ToolResult:
        if missing := self.unavailable(tool):
            raise ModelCallError(missing, ErrorType.TOOL_UNAVAILABLE)
        self._prepare(server, session)
        before = time.monotonic()
        result = self._all_servers().call(
            server, tool.name, arguments, owner=str(id(session)), is_over=lambda: session.is_over
        )
        return replace(result, duration_ms=round((time.monotonic() - before) * 1000))

    def _prepare(self, server: McpServer, session: ToolSession) -> None:
        """Tell a server what the sample begins with, once."""
        if server.begin is None or server in session.begun:
            return
        session.begun.add(server)
        result = self._all_servers().call(
            server, server.begin, dict(session.setup), owner=str(id(session)), is_over=lambda: session.is_over
        )
        if result.is_error and not session.is_over:
            words = redact(f"the server {server.words} cannot begin by {server.begin}: {result.content}")[:1000]
            raise ModelCallError(words, ErrorType.TOOL_UNAVAILABLE)

    def state_of(self, tools: Iterable[ToolDefinition], session: ToolSession) -> dict[str, Any] | None:
        """What the servers of `tools` know now, where they tell it; None where none does. It is recorded like a call.

        Raises:
            ModelCallError: one that tells it does not answer, or with no object.
        """
        found: dict[str, Any] = {}
        asked = {tool.server: tool for tool in tools if tool.server is not None and tool.server.state is not None}
        for server, tool in asked.items():
            name = str(server.state)
            result = self._recorded(replace(tool, id=name, name=name, parameters={"type": "object"}), {}, session)
            try:
                state = json.loads(result.content)
            except (ValueError, RecursionError):
                state = None
            if result.is_error or not isinstance(state, dict):
                words = redact(f"the server {server.words} does not tell its state by {name}: {result.content}")[:1000]
                raise ModelCallError(words, ErrorType.TOOL_UNAVAILABLE)
            found |= state
        return found if asked else None

    def _all_servers(self) -> McpServers:
        with self._lock:
            if self._servers is None:
                from modex.core.tools.mcp_servers import McpServers

                self._servers = McpServers(self._stop)
            return self._servers

    def unavailable(self, tool: ToolDefinition) -> str | None:
        """Why this machine cannot run the tool, or None."""
        if self.replayer is not None and not (tool.handler or "").startswith("workspace:"):
            return None
        if tool.server is not None:
            from modex.core.tools.mcp_servers import mcp_unavailable

            return mcp_unavailable()
        if tool.handler is None:
            return code_unavailable(tool.mock)
        if tool.handler in self._handlers:
            return None
        return handler_unavailable(tool.handler)


def _handled(handler: ToolHandler, tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession) -> ToolResult:
    """A handler's answer; its exception is an error of the tool.

    Raises:
        ModelCallError: it needs a sandbox, and none can be started.
        Interrupted: the run is stopping.
    """
    try:
        return handler(arguments, session)
    except (Interrupted, ModelCallError):
        raise
    except BoxError as error:
        raise ModelCallError(str(error), ErrorType.SANDBOX_UNAVAILABLE) from error
    except Exception as error:
        said = redact(f"{tool.name} failed: {type(error).__name__}: {error}")[:1000]
        return ToolResult(json.dumps({"error": said}, ensure_ascii=False), is_error=True)


def _capped(result: ToolResult) -> ToolResult:
    left_out = len(result.content) - MAX_RESULT_CHARS
    if left_out <= 0:
        return result
    return replace(result, content=f"{result.content[:MAX_RESULT_CHARS]}\n[… {left_out:,} characters left out]")
