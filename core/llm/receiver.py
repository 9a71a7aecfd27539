"""One thread that receives every longer streamed answer: a worker wakes for what was gathered, not for each word of it.

A thread that wakes up costs more than the word that it wakes for, and keeps the others from theirs. What came keeps the moment
at which it came, so that no figure moves by when it is read. A worker is woken at once by the end of its answer and by who looks
at it, else a second after the first byte that it has not read.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import ssl
import threading
import time
from collections import deque
from typing import Any

_WAKES_AFTER_S = 1.0
"""How long what came may lie unread: an answer that goes in circles is seen to do so as much later."""
_JOINS = 0.03
_JOINS_MOST_S = 0.025
"""What comes within this share of the time since the first bytes, and within so many seconds, is one piece with one moment."""
_FEW = 4
_PAUSES_S = 0.01
"""How long the thread pauses between two looks where more than so few streams go on: several words of each come at once."""
_TOGETHER = 0.1
_TOGETHER_LEAST_S = 0.001
"""Of fewer it waits for such a share of the time since the last word, up to as long: a server writes to all at one beat."""
_SIZE = 16 * 1024
"""Bytes received at once: a record of TLS at most."""
_MOST_UNREAD = 256 * 1024
"""Bytes from which on a worker reads faster by itself."""
_ENDS = (b"[DONE]", b"\r\n0\r\n\r\n")
_AGAIN = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Inlet:
    """What comes on one socket, from `Receiver.hand_over` to `take_back`; read by one worker."""

    def __init__(self, receiver: Receiver, sock: socket.socket) -> None:
        self.sock = sock
        self._receiver = receiver
        self._tls = isinstance(sock, ssl.SSLSocket)
        self._lock = threading.Lock()
        # A bare lock that is held while there is nothing to wake for: a condition costs several times as much.
        self._wake = threading.Lock()
        self._wake.acquire()
        self._parts: deque[tuple[float, list[bytes]]] = deque()
        self._unread = 0
        self._first_at = 0.0
        self._due = False
        """Whether the receiver knows when to wake the worker for what lies here."""
        self._left = False
        """Whether nothing more is received here."""
        self._closed = False
        """Whether that is because the connection ended."""
        self._error: Exception | None = None
        """Why it ended."""

    def read(self) -> tuple[float, bytes] | None:
        """The next piece with the `time.monotonic()` at which it came, waited for; empty at the connection's end.

        None where nothing more comes this way: what follows is read from the socket.

        Raises:
            OSError: the connection broke.
        """
        while True:
            with self._lock:
                if self._parts:
                    at, pieces = self._parts.popleft()
                    found = pieces[0] if len(pieces) == 1 else b"".join(pieces)
                    self._unread -= len(found)
                    return at, found
                if self._error is not None:
                    raise self._error
                if self._closed:
                    return time.monotonic(), b""
                if self._left:
                    return None
            self._wake.acquire()

    @property
    def holds(self) -> bool:
        """Whether something lies here unread."""
        return bool(self._parts)

    def take_back(self) -> None:
        """Receive no more: from here on the socket is the worker's own. May be said twice."""
        with self._lock:  # who receives at this moment is done with the socket before this goes on
            self._leave()

    def receive(self, now: float) -> bool:
        """Take what is there; whether `wake` is to be called after `_WAKES_AFTER_S`."""
        with self._lock:
            if self._left:
                return False
            ends = False
            # Over TLS until nothing is left: what is decrypted already makes no socket ready.
            while (data := self._received()) is not None:
                self._keep(now, data)
                ends = ends or any(end in data for end in _ENDS)
                if self._unread > _MOST_UNREAD:
                    self._leave()
                if self._left or not self._tls:
                    break
            if ends or self._left:
                self._rouse()
                return False
            new, self._due = bool(self._parts) and not self._due, self._due or bool(self._parts)
            return new

    def wake(self) -> None:
        """Let the worker read what came."""
        with self._lock:
            self._due = False
            if self._parts:
                self._rouse()

    def give_up(self) -> None:
        """Leave the rest to the worker."""
        with self._lock:
            self._leave()
            self._rouse()

    def _received(self) -> bytes | None:
        """Bytes that are there now; None where there are none, or where the connection ended."""
        try:
            data = self.sock.recv(_SIZE) if self._tls else self.sock.recv(_SIZE, socket.MSG_DONTWAIT)
        except _AGAIN:
            return None
        except (OSError, ValueError) as error:
            self._error, data = error, b""
        if not data:
            self._closed = True
            self._leave()
        return data or None

    def _keep(self, now: float, data: bytes) -> None:
        self._first_at = self._first_at or now
        self._unread += len(data)
        if self._parts:
            at, pieces = self._parts[-1]
            if now - at <= min(_JOINS * (at - self._first_at), _JOINS_MOST_S):
                pieces.append(data)
                return
        self._parts.append((now, [data]))

    def _rouse(self) -> None:
        """Wake the worker, or keep it from waiting; `_lock` is held, so that nobody else does so at this moment."""
        if self._wake.locked():
            self._wake.release()

    def _leave(self) -> None:
        if not self._left:
            self._left = True
            self._receiver.forget(self)


