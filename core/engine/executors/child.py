"""One worker process as its driver sees it: what is sent, what comes back by lease, and when it is lost."""

from __future__ import annotations

import contextlib
import itertools
import platform
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from modex.core.config.options import Stage
from modex.core.engine.executors.channel import Channel
from modex.core.engine.executors.messages import (
    Awaited,
    Begin,
    BeingWritten,
    Content,
    ContentWanted,
    Finished,
    FromLease,
    GateTold,
    Hello,
    Logged,
    Look,
    NewGate,
    Noted,
    Phase,
    SampleNoted,
    Setup,
    call_error,
    packed,
    received,
)
from modex.core.foundation.version import version
from modex.core.llm.gate import CallGate, Ticket
from modex.core.llm.pool import ClientPool
from modex.core.store.sample import EvaluationSample

_LOOK_S = 0.5
_NUMBERS = itertools.count(1)


class ChildLostError(Exception):
    """The worker process is gone, or is given up; whatever it streamed before stays."""


@dataclass(slots=True)
class Lease:
    """One sample given to one worker process; for the driver's thread that waits for it."""

    number: int
    sample: EvaluationSample
    inbox: queue.SimpleQueue[Awaited | Finished | None] = field(default_factory=queue.SimpleQueue)
    """What its thread must answer; None where the process was lost."""
    seen: queue.SimpleQueue[dict[str, Any]] = field(default_factory=queue.SimpleQueue)
    tickets: list[tuple[int, Ticket]] = field(default_factory=list)
    """What it has of the gates, by their numbers: given back where the process is lost."""
    heard: int = 0
    """How many of the worker's messages were taken."""


@dataclass(frozen=True, slots=True)
class Hears:
    """Who is told what needs no answer, on the thread that reads; must be quick."""

    pool: ClientPool
    phase: Callable[[EvaluationSample, str], None]
    note: Callable[[str], None]
    count: Callable[[str], None]
    log: Callable[[str, str, int | None], None]
    content: Callable[[str], bytes | None]
    """The file with this digest; None where it is there no more."""
    ready: Callable[[Child], None]
    lost: Callable[[Child], None]
    """Called once, when a process has ended."""


