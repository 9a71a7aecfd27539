"""Processes of this very program beside its own: how one is started, how it ended, and how many have a core each."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from pathlib import Path

PROGRAM = str(Path(__file__).parents[3])
"""The folder that holds the package `modex`, which a process of another working folder needs on its path."""

_BOOT = (
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN);"  # first of all: importing takes most of a second
    " import sys, json, runpy; sys.path[:] = json.loads(sys.argv[1]);"
    " runpy.run_module(sys.argv[2], run_name='__main__', alter_sys=True)"
)


def spawned(module: str) -> list[str]:
    """The words that start a process of this program that runs `module`; Ctrl+C is its parent's to hear."""
    return [sys.executable, "-P", "-c", _BOOT, json.dumps(sys.path), module]


def ending(code: int) -> str:
    """How a process ended, from its exit code; a negative one is a signal."""
    if code >= 0:
        return f"it ended with exit code {code}"
    with contextlib.suppress(ValueError):
        return f"it was ended by signal {-code} ({signal.Signals(-code).name})"
    return f"it was ended by signal {-code}"


def is_ending(pid: int) -> bool:
    """Whether a process was ended and is not gone: until its last thread is, it holds what it held. False where the system does
    not say. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html."""
    with contextlib.suppress(OSError, IndexError):
        told = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        return told.rpartition(")")[2].split()[0] in "ZX"
    return False


def cores() -> int:
    """How many cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
