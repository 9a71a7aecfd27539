"""A sample's tools on a loopback address, for a program that is no model: plain HTTP and the Model Context Protocol.

Threads of the endpoint read requests; the calls in them are handed to whoever moves the sample (`take`), who answers them one
after the other with what stands behind a model's calls. The address holds a secret of its own, without which nothing is said.

https://modelcontextprotocol.io/specification/2025-06-18/basic/transports (streamable HTTP, answers as JSON and no stream).
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import secrets
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import urlsplit

from modex.core.foundation.version import version
from modex.core.jsonvalues.jsonargs import too_deep
from modex.core.tools.base import ToolResult
from modex.core.tools.mcp_protocol import ServedTools, text_result

MAX_BODY = 4 * 1024 * 1024
"""Bytes of one request."""
MAX_CONNECTIONS = 64
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")


class _ClosedError(Exception):
    """The sample is over: nobody answers any more."""


@dataclass(eq=False, slots=True)
class PendingCall:
    """One call that waits for its answer."""

    id: str
    """The caller's, empty where it gave none."""
    name: str
    arguments: str
    arrived: float = field(default_factory=time.monotonic)
    _answered: threading.Event = field(default_factory=threading.Event)
    _result: ToolResult | None = None

    def answer(self, result: ToolResult | None) -> None:
        """Give the caller its result; None says that there is none and will be none."""
        if not self._answered.is_set():
            self._result = result
            self._answered.set()

    def wait(self) -> ToolResult:
        """The result.

        Raises:
            _ClosedError: there is none.
        """
        self._answered.wait()
        if self._result is None:
            raise _ClosedError
        return self._result


