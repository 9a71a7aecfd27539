"""Ctrl+C that does not get lost while a command is still getting ready.

Python raises KeyboardInterrupt between any two of its own steps, within a callback of a library's compiled code too: some
drop it there (pydantic-monty, which asks OpenTelemetry where it is), others tell it as a mistake of their own (pydantic,
while it builds a model). Whoever is about to do what cannot be taken back asks here whether that happened.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType

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


def _raise(_number: int, _frame: FrameType | None) -> None:
    _heard.set()
    raise KeyboardInterrupt
