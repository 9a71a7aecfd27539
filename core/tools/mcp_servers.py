"""Servers of the Model Context Protocol that answer a run's tools: started at the first call, kept, and ended with the run.

The official SDK is asynchronous; its clients live on an event loop in a thread of their own, where the workers' calls are
handed to. A server that ends while it is asked makes that call a tool error; the next call starts it again, a few times.

https://modelcontextprotocol.io/specification/2025-06-18/basic/transports.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib.util
import json
import os
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any, TextIO, cast

from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.safety import redact
from modex.core.sandbox.supervisor import supervised
from modex.core.suite.definitions import McpServer
from modex.core.suite.files import FileFaultError
from modex.core.suite.runnable import command_digest
from modex.core.tools.base import ToolResult

if TYPE_CHECKING:
    from mcp import Client

MOST_STARTS = 3
"""How often one server is started within a run."""
_NOWHERE = "/nonexistent/modex"
_POLL_S = 0.1
_START_S = 30.0
_END_S = 5.0


def mcp_unavailable() -> str | None:
    """Why this machine cannot ask such servers, or None."""
    if importlib.util.find_spec("mcp") is None:
        return "tools of an MCP server need the extra; install it: pip install 'modex[mcp]'"
    return None


class McpServers:
    """The servers of one run; `call` may be used from any thread, `close` ends them all."""

    def __init__(self, stop: threading.Event | None = None) -> None:
        self._stop = stop or threading.Event()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._open: dict[McpServer, _Connection] = {}
        self._starts: dict[McpServer, int] = {}

    def call(self, server: McpServer, tool: str, arguments: dict[str, Any]) -> ToolResult:
        """The server's answer; a fault of the tool, a server that ends, and a deadline are tool errors.

        Raises:
            ModelCallError: the server cannot be started, which is no fault of the model (`tool_unavailable`).
        """
        before = time.monotonic()
        waiting = asyncio.run_coroutine_threadsafe(self._call(server, tool, arguments), self._running())
        deadline = before + _START_S + server.timeout_s
        while True:
            try:
                return waiting.result(timeout=_POLL_S)
            except concurrent.futures.TimeoutError:
                if waiting.done():
                    raise
                if self._stop.is_set() or time.monotonic() > deadline:
                    waiting.cancel()
                    return _error(f"{tool} was ended: the run stops" if self._stop.is_set() else f"{tool} timed out")

    def tools(self, server: McpServer) -> list[dict[str, Any]]:
        """What the server offers, as function definitions.

        Raises:
            ModelCallError: the server cannot be started.
        """
        return asyncio.run_coroutine_threadsafe(self._list(server), self._running()).result(_START_S + server.timeout_s)

    def close(self) -> None:
        """End every server and the loop."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        with contextlib.suppress(Exception):
            asyncio.run_coroutine_threadsafe(self._end_all(), loop).result(_END_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_END_S)

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_run, args=(self._loop,), name="mcp", daemon=True)
                self._thread.start()
            return self._loop

    # on the loop

    async def _call(self, server: McpServer, tool: str, arguments: dict[str, Any]) -> ToolResult:
        connection = await self._connected(server)
        answer = asyncio.ensure_future(connection.client.call_tool(tool, arguments))
        try:
            done, _ = await asyncio.wait(
                {answer, connection.ended}, timeout=server.timeout_s, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            if not answer.done():
                answer.cancel()
        if answer in done:
            return self._read(server, tool, answer)
        if connection.ended in done:
            self._open.pop(server, None)
            return _error(f"{tool} gave no answer: its server ended")
        return _error(f"{tool} timed out after {server.timeout_s:g} s")

    def _read(self, server: McpServer, tool: str, answer: asyncio.Future[Any]) -> ToolResult:
        from mcp import MCPError
        from mcp.types import CONNECTION_CLOSED

        error = answer.exception()
        if error is None:
            return _result(answer.result())
        if not isinstance(error, MCPError) or error.error.code == CONNECTION_CLOSED:
            if broken := self._open.pop(server, None):
                broken.closing.set()
            return _error(f"{tool} gave no answer: its server ended")
        return _error(redact(f"{tool} failed: {error}")[:1000])

    async def _list(self, server: McpServer) -> list[dict[str, Any]]:
        connection = await self._connected(server)
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            page = await connection.client.list_tools(cursor=cursor)
            found += [
                {"name": tool.name, "description": tool.description or "", "parameters": tool.input_schema}
                for tool in page.tools
            ]
            cursor = page.next_cursor
            if not cursor:
                return found

    async def _connected(self, server: McpServer) -> _Connection:
        known = self._open.get(server)
        if known is not None and known.ended.done():
            del self._open[server]
            known = None
        if known is None:
            self._starts[server] = self._starts.get(server, 0) + 1
            if self._starts[server] > MOST_STARTS:
                words = f"the server {server.words} ended {MOST_STARTS} times"
                raise ModelCallError(words, ErrorType.TOOL_UNAVAILABLE)
            known = self._open[server] = _Connection(server)
        await known.ready()
        return known

    async def _end_all(self) -> None:
        for connection in self._open.values():
            connection.closing.set()
        ended = [connection.ended for connection in self._open.values()]
        if ended:
            await asyncio.wait(ended, timeout=_END_S)


class _Connection:
    """One server while it runs: a task opens its client, keeps it, and closes it, all in the same task as the SDK asks."""

    client: Client

    def __init__(self, server: McpServer) -> None:
        self._server = server
        self.closing = asyncio.Event()
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.ended: asyncio.Task[None] = asyncio.ensure_future(self._keep())

    async def ready(self) -> None:
        """Wait until it can be asked.

        Raises:
            ModelCallError: it cannot be started.
        """
        await asyncio.wait_for(asyncio.shield(self._opened), _START_S)

    async def _keep(self) -> None:
        from mcp import Client

        with tempfile.TemporaryFile("w+", errors="replace") as file:
            said = cast("TextIO", file)
            try:
                async with Client(self._transport(said), raise_exceptions=False) as self.client:
                    self._opened.set_result(None)
                    await self.closing.wait()
            except BaseException as error:
                if not self._opened.done():
                    self._opened.set_exception(_not_started(self._server, error, said))
                if isinstance(error, asyncio.CancelledError | KeyboardInterrupt | SystemExit):
                    raise

    def _require_same_bytes(self) -> None:
        """Refuse a command whose files are not those that were allowed.

        Raises:
            ConfigurationError: one of them has changed.
        """
        server = self._server
        if not server.digest:
            return
        try:
            same = command_digest(server.command, server.cwd) == server.digest
        except (FileFaultError, OSError):
            same = False
        if not same:
            raise ConfigurationError(
                "a file of the suite that it runs has changed since it was allowed; allow it again"
            )

    def _transport(self, log: TextIO) -> Any:
        from mcp import StdioServerParameters, stdio_client
        from mcp.client.streamable_http import streamable_http_client

        if self._server.url is not None:
            return streamable_http_client(self._server.url)
        command, *arguments = supervised(self._server.command)
        self._require_same_bytes()
        # What was agreed to are sources: a compiled file beside them is not looked at, and none is written there.
        given = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": _NOWHERE} if self._server.digest else {}
        given |= {name: os.environ[name] for name in self._server.env if name in os.environ}
        return stdio_client(
            StdioServerParameters(command=command, args=arguments, env=given, cwd=self._server.cwd), errlog=log
        )


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.run_forever()
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


def _not_started(server: McpServer, error: BaseException, log: TextIO) -> ModelCallError:
    log.seek(0)
    last = " / ".join(log.read()[-600:].strip().splitlines()[-3:])
    why = f"{type(error).__name__}: {error}" + (f"; it said: {last}" if last else "")
    return ModelCallError(
        redact(f"the server {server.words} does not answer: {why}")[:1500], ErrorType.TOOL_UNAVAILABLE
    )


def _error(words: str) -> ToolResult:
    return ToolResult(json.dumps({"error": words}, ensure_ascii=False), is_error=True)


def _result(answer: Any) -> ToolResult:
    texts = [block.text if block.type == "text" else f"[{block.type}]" for block in answer.content]
    if not texts and answer.structured_content is not None:
        texts = [json.dumps(answer.structured_content, ensure_ascii=False)]
    return ToolResult("\n".join(texts), is_error=bool(answer.is_error))