class ToolEndpoint:
    """The endpoint of one sample, from its making until `close`; `schemas` are its tools in OpenAI's form."""

    def __init__(self, schemas: Sequence[dict[str, Any]]) -> None:
        """Listen on a free port of 127.0.0.1.

        Raises:
            OSError: there is none.
        """
        self.schemas = list(schemas)
        self.asked = False
        """Whether anybody listed or called the tools."""
        self._calls: deque[PendingCall] = deque()
        self._unanswered: set[PendingCall] = set()
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._path = "/" + secrets.token_urlsafe(24)
        with contextlib.ExitStack() as ends:
            self._listener = ends.enter_context(socket.create_server(("127.0.0.1", 0), backlog=128))
            self._wake, self._waker = _pipe(ends)
            self._end, self._ender = _pipe(ends)
            os.set_blocking(self._wake, False)
            os.set_blocking(self._waker, False)
            self._ends = ends.pop_all()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}{self._path}"
        """Where `/tools`, `/call` and `/mcp` stand."""
        self.served = ServedTools(self._listed, self._called_by_mcp)
        self._thread = threading.Thread(target=self._accept, name="tool endpoint", daemon=True)
        self._thread.start()

    def fileno(self) -> int:
        """Readable while there is a call to `take`."""
        return self._wake

    def take(self) -> list[PendingCall]:
        """The calls that came since, in their order; each must be answered."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake, 4096)
        found = []
        while self._calls:
            found.append(self._calls.popleft())
        return found

    def close(self) -> None:
        """Answer no more: who waits is refused, every connection ends. May be called again."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            connections, unanswered = list(self._open), list(self._unanswered)
        for call in unanswered:
            call.answer(None)
        os.write(self._ender, b".")
        self._thread.join()
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._ends.close()

    # in the endpoint's threads

    def _accept(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            selector.register(self._end, selectors.EVENT_READ)
            while all(key.fileobj is self._listener for key, _ in selector.select()):
                with contextlib.suppress(OSError):
                    connection, _ = self._listener.accept()
                    threading.Thread(target=self._serve, args=(connection,), name="tool call", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            with self._lock:
                if self._closed or len(self._open) >= MAX_CONNECTIONS:
                    return
                self._open.add(connection)
            try:
                with contextlib.suppress(OSError, ValueError):
                    _Handler(connection, self)
            finally:
                with self._lock:
                    self._open.discard(connection)

    def leads_here(self, path: str) -> str | None:
        """What stands behind the secret in a request's path; None without it."""
        secret, found = path[: len(self._path)], path[len(self._path) :]
        return found if hmac.compare_digest(secret.encode(), self._path.encode()) else None

    def call(self, id_: str, name: str, arguments: str) -> ToolResult:
        """Hand a call over and wait for its result.

        Raises:
            _ClosedError: the sample is over.
        """
        call = PendingCall(id_, name, arguments)
        with self._lock:
            if self._closed:
                raise _ClosedError
            self.asked = True
            self._calls.append(call)
            self._unanswered.add(call)
            with contextlib.suppress(BlockingIOError):
                os.write(self._waker, b".")
        try:
            return call.wait()
        finally:
            with self._lock:
                self._unanswered.discard(call)

    def _listed(self) -> list[dict[str, Any]]:
        self.asked = True
        return [
            {
                "name": function["name"],
                "description": function.get("description") or "",
                "inputSchema": {"type": "object", **(function.get("parameters") or {})},
            }
            for function in (schema["function"] for schema in self.schemas)
        ]

    def _called_by_mcp(self, name: str, arguments: Any) -> dict[str, Any]:
        result = self.call("", name, _as_text(arguments))
        return text_result(result.content, is_error=result.is_error)


def _pipe(ends: contextlib.ExitStack) -> tuple[int, int]:
    """A pipe whose two ends are closed with `ends`."""
    descriptors = os.pipe()
    for one in descriptors:
        ends.callback(os.close, one)
    return descriptors


def _as_text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


class _BadRequestError(Exception):
    """A request that is none; `status` is HTTP's."""

    def __init__(self, status: int, words: str) -> None:
        self.status = status
        super().__init__(words)


class _Handler(BaseHTTPRequestHandler):
    """One connection, request by request."""

    protocol_version = "HTTP/1.1"
    server_version = f"modex/{version()}"
    sys_version = ""

    def __init__(self, connection: socket.socket, endpoint: ToolEndpoint) -> None:
        self._endpoint = endpoint
        super().__init__(connection, ("127.0.0.1", 0), endpoint)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """`/tools`: what may be called."""
        self._reply(self._get)

    def do_POST(self) -> None:
        """`/call`: one call. `/mcp`: one message of the protocol."""
        self._reply(self._post)

    def do_DELETE(self) -> None:
        """There are no sessions to end."""
        self._reply(self._get)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing: stderr is not the endpoint's."""

    def _reply(self, do: Any) -> None:
        try:
            path = self._endpoint.leads_here(self.path.partition("?")[0])
            origin = self.headers.get("Origin")
            if path is None or (origin and urlsplit(origin).hostname not in _LOOPBACK):
                raise _BadRequestError(404, "nothing stands here: the address is in MODEX_TOOLS_URL")
            status, value = do(path)
        except _BadRequestError as error:
            self.close_connection = True  # its body may be unread
            status, value = error.status, {"error": str(error)}
        except _ClosedError:
            self.close_connection = True
            status, value = 503, {"error": "the test is over"}
        body = b"" if value is None else json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if status == 405:
            self.send_header("Allow", "GET" if self.path.endswith("/tools") else "POST")
        self.end_headers()
        self.wfile.write(body)

    def _get(self, path: str) -> tuple[int, Any]:
        if path == "/tools" and self.command == "GET":
            self._endpoint.asked = True
            return 200, self._endpoint.schemas
        if path in ("/tools", "/call", "/mcp"):
            raise _BadRequestError(405, f"{path} is not asked so: GET /tools, POST /call, POST /mcp")
        raise _BadRequestError(404, f"there is no {path[:80]!r}: GET /tools, POST /call, POST /mcp")

    def _post(self, path: str) -> tuple[int, Any]:
        if path not in ("/call", "/mcp"):
            return self._get(path)
        body = self._body()
        if path == "/mcp":
            answer = self._endpoint.served.answer_text(body)
            return (202, None) if answer is None else (200, answer)
        id_, name, arguments = _call_in(body)
        result = self._endpoint.call(id_, name, arguments)
        said = {"role": "tool", "tool_call_id": id_, "name": name, "content": result.content}
        return 200, {**said, "is_error": result.is_error}

    def _body(self) -> bytes:
        if "chunked" in (self.headers.get("Transfer-Encoding") or "").lower():
            return self._chunks()
        length = self.headers.get("Content-Length") or "0"
        if not length.isascii() or not length.isdigit():
            raise _BadRequestError(400, "Content-Length is no number")
        if len(length) > 9 or int(length) > MAX_BODY:
            raise _BadRequestError(413, f"a request has at most {MAX_BODY // 1024 // 1024} MB")
        return self.rfile.read(int(length))

    def _chunks(self) -> bytes:
        """RFC 9112, 7.1."""
        body = bytearray()
        while True:
            size = self.rfile.readline(64).split(b";")[0].strip()
            try:
                count = int(size, 16)
            except ValueError:
                raise _BadRequestError(400, "a chunk has no size") from None
            if count < 0 or len(body) + count > MAX_BODY:
                raise _BadRequestError(413, f"a request has at most {MAX_BODY // 1024 // 1024} MB")
            body += self.rfile.read(count)
            line = self.rfile.readline(8192)
            while not count and line.strip():  # trailers
                line = self.rfile.readline(8192)
            if not count:
                return bytes(body)


def _call_in(body: bytes) -> tuple[str, str, str]:
    """The id, name and arguments of a call: `{"name", "arguments"}`, or as OpenAI writes one in `tool_calls`.

    Raises:
        _BadRequestError: it is none.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    call: Any = value.get("function", value) if isinstance(value, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(call.get("name"), str) or too_deep(value):
        raise _BadRequestError(400, 'a call is {"name": "…", "arguments": {…}}, or an object of `tool_calls`')
    arguments = call.get("arguments")
    assert isinstance(value, Mapping)
    id_ = value.get("id")
    return id_ if isinstance(id_, str) else "", call["name"], _as_text({} if arguments is None else arguments)
