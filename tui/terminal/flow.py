"""How much of what was sent a terminal has not read yet: while it is much, no further frame is sent.

A kernel takes tens of kilobytes for a pseudo-terminal and sshd takes megabytes before a write waits, so that over a slow line
every frame would queue behind those that nobody wants any more; TIOCOUTQ is always 0 on a pseudo-terminal of Linux. The terminal
itself is asked instead: it answers a request for the cursor's position (DSR 6, ECMA-48; in the VT100 and all that followed)
when it has read up to there.

ECMA-48: https://ecma-international.org/publications-and-standards/standards/ecma-48/.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

QUESTION = "\x1b[6n"
_WINDOW = 2048
"""Bytes that may be unread while one more frame is sent: so that a held arrow key moves at the far end of a long, fast line."""
_UNASKED = 512
"""Bytes that are sent before the terminal is asked: a clock that moves needs no answer."""
_EXPIRES_S = 10.0
"""An answer that has not come by then may be lost: one frame is sent without it."""
_DOUBTED_S = 1.0
_SILENT_AFTER = 3
"""A terminal that has let as many requests expire one after the other is one that does not answer."""


class Flow:
    """What is sent and what of it was read. Answers come on the thread that reads the keyboard."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._asked: deque[tuple[int, float]] = deque(maxlen=256)
        """For each request without an answer: how many bytes end with it, and when it was sent."""
        self._unasked = 0
        self._answers = False
        """Whether this terminal answers: until its first answer nothing waits for one."""
        self._expired = 0

    def sent(self, size: int) -> str:
        """Take note of a frame of `size` bytes; what to send behind it, which may be nothing."""
        with self._lock:
            self._unasked += size
            if self._unasked < _UNASKED:
                return ""
            self._asked.append((self._unasked, self._clock()))
            self._unasked = 0
            return QUESTION

    def answered(self) -> None:
        """The terminal has read up to the oldest request."""
        with self._lock:
            self._answers = True
            self._expired = 0
            if self._asked:
                self._asked.popleft()

    def is_open(self) -> bool:
        """Whether one more frame may be sent."""
        with self._lock:
            if not self._answers or sum(size for size, _ in self._asked) <= _WINDOW:
                return True
            if self._clock() - self._asked[-1][1] < _EXPIRES_S:
                return False
            self._expired += 1
            if self._expired >= _SILENT_AFTER:
                self._answers = False
            return True

    def waits(self) -> bool:
        """Whether answers are on their way: who reads the keyboard next would take them for keys."""
        with self._lock:
            return self._answers and bool(self._asked)

    def doubt(self) -> None:
        """Answers may have been lost, as with a picture that has to be painted again: wait for those under way a second more."""
        with self._lock:
            latest = self._clock() - _EXPIRES_S + _DOUBTED_S
            self._asked = deque(((size, min(at, latest)) for size, at in self._asked), maxlen=self._asked.maxlen)

    def forget(self) -> None:
        """Begin again, as with another terminal: what was asked is not answered any more."""
        with self._lock:
            self._asked.clear()
            self._unasked = 0
            self._answers = False
            self._expired = 0
