"""HTTP for many worker threads: kept-alive connections, one total deadline a call, a cap on size, and a way to stop.

Urllib3 keeps the connections (`wire.py`); it is imported by the first call, so that a command which asks nobody does not pay for
it. A thread of its own keeps the deadlines (`watch.py`), another one receives what is streamed (`receiver.py`).
"""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from modex.core.llm.faults.broken import Broken, broken_by
from modex.core.llm.receiver import Receiver
from modex.core.llm.watch import EndedError, Watchdog, WatchedCall

if TYPE_CHECKING:
    from modex.core.llm.wire import HttpRoute, RawAnswer, Wire

MAX_RESPONSE = 64 * 1024 * 1024
"""Bytes of a response's body beyond which it is refused."""
_CHUNK = 256 * 1024
_OWN_READS = 8
_OWN_S = 0.1
"""Reads of a stream before it is handed over, or seconds of them: an answer of few words is read sooner than it is handed over
and taken back."""


class HttpError(Exception):
    """No complete answer: refused, reset, cut off, or not HTTP. `advice` where trying again changes nothing: what would."""

    def __init__(self, message: str, advice: str | None = None) -> None:
        self.advice = advice
        super().__init__(message)


class DeadlineError(Exception):
    """The total deadline passed."""


class TooLargeError(Exception):
    """The body is larger than `MAX_RESPONSE`."""


class AbortedError(Exception):
    """`Http.abort` or `Http.cancel` ended the call."""


class Response:
    """An answer whose body comes as it arrives, under the call's deadline; close it, best by `with`.

    Header names are in lower case. A connection is used again only where the body was read to its end.
    """

    def __init__(self, raw: RawAnswer, call: WatchedCall, place: HttpRoute, receiver: Receiver) -> None:
        self.status: int = raw.status
        self.headers: Mapping[str, str] = {name.lower(): value for name, value in raw.msg.items()}
        self._raw = raw
        self._call = call
        self._place = place
        self._receiver = receiver

    def chunks(self, *, gathered: bool = False) -> Iterator[bytes]:
        """The body's bytes, each as soon as it is there; `gathered`: of a longer one as `modex.core.llm.receiver` gathers them.

        Raises:
            HttpError, DeadlineError, TooLargeError, AbortedError: the body does not come to its end.
        """
        size = reads = 0
        own_until = time.monotonic() + _OWN_S
        try:
            while data := self._raw.some(_CHUNK):
                size += len(data)
                reads += 1
                if gathered and (reads >= _OWN_READS or time.monotonic() >= own_until):
                    self._raw.receive_by(self._receiver)
                    gathered = False
                if size > MAX_RESPONSE:
                    raise TooLargeError
                yield data
        except _faults() as error:
            raise _explained(error, self._call, self._place) from None
        _check(self._call)

    def catch_up(self) -> None:
        """Let who reads have what came by now; any thread may say it."""
        self._raw.catch_up()

    def came_at(self) -> float:
        """When the chunk that was given last had come, by `time.monotonic()`."""
        return self._raw.came_at

    def read(self) -> bytes:
        """The whole body.

        Of an answer that says what is wrong (300 and above) as much as came: what its status says is worth more than its end.

        Raises:
            HttpError, DeadlineError, TooLargeError, AbortedError: there is no whole body.
        """
        parts: list[bytes] = []
        try:
            parts.extend(self.chunks())
        except (HttpError, DeadlineError):
            if self.status < 300:
                raise
        return b"".join(parts)

    def finish(self, within_s: float = 0.2) -> None:
        """Read to the end of an answer of which nothing more is wanted, if it comes this soon."""
        self._raw.finish(within_s)

    def close(self) -> None:
        """Let go of the connection: back to the pool where the answer was read, closed where it was not."""
        self._call.finish()
        self._raw.release()

    def __enter__(self) -> Response:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class HttpAnswer:
    """A complete answer; header names are in lower case."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body


class Http:
    """A pool of connections that any thread may use."""

    def __init__(self) -> None:
        self._watchdog = Watchdog()
        self._receiver = Receiver()
        self._making = threading.Lock()
        self._wire: Wire | None = None

    def prepare_early(self, url: str) -> None:
        """Import urllib3 and look up the way to `url` on a thread, while the caller goes on."""
        threading.Thread(target=self._prepare, args=(url,), name="import-urllib3", daemon=True).start()

    def post(self, url: str, body: bytes, headers: Mapping[str, str], timeout_s: float) -> HttpAnswer:
        """Send `body` and read the whole answer within `timeout_s` seconds.

        Raises:
            HttpError, DeadlineError, TooLargeError, AbortedError: there is no answer.
        """
        return self.request("POST", url, body, headers, timeout_s)

    def request(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], timeout_s: float
    ) -> HttpAnswer:
        """As `post`, with any method."""
        with self.open(method, url, body, headers, timeout_s) as response:
            return HttpAnswer(response.status, response.headers, response.read())

    def open(self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], timeout_s: float) -> Response:
        """As `post`, up to the answer's head: the body is the caller's to read, within the same deadline."""
        try:
            call = self._watchdog.begin(timeout_s)
        except EndedError:
            raise AbortedError from None
        place = None
        try:
            wire = self._opened()
            place = wire.place(url)
            raw = wire.send(place, call, method, body, headers)
            if raw.status < 200:
                raw.release()
                raise HttpError(f"the server wants another protocol ({raw.status})")
            return Response(raw, call, place, self._receiver)
        except _faults() as error:
            call.finish()
            raise _explained(error, call, place) from None
        except BaseException:
            call.finish()
            raise

    def abort(self) -> None:
        """End every call in flight and refuse new ones; each raises `AbortedError`."""
        self._watchdog.abort()

    def cancel(self, thread: int) -> None:
        """End the call that this thread makes now; it raises `AbortedError`."""
        self._watchdog.cancel(thread)

    def close(self) -> None:
        """Abort, close the idle connections and end the threads that receive and keep the deadlines."""
        self._watchdog.close()
        self._receiver.close()
        with self._making:
            wire = self._wire
        if wire is not None:
            wire.close()

    def _prepare(self, url: str) -> None:
        with self._making:  # a first call waits for this instead of doing the same beside it
            wire = self._made()
            with contextlib.suppress(*_faults()):  # the first call says it, where somebody hears it
                wire.place(url)

    def _opened(self) -> Wire:
        with self._making:
            return self._made()

    def _made(self) -> Wire:
        """The wire; `_making` is held."""
        if self._wire is None:
            from modex.core.llm.wire import Wire

            self._wire = Wire()
        return self._wire


def _check(call: WatchedCall) -> None:
    """Raise what ended the call: a body that ends with its connection looks whole when the watchdog shut it."""
    if call.ended in {"aborted", "cancelled"}:
        raise AbortedError
    if call.ended == "deadline":
        raise DeadlineError


def _faults() -> tuple[type[Exception], ...]:
    """What urllib3 and the libraries below it raise."""
    from urllib3.exceptions import HTTPError

    return (HTTPError, OSError, http.client.HTTPException, ValueError, EndedError)


def _explained(error: Exception, call: WatchedCall, place: HttpRoute | None) -> Exception:
    """Our own error for whatever ended the call."""
    if call.ended in {"aborted", "cancelled"}:
        return AbortedError()
    if call.ended == "deadline" or time.monotonic() >= call.deadline:
        return DeadlineError()
    found: Broken = broken_by(error)
    through = f" (through the proxy {place.proxy.url})" if place is not None and place.proxy is not None else ""
    return HttpError(found.why + through, found.advice)
