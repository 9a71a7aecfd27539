"""What an executor is, and the one that needs no other process: the driver's own worker threads."""

from __future__ import annotations

from typing import Any, Protocol

from modex.core.config.options import Stage
from modex.core.engine.window import being_written
from modex.core.engine.workers import Activity
from modex.core.foundation.errors import ModelCallError
from modex.core.pipeline.assembly import Assembly
from modex.core.store.sample import EvaluationSample
from modex.core.store.writer import Writer


class Executor(Protocol):
    """Moves samples. Each worker thread of the driver hands it one and waits; as many as there are threads move at once.

    Wherever a sample is moved, each stage that it reaches goes to the driver's writer and is on the disk before the next
    begins, and each call waits at the driver's gate. Results therefore do not depend on the executor.
    """

    def process(self, sample: EvaluationSample, writer: Writer, until: Stage, /) -> ModelCallError | None:
        """Move one sample as `BaseBenchmark.process` does, with the same result and the same exceptions."""
        ...

    def look(self, activity: Activity) -> dict[str, Any]:
        """What is being written for a sample at this moment, as `modex.core.engine.window.being_written` makes it."""
        ...

    def host(self, activity: Activity) -> str:
        """The machine that moves its sample, where that may be another one than the driver's; else empty."""
        ...

    def cancel(self, thread: int) -> None:
        """End what this thread of the driver waits for: its call is no longer wanted; never blocks."""
        ...

    def end_calls(self) -> None:
        """End every call in flight and begin no other; never blocks."""
        ...

    def close(self) -> None:
        """End whatever still runs."""
        ...


class Threads:
    """The driver's worker threads move their samples themselves."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self.process = assembly.benchmark.process

    def look(self, activity: Activity) -> dict[str, Any]:
        """See `Executor`."""
        return being_written(activity.sample, self._assembly.pool.under_way.of(activity.thread))

    def host(self, activity: Activity) -> str:
        """See `Executor`."""
        del activity
        return ""

    def cancel(self, thread: int) -> None:
        """See `Executor`."""
        self._assembly.pool.cancel(thread)

    def end_calls(self) -> None:
        """See `Executor`."""
        self._assembly.end_calls()

    def close(self) -> None:
        """Nothing runs that the assembly does not end."""
