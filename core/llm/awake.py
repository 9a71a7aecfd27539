"""When this process did not run: a suspended machine's or a stopped process's time is not the model's.

The kernel's clock goes on while a virtual machine is paused or a process is stopped (SIGSTOP); a thread that ticks sees the gap.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_TICK_S = 0.5
_GAP_S = 2.0
"""A tick that comes this much late, in seconds, was kept from coming; a busy machine delays one by less."""


class Awake:
    """The gaps in a process's life, as one thread of it saw them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._ticked: float | None = None
        self._gaps: list[tuple[float, float]] = []
        """When the process did not run, from and to."""

    def tick(self) -> None:
        """Say that the process runs; called every half second or so from the first call on."""
        with self._lock:
            now = self._clock()
            if self._ticked is not None and now - self._ticked > _GAP_S + _TICK_S:
                self._gaps.append((self._ticked + _TICK_S, now))
            self._ticked = now

    def lost_s(self, begin: float, end: float) -> float:
        """Seconds between two moments of the clock in which the process did not run; 0 where nobody ticks."""
        if self._ticked is None:
            return 0.0
        self.tick()  # whoever wakes first is not always the thread that ticks
        with self._lock:
            return sum(max(0.0, min(end, until) - max(begin, since)) for since, until in self._gaps)


_AWAKE = Awake()
_started = threading.Lock()


def keep_watch() -> None:
    """Begin to look for gaps, once a process, until it ends."""
    if _started.acquire(blocking=False):
        threading.Thread(target=_watch, name="awake", daemon=True).start()


def _watch() -> None:
    pause = threading.Event()
    while True:
        _AWAKE.tick()
        pause.wait(_TICK_S)


def elapsed_s(begin: float) -> float:
    """Seconds since `begin` (of `time.monotonic`) in which this process ran."""
    now = time.monotonic()
    return now - begin - _AWAKE.lost_s(begin, now)


def lost_s(begin: float, end: float) -> float:
    """Seconds between two moments of `time.monotonic` in which this process did not run."""
    return _AWAKE.lost_s(begin, end)
