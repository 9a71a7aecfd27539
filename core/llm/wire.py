"""Urllib3 as modex uses it: its pools, its connections, its proxies and its TLS, watched from outside.

What is added: the watchdog learns on which socket a call waits; interim answers (100, 102, 103) are skipped by http.client's
own readers; and a connection is used again only after an answer whose framing leaves no doubt. A request is written and its
answer read here, on http.client's reader, for two reasons. Urllib3's own way costs 0.18–0.21 ms of processor time more a short
answer (2 times as much) and 0.26 ms more a stream of five events: `python -m benchmarks reading`. And it knows deadlines of one
wait only, takes a 102 or 103 for the answer, and uses a connection again after a 204 with a body or an answer with more behind.

Interim answers: https://www.rfc-editor.org/rfc/rfc9110#section-15.2. Framing: https://www.rfc-editor.org/rfc/rfc9112#section-6.3.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import io
import os
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

import certifi
import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.util import parse_url
from urllib3.util.wait import wait_for_read

from modex.core.llm.chunked import Chunked
from modex.core.llm.headers import read_headers
from modex.core.llm.proxies import Proxy, proxy_for
from modex.core.llm.receiver import Inlet, Receiver
from modex.core.llm.watch import WatchedCall

CONNECT_S = 30.0
"""Seconds within which a connection must stand, where the call's own deadline is not sooner."""
IDLE_S = 60.0
"""Seconds after which an idle connection is not used again: gateways on the way forget it about then."""
_MOST_KEPT = 1024
"""Idle connections kept for each server: as many as there may be workers."""
_BODILESS = {204, 205, 304}
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
"""What would end a line of the request's head, or means nothing in one."""
_BUFFER = 64 * 1024


class Now(threading.local):
    """The call that the current thread makes: urllib3 hands it to no connection."""

    call: WatchedCall


NOW = Now()


class _Source(io.RawIOBase):
    """The socket's bytes, until `over`: from then on there are none, and no system call asks for any.

    With a `receiver` they come through it.
    """

    def __init__(self, inner: io.RawIOBase, sock: Any) -> None:
        self._inner = inner
        self._sock = sock
        self._inlet: Inlet | None = None
        self._rest = b""
        self.receiver: Receiver | None = None
        self.came_at = 0.0
        """When what was read last had come, by `time.monotonic()`; 0 where that was when it was read."""
        self.over = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self.over:
            return None
        if self.receiver is not None:
            self._inlet, self.receiver = self.receiver.hand_over(self._sock), None
        if self._inlet is None:
            return self._inner.readinto(buffer)
        if not self._rest:
            found = self._inlet.read()
            if found is None:
                self._inlet, self.came_at = None, 0.0
                return self._inner.readinto(buffer)
            self.came_at, self._rest = found
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def catch_up(self) -> None:
        """Let who reads have what came by now; any thread may say it."""
        if (inlet := self._inlet) is not None:
            inlet.wake()

    def take_back(self) -> bool:
        """Read the socket itself from here on; whether something lies here that came before."""
        self.receiver = None
        if self._inlet is not None:
            self._inlet.take_back()
        return bool(self._rest) or (self._inlet is not None and self._inlet.holds)

    def close(self) -> None:
        self.take_back()  # before its number can be another socket's
        self._inner.close()
        super().close()


