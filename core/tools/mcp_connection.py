"""One server of the Model Context Protocol while it runs: a process with a folder of its own, asked over its standard streams.

Whose an error is follows the protocol, which has two kinds. A *tool execution error* (a result with `isError`) is there for the
model to read and to correct itself by, so it is the tool's answer; so is the protocol's error -32602 (invalid params), since
the arguments are the model's. Every other *protocol error* is the server's: the model chose neither the method nor the tool's
name, which the test offers.

https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling,
https://modelcontextprotocol.io/specification/2025-06-18/basic/transports.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import os
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.safety import redact
from modex.core.sandbox.supervisor import supervised
from modex.core.suite.definitions import McpServer
from modex.core.suite.files import FileFaultError
from modex.core.suite.runnable import command_digest
from modex.core.tools.base import ToolResult
from modex.core.tools.mcp_content import result_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio import CancelScope
    from mcp import Client

START_S = 30.0
"""How long a server may take to start, in seconds."""
END_S = 5.0
_INVALID_PARAMS = -32602
_LIST_S = 5.0
_LOOK_S = 1.0
_MOST_SAID = 1_000_000
"""How many bytes of a server's standard error are kept: one that writes without end would fill the disk."""
_NOWHERE = "/nonexistent/modex"
_UNHEARD = logging.NullHandler()
_LOGGERS = ("mcp", "client")
"""The SDK's own: without a handler they would write tracebacks to the terminal, between the lines of a run."""
_STATUS = "status"
"""The file in which the supervisor leaves how the server ended."""


class GoneError(Exception):
    """The server gave no answer, and this process of it is asked no more; the words go behind the server's name."""


class OwnError(GoneError):
    """The server answered with an error that is its own; its process lives."""


