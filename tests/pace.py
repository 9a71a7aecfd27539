"""Limits that mean the same on a quiet and on a busy machine: they are counted in units, measured when they matter."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

QUIET_UNIT_S = 0.02
"""What one unit takes on a quiet machine; a slower one only makes limits longer."""


def cpu_s(work: Callable[[], object]) -> float:
    """The processor's seconds that `work` takes on this thread; waiting for a busy machine is not among them."""
    before = time.thread_time()
    work()
    return time.thread_time() - before


def unit_s() -> float:
    """The seconds that starting a process takes now, waiting included: what a command of modex begins with."""
    before = time.monotonic()
    subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
    return time.monotonic() - before


def stretched(quiet_s: float) -> float:
    """`quiet_s` as a limit for the machine as it is now: never shorter, and longer by as much as it is slower than when quiet."""
    return quiet_s * max(1.0, sorted(unit_s() for _ in range(3))[1] / QUIET_UNIT_S)


def eventually(holds: Callable[[], bool], within_s: float = 20.0) -> bool:
    """Whether `holds` comes true in time; asked again and again."""
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True
