"""No call to a model leaves for another host: what litellm's clients would follow is refused, whichever client that is.

Litellm asks by httpx (its own clients, OpenAI's SDK), by aiohttp and by requests, and makes them in many places. A redirect takes
the key of `x-api-key` and `api-key`, the prompt and the verdict wherever a header points. So each library is told at the one
method that all its requests go through, and only for calls that are made `within` here: others of this process keep their ways.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, wraps
from typing import Any


@dataclass(slots=True)
class Refused:
    """The redirects that a call met: status and headers by lower-case name, the first of them first."""

    met: list[tuple[int, dict[str, str]]] = field(default_factory=list)


_CALL: ContextVar[Refused | None] = ContextVar("modex_egress", default=None)
_MOVED = frozenset((301, 302, 303, 307, 308))


@contextmanager
def within() -> Iterator[Refused]:
    """Follow no redirect in this context, nor in those that are copied from it; what was refused is noted."""
    refused = Refused()
    token = _CALL.set(refused)
    try:
        yield refused
    finally:
        _CALL.reset(token)


def install() -> None:
    """Teach the HTTP libraries that litellm uses, once in a process; each is imported by litellm already."""
    with _installing:
        _install()


_installing = threading.Lock()


@cache
def _install() -> None:
    _teach_httpx()
    _teach_aiohttp()
    _teach_requests()


def _note(call: Refused, status: int, headers: Mapping[str, str]) -> None:
    if status in _MOVED:
        call.met.append((status, {name.lower(): value for name, value in headers.items()}))


def _teach_httpx() -> None:
    import httpx

    send, send_async = httpx.Client.send, httpx.AsyncClient.send

    @wraps(send)
    def sending(self: httpx.Client, request: httpx.Request, **given: Any) -> httpx.Response:
        call = _CALL.get()
        if call is None:
            return send(self, request, **given)
        response = send(self, request, **{**given, "follow_redirects": False})
        _note(call, response.status_code, response.headers)
        return response

    @wraps(send_async)
    async def sending_async(self: httpx.AsyncClient, request: httpx.Request, **given: Any) -> httpx.Response:
        call = _CALL.get()
        if call is None:
            return await send_async(self, request, **given)
        response = await send_async(self, request, **{**given, "follow_redirects": False})
        _note(call, response.status_code, response.headers)
        return response

    httpx.Client.send = sending  # type: ignore[method-assign]
    httpx.AsyncClient.send = sending_async  # type: ignore[method-assign]


def _teach_aiohttp() -> None:
    try:
        import aiohttp
    except ImportError:
        return
    asked = aiohttp.ClientSession._request

    @wraps(asked)
    async def asking(self: aiohttp.ClientSession, *words: Any, **given: Any) -> aiohttp.ClientResponse:
        call = _CALL.get()
        if call is None:
            return await asked(self, *words, **given)
        response = await asked(self, *words, **{**given, "allow_redirects": False})
        _note(call, response.status, response.headers)
        return response

    aiohttp.ClientSession._request = asking  # type: ignore[method-assign]


def _teach_requests() -> None:
    try:
        import requests
    except ImportError:
        return
    send = requests.Session.send

    @wraps(send)
    def sending(self: requests.Session, request: requests.PreparedRequest, **given: Any) -> requests.Response:
        call = _CALL.get()
        if call is None:
            return send(self, request, **given)
        response = send(self, request, **{**given, "allow_redirects": False})
        _note(call, response.status_code, response.headers)
        return response

    requests.Session.send = sending  # type: ignore[method-assign]
