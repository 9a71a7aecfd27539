"""Long answers are read a few at a time, so that the threads that ask, store and hear signals get the interpreter.

Rules read an answer in Python, which runs one thread at once: forty threads that each read 400 kB for seconds leave the others an
eightieth of the time, and no one an answer sooner. Who waits for a turn stops at once when the run does; who waits for a
model, as a judgement by PASS 2 or an LLM judge does, gives the turn away meanwhile. Who still reads when a stopping run waits
no longer is interrupted between two steps of Python: a search in C is finished, and no other is begun.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from modex.core.llm.gate import Interrupted

LONG = 20_000
"""Characters from which on an answer is long: a shorter one is read in milliseconds."""
_AT_ONCE = 2
_LOOK_S = 0.25


class AbandonedError(BaseException):
    """Nobody waits for this reading any longer. No `Exception`: a rule that cannot read an answer catches those and goes on."""


class LongAnswers:
    """The turns of a process; from any thread."""

    def __init__(self) -> None:
        self._free = threading.BoundedSemaphore(_AT_ONCE)
        self._changing = threading.Lock()
        self._readers: set[int] = set()
        """The threads that hold a turn."""

    def abandon(self) -> None:
        """Raise `AbandonedError` in each thread that holds a turn, as soon as that thread is back in Python."""
        with self._changing:
            for thread in self._readers:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(AbandonedError))

    @contextlib.contextmanager
    def turn(self, stop: threading.Event) -> Iterator[Callable[[], AbstractContextManager[None]]]:
        """Wait for a turn and hold it; yields what to enter while somebody else is waited for.

        Raises:
            Interrupted: the run is stopping.
            AbandonedError: `abandon` was called while the turn was held.
        """
        held, thread = False, threading.get_ident()

        def take() -> None:
            nonlocal held
            while not stop.is_set():
                if self._free.acquire(timeout=_LOOK_S):
                    held = True
                    with self._changing:
                        self._readers.add(thread)
                    return
            raise Interrupted

        def give() -> None:
            nonlocal held
            if held:
                held = False
                with self._changing:
                    self._readers.discard(thread)
                self._free.release()

        @contextlib.contextmanager
        def waiting() -> Iterator[None]:
            give()
            yield
            take()

        take()
        try:
            yield waiting
        finally:
            give()
