"""Working mathematics out in children that can be killed: algebra can hold an interpreter for ever."""

from __future__ import annotations

import threading
from typing import Any

from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.sandbox.worker import WorkerError, WorkerPool

_WALL_FACTOR = 20


class MathPool:
    """At most `size` children (None: one a core), each started when first needed; `cpu_s` bounds one comparison.

    Processor time and not the clock decides, so that a busy machine does not change verdicts.
    """

    def __init__(self, size: int | None = None, cpu_s: int = 3) -> None:
        self._cpu_s = cpu_s
        self._children = WorkerPool("modex.core.sandbox.math_child", size, site=True)

    def ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """What the child says to `request` (see `working_out.answer`), or None where it ran out of time or memory.

        Raises:
            JudgeError: the child cannot be started.
        """
        try:
            reply = self._children.ask(request, wall_s=self._cpu_s * _WALL_FACTOR, cpu_s=self._cpu_s)
        except WorkerError as error:
            raise JudgeError(f"mathematics cannot be compared: {error}", ErrorType.EVALUATOR_ERROR) from error
        return None if reply.data is None or "failed" in reply.data else reply.data

    def close(self) -> None:
        """End the children."""
        self._children.close()


_shared: MathPool | None = None
_shared_lock = threading.Lock()


def shared_pool() -> MathPool:
    """The process's own pool, ended at exit."""
    global _shared  # noqa: PLW0603
    with _shared_lock:
        if _shared is None:
            _shared = MathPool()
        return _shared
