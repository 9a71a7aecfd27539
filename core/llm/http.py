"""HTTP for many worker threads: kept-alive connections, one total deadline a call, a cap on size, and a way to stop.

The standard library's client is asked directly because it costs a fifth of a millisecond a call where aiohttp and httpx
cost three times that (64 threads × 50 ms, loopback), and because a socket of one's own can keep a total deadline: before
each read, the time that is left becomes the socket's timeout, so a slow drip cannot outlive it.
"""

from __future__ import annotations

import base64
import http.client
import io
import os
import re
import select
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_RESPONSE = 64 * 1024 * 1024
"""Bytes of a response's body beyond which it is refused."""
_IDLE_S = 60.0
_CHUNK = 1024 * 1024
_BREAKS_LINES = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class HttpError(Exception):
    """No complete answer: refused, reset, cut off, or not HTTP."""


class DeadlineError(Exception):
    """The total deadline passed."""


class TooLargeError(Exception):
    """The body is larger than `MAX_RESPONSE`."""


class AbortedError(Exception):
    """`Http.abort` ended the call."""


@dataclass(frozen=True, slots=True)
class Response:
    """A complete answer; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a connection goes: the server, and the proxy on the way if there is one."""

    scheme: str
    host: str
    port: int
    proxy: str | None


class Http:
    """A pool of connections that any thread may use."""

    def __init__(self) -> None:
        self._idle: dict[_Origin, deque[tuple[_Connection, float]]] = {}
        self._origins: dict[str, tuple[SplitResult, _Origin]] = {}
        self._active: set[_Connection] = set()
        self._lock = threading.Lock()
        self._aborted = False

    def post(self, url: str, body: bytes, headers: Mapping[str, str], timeout_s: float) -> Response:
        """Send `body` and read the whole answer within `timeout_s` seconds.

        Raises:
            HttpError, DeadlineError, TooLargeError, AbortedError: there is no answer.
        """
        return self.request("POST", url, body, headers, timeout_s)

    def request(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], timeout_s: float
    ) -> Response:
        """As `post`, with any method."""
        deadline = time.monotonic() + timeout_s
        parts, origin = self._where(url)
        connection = self._take(origin)
        keep = False
        try:
            connection.deadline = deadline
            target = connection.target(parts)
            response = connection.ask(method, target, parts.netloc, headers, body)
            data = _read(response)
            keep = not response.will_close
            return Response(response.status, {name.lower(): value for name, value in response.getheaders()}, data)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._explained(error, deadline) from None
        finally:
            self._give_back(origin, connection, keep=keep)

    def abort(self) -> None:
        """End every call in flight and refuse new ones; each raises `AbortedError`."""
        with self._lock:
            self._aborted = True
            active = list(self._active)
        for connection in active:
            connection.interrupt()

    def close(self) -> None:
        """Abort, and close the idle connections."""
        self.abort()
        with self._lock:
            idle = [connection for stack in self._idle.values() for connection, _ in stack]
            self._idle.clear()
        for connection in idle:
            connection.close()

    def _where(self, url: str) -> tuple[SplitResult, _Origin]:
        """The URL's parts and origin; kept, because asking the environment for proxies costs as much as the sending."""
        found = self._origins.get(url)
        if found is None:
            parts = urlsplit(url)
            found = self._origins[url] = (parts, _origin(parts))
        return found

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """The system's authorities and certifi's; certificates are always verified."""
        context = ssl.create_default_context()
        if not os.environ.get("SSL_CERT_FILE") and not os.environ.get("SSL_CERT_DIR"):
            try:
                import certifi
            except ImportError:
                return context
            context.load_verify_locations(certifi.where())
        return context

    def _take(self, origin: _Origin) -> _Connection:
        while True:
            with self._lock:
                if self._aborted:
                    raise AbortedError
                stack = self._idle.setdefault(origin, deque())
                kept, since = stack.pop() if stack else (None, 0.0)
                connection = kept or _Connection(origin, self._tls if origin.scheme == "https" else None)
                self._active.add(connection)
            # Looked at without the lock: a system call gives other threads the interpreter, and all of them would wait.
            if kept is None or (time.monotonic() - since < _IDLE_S and not kept.dropped()):
                return connection
            self._give_back(origin, connection, keep=False)

    def _give_back(self, origin: _Origin, connection: _Connection, *, keep: bool) -> None:
        with self._lock:
            self._active.discard(connection)
            keep = keep and not self._aborted
            if keep:
                self._idle[origin].append((connection, time.monotonic()))
        if not keep:
            connection.close()

    def _explained(self, error: Exception, deadline: float) -> Exception:
        if self._aborted:
            return AbortedError()
        if isinstance(error, TimeoutError) or time.monotonic() >= deadline:
            return DeadlineError()
        if isinstance(error, http.client.IncompleteRead):
            return HttpError("the answer was cut off")
        if isinstance(error, http.client.RemoteDisconnected):
            return HttpError("closed without an answer")
        if isinstance(error, http.client.HTTPException):
            return HttpError(f"not HTTP: {type(error).__name__}")
        return HttpError(str(error) or type(error).__name__)


