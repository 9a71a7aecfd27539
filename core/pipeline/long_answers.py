"""Long answers are read a few at a time, so that the threads that ask, store and hear signals get the interpreter.

Rules read an answer in Python, which runs one thread at once: forty threads that each read 400 kB for seconds leave the others an
eightieth of the time, and no one an answer sooner. Who waits for a turn stops at once when the run does; who waits for a
model, as a judgement by PASS 2 or an LLM judge does, gives the turn away meanwhile.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from core.llm.gate import Interrupted

LONG = 20_000
"""Characters from which on an answer is long: a shorter one is read in milliseconds."""
_AT_ONCE = 2
_LOOK_S = 0.25


class LongAnswers:
    """The turns of a process; from any thread."""

    def __init__(self) -> None:
        self._free = threading.BoundedSemaphore(_AT_ONCE)

    @contextlib.contextmanager
    def turn(self, stop: threading.Event) -> Iterator[Callable[[], AbstractContextManager[None]]]:
        """Wait for a turn and hold it; yields what to enter while somebody else is waited for.

        Raises:
            Interrupted: the run is stopping.
        """
        held = False

        def take() -> None:
            nonlocal held
            while not stop.is_set():
                if self._free.acquire(timeout=_LOOK_S):
                    held = True
                    return
            raise Interrupted

        def give() -> None:
            nonlocal held
            if held:
                held = False
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
