"""Samples moved by worker processes of the runner: one Python interpreter each, and so a core each.

Each worker thread of the driver stands for one thread in a worker process: it hands its sample over, waits at the gates and
stores the stages in its name, and so does everything that a run's limits are counted by. A process that is lost loses nothing
that it had streamed; its samples in flight go to others.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from core.engine.executors.child import Child, ChildLostError, Hears, Lease
from core.engine.executors.messages import (
    Answer,
    Ask,
    Cancel,
    EndCalls,
    Finished,
    Reached,
    Setup,
    call_error,
    error_of,
    failure_of,
)
from core.engine.window import being_written
from core.engine.workers import Activity
from core.errors import ModelCallError, ModexError, StoreError
from core.llm.gate import Interrupted
from core.pipeline.assembly import Assembly
from core.pipeline.plugins import plugins_that_ran
from core.runconfig import Stage
from core.safety import redact
from core.store.sample import SAMPLE_FIELDS, EvaluationSample, SampleStatus
from core.store.writer import Writer

T = TypeVar("T")
LEASE_S = 30
"""Seconds of silence after which a process is given up: more than Python ever computes without a pause to say that it lives."""
START_S = 120
_TOGETHER = 2
"""Lost processes after which a sample that was in each of them is moved alone: nobody knows which of theirs it was."""
_ALONE = 2
"""Processes lost with nothing but this sample in them, after which it is an error."""
_STARTS = 10
"""Processes in a row that end before they are ready, after which no other is started."""


def processes_of(wanted: int) -> int:
    """How many processes move samples: `wanted`, or for 0 as many as there are cores for this process."""
    if wanted:
        return wanted
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes:
    """See the module; an `Executor`."""

    def __init__(
        self,
        assembly: Assembly,
        count: int,
        *,
        phase: Callable[[EvaluationSample, str], None],
        note: Callable[[str], None],
        log: Callable[[str, str], None],
        judging_only: bool = False,
    ) -> None:
        """`note` is told what a reader of the scores should know, `log` a kind and a line about processes."""
        self._assembly = assembly
        self._setup = _setup_of(assembly, asks=not judging_only)
        self._hears = Hears(assembly.pool, phase, self._noted, lambda kind, message, _: log(kind, message))
        self._note = note
        self._log = log
        self._noted_words: set[str] = set()
        # Guards the seats; starting a process under it takes milliseconds, and nobody could go on without.
        self._lock = threading.Lock()
        self._children: list[Child | None] = [None] * count
        self._taken = [0] * count
        self._alone: Child | None = None
        self._one_alone = threading.Lock()
        self._lost_with: Counter[int] = Counter()
        """How many processes were lost with a sample in them, by its id."""
        self._short_starts = 0
        self._of_thread: dict[int, tuple[Child, Lease]] = {}
        self._ending = threading.Event()
        self._closed = threading.Event()
        threading.Thread(target=self._keep_leases, name="leases", daemon=True).start()

    def process(self, sample: EvaluationSample, writer: Writer, until: Stage, /) -> ModelCallError | None:
        """See `Executor`."""
        assert sample.id is not None
        while True:
            lost_with = self._lost_with[sample.id]
            if lost_with >= _TOGETHER + _ALONE:
                said = f"{lost_with} worker processes ended while they moved it, {_ALONE} of them with nothing else"
                self._assembly.benchmark.fail(sample, writer, f"{said}: it ends the process that works on it")
                return None
            with self._seat(alone=lost_with >= _TOGETHER) as child:
                stored: list[SampleStatus] = []
                try:
                    with child.lease(sample, until, careful=lost_with > 0) as lease:
                        return self._moved(child, lease, writer, stored)
                except ChildLostError:
                    if child.problem is not None:
                        raise ModexError(child.problem) from None
                    if child.ready:
                        self._lost_with[sample.id] += 1
            if stored:
                self._take_up(sample)
                if until == "rollout" or stored[-1] not in ("running", "pending"):
                    return None  # its last stage was stored; only the word that it is finished was lost

    def look(self, activity: Activity) -> dict[str, Any]:
        """See `Executor`."""
        found = self._of_thread.get(activity.thread)
        view = found[0].look(found[1]) if found is not None else None
        return view or being_written([], None)

    def cancel(self, thread: int) -> None:
        """See `Executor`."""
        self._assembly.pool.cancel(thread)  # the driver's thread may be waiting at a gate in the sample's name
        if (found := self._of_thread.get(thread)) is not None:
            found[0].send(Cancel(found[1].number))

    def end_calls(self) -> None:
        """See `Executor`."""
        self._ending.set()
        self._assembly.end_calls()
        for child in self._living():
            child.send(EndCalls())

    def close(self) -> None:
        """End every process."""
        self._ending.set()
        self._closed.set()
        with self._lock:
            children = self._living()
        for child in children:
            child.close()

    # one sample

    def _moved(self, child: Child, lease: Lease, writer: Writer, stored: list[SampleStatus]) -> ModelCallError | None:
        """Do for one lease what its thread in the process asks for, until it says that it is finished.

        Raises:
            ChildLostError: it will never say so; `stored` has the statuses of what was stored until then.
        """
        store_error: StoreError | None = None
        thread = threading.get_ident()
        self._of_thread[thread] = (child, lease)
        try:
            while (message := lease.inbox.get()) is not None:
                if isinstance(message, Finished):
                    break
                answer = Answer(lease.number, None)
                try:
                    if isinstance(message, Reached):
                        writer.store(message.stage).result()
                        stored.append(message.stage.after)
                    else:
                        answer = Answer(lease.number, _asked(child, lease, message))
                except (Interrupted, ModelCallError) as error:
                    answer = Answer(lease.number, None, failure_of(error))
                except StoreError as error:
                    store_error, answer = error, Answer(lease.number, None, failure_of(error))
                child.send(answer)
        finally:
            del self._of_thread[thread]
            for gate, ticket in lease.tickets:
                child.gate(gate).released(ticket)
        if message is None:
            raise ChildLostError
        for name, value in message.state.items():
            setattr(lease.sample, name, value)
        if message.failure is not None:
            raise store_error if store_error is not None else error_of(message.failure)
        return call_error(message.fatal) if message.fatal is not None else None

    def _take_up(self, sample: EvaluationSample) -> None:
        """Make the sample what is stored of it: its process had come that far."""
        manager = self._assembly.feed_manager()
        try:
            (found,) = manager.load([sample.id or 0])
        finally:
            manager.close()
        for name in SAMPLE_FIELDS:
            setattr(sample, name, getattr(found, name))

    # the processes

    @contextlib.contextmanager
    def _seat(self, *, alone: bool) -> Iterator[Child]:
        """A place in the process with the fewest samples; `alone` in one that has no other.

        Raises:
            Interrupted: the run is ending.
            ModexError: no process can be started.
        """
        if alone:
            while not self._one_alone.acquire(timeout=0.5):
                if self._ending.is_set():
                    raise Interrupted
            try:
                with self._lock:
                    self._alone = child = self._living_or_new(self._alone)
                yield child
            finally:
                self._one_alone.release()
            return
        with self._lock:
            index = min(range(len(self._taken)), key=self._taken.__getitem__)
            self._children[index] = child = self._living_or_new(self._children[index])
            self._taken[index] += 1
        try:
            yield child
        finally:
            with self._lock:
                self._taken[index] -= 1

    def _living_or_new(self, child: Child | None) -> Child:
        if child is not None and not child.lost:
            return child
        if self._ending.is_set():
            raise Interrupted
        if self._short_starts >= _STARTS:
            raise ModexError(
                f"{_STARTS} worker processes in a row ended before they were ready; free memory or processes, or run with"
                " --processes 1"
            )
        try:
            return Child(self._setup, self._hears, self._lose)
        except OSError as error:
            raise ModexError(f"cannot start a worker process: {error}; free memory or processes") from error

    def _living(self) -> list[Child]:
        return [child for child in (*self._children, self._alone) if child is not None and not child.lost]

    def _lose(self, child: Child) -> None:
        """A process has ended; on the thread that read what it said."""
        if self._closed.is_set():
            return
        self._short_starts = 0 if child.ready else self._short_starts + 1
        if child.problem is None:
            silent = f"said nothing for {LEASE_S} s and was given up" if child.silent > LEASE_S else child.ended
            self._log("warning", f"worker process {child.pid}: {silent}; its {child.load} samples go to others")

    def _keep_leases(self) -> None:
        """Give up processes that say nothing, by looks and not by the clock: a machine that slept made nobody silent."""
        while not self._closed.wait(1.0):
            for child in self._living():
                child.silent += 1
                if child.silent > (LEASE_S if child.ready else START_S):
                    child.kill()

    def _noted(self, words: str) -> None:
        """Pass on what several processes may find out, each for itself."""
        if words not in self._noted_words:
            self._noted_words.add(words)
            self._note(redact(words))


def _asked(child: Child, lease: Lease, ask: Ask) -> Any:
    """What the gate says; this thread waits there."""
    gate = child.gate(ask.gate)
    if ask.method == "acquire":
        ticket = gate.acquire()
        lease.tickets.append((ask.gate, ticket))
        return ticket
    if ask.method == "failed":
        ticket, failure = ask.arguments
        lease.tickets.remove((ask.gate, ticket))
        return gate.failed(ticket, call_error(failure)), gate.successes, gate.held_s()
    gate.pause(*ask.arguments)
    return None


def _setup_of(assembly: Assembly, *, asks: bool) -> Setup:
    benchmark = assembly.benchmark
    services = benchmark.services
    assert services.suite_root is not None
    return Setup(
        config=services.config,
        run_id=benchmark.run_id,
        suite_root=str(services.suite_root),
        evaluators=dict(services.evaluators),
        tools=dict(services.tools),
        templates=services.templates.texts_read(),
        plugins=tuple(plugins_that_ran(services.suite_root)),
        plays=services.user is not None,
        asks=asks,
    )