class RawAnswer(http.client.HTTPResponse):
    """An answer that skips the interim ones before it, and knows whether another may follow on its connection."""

    finished_at = 0.0
    left_over = False
    _pool: _Pool
    _connection: _Watched | None = None

    def __init__(self, sock: Any, method: str) -> None:
        super().__init__(sock, method=method)
        self._asked_by = method
        self._source = _Source(self.fp.detach(), sock)
        self.fp = io.BufferedReader(self._source, _BUFFER)
        self._chunks: Chunked | None = None

    def begin(self) -> None:
        """Read the head, as http.client's method of this name does, but with our own reader of headers.

        Raises:
            OSError, http.client.HTTPException: there is no head, or it is none.
        """
        version, status, reason = self._read_status()
        self.code = self.status = status
        self.reason = reason.strip()
        if version in ("HTTP/1.0", "HTTP/0.9"):
            self.version = 10
        elif version.startswith("HTTP/1."):
            self.version = 11
        else:
            raise http.client.UnknownProtocol(version)
        self.headers = self.msg = read_headers(self.fp)
        self.chunked = self.msg.get("transfer-encoding", "").lower() == "chunked"
        self.will_close = self._check_close()  # type: ignore[attr-defined]
        length = self.msg.get("content-length", "")
        self.length = None
        if length and not self.chunked:
            with contextlib.suppress(ValueError):
                self.length = int(length) if int(length) >= 0 else None
        if status in (204, 304) or 100 <= status < 200 or self._asked_by == "HEAD":
            self.length = 0
        if not self.will_close and not self.chunked and self.length is None:
            self.will_close = True

    def some(self, size: int) -> bytes:
        """At most `size` bytes of the body, as soon as there are any; nothing at its end.

        Raises:
            http.client.IncompleteRead: the connection ended before the body.
            ValueError: the body is not coded as the head says.
        """
        if self.chunked:
            return self._some_chunks()
        data = self.read1(size)
        if self.length == 0 or (not data and not self.length):
            self._ended()
        elif not data:
            raise http.client.IncompleteRead(b"", self.length)
        return data

    def _some_chunks(self) -> bytes:
        if self._chunks is None:
            self._chunks = Chunked()
        chunks = self._chunks
        while not self.isclosed():
            given = self.fp.read1(_BUFFER)
            if not given:
                raise http.client.IncompleteRead(b"")
            data = chunks.take(given)
            if chunks.over:
                self._ended()
            if data:
                return data
        return b""

    def receive_by(self, receiver: Receiver) -> None:
        """Let `receiver` receive the rest of the body."""
        self._source.receiver = receiver

    def catch_up(self) -> None:
        """Let who reads the body have what came by now; any thread may say it."""
        self._source.catch_up()

    @property
    def came_at(self) -> float:
        """When what `some` returned last had come, by `time.monotonic()`."""
        return self._source.came_at or time.monotonic()

    def belongs_to(self, pool: _Pool, connection: _Watched) -> None:
        """Say what `release` gives back, and to whom."""
        self._pool, self._connection = pool, connection

    def finish(self, within_s: float) -> None:
        """Read what is left where it comes within this time, so that the connection can be used again."""
        connection = self._connection
        if self.isclosed() or connection is None or connection.sock is None:
            return
        self._source.take_back()
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            connection.sock.settimeout(within_s)
            try:
                while self.some(_BUFFER):
                    pass
            finally:
                connection.sock.settimeout(None)

    def release(self) -> None:
        """Let go of the connection: back to the pool where the answer was read, closed where it was not."""
        connection, self._connection = self._connection, None
        if connection is not None:
            if not self.isclosed():
                self.close()
                connection.close()
            self._pool.take_back(connection)

    @property
    def conclusive(self) -> bool:
        """Whether it was read to an end on which both sides must agree."""
        lengths = self.msg.get_all("Content-Length", [])
        encodings = [value.strip().lower() for value in self.msg.get_all("Transfer-Encoding", [])]
        one_length = len(lengths) == 1 and lengths[0].strip().isdecimal() and not encodings
        framed = one_length or (not lengths and encodings == ["chunked"])
        plain = self.status >= 200 and self.status not in _BODILESS and not self.msg.defects
        return self.isclosed() and framed and plain and not self.left_over

    def _ended(self) -> None:
        if self.fp is not None:
            self._close_conn()

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 100 <= status < 200 or status == http.client.SWITCHING_PROTOCOLS:
                return version, status, reason
            read_headers(self.fp)

    def _close_conn(self) -> None:
        self.finished_at = time.monotonic()
        # What else came is in the buffer, or is seen by `is_connected` when the connection is wanted.
        self._source.over = True
        held = self._source.take_back()
        self.left_over = held or bool((self._chunks is not None and self._chunks.rest) or self.fp.peek(1))
        super()._close_conn()  # type: ignore[misc]


