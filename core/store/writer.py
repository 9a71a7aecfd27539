"""The one writer of a run: what workers hand in becomes durable in grouped transactions, off their path."""

from __future__ import annotations

import contextlib
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

import peewee as pw

from modex.core.foundation.errors import StoreError
from modex.core.safety.known import FLAG, stored_secrets, without_secrets_in
from modex.core.store.clock import now, stamp
from modex.core.store.columns import Document
from modex.core.store.connection import Database
from modex.core.store.rows import RUN_COLUMNS
from modex.core.store.sample import PASS_SCORE, EvaluationSample, SampleStatus, encoder_of
from modex.core.store.tables import EarlierVerdict, RunEvent, fields_of
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import explain, is_full, is_locked

_GROUP = 512
"""Most operations in one transaction."""
_FLUSH_S = 0.25
"""How long log lines and columns may wait for company, and how long a sample is worked on before it is marked as running."""
_RETRY_S = 1.0
_COUNTED: dict[str, str] = {
    "passed": "passed_tests",
    "failed": "failed_tests",
    "error": "error_tests",
    "skipped": "skipped_tests",
}


@dataclass(frozen=True, slots=True)
class Spent:
    """What an operation cost: added to the run's totals, also where a later rollout replaces this one."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0


@dataclass(frozen=True, slots=True)
class ReachedStage:
    """What a sample reached, as it goes to the disk; plain values, so that another process can make it."""

    sample_id: int
    fields: tuple[str, ...]
    values: list[Any]
    """Of `fields`, as their columns hold them."""
    before: SampleStatus
    """The stored status that this one replaces in the run's counts."""
    after: SampleStatus
    spent: Spent = Spent()
    keep_earlier: bool = False
    """Whether the stored verdict is first copied into `earlier_verdicts`."""


class StageWriter(Protocol):
    """Where a sample's stages go, whichever process moves it."""

    def save(
        self,
        sample: EvaluationSample,
        fields: tuple[str, ...],
        *,
        before: SampleStatus,
        spent: Spent = Spent(),
        keep_earlier: bool = False,
    ) -> Future[None]:
        """Store `fields` of the sample; see `Writer.save`."""
        ...

    def event(self, kind: str, message: str, result_id: int | None = None) -> None:
        """Add a line to the run's log."""
        ...


@dataclass(slots=True)
class _Save:
    reached: ReachedStage
    done: Future[None] = field(default_factory=Future)


@dataclass(slots=True)
class _Call:
    function: Callable[[Database], None]
    done: Future[None] = field(default_factory=Future)


@dataclass(slots=True)
class _Event:
    kind: str
    message: str
    result_id: int | None
    at: str