class _Connection(http.client.HTTPConnection):
    """A connection whose every wait is bounded by `deadline` (`time.monotonic()`)."""

    def __init__(self, origin: _Origin, tls: ssl.SSLContext | None) -> None:
        self._origin = origin
        self._tls_context = tls
        self.deadline = 0.0
        self.proxy_headers: dict[str, str] = {}
        self._raw: socket.socket | None = None
        proxy = urlsplit(origin.proxy) if origin.proxy else None
        if proxy is None:
            super().__init__(origin.host, origin.port)
            return
        super().__init__(proxy.hostname or "", proxy.port or 8080)
        credentials = _basic(proxy)
        if tls is None:
            self.proxy_headers = credentials
        else:
            self.set_tunnel(origin.host, origin.port, credentials)

    def target(self, parts: SplitResult) -> str:
        """What stands in the request line: the whole URL where a proxy reads it."""
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if self._origin.proxy and self._tls_context is None:
            return f"http://{_host(self._origin)}{path}"
        return path

    def ask(
        self, method: str, target: str, host: str, headers: Mapping[str, str], body: bytes | None
    ) -> http.client.HTTPResponse:
        """Send the request in one piece (http.client sends head and body apart) and read the answer's head."""
        lines = [f"{method} {target} HTTP/1.1", f"Host: {host.rpartition('@')[2]}", "Accept-Encoding: identity"]
        lines += [f"{name}: {value}" for name, value in (*self.proxy_headers.items(), *headers.items())]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        if _BREAKS_LINES.search("".join(lines)):
            raise ValueError("a header or the address holds control characters")
        head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
        if self.sock is None:
            self.connect()
        self.send(head + (body or b""))
        response = self.response_class(self.sock, method=method)
        response.begin()
        return response

    def connect(self) -> None:
        self.timeout = max(0.001, self.deadline - time.monotonic())
        super().connect()
        connected: socket.socket = self.sock
        self._raw = connected
        if self._tls_context is None:
            self.sock = _PlainSocket(connected, self)
            return
        connected.settimeout(max(0.001, self.deadline - time.monotonic()))
        connected = self._tls_context.wrap_socket(connected, server_hostname=self._origin.host)
        self._raw = connected
        self.sock = _TlsSocket(connected, self)

    def dropped(self) -> bool:
        """Whether the server closed the connection, or sent what nobody asked for, while it was idle."""
        if self._raw is None or self.sock is None:
            return True
        if self._tls_context is not None:
            self._raw.settimeout(0)
        try:
            self._raw.recv(1)
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        except OSError:
            return True
        return True

    def interrupt(self) -> None:
        """Wake the thread that waits on this connection, from another one."""
        raw = self._raw
        if raw is not None:
            try:
                socket.socket.shutdown(raw, socket.SHUT_RDWR)
            except OSError:
                return


class _DeadlineSocket:
    """What http.client needs of a socket, each wait bounded by the time that is left."""

    def __init__(self, wrapped: socket.socket, owner: _Connection) -> None:
        self._wrapped = wrapped
        self._owner = owner

    @property
    def left(self) -> float:
        """Seconds until the deadline.

        Raises:
            TimeoutError: it passed.
        """
        left = self._owner.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def sendall(self, data: bytes) -> None:
        """Send all of `data`; as a socket, and TimeoutError at the deadline."""
        raise NotImplementedError

    def recv_into(self, buffer: WriteableBuffer) -> int:
        """Receive what there is, at least one byte or the end (0); as a socket, and TimeoutError at the deadline."""
        raise NotImplementedError

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self), 65536)

    def close(self) -> None:
        self._wrapped.close()


class _TlsSocket(_DeadlineSocket):
    def sendall(self, data: bytes) -> None:
        self._wrapped.settimeout(self.left)
        self._wrapped.sendall(data)

    def recv_into(self, buffer: WriteableBuffer) -> int:
        self._wrapped.settimeout(self.left)
        return self._wrapped.recv_into(buffer)


class _PlainSocket(_DeadlineSocket):
    """A socket that never blocks: a timeout of its own would cost a system call each time it is set, and every system call
    is a moment at which one of many threads loses the interpreter to another."""

    def __init__(self, wrapped: socket.socket, owner: _Connection) -> None:
        super().__init__(wrapped, owner)
        wrapped.settimeout(0)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(wrapped, select.POLLIN)
        self._writable.register(wrapped, select.POLLOUT)

    def sendall(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[self._wrapped.send(rest) :]
            except BlockingIOError:
                self._writable.poll(1000 * self.left)

    def recv_into(self, buffer: WriteableBuffer) -> int:
        while True:
            self._readable.poll(1000 * self.left)
            try:
                return self._wrapped.recv_into(buffer)
            except BlockingIOError:
                continue


class _Reader(io.RawIOBase):
    def __init__(self, source: _DeadlineSocket) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        return self._source.recv_into(buffer)


def _read(response: http.client.HTTPResponse) -> bytes:
    """The body, complete or not at all."""
    if response.length is not None:
        if response.length > MAX_RESPONSE:
            raise TooLargeError
        return response.read()
    chunks: list[bytes] = []
    size = 0
    while chunk := response.read(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_RESPONSE:
            raise TooLargeError
    return b"".join(chunks)


def _origin(parts: SplitResult) -> _Origin:
    scheme = parts.scheme
    host = parts.hostname or ""
    port = parts.port or (443 if scheme == "https" else 80)
    proxies = getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    if proxy and (host in {"localhost", "::1"} or host.startswith("127.") or proxy_bypass(f"{host}:{port}")):
        proxy = None
    if proxy and "://" not in proxy:
        proxy = f"http://{proxy}"
    return _Origin(scheme, host, port, proxy)


def _host(origin: _Origin) -> str:
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    return host if origin.port == 80 else f"{host}:{origin.port}"


def _basic(parts: SplitResult) -> dict[str, str]:
    if parts.username is None:
        return {}
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Proxy-Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}
