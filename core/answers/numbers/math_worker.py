"""Who works mathematics out: algebra can hold an interpreter for ever, so that a program that reads strangers' answers hands in
what bounds it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol


class MathWorker(Protocol):
    """Works out what `working_out.answer` answers."""

    def ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """What it answers to `request`, or None where that took too much time or memory.

        Raises:
            JudgeError: nothing can be worked out.
        """
        ...


class InThisProcess:
    """Works it out where it is asked, one at a time and without a bound: for texts that one trusts."""

    _one = threading.Lock()
    """mpmath's precision is one for all threads."""

    def ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """What `working_out.answer` answers."""
        from modex.core.answers.numbers.working_out import answer  # mpmath is needed for nothing else

        with self._one:
            return answer(request)


_worker: Callable[[], MathWorker] = InThisProcess


def hand_in(worker: Callable[[], MathWorker]) -> None:
    """Let what `worker` gives work mathematics out from now on; it is called at each comparison that comes so far."""
    global _worker  # noqa: PLW0603
    _worker = worker


def math_worker() -> MathWorker:
    """Who works mathematics out now."""
    return _worker()
