"""What stands in a worker process for what its driver keeps: the gates, the writer, the store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.engine.executors.messages import (
    Ask,
    Failure,
    FromLease,
    GateTold,
    Logged,
    NewGate,
    Noted,
    Reached,
    Record,
    Replay,
    error_of,
    failure_of,
)
from modex.core.foundation.errors import ModelCallError, StoreError
from modex.core.llm.gate import CallGate, Ticket
from modex.core.llm.pool import ClientPool
from modex.core.llm.request import Limits
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample, SampleStatus
from modex.core.store.writer import Spent, reached_stage
from modex.core.tools.cassettes import CassetteKey, RecordedCall, Recorder, Replayer

_NOTHING = Spent()


class DriverLine:
    """One lease's conversation with the driver; used by the one thread that moves the sample."""

    def __init__(self, lease: int, send: Callable[[object], None]) -> None:
        self.lease = lease
        self._send = send
        self._count = 0
        self._answered = threading.Semaphore(0)
        self._answer: tuple[Any, Failure | None] = (None, None)

    def tell(self, kind: Callable[..., FromLease], *values: object) -> None:
        """Say something that needs no answer."""
        self._count += 1
        self._send(kind(self.lease, self._count, *values))

    def ask(self, kind: Callable[..., FromLease], *values: object) -> Any:
        """Say something and wait for the answer; raises what the driver's side raised."""
        self.tell(kind, *values)
        self._answered.acquire()
        value, failure = self._answer
        if failure is not None:
            raise error_of(failure)
        return value

    def answer(self, value: Any, failure: Failure | None) -> None:
        """The driver's answer has come; from the thread that reads."""
        self._answer = (value, failure)
        self._answered.release()


class ThreadLine(threading.local):
    """The line of the current thread."""

    line: DriverLine


class RemoteGate:
    """A gate of the driver, as a worker's threads see it: they wait there."""

    def __init__(self, number: int, lines: ThreadLine, note: Callable[[str], None]) -> None:
        self._number = number
        self._lines = lines
        self.note = note
        self.successes = 0
        self._held_s = 0.0

    def acquire(self) -> Ticket:
        """See `Gate`."""
        ticket: Ticket = self._lines.line.ask(Ask, self._number, "acquire", ())
        self.successes = ticket.successes
        return ticket

    def succeeded(self, ticket: Ticket) -> None:
        """See `Gate`."""
        self._tell("succeeded", ticket)

    def released(self, ticket: Ticket) -> None:
        """See `Gate`."""
        self._tell("released", ticket)

    def failed(self, ticket: Ticket, error: ModelCallError) -> bool:
        """See `Gate`."""
        excused: bool
        excused, self.successes, self._held_s = self._lines.line.ask(
            Ask, self._number, "failed", (ticket, failure_of(error))
        )
        return excused

    def retrying(self, error: ModelCallError, attempt: int, wait_s: float) -> None:
        """See `Gate`."""
        self._tell("retrying", failure_of(error), attempt, wait_s)

    def pause(self, seconds: float) -> None:
        """See `Gate`."""
        self._lines.line.ask(Ask, self._number, "pause", (seconds,))

    def held_s(self) -> float:
        """As the driver said with the last failure; the gate itself is waited for by `acquire`."""
        return self._held_s

    def _tell(self, method: str, *arguments: object) -> None:
        self._lines.line.tell(GateTold, self._number, method, arguments)


class RemotePool(ClientPool):
    """Connections of this process, gates of the driver."""

    def __init__(
        self, config: RunConfig, lines: ThreadLine, send: Callable[[object], None], stop: threading.Event
    ) -> None:
        super().__init__(
            config.concurrency,
            config.timeout_s,
            config.max_outage_s,
            stop=stop,
            stream=config.stream,
            limits=Limits(config.runaway, config.max_seconds),
        )
        self._lines = lines
        self._send = send
        self._far: dict[tuple[object, ...], RemoteGate] = {}
        self._adding = threading.Lock()

    def gate(self, spec: ModelSpec) -> CallGate:
        """The driver's gate of a model at an address."""
        key = spec.place
        with self._adding:
            if key not in self._far:
                number = len(self._far)
                self._send(NewGate(number, spec))
                self._far[key] = RemoteGate(number, self._lines, lambda words: self._send(Noted(words)))
            return self._far[key]


class RemoteWriter:
    """The driver's writer."""

    def __init__(self, line: DriverLine) -> None:
        self._line = line

    def save(
        self,
        sample: EvaluationSample,
        fields: tuple[str, ...],
        *,
        before: SampleStatus,
        spent: Spent = _NOTHING,
        keep_earlier: bool = False,
    ) -> Future[None]:
        """See `Writer`; returns when it is on the driver's disk."""
        done: Future[None] = Future()
        try:
            self._line.ask(
                Reached, reached_stage(sample, fields, before=before, spent=spent, keep_earlier=keep_earlier)
            )
        except StoreError as error:
            done.set_exception(error)
        else:
            done.set_result(None)
        return done

    def event(self, kind: str, message: str, result_id: int | None = None) -> None:
        """See `Writer`."""
        self._line.tell(Logged, kind, message, result_id)


class RemoteRecorder(Recorder):
    """The driver's recording, which it keeps in its own folder."""

    def __init__(self, lines: ThreadLine) -> None:
        self._lines = lines

    def add(self, call: CassetteKey, kept: RecordedCall) -> None:
        """See `Recorder`; returns when the line is in the driver's folder."""
        self._lines.line.ask(Record, call, kept)


class RemoteReplayer(Replayer):
    """The driver's recording, which it has read."""

    def __init__(self, lines: ThreadLine) -> None:
        self._lines = lines

    def find(self, call: CassetteKey) -> RecordedCall:
        """See `Replayer`."""
        found: RecordedCall = self._lines.line.ask(Replay, call)
        return found


class NoStore(DBDataManager):
    """A worker has no database; a plugin's benchmark that reads it while a sample moves hears so."""

    def __init__(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        raise StoreError("a worker process has no database; a benchmark that reads it runs alone: give --processes 1")
