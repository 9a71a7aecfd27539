"""Samples moved by worker processes, on this machine or on those of a cluster: one Python interpreter each, and so a core each.

Each worker thread of the driver stands for one thread in a worker process: it hands its sample over, waits at the gates and
stores the stages in its name, and so does everything that a run's limits are counted by. A process that is lost loses nothing
that it had streamed; its samples in flight go to others.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from modex.core.config.options import Stage
from modex.core.engine.executors.child import Child, ChildLostError, Hears, Lease
from modex.core.engine.executors.messages import (
    Ask,
    AwaitedResult,
    Cancel,
    EndCalls,
    Finished,
    Reached,
    Record,
    Replay,
    call_error,
    error_of,
    failure_of,
)
from modex.core.engine.executors.places import Places, WorkerPlace
from modex.core.engine.executors.setup import Contents, setup_of
from modex.core.engine.window import being_written
from modex.core.engine.workers import Activity
from modex.core.foundation.errors import ErrorType, ModelCallError, ModexError, StoreError
from modex.core.llm.gate import GateListener, Interrupted
from modex.core.pipeline.assembly import Assembly
from modex.core.safety import redact
from modex.core.store.sample import SAMPLE_FIELDS, EvaluationSample, SampleStatus
from modex.core.store.writer import Writer
from modex.core.tools.cassettes import RecordedCall

LEASE_S = 30
"""Seconds of silence after which a process is given up: more than Python ever computes without a pause to say that it lives."""
START_S = 120
_TOGETHER = 2
"""Lost processes after which a sample that was in each of them is moved alone: nobody knows which of theirs it was."""
_ALONE = 2
"""Processes lost with nothing but this sample in them, after which it is an error."""
_STARTS = 10
"""Processes in a row that end before they are ready, after which no other is started at their place."""
_UNREACHED_S = 5.0
_SAY_S = 5.0
"""Seconds without any process after which the run says so."""


@dataclass(slots=True)
class Seat:
    """A place as the run has found it."""

    place: WorkerPlace | None
    """None once it is gone."""
    sure: bool
    problem: str | None
    """What keeps its processes from working."""
    child: Child | None = None
    taken: int = 0
    short_starts: int = 0
    last_end: str = ""
    not_before: float = 0.0
    """Monotonic seconds before which its machine, which was not reached, is not tried again."""

    @property
    def child_there(self) -> Child:
        """The process."""
        assert self.child is not None
        return self.child

    @property
    def at(self) -> str:
        """Where that is, for messages."""
        return f" at {self.child.host}" if self.child is not None and self.child.host else ""

    def lose(self, child: Child) -> None:
        """Its process has ended: the next one has to show that it works before samples are given to it."""
        self.sure = False
        self.problem = self.problem or child.problem
        if not child.began:
            self.not_before = time.monotonic() + _UNREACHED_S
        else:
            self.short_starts = 0 if child.ready else self.short_starts + 1
            self.last_end = child.ended


class _NobodyError(Exception):
    """No process has been there to move samples for as long as a provider may be down."""


class Processes:
    """See the module; an `Executor`."""

    def __init__(
        self,
        assembly: Assembly,
        places: Places,
        *,
        phase: Callable[[EvaluationSample, str], None],
        log: Callable[[str, str], None],
        count: Callable[[str], None],
        listener: GateListener,
        judging_only: bool = False,
    ) -> None:
        """`log` is told a kind and a line about processes, `listener` what a person should know, and when
        there are none, `count` what holds of single samples (see `RunContext.count`).
        """
        self._assembly = assembly
        self._places = places
        self._contents = Contents()
        files = None if places.shares_disk else self._contents.of_suite(assembly)
        self._setup = setup_of(assembly, files, asks=not judging_only)
        self._hears = Hears(
            assembly.pool, phase, self._noted, count, lambda kind, message, _: log(kind, message), self._contents.read,
            self._is_ready, self._lose,
        )  # fmt: skip
        self._listener = listener
        self._log = log
        self._noted_words: set[str] = set()
        # Guards the seats; starting a process under it takes milliseconds, and nobody could go on without.
        self._lock = threading.Condition()
        self._seats: dict[str, Seat] = {}
        self._waiting = 0
        """Threads that have no seat yet."""
        self._none_since: float | None = None
        self._none_told = False
        self._alone: Child | None = None
        self._alone_at: Seat | None = None
        self._one_alone = threading.Lock()
        self._lost_with: Counter[int] = Counter()
        """How many processes were lost with a sample in them, by its id."""
        self._of_thread: dict[int, tuple[Child, Lease]] = {}
        self._ending = threading.Event()
        self._closed = threading.Event()
        self._look_around()
        threading.Thread(target=self._keep_leases, name="leases", daemon=True).start()

    def process(self, sample: EvaluationSample, writer: Writer, until: Stage, /) -> ModelCallError | None:
        """See `Executor`."""
        assert sample.id is not None
        if not self._places.shares_disk:
            self._contents.offer(sample)
        try:
            return self._process(sample, writer, until)
        except _NobodyError as error:
            return ModelCallError(str(error), ErrorType.SERVER_ERROR, fatal=True)

    def _process(self, sample: EvaluationSample, writer: Writer, until: Stage) -> ModelCallError | None:
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
        return view or being_written(activity.sample, None)

    def host(self, activity: Activity) -> str:
        """See `Executor`."""
        found = self._of_thread.get(activity.thread)
        return found[0].host if found is not None else ""

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
            child.kill()
        for child in children:
            child.close()
        self._places.close()

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
                answer = AwaitedResult(lease.number, None)
                try:
                    if isinstance(message, Reached):
                        writer.store(message.stage).result()
                        stored.append(message.stage.after)
                    elif isinstance(message, Ask):
                        answer = AwaitedResult(lease.number, _asked(child, lease, message))
                    else:
                        answer = AwaitedResult(lease.number, self._on_tape(message))
                except (Interrupted, ModelCallError) as error:
                    answer = AwaitedResult(lease.number, None, failure_of(error))
                except StoreError as error:
                    store_error, answer = error, AwaitedResult(lease.number, None, failure_of(error))
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

    def _on_tape(self, message: Record | Replay) -> RecordedCall | None:
        """Keep what a tool said in the driver's folder, or find it there.

        Raises:
            ModelCallError: it cannot be written, or was not recorded.
        """
        tools = self._assembly.executor
        if isinstance(message, Record):
            assert tools.recorder is not None
            tools.recorder.add(message.call, message.kept)
            return None
        assert tools.replayer is not None
        return tools.replayer.find(message.call)

    def _take_up(self, sample: EvaluationSample) -> None:
        """Make the sample what is stored of it: its process had come that far."""
        with contextlib.closing(self._assembly.feed_manager()) as manager:
            (found,) = manager.load([sample.id or 0])
        for name in SAMPLE_FIELDS:
            setattr(sample, name, getattr(found, name))

    # the processes

    @contextlib.contextmanager
    def _seat(self, *, alone: bool) -> Iterator[Child]:
        """A place in the process with the fewest samples; `alone` in one that has no other.

        Raises:
            Interrupted: the run is ending.
            ModexError: no process can be started.
            _NobodyError: there has been no place for a process for too long.
        """
        if alone:
            while not self._one_alone.acquire(timeout=0.5):
                if self._ending.is_set():
                    raise Interrupted
            try:
                yield self._lone_child()
            finally:
                self._one_alone.release()
            return
        seat = self._taken()
        try:
            yield seat.child_there
        finally:
            with self._lock:
                seat.taken -= 1
                self._lock.notify()

    def _taken(self) -> Seat:
        """Take a seat; waits where there is none."""
        with self._lock:
            self._waiting += 1
            try:
                while True:
                    if self._ending.is_set():
                        raise Interrupted
                    if (seat := self._best()) is not None:
                        seat.taken += 1
                        return seat
                    self._check_anyone()
                    self._lock.wait(0.5)
            finally:
                self._waiting -= 1

    def _best(self) -> Seat | None:
        """The seat with the fewest samples, started where that is needed; None where every process still starts."""
        living = [seat for seat in self._seats.values() if seat.child is not None and not seat.child.lost]
        wanted = sum(seat.taken for seat in living) + self._waiting
        for seat in self._seats.values():
            if len(living) < wanted and self._start(seat):
                living.append(seat)
        usable = [seat for seat in living if seat.sure or seat.child_there.ready]
        if not usable:
            return None
        return min(usable, key=lambda seat: seat.taken)

    def _start(self, seat: Seat) -> bool:
        """Start a process there if there is none and one may be; whether it was."""
        if seat.problem is not None or seat.place is None or (seat.child is not None and not seat.child.lost):
            return False
        if time.monotonic() < seat.not_before:
            return False
        if seat.short_starts >= _STARTS:
            seat.problem = (
                f"{_STARTS} worker processes in a row ended before they were ready{seat.at}, the last one so: {seat.last_end};"
                " free memory or processes, or run with --processes 1 and without --cluster"
            )
            return False
        seat.child = self._started(seat.place)
        return True

    def _started(self, place: WorkerPlace) -> Child:
        try:
            return Child(place.start(), self._setup, self._hears)
        except OSError as error:
            raise ModexError(f"cannot start a worker process: {error}; free memory or processes") from error

    def _lone_child(self) -> Child:
        """A process for one sample, at the place that has the fewest."""
        with self._lock:
            while True:
                if self._ending.is_set():
                    raise Interrupted
                if self._alone is not None and not self._alone.lost:
                    return self._alone
                able = [seat for seat in self._seats.values() if seat.place is not None and seat.problem is None]
                # Where a process is at work now, another one can be; who has just lost one may be gone.
                able.sort(key=lambda seat: (seat.child is None or not seat.child.ready or seat.child.lost, seat.taken))
                if able and able[0].place is not None:
                    self._alone, self._alone_at = self._started(able[0].place), able[0]
                    return self._alone
                self._check_anyone()
                self._lock.wait(0.5)

    def _check_anyone(self) -> None:
        """Whether anybody is left, or may come, who could take a sample; said where it lasts.

        Raises:
            ModexError: all there are have said what keeps them from working.
            _NobodyError: there has been nobody for as long as a provider may be down.
        """
        seats = [seat for seat in self._seats.values() if seat.place is not None]
        if seats and all(seat.problem is not None for seat in seats):
            raise ModexError("\n".join(dict.fromkeys(seat.problem or "" for seat in seats)))
        if seats or not self._places.no_places():
            return
        moment = time.monotonic()
        self._none_since = self._none_since or moment
        waited = moment - self._none_since
        if waited >= self._assembly.benchmark.context.config.max_outage_s:
            raise _NobodyError(
                f"{self._places.no_places()}, for {waited:.0f} s: the run stops; resume it when there are some"
            )
        if waited >= _SAY_S and not self._none_told:
            self._none_told = True
            self._listener.on_outage("the cluster", time.time() - waited, self._places.no_places())

    def _living(self) -> list[Child]:
        children = [*(seat.child for seat in self._seats.values()), self._alone]
        return [child for child in children if child is not None and not child.lost]

    def _is_ready(self, child: Child) -> None:
        with self._lock:
            for seat in self._seats.values():
                if seat.child is child:
                    seat.sure = True
            self._lock.notify_all()

    def _lose(self, child: Child) -> None:
        """A process has ended; on the thread that read what it said."""
        if self._closed.is_set():
            return
        with self._lock:
            for seat in self._seats.values():
                if seat.child is child or (child is self._alone and seat is self._alone_at):
                    seat.lose(child)
            self._lock.notify_all()
        if child.problem is not None:
            self._noted(child.problem)
            return
        silent = f"said nothing for {LEASE_S} s and was given up" if child.silent > LEASE_S else child.ended
        load = child.load  # read once: who hears of the loss lets go of its sample
        left = (
            f"its {load} samples go to others" if load > 1 else "its sample goes to others" if load else "it had none"
        )
        self._log("warning", f"{child.name}: {silent}; {left}")

    def _look_around(self) -> None:
        """See which places there are now: those of a cluster come and go."""
        now = {place.name: place for place in self._places.now()}
        told = False
        with self._lock:
            for name, place in now.items():
                if (seat := self._seats.get(name)) is not None:
                    seat.place = place
                else:
                    self._seats[name] = Seat(place, sure=place.sure, problem=place.problem)
                    if place.problem is not None:
                        self._noted(place.problem)
            for name, seat in list(self._seats.items()):
                if name not in now:
                    seat.place = None  # its process may still be at work, until its connection ends
                    if seat.child is None or seat.child.lost:
                        del self._seats[name]
            if now:
                self._none_since, told, self._none_told = None, self._none_told, False
            self._lock.notify_all()
        if told:
            self._listener.on_recovered("the cluster")

    def _keep_leases(self) -> None:
        """Give up processes that say nothing, by looks and not by the clock: a machine that slept made nobody silent."""
        while not self._closed.wait(1.0):
            self._look_around()
            for child in self._living():
                child.silent += 1
                if child.silent > (LEASE_S if child.ready else START_S):
                    child.kill()

    def _noted(self, words: str) -> None:
        """Pass on what several processes may find out, each for itself."""
        if words not in self._noted_words:
            self._noted_words.add(words)
            self._listener.on_note(redact(words))


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
