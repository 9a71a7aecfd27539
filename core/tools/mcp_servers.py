"""Servers of the Model Context Protocol that answer a run's tools: a process of its own for each sample, ended with it.

The official SDK is asynchronous; its clients live on an event loop in a thread of their own, where the workers' calls are
handed to. What a server says, errors too, is the tool's answer. A server that ends, hangs, or no longer offers its tool is
nobody's wrong answer: the call is made again on a fresh one where this sample had made none before, else the sample is an
error (`tool_unavailable`) that says how the server ended.

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
from pathlib import Path
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

MOST_DEATHS = 3
"""How often in a row one server may end without an answer to any sample, before it is asked no more within a run."""
_NOWHERE = "/nonexistent/modex"
_POLL_S = 0.1
_START_S = 30.0
_END_S = 5.0
_LIST_S = 5.0
_SHARED = ""
"""The owner of a server that all samples share."""


def mcp_unavailable() -> str | None:
    """Why this machine cannot ask such servers, or None."""
    if importlib.util.find_spec("mcp") is None:
        return "tools of an MCP server need the extra; install it: pip install 'modex[mcp]'"
    return None


class _GoneError(Exception):
    """The server gave no answer and gives none any more; `words` say why."""


class McpServers:
    """The servers of one run; `call` may be used from any thread, `close` ends them all.

    An owner is one sample's use of its tools (`modex.core.tools.base.ToolSession`): it has a process of its own of each server,
    which ends when it is released, unless the server says that it can be reset, or is shared.
    """

    def __init__(self, stop: threading.Event | None = None) -> None:
        self._stop = stop or threading.Event()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._open: dict[tuple[McpServer, str], _Connection] = {}
        self._idle: dict[McpServer, list[_Connection]] = {}
        self._deaths: dict[McpServer, int] = {}
        """How often in a row a server ended without an answer."""

    def call(self, server: McpServer, tool: str, arguments: dict[str, Any], owner: str = _SHARED) -> ToolResult:
        """The server's answer to one call of `owner`; an error that it tells is a tool error.

        Raises:
            ModelCallError: there is no answer, which is no fault of the model (`tool_unavailable`).
        """
        before = time.monotonic()
        key = (server, _SHARED if server.shared else owner)
        waiting = asyncio.run_coroutine_threadsafe(self._call(key, tool, arguments), self._running())
        deadline = before + 2 * (_START_S + server.timeout_s)
        while True:
            try:
                return waiting.result(timeout=_POLL_S)
            except concurrent.futures.TimeoutError:
                if waiting.done():
                    raise
                if self._stop.is_set():
                    waiting.cancel()
                    return _error(f"{tool} was ended: the run stops")
                if time.monotonic() > deadline:
                    waiting.cancel()
                    raise _unavailable(f"the server {server.words} cannot be reached") from None

    def release(self, owner: str) -> None:
        """The sample is done: its servers end, or are reset for another."""
        with self._lock:
            loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(self._release, owner)

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

    async def _call(self, key: tuple[McpServer, str], tool: str, arguments: dict[str, Any]) -> ToolResult:
        server = key[0]
        retried = False
        while True:
            connection = await self._connected(key)
            fresh = server.shared or connection.calls == 0
            connection.calls += 1
            try:
                answer = await connection.asked(tool, arguments, server.timeout_s)
            except _GoneError as gone:
                if self._open.get(key) is connection:
                    del self._open[key]
                ended = await connection.end()
                self._deaths[server] = self._deaths.get(server, 0) + 1
                if retried or not fresh:
                    after = f", after {connection.calls - 1} calls of this test" if connection.calls > 1 else ""
                    raise _unavailable(f"the server {server.words} {gone}{after}{ended}") from None
                retried = True
            else:
                self._deaths[server] = 0
                return answer

    def _release(self, owner: str) -> None:
        for key in [key for key in self._open if key[1] == owner and not key[0].shared]:
            connection = self._open.pop(key)
            if key[0].reset:
                connection.task = asyncio.ensure_future(self._reset(key[0], connection))
            else:
                connection.closing.set()

    async def _reset(self, server: McpServer, connection: _Connection) -> None:
        """Put the connection back for another sample where its server says that it begins anew; end it otherwise."""
        try:
            answer = await connection.asked(str(server.reset), {}, server.timeout_s)
        except _GoneError:
            answer = _error("gone")
        if answer.is_error:
            connection.closing.set()
        else:
            connection.calls = 0
            self._idle.setdefault(server, []).append(connection)

    async def _list(self, server: McpServer) -> list[dict[str, Any]]:
        connection = await self._connected((server, _SHARED))
        return [
            {"name": tool.name, "description": tool.description or "", "parameters": tool.input_schema}
            for tool in await connection.offered()
        ]

    async def _connected(self, key: tuple[McpServer, str]) -> _Connection:
        server = key[0]
        known = self._open.get(key)
        if known is not None and known.ended.done():
            del self._open[key]
            known = None
        idle = self._idle.get(server, [])
        while known is None and idle:
            known = idle.pop()
            known = None if known.ended.done() else known
        if known is None:
            if self._deaths.get(server, 0) >= MOST_DEATHS:
                raise _unavailable(f"the server {server.words} ended {MOST_DEATHS} times in a row without an answer")
            known = _Connection(server)
        self._open[key] = known
        try:
            await known.ready()
        except BaseException:
            if self._open.get(key) is known:
                del self._open[key]
            known.closing.set()
            raise
        return known

    async def _end_all(self) -> None:
        every = [*self._open.values(), *(one for idle in self._idle.values() for one in idle)]
        for connection in every:
            connection.closing.set()
        if every:
            await asyncio.wait([connection.ended for connection in every], timeout=_END_S)


class _Connection:
    """One server while it runs: a task opens its client, keeps it, and closes it, all in the same task as the SDK asks."""

    client: Client

    def __init__(self, server: McpServer) -> None:
        self._server = server
        self.calls = 0
        """How many calls the sample made that it belongs to."""
        self.task: asyncio.Future[None] | None = None
        """The reset under way, kept from the collector."""
        self.closing = asyncio.Event()
        self._last = ""
        self._folder: Path | None = None
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.ended: asyncio.Task[None] = asyncio.ensure_future(self._keep())

    async def asked(self, tool: str, arguments: dict[str, Any], seconds: float) -> ToolResult:
        """The server's answer.

        Raises:
            _GoneError: there is none.
        """
        from mcp import MCPError

        answer = asyncio.ensure_future(self.client.call_tool(tool, arguments))
        try:
            done, _ = await asyncio.wait({answer, self.ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not answer.done():
                answer.cancel()
        if answer not in done:
            raise _GoneError("ended" if self.ended in done else f"gave no answer to {tool} within {seconds:g} s")
        error = answer.exception()
        if error is None:
            result = _result(answer.result())
        elif isinstance(error, MCPError):
            # A server's own error may have the number that the end of the connection has: what lists its tools lives.
            result = _error(redact(f"{tool} failed: {error}")[:1000])
        else:
            raise _GoneError("ended")
        if result.is_error and tool not in await self._offers():
            raise _GoneError(f"no longer offers {tool}")
        return result

    async def _offers(self) -> set[str]:
        """What the server offers now.

        Raises:
            _GoneError: it does not say.
        """
        try:
            return {tool.name for tool in await asyncio.wait_for(self.offered(), _LIST_S)}
        except Exception as error:
            raise _GoneError("ended") from error

    async def offered(self) -> list[Any]:
        """Its tools as it describes them now, page by page."""
        found: list[Any] = []
        cursor: str | None = None
        while True:
            page = await self.client.list_tools(cursor=cursor, cache_mode="bypass")
            found += page.tools
            cursor = page.next_cursor
            if not cursor:
                return found

    async def end(self) -> str:
        """End the server; how it ended and what it said last, in words to put behind others."""
        self.closing.set()
        await asyncio.wait({self.ended}, timeout=_END_S)
        return self._last

    async def ready(self) -> None:
        """Wait until it can be asked.

        Raises:
            ModelCallError: it cannot be started.
        """
        await asyncio.wait_for(asyncio.shield(self._opened), _START_S)

    async def _keep(self) -> None:
        from mcp import Client

        with (
            tempfile.TemporaryFile("w+", errors="replace") as file,
            tempfile.TemporaryDirectory(prefix="modex-mcp-", ignore_cleanup_errors=True) as folder,
        ):
            said = cast("TextIO", file)
            self._folder = Path(folder)
            try:
                async with Client(self._transport(said, self._folder), raise_exceptions=False) as self.client:
                    self._opened.set_result(None)
                    await self.closing.wait()
            except BaseException as error:
                if not self._opened.done():
                    self._opened.set_exception(_not_started(self._server, error, said))
                if isinstance(error, asyncio.CancelledError | KeyboardInterrupt | SystemExit):
                    raise
            finally:
                self._last = _ending(self._folder / _STATUS, said)

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

    def _transport(self, log: TextIO, folder: Path) -> Any:
        from mcp import StdioServerParameters, stdio_client
        from mcp.client.streamable_http import streamable_http_client

        if self._server.url is not None:
            return streamable_http_client(self._server.url)
        command, *arguments = supervised(self._server.command, status=folder / _STATUS)
        own = folder / "files"
        own.mkdir()
        self._require_same_bytes()
        # What was agreed to are sources: a compiled file beside them is not looked at, and none is written there.
        given = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": _NOWHERE} if self._server.digest else {}
        given |= dict.fromkeys(("HOME", "TMPDIR", "MODEX_FILES"), str(own))
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
    last = _last_lines(log)
    why = f"{type(error).__name__}: {error}" + (f"; it said: {last}" if last else "")
    return ModelCallError(
        redact(f"the server {server.words} does not answer: {why}")[:1500], ErrorType.TOOL_UNAVAILABLE
    )


_STATUS = "status"
"""The file in which the supervisor leaves how the server ended."""


def _ending(status: Path, log: TextIO) -> str:
    """How a server ended, and what it said last, to stand behind other words; nothing where nothing is known."""
    try:
        code = int(status.read_text(encoding="ascii"))
        how = f" (exit code {code})" if code >= 0 else f" (signal {-code})"
    except (OSError, ValueError):
        how = ""
    last = _last_lines(log)
    return how + (f"; it said: {last}" if last else "")


def _last_lines(log: TextIO) -> str:
    log.seek(0)
    return " / ".join(log.read()[-600:].strip().splitlines()[-3:])


def _unavailable(words: str) -> ModelCallError:
    return ModelCallError(redact(words)[:1500], ErrorType.TOOL_UNAVAILABLE)


def _error(words: str) -> ToolResult:
    return ToolResult(json.dumps({"error": words}, ensure_ascii=False), is_error=True)


def _result(answer: Any) -> ToolResult:
    texts = [block.text if block.type == "text" else f"[{block.type}]" for block in answer.content]
    if not texts and answer.structured_content is not None:
        texts = [json.dumps(answer.structured_content, ensure_ascii=False)]
    return ToolResult("\n".join(texts), is_error=bool(answer.is_error))
