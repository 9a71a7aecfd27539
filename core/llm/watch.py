"""One thread that ends calls from outside: at their total deadline, one that is no longer wanted, or all of them.

A socket's own timeout is for one wait, so a slow drip outlives it. Here every call waits without one, and the watchdog
shuts the socket of a call whose time is up: whoever waits in the kernel wakes at once.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Literal

Ending = Literal["deadline", "aborted", "cancelled"]


class WatchedCall:
    """One request under way: until when, on which socket, and whether the watchdog ended it."""

    __slots__ = ("_watchdog", "deadline", "ended", "socket", "thread")

    def __init__(self, deadline: float, watchdog: Watchdog) -> None:
        self._watchdog = watchdog
        self.deadline = deadline
        """`time.monotonic()` at which the call ends, finished or not."""
        self.ended: Ending | None = None
        self.thread = threading.get_ident()
        self.socket: socket.socket | None = None

    def hold(self, sock: socket.socket, before: WatchedCall | None = None) -> None:
        """Say on which socket this call waits now; `before` is the call that had it, and has it no longer.

        Raises:
            EndedError: the call was ended meanwhile.
        """
        self._watchdog.hold(self, sock, before)

    def finish(self) -> None:
        """Forget the call: from here on its socket is no longer touched."""
        self._watchdog.finish(self)


class EndedError(Exception):
    """The call was ended before it reached its socket."""


class Watchdog:
    """Knows every call under way. Its thread starts with the first call and ends with `close`."""

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._calls: set[WatchedCall] = set()
        self._wakes_at = float("inf")
        self._thread: threading.Thread | None = None
        self._aborted = False
        self._closed = False

    def begin(self, timeout_s: float) -> WatchedCall:
        """Watch a new call for at most `timeout_s` seconds.

        Raises:
            EndedError: `abort` came before.
        """
        call = WatchedCall(time.monotonic() + timeout_s, self)
        with self._changed:
            if self._aborted:
                raise EndedError
            self._calls.add(call)
            # With the first call, not before: a command that asks nobody has no thread to end.
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="modex-deadlines", daemon=True)
                self._thread.start()
            elif call.deadline < self._wakes_at:
                self._changed.notify()
        return call

    def hold(self, call: WatchedCall, sock: socket.socket, before: WatchedCall | None = None) -> None:
        """See `WatchedCall.hold`."""
        # In one hold of the lock: a call whose socket another one has by now must never be able to end it.
        with self._changed:
            if before is not None and before is not call:
                before.socket = None
            if call.ended is not None:
                raise EndedError
            call.socket = sock

    def finish(self, call: WatchedCall) -> None:
        """See `WatchedCall.finish`."""
        with self._changed:
            self._calls.discard(call)
            call.socket = None

    def abort(self) -> None:
        """End every call under way, and refuse new ones."""
        with self._changed:
            self._aborted = True
            for call in self._calls:
                _end(call, "aborted")

    def cancel(self, thread: int) -> None:
        """End the call that this thread makes now, if it makes one."""
        with self._changed:
            for call in self._calls:
                if call.thread == thread:
                    _end(call, "cancelled")

    def close(self) -> None:
        """Abort, and end the thread."""
        self.abort()
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _watch(self) -> None:
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                # The sockets are shut under the lock, so that none of them can be given to another call meanwhile.
                due = [call for call in self._calls if call.deadline <= now]
                for call in due:
                    _end(call, "deadline")
                    self._calls.discard(call)
                self._wakes_at = min((call.deadline for call in self._calls), default=float("inf"))
                self._changed.wait(None if self._wakes_at == float("inf") else self._wakes_at - now)


def _end(call: WatchedCall, why: Ending) -> None:
    """Mark the call and wake its thread; the lock is held, so that the socket is still the call's own."""
    if call.ended is None:
        call.ended = why
    if call.socket is not None:
        # Not the method of a TLS socket: that one would also throw away what the waiting thread still uses.
        with contextlib.suppress(OSError):
            socket.socket.shutdown(call.socket, socket.SHUT_RDWR)