class Child:
    """A worker process. It takes work before it is ready; every method is for any thread."""

    def __init__(self, channel: Channel, setup: Setup, hears: Hears) -> None:
        """Give it the setup."""
        self._channel = channel
        self._hears = hears
        self._lock = threading.Lock()
        self._leases: dict[int, Lease] = {}
        self._gates: dict[int, CallGate] = {}
        self._lost = False
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.ready = False
        self.problem: str | None = None
        """What keeps it from working, as it said itself."""
        self.silent = 0
        """Looks of the driver since anything was heard of it."""
        self.ended = ""
        """How the process ended, in words."""
        self._outbox.put(packed(setup))
        threading.Thread(target=self._write, name=f"to {self.name}", daemon=True).start()
        self._reader = threading.Thread(target=self._read, name=f"from {self.name}", daemon=True)
        self._reader.start()

    @property
    def name(self) -> str:
        """What messages call it."""
        return self._channel.name

    @property
    def host(self) -> str:
        """The machine that it runs on; empty for this one."""
        return self._channel.host

    @property
    def began(self) -> bool:
        """Whether its machine was reached, so that there is a process."""
        return self._channel.began

    @property
    def load(self) -> int:
        """How many samples it has."""
        return len(self._leases)

    @property
    def lost(self) -> bool:
        """Whether it is gone, or given up."""
        return self._lost

    @contextlib.contextmanager
    def lease(self, sample: EvaluationSample, until: Stage, *, careful: bool) -> Iterator[Lease]:
        """Give it the sample (`careful`: see `Begin`); whatever it says of it after the block changes nothing.

        Raises:
            ChildLostError: it is gone already.
        """
        lease = Lease(next(_NUMBERS), sample)
        with self._lock:
            if self._lost:
                raise ChildLostError
            self._leases[lease.number] = lease
        try:
            self.send(Begin(lease.number, sample, until, careful))
            yield lease
        finally:
            with self._lock:
                self._leases.pop(lease.number, None)

    def gate(self, number: int) -> CallGate:
        """The gate that the process calls so."""
        return self._gates[number]

    def send(self, message: object) -> None:
        """Hand a message to the thread that writes; never blocks, whatever the process does."""
        self._outbox.put(packed(message))

    def look(self, lease: Lease) -> dict[str, Any] | None:
        """What is being written for the lease; None where it says nothing in time."""
        self.send(Look(lease.number))
        try:
            return lease.seen.get(timeout=_LOOK_S)
        except queue.Empty:
            return None

    def kill(self) -> None:
        """End it at once; one that was stopped ends too."""
        self._channel.kill()

    def close(self) -> None:
        """End it, whatever it does, and leave no zombie."""
        self.kill()
        self._reader.join()  # which has waited for it

    # its threads

    def _write(self) -> None:
        with contextlib.suppress(OSError):
            while (frame := self._outbox.get()) is not None:
                self._channel.write(self._with_more(frame))
        self._channel.end()

    def _with_more(self, frame: bytes) -> bytes:
        """What waits behind the frame goes with it: one write for many."""
        frames = [frame]
        while len(frames) < 64 and not self._outbox.empty():
            if (more := self._outbox.get()) is None:
                self._outbox.put(None)
                break
            frames.append(more)
        return b"".join(frames)

    def _read(self) -> None:
        try:
            while (message := received(self._channel.read)) is not None:
                self.silent = 0
                self._hear(message)
        except Exception as error:  # whatever it is: who waits for this process must hear that nothing more will come
            self.problem = f"{self.name} was not understood: {type(error).__name__}: {error}; please report this"
        self.kill()
        self.ended = self._channel.wait()
        self.problem = self.problem or self._channel.problem
        with self._lock:
            self._lost = True
            leases = list(self._leases.values())
        self._outbox.put(None)
        # First of all who counts the loss, then those who ask what to do about it.
        self._hears.lost(self)
        for lease in leases:
            lease.inbox.put(None)

    def _hear(self, message: Any) -> None:
        if isinstance(message, FromLease):
            self._hear_of_lease(message)
        elif isinstance(message, NewGate):
            self._gates[message.number] = self._hears.pool.gate(message.spec)
        elif isinstance(message, BeingWritten):
            if (lease := self._leases.get(message.lease)) is not None:
                lease.seen.put(message.view)
        elif isinstance(message, Noted):
            self._hears.note(message.words)
        elif isinstance(message, SampleNoted):
            self._hears.count(message.words)
        elif isinstance(message, Hello):
            self.problem = self._named(message.problem) or other_program(self.name, message.version, message.python)
            self.ready = self.problem is None
            if self.problem is not None:
                self.kill()
            else:
                self._hears.ready(self)
        elif isinstance(message, ContentWanted):
            self.send(Content(message.digest, self._hears.content(message.digest)))

    def _named(self, problem: str | None) -> str | None:
        """What it said of itself, with the machine that it speaks of."""
        return f"{self.name}: {problem}" if problem and self.host else problem

    def _hear_of_lease(self, message: FromLease) -> None:
        lease = self._leases.get(message.lease)
        # Said twice, or of a lease that has ended: it was taken already, or somebody else has the sample.
        if lease is None or message.nth <= lease.heard:
            return
        lease.heard = message.nth
        if isinstance(message, Phase):
            self._hears.phase(lease.sample, message.words)
        elif isinstance(message, Logged):
            self._hears.log(message.kind, message.message, message.result_id)
        elif isinstance(message, GateTold):
            self._tell_gate(lease, message)
        else:
            lease.inbox.put(message)

    def _tell_gate(self, lease: Lease, told: GateTold) -> None:
        gate = self._gates[told.gate]
        if told.method == "retrying":
            failure, attempt, wait_s = told.arguments
            gate.retrying(call_error(failure), attempt, wait_s)
            return
        (ticket,) = told.arguments
        lease.tickets.remove((told.gate, ticket))
        if told.method == "succeeded":
            gate.succeeded(ticket)
        else:
            gate.released(ticket)


def other_program(name: str, modex: str, python: str) -> str | None:
    """Why a worker of another modex or Python is given no work: its results could be others. None where both are the driver's."""
    here = (version(), platform.python_version())
    if (modex, python) == here:
        return None
    return (
        f"{name} is modex {modex} on Python {python}, and this run is driven by modex {here[0]} on"
        f" Python {here[1]}: `modex resume` goes on with one of them"
    )