class Connection:
    """One server while it runs: a task opens its client, keeps it, and closes it, all in the same task as the SDK asks.

    Its methods are called on the event loop that it was made on.
    """

    client: Client

    def __init__(self, server: McpServer) -> None:
        self.server = server
        self.called: list[str] = []
        """The tools that were called on behalf of the sample that it belongs to."""
        self.task: asyncio.Future[None] | None = None
        """The reset under way, kept from the collector."""
        self.refused = False
        """Whether it was not started because it is not what was allowed."""
        self._asking = 0
        self._closing = asyncio.Event()
        self._retired = False
        self._starting: CancelScope | None = None
        self._is_spawned = False
        self._said: IO[bytes] | None = None
        self._last = ""
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # Who begins a server ahead of its first call may never wait for it.
        self._opened.add_done_callback(lambda opened: opened.cancelled() or opened.exception())
        self.ended: asyncio.Task[None] = asyncio.ensure_future(self._keep())

    async def ready(self) -> None:
        """Wait until it can be asked.

        Raises:
            ModelCallError: it cannot be started.
        """
        await asyncio.shield(self._opened)

    async def asked(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        """The server's answer, which may be an error that is for the model to read.

        Raises:
            OwnError: its answer is an error of its own.
            GoneError: there is no answer in the time that it has.
        """
        if not self.server.shared:
            self.called.append(tool)
        self._asking += 1
        try:
            return await self._answer(tool, arguments)
        finally:
            self._asking -= 1
            if self._retired:
                self.retire()

    async def _answer(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        from mcp import MCPError

        seconds = self.server.timeout_s
        answer = asyncio.ensure_future(self.client.call_tool(tool, arguments))
        try:
            done, _ = await asyncio.wait({answer, self.ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not answer.done():
                answer.cancel()
        if answer not in done:
            raise GoneError("ended" if self.ended in done else f"gave no answer to {tool} within {seconds:g} s")
        error = answer.exception()
        if error is None:
            result = result_of(answer.result())
            if result.is_error:
                await self._require_offer(tool)
            return result
        # A server's own error may have the number that the end of the connection has: what lists its tools lives.
        await self._require_offer(tool)
        if not isinstance(error, MCPError):
            raise OwnError(f"gave no answer to {tool} that can be read ({_short(' '.join(str(error).split()))})")
        if error.code != _INVALID_PARAMS:
            raise OwnError(f"answered {tool} with an error of its own ({error.code}: {_short(error.message)})")
        words = redact(f"{tool} failed: {error.message}")[:1000]
        return ToolResult(json.dumps({"error": words}, ensure_ascii=False), is_error=True)

    async def _require_offer(self, tool: str) -> None:
        """Refuse an error about a tool that the server does not offer any more, and one of a server that has ended.

        Raises:
            GoneError: it is so.
        """
        try:
            offered = {one.name for one in await asyncio.wait_for(self.offered(), _LIST_S)}
        except Exception as error:
            raise GoneError("ended") from error
        if tool not in offered:
            raise GoneError(f"no longer offers {tool}")

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

    async def changes_nothing(self, tools: set[str]) -> bool:
        """Whether the server says of all of `tools` that they only read (`readOnlyHint`)."""
        try:
            offered = await asyncio.wait_for(self.offered(), _LIST_S)
        except Exception:
            return False
        return tools <= {one.name for one in offered if one.annotations and one.annotations.read_only_hint}

    def close(self) -> None:
        """Let it end, though it has not started yet."""
        self._closing.set()
        if self._starting is not None and self._is_spawned and not self._opened.done():
            self._starting.cancel()

    def retire(self) -> None:
        """Let it end once nobody waits for an answer of it."""
        self._retired = True
        if not self._asking:
            self.close()

    async def end(self) -> str:
        """End it as soon as may be; how it ended and what it said last, in words to put behind others."""
        self.retire()
        if self._closing.is_set():
            await asyncio.wait({self.ended}, timeout=END_S)
        return self._last or self.said_last()

    def said_last(self) -> str:
        """What it said last, in words to put behind others; empty where it said nothing."""
        return _said(_last_lines(self._said)) if self._said is not None and not self._said.closed else ""

    async def _keep(self) -> None:
        import anyio
        from mcp import Client

        for name in _LOGGERS:
            logging.getLogger(name).addHandler(_UNHEARD)
        why: BaseException = TimeoutError(f"it is not ready after {START_S:g} s")
        with (
            tempfile.TemporaryFile("a+b") as said,
            tempfile.TemporaryDirectory(prefix="modex-mcp-", ignore_cleanup_errors=True) as folder,
        ):
            self._said = said
            self._starting = anyio.CancelScope()
            try:
                with self._starting:
                    transport = self._spawned(self._transport(said, Path(folder)), self._starting)
                    async with Client(transport, raise_exceptions=False) as self.client:
                        self._starting.deadline = math.inf
                        self._opened.set_result(None)
                        await self._until_closed(said)
            except BaseException as error:
                why = error
                self.refused = isinstance(error, ConfigurationError)
                if isinstance(error, asyncio.CancelledError | KeyboardInterrupt | SystemExit):
                    raise
            finally:
                self._last = _how(Path(folder, _STATUS)) + _said(_last_lines(said))
                if not self._opened.done():
                    self._opened.set_exception(not_started(self.server, why, self._last))

    @contextlib.asynccontextmanager
    async def _spawned(self, transport: Any, starting: CancelScope) -> AsyncIterator[Any]:
        """`transport`, whose start may be broken off once its process is there: asyncio loses one that is being spawned."""
        import anyio

        async with transport as streams:
            self._is_spawned = True
            starting.deadline = anyio.current_time() + START_S
            if self._closing.is_set():
                starting.cancel()
            yield streams

    async def _until_closed(self, said: IO[bytes]) -> None:
        """Wait for the end, and forget meanwhile what the server said long ago."""
        while not self._closing.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _LOOK_S)
            if os.fstat(said.fileno()).st_size > _MOST_SAID:
                last = _last_lines(said)
                said.truncate(0)
                said.write(last.encode() + b"\n")
                said.flush()

    def _require_same_bytes(self) -> None:
        """Refuse a command whose files are not those that were allowed.

        Raises:
            ConfigurationError: one of them has changed.
        """
        server = self.server
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

    def _transport(self, said: IO[bytes], folder: Path) -> Any:
        from mcp import StdioServerParameters, stdio_client
        from mcp.client.streamable_http import streamable_http_client

        if self.server.url is not None:
            return streamable_http_client(self.server.url)
        command, *arguments = supervised(self.server.command, status=folder / _STATUS)
        own = folder / "files"
        own.mkdir()
        self._require_same_bytes()
        # What was agreed to are sources: a compiled file beside them is not looked at, and none is written there.
        given = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": _NOWHERE} if self.server.digest else {}
        given |= dict.fromkeys(("HOME", "TMPDIR", "MODEX_FILES"), str(own))
        given |= {name: os.environ[name] for name in self.server.env if name in os.environ}
        parameters = StdioServerParameters(command=command, args=arguments, env=given, cwd=self.server.cwd)
        return stdio_client(parameters, errlog=cast("TextIO", said))


def unavailable(words: str) -> ModelCallError:
    """The error of a sample whose server gives no answer."""
    return ModelCallError(redact(words)[:1500], ErrorType.TOOL_UNAVAILABLE)


def not_started(server: McpServer, error: BaseException, last: str) -> ModelCallError:
    """The error of a server that cannot be started; `last` says how it ended and what it said."""
    return unavailable(f"the server {server.words} does not answer: {_short(f'{type(error).__name__}: {error}')}{last}")


def _how(status: Path) -> str:
    """How a server ended, to stand behind other words; nothing where nothing is known."""
    try:
        code = int(status.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return ""
    return f" (exit code {code})" if code >= 0 else f" (signal {-code})"


def _said(last: str) -> str:
    return f"; it said: {last}" if last else ""


def _last_lines(said: IO[bytes]) -> str:
    size = said.seek(0, os.SEEK_END)
    said.seek(max(0, size - 600))
    return " / ".join(said.read().decode(errors="replace").strip().splitlines()[-3:])


def _short(words: str) -> str:
    """A server's words, of which a flood is no help to anybody."""
    return words if len(words) <= 500 else f"{words[:500]}…"