class _Watched(HTTPConnection):
    """A plain connection."""

    _call: WatchedCall | None = None
    _answer: RawAnswer | None = None

    def connect(self) -> None:
        super().connect()
        self.sock.settimeout(None)  # from here on the watchdog keeps the time
        self._held(self.sock)

    def ask(self, method: str, head: str, body: bytes | None) -> RawAnswer:
        """Send the request in one piece, since apart head and body each wake the server, and read the answer's head."""
        if self.sock is None:
            self.connect()
        elif self._call is not NOW.call:  # where a tunnel was just made, the watchdog knows the socket already
            self._held(self.sock)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # a server may answer before it has read all
            self.sock.sendall(head.encode("latin-1") + (body or b""))
        self._answer = answer = RawAnswer(self.sock, method)
        try:
            answer.begin()
        except BaseException:
            answer.close()
            raise
        return answer

    @property
    def is_connected(self) -> bool:
        answer = self._answer
        if answer is not None and not (answer.conclusive and time.monotonic() - answer.finished_at < IDLE_S):
            return False
        return self.sock is not None and self._silent(self.sock)

    def _silent(self, sock: Any) -> bool:
        """Whether the server has neither closed nor said what nobody asked for."""
        return not wait_for_read(sock, timeout=0.0)

    def close(self) -> None:
        self._answer = None
        super().close()

    def _held(self, sock: Any) -> None:
        """Tell the watchdog that the current call waits on this socket, which the last one no longer does."""
        before, self._call = self._call, NOW.call
        inner = sock if isinstance(sock, socket.socket) else sock.socket  # TLS within TLS wraps the socket
        NOW.call.hold(inner, before)