class Writer:
    """A thread that owns the run's write connection; every method may be called from any thread.

    `on_store_error` is told in words when the disk is full or the database locked, and None when writing works again;
    meanwhile everything stays in memory and callers that wait for durability wait.
    """

    def __init__(
        self, database: Database, run_id: int, *, on_store_error: Callable[[str | None], None] = lambda _: None
    ) -> None:
        self._database = database
        self._run_id = run_id
        self._on_store_error = on_store_error
        # A SimpleQueue, because its put never blocks and is safe in a signal handler; None ends the thread.
        self._queue: queue.SimpleQueue[_Save | _Call | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        # Marks, events and columns are not queued: only their latest state matters, and a group takes them all at once.
        self._marks: dict[int, float] = {}
        self._events: list[_Event] = []
        self._run_columns: dict[str, Any] = {}
        self._give_up = threading.Event()
        self._closed = False
        self._seq = 0
        """The newest change's number, within a transaction."""
        self._sql: dict[tuple[str, ...], str] = {}
        self._thread = threading.Thread(target=self._loop, name="writer", daemon=True)
        self._thread.start()

    # what callers hand in

    def save(
        self,
        sample: EvaluationSample,
        fields: tuple[str, ...],
        *,
        before: SampleStatus,
        spent: Spent = Spent(),
        keep_earlier: bool = False,
    ) -> Future[None]:
        """Store `fields` of the sample; the future is done when they are on disk.

        `before` is the sample's stored final status (for the run's counts); `keep_earlier` first copies the stored
        verdict into `earlier_verdicts`.
        """
        return self.store(reached_stage(sample, fields, before=before, spent=spent, keep_earlier=keep_earlier))

    def store(self, reached: ReachedStage) -> Future[None]:
        """Store what was encoded already; see `save`."""
        save = _Save(reached)
        self._put(save)
        return save.done

    def call(self, function: Callable[[Database], None]) -> Future[None]:
        """Run `function(database)` inside the writer's transaction."""
        call = _Call(function)
        self._put(call)
        return call.done

    def mark_running(self, sample_id: int) -> None:
        """Note that a worker took the sample; stored where it is not finished within a moment."""
        with self._lock:
            self._marks[sample_id] = time.time()

    def event(self, kind: str, message: str, result_id: int | None = None) -> None:
        """Add a line to the run's log."""
        with self._lock:
            self._events.append(_Event(kind, message, result_id, now()))

    def update_run(self, **columns: Any) -> None:
        """Set columns of the run's row with the next group."""
        with self._lock:
            self._run_columns.update(columns)

    def flush(self) -> None:
        """Wait until everything handed in so far is on disk.

        Raises:
            StoreError: it could not be stored.
        """
        self.call(lambda _: None).result()

    def give_up(self) -> None:
        """Wait no longer for a full disk or a lock: what cannot be stored now fails, and so do its futures."""
        self._give_up.set()

    def close(self, *, give_up: bool = False) -> None:
        """Store what is left and end the thread; `give_up` does not wait for a full disk or a lock."""
        if give_up:
            self.give_up()
        if not self._closed:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _put(self, item: _Save | _Call) -> None:
        if self._closed:
            item.done.set_exception(StoreError("the store is closed; start the run again"))
        else:
            self._queue.put(item)

    # the thread

    def _loop(self) -> None:
        ending = False
        while not ending:
            group: list[_Save | _Call] = []
            with contextlib.suppress(queue.Empty):
                item = self._queue.get(timeout=_FLUSH_S)
                while item is not None:
                    group.append(item)
                    if len(group) >= _GROUP:
                        break
                    item = self._queue.get_nowait()
                ending = item is None
            # Also with an empty group: marks and columns are flushed by the time-out above.
            self._write_until_stored(group, every=ending)
        self._database.close()

    def _write_until_stored(self, group: list[_Save | _Call], *, every: bool) -> None:
        """Store the group and what waits beside it; of the marks those that are due, or `every` one."""
        every = every or any(isinstance(item, _Call) for item in group)
        with self._lock:
            for item in group:
                if isinstance(item, _Save):
                    # Finished: "running" would overwrite the verdict that is stored in the same group.
                    self._marks.pop(item.reached.sample_id, None)
            marks = self._due_marks(every=every)
            events, self._events = self._events, []
            columns, self._run_columns = self._run_columns, {}
        if not (group or marks or events or columns):
            return
        failing = False
        while True:
            try:
                # IMMEDIATE takes the write lock at once; a lock taken in mid-transaction could not be waited for.
                with self._database.atomic("IMMEDIATE"):
                    self._write(group, marks, events, columns)
                break
            except (pw.DatabaseError, sqlite3.DatabaseError) as error:
                if (is_full(error) or is_locked(error)) and not self._give_up.is_set():
                    if not failing:
                        failing = True
                        self._on_store_error(explain(self._database.path, error))
                    self._give_up.wait(_RETRY_S)
                    continue
                self._fail(group, StoreError(explain(self._database.path, error)))
                return
            except Exception as error:
                self._fail(group, error)
                return
        if failing:
            self._on_store_error(None)
        # After the commit, never before: a worker goes on to ask a judge only when the rollout is on the disk.
        for item in group:
            item.done.set_result(None)

    def _due_marks(self, *, every: bool) -> dict[int, str]:
        """Take the marks of samples that take longer than a moment: each is a change of its row, which viewers read too.

        The lock is held.
        """
        moment, due = time.time(), {}
        for id_, at in self._marks.items():  # oldest first
            if not every and 0 <= moment - at < _FLUSH_S:
                break
            due[id_] = stamp(at)
        for id_ in due:
            del self._marks[id_]
        return due

    def _fail(self, group: Sequence[_Save | _Call], error: Exception) -> None:
        for item in group:
            item.done.set_exception(error)
        if not group:  # nobody waits for a future that would tell
            self._on_store_error(str(error))

    def _write(
        self, group: Sequence[_Save | _Call], marks: dict[int, str], events: list[_Event], columns: dict[str, Any]
    ) -> None:
        rows: list[list[Any]] = []
        fields: tuple[str, ...] = ()
        counts: dict[str, int] = {}
        prompt = completion = unpriced = 0
        cost = 0.0
        # As it is stored, whoever changed the run meanwhile: a viewer that has seen a number is never shown what comes under it.
        self._seq = int(self._database.rows("SELECT seq FROM evaluation_runs WHERE id = ?", [self._run_id])[0][0])
        for item in group:
            if isinstance(item, _Call):
                self._write_rows(fields, rows)
                item.function(self._database)
                continue
            self._seq += 1
            reached = item.reached
            if reached.keep_earlier or reached.fields != fields:
                self._write_rows(fields, rows)
                fields = reached.fields
            if reached.keep_earlier:
                self._database.change(_earlier(reached.sample_id))
            rows.append([*reached.values, self._seq, reached.sample_id])
            for status, step in ((reached.before, -1), (reached.after, 1)):
                if column := _COUNTED.get(status):
                    counts[column] = counts.get(column, 0) + step
            prompt += reached.spent.prompt_tokens
            completion += reached.spent.completion_tokens
            if reached.spent.cost_usd is None:
                unpriced += 1
            else:
                cost += reached.spent.cost_usd
        self._write_rows(fields, rows)
        if marks:  # raw SQL for the reason that stands at `_update_sql`
            numbered = [(at, self._seq + number, id_) for number, (id_, at) in enumerate(marks.items(), start=1)]
            self._seq += len(numbered)
            self._database.run_many(
                "UPDATE individual_test_results SET status = 'running', started_at = ?, seq = ? WHERE id = ?", numbered
            )
        for event in events:
            self._seq += 1
            row = {"run": self._run_id, "seq": self._seq, **asdict(event)}
            self._database.change(RunEvent.insert(row))
        self._update_run(counts, (prompt, completion, cost, unpriced), columns)

    def _write_rows(self, fields: tuple[str, ...], rows: list[list[Any]]) -> None:
        """Store the rows that were gathered, and gather anew: neighbours that write the same fields are one statement."""
        if rows:
            self._database.run_many(self._update_sql(fields), rows)
            rows.clear()

    def _update_run(self, counts: dict[str, int], spent: tuple[int, int, float, int], columns: dict[str, Any]) -> None:
        # Raw SQL for the reason that stands at `_update_sql`: every group ends with this update.
        self._seq += 1
        names = ("prompt_tokens", "completion_tokens", "cost_usd", "unpriced_calls")
        grown = {**counts, **dict(zip(names, spent, strict=True))}
        added = {name: amount for name, amount in grown.items() if amount}
        stored = {name: RUN_COLUMNS[name].encode(value) for name, value in columns.items()}
        assignments = [*(f"{name} = {name} + ?" for name in added), *(f"{name} = ?" for name in stored), "seq = ?"]
        self._database.run(
            f"UPDATE evaluation_runs SET {', '.join(assignments)} WHERE id = ?",
            [*added.values(), *stored.values(), self._seq, self._run_id],
        )

    def _update_sql(self, fields: tuple[str, ...]) -> str:
        # Raw SQL: Peewee takes 370 µs to build this update of 22 columns, of which a run makes two a sample; this takes 27.
        sql = self._sql.get(fields)
        if sql is None:
            assignments = ", ".join(f"{name} = ?" for name in fields)
            sql = f"UPDATE individual_test_results SET {assignments}, seq = ? WHERE id = ?"
            self._sql[fields] = sql
        return sql


def reached_stage(
    sample: EvaluationSample,
    fields: tuple[str, ...],
    *,
    before: SampleStatus,
    spent: Spent = Spent(),
    keep_earlier: bool = False,
) -> ReachedStage:
    """`fields` of the sample as it is now: it may change afterwards; see `Writer.save`."""
    assert sample.id is not None
    # Masked and encoded here, on the thread that moved the sample, as the writer has enough to do.
    held = _without_secrets(sample, fields)
    if held is not sample and "flags" not in fields:
        fields = (*fields, "flags")
    values = encoder_of(fields).encode(held)
    return ReachedStage(sample.id, fields, values, before, sample.status, spent, keep_earlier)


def _without_secrets(sample: EvaluationSample, fields: tuple[str, ...]) -> EvaluationSample:
    """The sample as it is stored: itself, or a copy without the known secrets that stand in these fields.

    Both then carry the flag. The sample itself keeps its words: it is judged by what the model said.
    """
    if not stored_secrets():
        return sample
    changed: dict[str, Any] = {}
    for name in fields:
        value = getattr(sample, name)
        if isinstance(value, Document):
            plain = value.as_json()
            if (found := without_secrets_in(plain)) is not plain:
                changed[name] = type(value).of(found)
        elif isinstance(value, str | list | dict) and (found := without_secrets_in(value)) is not value:
            changed[name] = found
    if not changed:
        return sample
    if FLAG not in sample.flags:
        sample.flags = [*sample.flags, FLAG]
    return replace(sample, **(changed | {"flags": sample.flags}))


KEPT = (
    "score", "error_type", "error_message", "extracted_answer", "details", "completed_at", "reason", "pass2_used",
    "verdict_flags",
)  # fmt: skip
"""What `earlier_verdicts` keeps of a verdict, under the names of its sample."""


def _earlier(sample_id: int) -> Any:
    """The insert that keeps a sample's stored verdict, where it has one."""
    kept = KEPT
    by_score = [(Result.score.is_null(), "error"), (Result.score >= PASS_SCORE, "passed")]
    columns = (Result.run, Result.id, Result.judge_fingerprint, Result.evaluator_id, pw.Case(None, by_score, "failed"))
    verdict = Result.select(*columns, *fields_of(Result, kept)).where(Result.id == sample_id, Result.stage == "judged")
    names = ("run_id", "result_id", "judge_fingerprint", "evaluator_id", "status", *kept)
    return EarlierVerdict.insert_from(verdict, fields_of(EarlierVerdict, names))