class Receiver:
    """The thread. It starts with the first stream and ends with `close`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Linux's and macOS's take sockets and let go of them while another thread waits in `select`.
        self._selector: selectors.BaseSelector | None = None
        self._bell = -1
        self._inlets: set[Inlet] = set()
        self._closed = False

    def hand_over(self, sock: Any) -> Inlet | None:
        """Receive on this socket from now on; None where only its own worker can read it (TLS within TLS), or none is read."""
        if not isinstance(sock, socket.socket):
            return None
        inlet = Inlet(self, sock)
        tls = isinstance(sock, ssl.SSLSocket)
        with self._lock:
            if self._closed:
                return None
            if self._selector is None:
                self._selector = self._started()
            self._inlets.add(inlet)
            if tls:
                sock.settimeout(0)
            else:
                self._selector.register(sock, selectors.EVENT_READ, inlet)
        if tls:
            self._hand_over_decrypted(inlet)
        return inlet

    def forget(self, inlet: Inlet) -> None:
        """Receive no more on this inlet's socket."""
        with self._lock:
            self._inlets.discard(inlet)
            if self._selector is not None:
                with contextlib.suppress(KeyError, ValueError, OSError):
                    self._selector.unregister(inlet.sock)
            if isinstance(inlet.sock, ssl.SSLSocket):
                with contextlib.suppress(OSError):
                    inlet.sock.settimeout(None)

    def close(self) -> None:
        """End the thread; streams that are still read are left to their workers."""
        with self._lock:
            if not self._closed and self._selector is not None:
                os.write(self._bell, b"x")
            self._closed = True

    def _hand_over_decrypted(self, inlet: Inlet) -> None:
        """Take what waits decrypted in no socket, before the socket is waited for."""
        if inlet.receive(time.monotonic()):
            inlet.wake()  # which nobody else would be told to do
        with self._lock:
            if inlet in self._inlets and self._selector is not None and not self._closed:
                self._selector.register(inlet.sock, selectors.EVENT_READ, inlet)

    def _started(self) -> selectors.BaseSelector:
        selector = selectors.DefaultSelector()
        heard, self._bell = os.pipe()
        selector.register(heard, selectors.EVENT_READ)
        threading.Thread(target=self._receive, args=(selector, heard), name="modex-receiver", daemon=True).start()
        return selector

    def _receive(self, selector: selectors.BaseSelector, heard: int) -> None:
        due: deque[tuple[float, Inlet]] = deque()
        while not self._closed:
            before = time.monotonic()
            ready = selector.select(max(0.0, due[0][0] - before) if due else None)
            now = time.monotonic()
            pause = min(_TOGETHER * (now - before), _PAUSES_S)
            if ready and 1 < len(self._inlets) <= _FEW and pause >= _TOGETHER_LEAST_S:
                time.sleep(pause)
                ready, now = selector.select(0), time.monotonic()
            for key, _ in ready:
                if key.data is not None and key.data.receive(now):
                    due.append((now + _WAKES_AFTER_S, key.data))
            while due and due[0][0] <= now:
                due.popleft()[1].wake()
            if len(self._inlets) > _FEW:
                time.sleep(_PAUSES_S)
        with self._lock:
            left, self._selector = list(self._inlets), None
            selector.close()
        for inlet in left:
            inlet.give_up()
        os.close(heard)
        os.close(self._bell)
