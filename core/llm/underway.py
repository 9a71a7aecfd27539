"""What each worker's call is doing now, by its thread: the answer as far as it is written, and who is to give up.

Nothing is copied for it: who looks reads the assembly that the call fills anyway.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from modex.core.llm.assembly import StreamAssembly

_NOTHING: tuple[StreamAssembly | None, Callable[[], None]] = (None, lambda: None)


class UnderWay:
    """Shared by the clients of a run. Each thread writes its own entries; any thread may read."""

    def __init__(self) -> None:
        self._written: dict[int, tuple[StreamAssembly, Callable[[], None]]] = {}
        self._unwanted: set[int] = set()
        self.proven: set[tuple[str, str | None]] = set()
        """Models, each with its address, of which a stream was whole once: what breaks off there is a fault, not their way."""

    def clear(self) -> None:
        """The current thread reads no answer: it asks and nothing is there yet, or it has it whole."""
        self._written.pop(threading.get_ident(), None)

    def begin(self, assembly: StreamAssembly, catch_up: Callable[[], None] = lambda: None) -> None:
        """The current thread begins to read this answer; `catch_up` has it read what came by now."""
        self._written[threading.get_ident()] = assembly, catch_up

    def of(self, thread: int) -> StreamAssembly | None:
        """The answer that a thread is reading, or read last; it reads at once what lies there, so that the next look sees it."""
        assembly, catch_up = self._written.get(thread, _NOTHING)
        catch_up()
        return assembly

    def forget(self) -> None:
        """The current thread goes on to other work: nothing of it is looked at, and it is wanted again."""
        self.clear()
        self._unwanted.discard(threading.get_ident())

    def cancel(self, thread: int) -> None:
        """What this thread is doing is no longer wanted, until it goes on to other work."""
        self._unwanted.add(thread)

    def cancelled(self) -> bool:
        """Whether the current thread's work is no longer wanted."""
        return bool(self._unwanted) and threading.get_ident() in self._unwanted
