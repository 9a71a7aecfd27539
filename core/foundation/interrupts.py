"""Ctrl+C that does not get lost while a command is still getting ready.

Python raises KeyboardInterrupt between any two of its own steps, within a callback of a library's compiled code too: some
drop it there (pydantic-monty, which asks OpenTelemetry where it is), others tell it as a mistake of their own (pydantic,
while it builds a model). Whoever is about to do what cannot be taken back asks here whether that happened.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn

from modex.core.foundation.exit_codes import ExitCode

_heard = threading.Event()


def hear_interrupts() -> None:
    """Remember a SIGINT besides raising KeyboardInterrupt, where that is what would happen; for the main thread."""
    _heard.clear()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _raise)


def leave_interrupts() -> None:
    """Python's own handler again: asyncio puts a gentler one in its place, and only in its."""
    if signal.getsignal(signal.SIGINT) is _raise:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def was_interrupted() -> bool:
    """Whether a SIGINT was heard, so that an error may be what a library made of it."""
    return _heard.is_set()


def raise_lost_interrupt() -> None:
    """Go on as an interrupt would have that was heard and lost.

    Raises:
        KeyboardInterrupt: one was; in the main thread alone, the only one that Python interrupts.
    """
    if _heard.is_set() and threading.current_thread() is threading.main_thread():
        _heard.clear()
        raise KeyboardInterrupt


def leave_at_once() -> NoReturn:
    """End the process after a signal, with exit code 130.

    Python's own tidying is left out: it takes seconds where litellm is loaded, and where the interrupt came amid code that
    was made from text (a dataclass) it ends with SIGINT instead of the code. Children that are left see their pipes end.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(ExitCode.INTERRUPTED)


def _raise(_number: int, _frame: FrameType | None) -> None:
    _heard.set()
    raise KeyboardInterrupt