class _WatchedTls(_Watched, HTTPSConnection):
    """A connection that is TLS, or that leads to a proxy by TLS."""

    def connect(self) -> None:
        try:
            super().connect()
        finally:
            self._release_handle()

    def _silent(self, sock: Any) -> bool:
        """As of a plain one, by a read: what is decrypted already waits in no socket, and a session's ticket is no answer."""
        sock.settimeout(0)
        try:
            sock.recv(1)
        except (BlockingIOError, ssl.SSLWantReadError):
            return True
        except OSError:
            return False
        finally:
            sock.settimeout(None)
        return False

    def _new_conn(self) -> socket.socket:
        """As urllib3's; a second handle on the socket lets the watchdog end a handshake, which takes the first one."""
        made = super()._new_conn()
        self._handle: socket.socket | None = made.dup()
        NOW.call.hold(self._handle, self._call)
        return made

    def _release_handle(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None:
            handle.close()
            self._handle = None


class _Idle(queue.LifoQueue[Any]):
    """The connections that wait, without urllib3's placeholder for each that might come: of 1,024 they cost a first call 1 ms."""

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        if item is not None:
            super().put(item, block, timeout)


class _Pool(HTTPConnectionPool):
    """The connections to one server; the sockets that wait are closed with it."""

    ConnectionCls = _Watched
    QueueCls = _Idle

    def ask(self, call: WatchedCall, method: str, head: str, body: bytes | None, *, tunnel: bool) -> RawAnswer:
        """Send a request on a connection that is free, or a new one, and read the answer's head."""
        NOW.call = call
        connection = cast(_Watched, self._get_conn())
        try:
            if connection.sock is None:
                connection.timeout = max(0.001, min(CONNECT_S, call.deadline - time.monotonic()))
                if tunnel:
                    self._prepare_proxy(connection)  # which connects
            answer = connection.ask(method, head, body)
        except BaseException:
            connection.close()
            self.take_back(connection)  # closed too: the pool gives it out again, and `connect` opens it anew
            raise
        answer.belongs_to(self, connection)
        if answer.will_close:
            connection.close()  # the answer has a handle of its own on the socket, and can still be read
        return answer

    def take_back(self, connection: _Watched) -> None:
        """Keep the connection for the next request; closed where the pool is."""
        self._put_conn(connection)


class _TlsPool(_Pool, HTTPSConnectionPool):
    ConnectionCls = _WatchedTls


@dataclass(frozen=True, slots=True)
class HttpRoute:
    """Where a URL is asked: urllib3's pool, what begins a request there, and the proxy on the way."""

    pool: _Pool
    target: str
    host: str
    proxy: Proxy | None
    proxy_headers: Mapping[str, str]
    """What a proxy that reads the request wants to know."""
    tunnel: bool
    """Whether the proxy only leads to the server."""


class Wire:
    """The pools of one client; any thread may ask for a place."""

    def __init__(self) -> None:
        self._managers: dict[tuple[Proxy | None, bool], urllib3.PoolManager] = {}
        self._places: dict[str, HttpRoute] = {}
        self._context: ssl.SSLContext | None = None
        self._lock = threading.Lock()

    def place(self, url: str) -> HttpRoute:
        """Where `url` is asked; kept, because asking the environment for proxies costs as much as the sending.

        Raises:
            ValueError, urllib3.exceptions.HTTPError: `url`, or the proxy of the environment, is no address.
        """
        found = self._places.get(url)
        if found is None:
            with self._lock:
                found = self._places.get(url)  # another thread may have found it while this one waited
                if found is None:
                    found = self._places[url] = self._found(url)
        return found

    def send(
        self, place: HttpRoute, call: WatchedCall, method: str, body: bytes | None, headers: Mapping[str, str]
    ) -> RawAnswer:
        """Send the request and read the answer's head; whatever fails comes as urllib3 or the library below it raises it."""
        return place.pool.ask(call, method, _head(place, method, body, headers), body, tunnel=place.tunnel)

    def close(self) -> None:
        """Close the idle connections; those in use are closed as their calls end."""
        with self._lock:
            for place in self._places.values():
                place.pool.close()

    def _found(self, url: str) -> HttpRoute:
        proxy = proxy_for(url)
        parts = parse_url(url)
        tls = parts.scheme == "https" or (proxy is not None and proxy.url.startswith("https:"))
        manager = self._managers.get((proxy, tls))
        if manager is None:
            manager = self._managers[proxy, tls] = self._manager(proxy, tls=tls)
        pool = cast(_Pool, manager.connection_from_url(url))
        forwarded = proxy is not None and parts.scheme == "http"
        return HttpRoute(
            pool,
            parts._replace(auth=None, fragment=None).url if forwarded else parts.request_uri,
            parts.netloc or "",
            proxy,
            _proxy_headers(proxy) if proxy is not None and forwarded else {},
            tunnel=proxy is not None and not forwarded,
        )

    def _manager(self, proxy: Proxy | None, *, tls: bool) -> urllib3.PoolManager:
        settings: dict[str, Any] = {"maxsize": _MOST_KEPT, "block": False}
        if tls:
            settings["ssl_context"] = self._tls()
        if proxy is None:
            manager = urllib3.PoolManager(**settings)
        else:
            if urlsplit(proxy.url).scheme == "https":
                settings["proxy_ssl_context"] = self._tls()
            manager = urllib3.ProxyManager(proxy.url, proxy_headers=_proxy_headers(proxy), **settings)
        manager.pool_classes_by_scheme = {"http": _Pool, "https": _TlsPool}
        return manager

    def _tls(self) -> ssl.SSLContext:
        """The system's authorities and certifi's, or those that `SSL_CERT_FILE` or `SSL_CERT_DIR` names alone."""
        if self._context is None:
            self._context = ssl.create_default_context()
            if not os.environ.get("SSL_CERT_FILE") and not os.environ.get("SSL_CERT_DIR"):
                self._context.load_verify_locations(certifi.where())
        return self._context


def _head(place: HttpRoute, method: str, body: bytes | None, headers: Mapping[str, str]) -> str:
    """The request up to its body.

    Raises:
        ValueError: a header holds a control character, or one that HTTP cannot carry.
    """
    lines = [f"{method} {place.target} HTTP/1.1", f"Host: {place.host}"]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    every = {"Accept-Encoding": "identity", "User-Agent": "modex", **place.proxy_headers, **headers}
    lines += [f"{name}: {value}" for name, value in every.items()]
    if _CONTROL.search("".join(lines)):
        raise ValueError("a header or the address holds control characters")
    return "\r\n".join(lines) + "\r\n\r\n"


def _proxy_headers(proxy: Proxy) -> dict[str, str]:
    if proxy.credentials is None:
        return {}
    return {"Proxy-Authorization": "Basic " + base64.b64encode(proxy.credentials.encode()).decode()}
