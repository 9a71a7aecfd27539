"""Urllib3 as modex uses it: its pools, its requests, its responses, its proxies and its TLS, watched from outside.

What is added: the watchdog learns on which socket a call waits; interim answers (100, 102, 103) are skipped by http.client's
own readers; and a connection is used again only after an answer whose framing leaves no doubt.
"""

from __future__ import annotations

import base64
import http.client
import os
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import certifi
import urllib3
from urllib3 import BaseHTTPResponse
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.util import Timeout, parse_url

from core.llm.proxies import Proxy, proxy_for
from core.llm.watch import Call

CONNECT_S = 30.0
"""Seconds within which a connection must stand, where the call's own deadline is not sooner."""
IDLE_S = 60.0
"""Seconds after which an idle connection is not used again: gateways on the way forget it about then."""
_MOST_KEPT = 1024
"""Idle connections kept for each server: as many as there may be workers."""
_BODILESS = {204, 205, 304}


class Now(threading.local):
    """The call that the current thread makes: urllib3 hands it to no connection."""

    call: Call


NOW = Now()


class _Answer(http.client.HTTPResponse):
    """An answer that skips the interim ones before it, and knows whether another may follow on its connection."""

    finished_at = 0.0
    left_over = False

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 100 <= status < 200 or status == http.client.SWITCHING_PROTOCOLS:
                return version, status, reason
            http.client.parse_headers(self.fp)

    def _close_conn(self) -> None:
        self.finished_at = time.monotonic()
        if not self.will_close:
            self.left_over = _holds_more(self.fp)
        super()._close_conn()  # type: ignore[misc]

    @property
    def conclusive(self) -> bool:
        """Whether it was read to an end on which both sides must agree."""
        lengths = self.msg.get_all("Content-Length", [])
        encodings = [value.strip().lower() for value in self.msg.get_all("Transfer-Encoding", [])]
        one_length = len(lengths) == 1 and lengths[0].strip().isdecimal() and not encodings
        framed = one_length or (not lengths and encodings == ["chunked"])
        plain = self.status >= 200 and self.status not in _BODILESS and not self.msg.defects
        return self.isclosed() and framed and plain and not self.left_over


def _holds_more(stream: Any) -> bool:
    """Whether bytes that nobody asked for lie behind the answer's end."""
    try:
        stream.raw._sock.settimeout(0)
        return bool(stream.peek(1))
    except (OSError, ValueError, AttributeError):
        return False


class _Watched(HTTPConnection):
    """A plain connection."""

    _call: Call | None = None
    _answer: _Answer | None = None
    _parts: list[bytes] | None = None

    def connect(self) -> None:
        super().connect()
        self._held(self.sock)

    def request(self, *args: Any, **kwargs: Any) -> None:
        if self.sock is not None:
            self._held(self.sock)
        self._parts = []
        try:
            super().request(*args, **kwargs)
            whole = b"".join(self._parts)
        finally:
            self._parts = None
        self.send(whole)

    def send(self, data: Any) -> None:
        """As http.client's, but head and body leave together: apart, each wakes the server and costs a turn of the threads."""
        if self._parts is not None:
            self._parts.append(data)
        else:
            super().send(data)

    def response_class(self, *args: Any, **kwargs: Any) -> _Answer:  # type: ignore[override]
        self._answer = _Answer(*args, **kwargs)
        return self._answer

    @property
    def is_connected(self) -> bool:
        answer = self._answer
        if answer is not None and not (answer.conclusive and time.monotonic() - answer.finished_at < IDLE_S):
            return False
        return super().is_connected

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


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Watched


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _WatchedTls


@dataclass(frozen=True, slots=True)
class Place:
    """Where a URL is asked: urllib3's pool, what stands in the request line, and the proxy on the way."""

    pool: HTTPConnectionPool
    target: str
    proxy: Proxy | None


class Wire:
    """The pools of one client; any thread may ask for a place."""

    def __init__(self) -> None:
        self._managers: dict[tuple[Proxy | None, bool], urllib3.PoolManager] = {}
        self._places: dict[str, Place] = {}
        self._context: ssl.SSLContext | None = None
        self._lock = threading.Lock()

    def place(self, url: str) -> Place:
        """Where `url` is asked; kept, because asking the environment for proxies costs as much as the sending.

        Raises:
            ValueError, urllib3.exceptions.HTTPError: `url`, or the proxy of the environment, is no address.
        """
        found = self._places.get(url)
        if found is None:
            with self._lock:
                found = self._places[url] = self._found(url)
        return found

    def send(
        self, place: Place, call: Call, method: str, body: bytes | None, headers: Mapping[str, str]
    ) -> BaseHTTPResponse:
        """Send the request and read the answer's head; whatever fails comes as urllib3 or the library below it raises it."""
        NOW.call = call
        return place.pool.urlopen(
            method,
            place.target,
            body,
            {"Accept-Encoding": "identity", "User-Agent": "modex", **headers},
            retries=False,
            redirect=False,
            assert_same_host=False,
            timeout=Timeout(connect=max(0.001, min(CONNECT_S, call.deadline - time.monotonic())), read=None),
            preload_content=False,
        )

    def close(self) -> None:
        """Close the idle connections."""
        with self._lock:
            for place in self._places.values():
                place.pool.close()

    def _found(self, url: str) -> Place:
        proxy = proxy_for(url)
        parts = parse_url(url)
        tls = parts.scheme == "https" or (proxy is not None and proxy.url.startswith("https:"))
        manager = self._managers.get((proxy, tls))
        if manager is None:
            manager = self._managers[proxy, tls] = self._manager(proxy, tls=tls)
        pool = manager.connection_from_url(url)
        absolute = proxy is not None and parts.scheme == "http"
        target = parts._replace(auth=None, fragment=None).url if absolute else parts.request_uri
        return Place(pool, target, proxy)

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


def _proxy_headers(proxy: Proxy) -> dict[str, str]:
    if proxy.credentials is None:
        return {}
    return {"Proxy-Authorization": "Basic " + base64.b64encode(proxy.credentials.encode()).decode()}
