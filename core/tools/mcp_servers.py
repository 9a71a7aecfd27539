"""Servers of the Model Context Protocol that answer a run's tools: a process of its own for each sample, ended with it.

The official SDK is asynchronous; its clients live on an event loop in a thread of their own, where the workers' calls are
handed to. A server that ends, hangs, no longer offers its tool or answers with an error of its own
(`modex.core.tools.mcp_connection` says which are) is nobody's wrong answer: the call is made again on a fresh process where this
sample had called nothing there that may have changed something, else the sample is an error (`tool_unavailable`) that says what
the server did. A sample's server is begun with the sample, so that it starts while the model thinks.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib.util
import json
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from modex.core.foundation.errors import ModelCallError
from modex.core.suite.definitions import McpServer
from modex.core.tools.base import ToolResult, given_up
from modex.core.tools.mcp_connection import END_S, START_S, Connection, GoneError, OwnError, unavailable

MOST_DEATHS = 20
"""How often in a row one server may end without an answer to any sample, before it is asked no more within a run: so often that
one which ends at random, half of the times even, is not taken for one that only ends."""
CLOSE_S = 10.0
"""How long all servers may take to end: the SDK waits 6.5 s in all before it lets go of one that nothing ends."""
_POLL_S = 0.1
_SHARED = ""
"""The owner of a server that all samples share."""

_T = TypeVar("_T")
_Key = tuple[McpServer, str]
"""A server, and whose process of it."""


def mcp_unavailable() -> str | None:
    """Why this machine cannot ask such servers, or None."""
    if importlib.util.find_spec("mcp") is None:
        return "tools of an MCP server need the extra; install it: pip install 'modex[mcp]'"
    return None


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
        self._closed = False
        self._every: set[Connection] = set()
        """All that have not ended, for who closes."""
        self._open: dict[_Key, Connection] = {}
        self._idle: dict[McpServer, list[Connection]] = {}
        self._deaths: dict[McpServer, int] = {}
        """How often in a row a server ended without an answer."""
        self._last: dict[McpServer, str] = {}
        """What was said of its last such end."""

    def begin(self, servers: Iterable[McpServer], owner: str) -> None:
        """Start what `owner` may call, and wait for nothing; nothing where all is closed."""
        keys = [_key(server, owner) for server in servers]
        with contextlib.suppress(ModelCallError):
            self._on_loop(lambda loop: [loop.call_soon_threadsafe(self._begin, key) for key in keys])

    def call(
        self,
        server: McpServer,
        tool: str,
        arguments: dict[str, Any],
        owner: str = _SHARED,
        is_over: Callable[[], bool] = lambda: False,
    ) -> ToolResult:
        """The server's answer to one call of `owner`; an error that is for the model to read is a tool error.

        Once `is_over` nobody waits for it: the call is given up, and so is the process that is about it.

        Raises:
            ModelCallError: there is no answer, which is no fault of the model (`tool_unavailable`).
        """
        before = time.monotonic()
        key = _key(server, owner)
        waiting = self._on_loop(lambda loop: asyncio.run_coroutine_threadsafe(self._call(key, tool, arguments), loop))
        deadline = before + 2 * (2 * START_S + server.timeout_s + END_S)
        while True:
            try:
                return waiting.result(timeout=_POLL_S)
            except concurrent.futures.TimeoutError:
                if waiting.done():
                    raise
                if self._stop.is_set():
                    waiting.cancel()
                    return _error(f"{tool} was ended: the run stops")
                if is_over():
                    waiting.cancel()
                    return given_up(tool)
                if time.monotonic() > deadline:
                    waiting.cancel()
                    raise unavailable(f"the server {server.words} cannot be reached") from None

    def release(self, owner: str) -> None:
        """The sample is done: its servers end, or are reset for another."""
        with self._lock:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._release, owner)

    def tools(self, server: McpServer) -> list[dict[str, Any]]:
        """What the server offers, as function definitions.

        Raises:
            ModelCallError: the server cannot be started.
        """
        listed = self._on_loop(lambda loop: asyncio.run_coroutine_threadsafe(self._list(server), loop))
        return listed.result(2 * START_S + server.timeout_s)

    def close(self) -> None:
        """End every server and the loop for good; a call that waits is told that its server has ended."""
        with self._lock:
            self._closed = True
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        with contextlib.suppress(Exception):
            asyncio.run_coroutine_threadsafe(self._end_all(), loop).result(2 * CLOSE_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(END_S)

    def _on_loop(self, hand: Callable[[asyncio.AbstractEventLoop], _T]) -> _T:
        """What `hand` gets for work that it hands to the loop; who closes comes before it or after it.

        Raises:
            ModelCallError: all is closed.
        """
        with self._lock:
            if self._closed:
                raise unavailable("the run has ended, and the servers of its tools with it")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_run, args=(self._loop,), name="mcp", daemon=True)
                self._thread.start()
            return hand(self._loop)

    # on the loop

    async def _call(self, key: _Key, tool: str, arguments: dict[str, Any]) -> ToolResult:
        connection = await self._connected(key)
        called = [*connection.called]
        try:
            return await self._asked(connection, tool, arguments)
        except GoneError as gone:
            words = await self._let_go(key, connection, gone)
        except asyncio.CancelledError:  # it is still about the call that was given up
            if not key[0].shared and self._open.get(key) is connection:
                del self._open[key]
                connection.close()
            raise
        again = await self._renewed(key, {*called, tool} if called else set())
        if again is None:
            number = f"{len(called)} {'call' if len(called) == 1 else 'calls'}"
            raise unavailable(f"{words}; this test had made {number} there before" if called else words)
        try:
            return await self._asked(again, tool, arguments)
        except GoneError as gone:
            words = await self._let_go(key, again, gone)
            raise unavailable(f"{words}; it was asked twice") from None

    async def _asked(self, connection: Connection, tool: str, arguments: dict[str, Any]) -> ToolResult:
        try:
            answer = await connection.asked(tool, arguments)
        except GoneError as gone:
            self._count(connection.server, None if isinstance(gone, OwnError) else str(gone))
            raise
        self._count(connection.server, None)
        return answer

    def _count(self, server: McpServer, death: str | None) -> None:
        self._deaths[server] = 0 if death is None else self._deaths.get(server, 0) + 1
        self._last[server] = death or ""

    async def _let_go(self, key: _Key, connection: Connection, gone: GoneError) -> str:
        """What the server did, in words. Its process ends, unless it lives and answers other samples too."""
        words = f"the server {key[0].words} {gone}"
        if isinstance(gone, OwnError) and key[0].shared:
            return words + connection.said_last()
        if self._open.get(key) is connection:
            del self._open[key]
        if isinstance(gone, OwnError):  # how it ends says nothing of what it did
            words += connection.said_last()
            connection.retire()
            return words
        return words + await connection.end()

    async def _renewed(self, key: _Key, lost: set[str]) -> Connection | None:
        """A process to ask again; None where calls of the tools `lost` may have done what went with the one before."""
        try:
            connection = await self._connected(key)
        except ModelCallError:
            return None
        return connection if not lost or await connection.changes_nothing(lost) else None

    def _begin(self, key: _Key) -> None:
        with contextlib.suppress(ModelCallError):
            self._begun(key)

    def _begun(self, key: _Key) -> Connection:
        """The connection of `key`, which may not have started yet.

        Raises:
            ModelCallError: its server only ends, or all is closed.
        """
        server = key[0]
        known = self._open.get(key)
        if known is None or known.ended.done():
            idle = [one for one in self._idle.pop(server, []) if not one.ended.done()]
            known = idle.pop() if idle else None
            if idle:
                self._idle[server] = idle
        if known is None:
            if self._closed:
                raise unavailable(f"the server {server.words} is not started again: the run has ended")
            if self._deaths.get(server, 0) >= MOST_DEATHS:
                last = self._last[server]
                raise unavailable(
                    f"the server {server.words} gave {MOST_DEATHS} times in a row no answer and is asked no more"
                    + (f"; the last time it {last}" if last else "")
                )
            known = Connection(server)
            self._every.add(known)
            known.ended.add_done_callback(lambda _, ended=known: self._every.discard(ended))  # type: ignore[misc]
        self._open[key] = known
        return known

    async def _connected(self, key: _Key) -> Connection:
        """A server that can be asked; one that does not start is started once more.

        Raises:
            ModelCallError: it does not start.
        """
        again = True
        while True:
            connection = self._begun(key)
            try:
                await connection.ready()
            except ModelCallError:
                if self._open.get(key) is connection:
                    del self._open[key]
                self._count(key[0], "did not start")
                if connection.refused or not again:
                    raise
                again = False
            else:
                return connection

    def _release(self, owner: str) -> None:
        for key in [key for key in self._open if key[1] == owner and not key[0].shared]:
            connection = self._open.pop(key)
            if key[0].reset and connection.called:
                connection.task = asyncio.ensure_future(self._reset(key[0], connection))
            elif key[0].reset:
                self._idle.setdefault(key[0], []).append(connection)
            else:
                connection.close()

    async def _reset(self, server: McpServer, connection: Connection) -> None:
        """Put the connection back for another sample where its server says that it begins anew; end it otherwise."""
        try:
            answer = await connection.asked(str(server.reset), {})
        except GoneError:
            answer = _error("gone")
        if answer.is_error:
            connection.close()
        else:
            connection.called.clear()
            self._idle.setdefault(server, []).append(connection)

    async def _list(self, server: McpServer) -> list[dict[str, Any]]:
        connection = await self._connected((server, _SHARED))
        return [
            {"name": tool.name, "description": tool.description or "", "parameters": tool.input_schema}
            for tool in await connection.offered()
        ]

    async def _end_all(self) -> None:
        """End every server and whatever waits for one: a loop that is closed over a process can neither end nor reap it."""
        for connection in [*self._every]:
            connection.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        if left:
            _, left = await asyncio.wait(left, timeout=CLOSE_S)
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=END_S)


def _key(server: McpServer, owner: str) -> _Key:
    return server, _SHARED if server.shared else owner


def _error(words: str) -> ToolResult:
    return ToolResult(json.dumps({"error": words}, ensure_ascii=False), is_error=True)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.run_forever()
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
