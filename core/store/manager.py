"""Storing and continuing experiments: runs by `exp_id`, their samples, and which of them still have work to do."""

from __future__ import annotations

import sqlite3
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import peewee as pw
from peewee import fn
from pydantic import ValidationError

from modex.core.config.runconfig import RunConfig
from modex.core.foundation.errors import ErrorType, StoreError
from modex.core.store.clock import now
from modex.core.store.commands import forget_commands
from modex.core.store.connection import Database
from modex.core.store.database import open_database
from modex.core.store.inserting import insert_rows
from modex.core.store.known import CHUNK, Known, Stored
from modex.core.store.lock import RunLock, is_held
from modex.core.store.reader import Reader
from modex.core.store.rows import is_damaged, known_status, to_column
from modex.core.store.sample import (
    ASKED_FIELDS,
    ELSEWHERE,
    OF_OTHER_RULES,
    OTHER_RULES,
    PASS_SCORE,
    PLAN_FIELDS,
    RESET_FIELDS,
    SAMPLE_COLUMNS,
    EvaluationSample,
    encoder_of,
)
from modex.core.store.tables import OF_A_RUN, RunEvent
from modex.core.store.tables import EvaluationRun as Run
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors

Redo = Literal["changed", "ask", "judge"]
"""What is done again: what the suite changed, as at a resume; the whole test; only its verdict."""
_RULES = ("expected", "evaluator_id")
_RESTORED = ("status", "reason", "completed_at", "config", "model")


@dataclass(frozen=True, slots=True)
class ChosenSamples:
    """Samples that a person chose to have done again; everything else of the run stays as it is."""

    ids: frozenset[int]
    redo: Redo = "changed"


@dataclass(slots=True)
class Plan:
    """What planning found: how many samples are new, changed or done, and the ids that have work to do, in order."""

    new: int = 0
    ask_again: int = 0
    judge_again: int = 0
    retry: int = 0
    unchanged: int = 0
    skipped: int = 0
    not_selected: int = 0
    """Stored samples that this selection does not hold: of removed tests or of a wider selection; they stay scored."""
    to_do: array[int] = field(default_factory=lambda: array("q"))
    stored: int = 0
    """Samples that were not in the store before."""

    @property
    def planned(self) -> int:
        """All samples of the selection."""
        return self.new + self.ask_again + self.judge_again + self.retry + self.unchanged + self.skipped

    def add(self, other: Plan) -> None:
        """Take in what a further part of the samples came to."""
        for name in ("new", "ask_again", "judge_again", "retry", "unchanged", "skipped", "stored"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.to_do.extend(other.to_do)


class _UnreadableError(Exception):
    """A stored sample cannot be read whole."""


class DBDataManager:
    """Write access to a store for planning and whole-stage work; the runner's hot path is `Writer`."""

    def __init__(self, path: Path) -> None:
        """Open or create the database at `path`.

        Raises:
            StoreError: it cannot be written, is damaged, or is newer than this modex.
        """
        self.path = path
        self.database: Database = open_database(path)
        self.reader = Reader(path, self.database)

    def close(self) -> None:
        """Close this thread's connection."""
        self.database.close()

    # runs

    def create_run(self, exp_id: str, config: RunConfig) -> int:
        """Store a new run; its id.

        Raises:
            StoreError: `exp_id` is taken.
        """
        with plain_errors(self.path), self.database.atomic("IMMEDIATE"):
            if self.database.fetch(Run.select(Run.id).where(Run.exp_id == exp_id)):
                raise StoreError(f"a run named {exp_id!r} exists already in {self.path}; choose another name")
            return self.database.add(Run.insert(_new_run(exp_id, config)))

    def create_held_run(self, exp_id: str, config: RunConfig, kind: str = "evaluation") -> tuple[int, RunLock] | None:
        """Store a new run that this process holds before anyone can see it; None where another start was first."""
        with plain_errors(self.path), self.database.atomic("IMMEDIATE"):
            if self.database.fetch(Run.select(Run.id).where(Run.exp_id == exp_id)):
                return None
            run_id = self.database.add(
                Run.insert({**_new_run(exp_id, config), "kind": kind, "live": {"starting": now()}})
            )
            return run_id, RunLock(self.path, run_id, exp_id)

    def begin(self, run_id: int, config: RunConfig | None = None) -> None:
        """Note, by who holds the run, that it is about to go on, with another configuration where given.

        What stood before is kept in `live`, until work begins or `restore` puts it back.
        """
        changes = {} if config is None else {"config": config.model_dump(mode="json"), "model": config.model.model}
        with plain_errors(self.path), self.database.atomic("IMMEDIATE"):
            run = self.reader.run_by_id(run_id)
            live = {"starting": now(), "before": {name: getattr(run, name) for name in _RESTORED}}
            forget_commands(self.database, run_id)
            self.update_run(run_id, **changes, live=live)

    def restore(self, run_id: int) -> bool:
        """Put back what stood before `begin`; whether there was anything: a new run has nothing before it."""
        before = self.reader.run_by_id(run_id).live.get("before")
        if not isinstance(before, dict):
            return False
        self.update_run(run_id, **{name: before.get(name) for name in _RESTORED}, live={})
        return True

    def configuration(self, run_id: int) -> RunConfig:
        """The run's stored configuration.

        Raises:
            StoreError: the run is gone, or what is stored of it is damaged.
        """
        run = self.reader.run_by_id(run_id)
        try:
            return RunConfig.model_validate(run.config)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise StoreError(
                f"{self.path}: the stored configuration of {run.exp_id} is damaged ({where}: {first['msg']}); "
                "its results can be shown and exported, but it cannot go on: start a new one with `modex run`"
            ) from error

    def set_configuration(self, run_id: int, config: RunConfig) -> None:
        """Replace the run's configuration (the same `exp_id` was started with other flags)."""
        columns = {"config": config.model_dump(mode="json"), "model": config.model.model}
        with plain_errors(self.path):
            self.database.change(Run.update(columns).where(Run.id == run_id))

    def update_run(self, run_id: int, **columns: Any) -> None:
        """Set columns of the run's row."""
        with plain_errors(self.path):
            self.database.change(Run.update({**columns, "seq": Run.seq + 1}).where(Run.id == run_id))

    def add_event(self, run_id: int, kind: str, message: str) -> None:
        """Keep a line in the run's log, where no writer is at work; its number is the run's next."""
        with plain_errors(self.path), self.database.atomic("IMMEDIATE"):
            self.database.change(Run.update({"seq": Run.seq + 1}).where(Run.id == run_id))
            seq = self.database.fetch(Run.select(Run.seq).where(Run.id == run_id))[0][0]
            row = {"run": run_id, "seq": seq, "at": now(), "kind": kind, "message": message}
            self.database.change(RunEvent.insert(row))

    def delete_run(self, run_id: int) -> None:
        """Delete a run and everything of it.

        Raises:
            StoreError: a runner works on it.
        """
        if is_held(self.path, run_id):
            raise StoreError("this run is being worked on; stop it before deleting it")
        with plain_errors(self.path), self.database.atomic("IMMEDIATE"):
            for table in OF_A_RUN:
                self.database.change(table.delete().where(table.run == run_id))
            self.database.change(Run.delete().where(Run.id == run_id))

    def recount(self, run_id: int) -> None:
        """Set the run's counts from its samples."""
        by_status = Result.select(Result.status, fn.count(Result.id)).where(Result.run == run_id)
        with plain_errors(self.path), self.database.atomic("IMMEDIATE"):
            counts = Counter[str]()
            for status, count in self.database.fetch(by_status.group_by(Result.status)):
                counts[known_status(status)] += count
            columns = {f"{name}_tests": counts[name] for name in ("passed", "failed", "error", "skipped")}
            changed = Run.update({**columns, "total_tests": counts.total(), "seq": Run.seq + 1})
            self.database.change(changed.where(Run.id == run_id))

    def settle(self, run_id: int) -> None:
        """Give back what a runner left behind: a sample that nobody works on is not running.

        Each is a change with a number of its own, which the run's own follows: a viewer that read them asks for what is newer.
        """
        by_score = pw.Case(None, [(Result.score >= PASS_SCORE, "passed")], "failed")
        status = pw.Case(None, [((Result.stage != "judged") | Result.score.is_null(), "pending")], by_score)
        left = (
            Result.select(Result.id).where(Result.run == run_id, Result.status == "running").order_by(Result.position)
        )
        with plain_errors(self.path), self.database.atomic("IMMEDIATE"):
            seq = int(self.database.fetch(Run.select(Run.seq).where(Run.id == run_id))[0][0])
            found = [row[0] for row in self.database.fetch(left)]
            for number, sample_id in enumerate(found, seq + 1):
                self.database.change(Result.update({"status": status, "seq": number}).where(Result.id == sample_id))
            if found:
                self.database.change(Run.update({"seq": seq + len(found)}).where(Run.id == run_id))

    # planning

    def plan(
        self,
        run_id: int,
        samples: Iterable[EvaluationSample],
        *,
        rejudge: bool = False,
        stale: Collection[int] = (),
        only: Collection[str] | None = None,
        chosen: ChosenSamples | None = None,
        stages: Sequence[str] = ("rollout", "judge"),
        progress: Callable[[int], None] = lambda _: None,
        wait: Callable[[StoreError], bool] = lambda _: False,
    ) -> Plan:
        """Store `samples` (with fingerprints set) and find which have work to do.

        `wait` is told what kept a chunk from being stored, a full disk for one, and returns whether to try it again.

        New → asked; another rollout fingerprint → asked again; another judge fingerprint → judged again;
        errors → retried at the stage that failed; unchanged → nothing. `rejudge` judges every verdict again, `stale` those of
        these samples. `stages` restricts what counts as work, `only`
        to errors of these types, `chosen` to these samples, everything else staying as it is.
        """
        plan = Plan()
        top = self.database.fetch(Result.select(fn.max(Result.position)).where(Result.run == run_id))[0][0]
        position = 0 if top is None else int(top) + 1
        known = Known(self.database, run_id, empty=top is None)
        iterator = iter(samples)
        planned = 0
        ask_again = chosen is not None and chosen.redo == "ask"
        while chunk := list(islice(iterator, CHUNK)):
            if chosen is not None:
                chunk = self._chosen_of(known, chunk, planned, chosen)
            while True:
                found = Plan()
                try:
                    self._plan_chunk(
                        run_id, chunk, known, position, found,
                        planned=planned, rejudge=rejudge, stale=stale, stages=stages, only=only, ask_again=ask_again,
                    )  # fmt: skip
                except StoreError as error:
                    if known.empty and isinstance(error.__cause__, sqlite3.IntegrityError):
                        known.empty = False  # a key came again: this chunk looks for its samples
                    elif not wait(error):
                        raise
                else:
                    break
            position += found.stored
            plan.add(found)
            planned += len(chunk)
            progress(planned)
        self.recount(run_id)
        plan.not_selected = self.reader.run_by_id(run_id).total_tests - planned
        return plan

    def plan_unchanged(
        self,
        run_id: int,
        planned: int,
        *,
        progress: Callable[[int], None] = lambda _: None,
        wait: Callable[[StoreError], bool] = lambda _: False,
    ) -> Plan | None:
        """What `plan` comes to with the very samples of the last time, of which there were `planned`.

        Only those are looked at that are neither finished nor as they were planned. None where the stored samples are not
        those, or one cannot be read: then they must be planned anew.
        """
        self.recount(run_id)
        run = self.reader.run_by_id(run_id)
        begins = (Result.stage == "init") & (Result.status == "pending")
        left = Result.select(Result.id, begins).where(Result.run == run_id, Result.status.not_in(("passed", "failed")))
        to_do, begun = array("q"), array("q")
        with plain_errors(self.path):
            for sample_id, is_as_planned in self.database.fetch(left.order_by(Result.position)):
                to_do.append(sample_id)
                if not is_as_planned:
                    begun.append(sample_id)
        try:
            plan = self.plan(run_id, self._as_planned(begun), progress=progress, wait=wait)
        except _UnreadableError:
            return None
        plan.to_do = to_do
        plan.new += len(to_do) - len(begun)
        plan.unchanged += run.passed_tests + run.failed_tests
        plan.not_selected = 0
        return plan if plan.planned == planned == run.total_tests else None

    def _as_planned(self, ids: Sequence[int]) -> Iterator[EvaluationSample]:
        """Stored samples without what became of them.

        Raises:
            _UnreadableError: one cannot be read whole.
        """
        for start in range(0, len(ids), CHUNK):
            for sample in self.load(ids[start : start + CHUNK]):
                if is_damaged(sample):
                    raise _UnreadableError
                for name in RESET_FIELDS:
                    setattr(sample, name, SAMPLE_COLUMNS[name].default())
                yield sample

    def _chosen_of(
        self, known: Known, chunk: Sequence[EvaluationSample], planned: int, chosen: ChosenSamples
    ) -> list[EvaluationSample]:
        """Those of `chunk` that are stored and were chosen."""
        with plain_errors(self.path):
            stored = known.of(chunk, planned)
        return [sample for sample in chunk if (one := stored.get(sample.key)) is not None and one.id in chosen.ids]

    def _plan_chunk(
        self,
        run_id: int,
        chunk: Sequence[EvaluationSample],
        known: Known,
        position: int,
        plan: Plan,
        *,
        planned: int,
        rejudge: bool,
        stale: Collection[int],
        stages: Sequence[str],
        only: Collection[str] | None,
        ask_again: bool,
    ) -> None:
        """Store and sort one chunk, all of it or nothing."""
        with plain_errors(self.path), self.database.atomic("IMMEDIATE"):
            seq = int(self.database.fetch(Run.select(Run.seq).where(Run.id == run_id))[0][0])
            stored = known.of(chunk, planned)
            fresh: list[EvaluationSample] = []
            for sample in chunk:
                sample.run_id = run_id
                before = stored.get(sample.key) if stored else None
                if before is None:
                    sample.position = position + len(fresh)
                    fresh.append(sample)
                else:
                    sample.id = before.id
                    seq = self._replan(
                        sample,
                        before,
                        plan,
                        rejudge=rejudge or before.id in stale,
                        stages=stages,
                        only=only,
                        ask_again=ask_again,
                        seq=seq,
                    )
            seq = self._insert(fresh, plan, stages, seq)
            self.database.change(Run.update({"seq": seq}).where(Run.id == run_id))
            plan.stored = len(fresh)

    def _replan(
        self,
        sample: EvaluationSample,
        known: Stored,
        plan: Plan,
        *,
        rejudge: bool,
        stages: Sequence[str],
        only: Collection[str] | None,
        ask_again: bool,
        seq: int,
    ) -> int:
        assert sample.id is not None
        if only is not None and not (known.status == "error" and known.error_type in only):
            if known.status == "pending":
                plan.to_do.append(sample.id)  # one that a killed resume had begun with
            plan.unchanged += 1
            return seq
        if sample.status == "skipped":
            if (
                sample.error_type in (ErrorType.SANDBOX_UNAVAILABLE, ErrorType.TOOL_UNAVAILABLE)
                and known.stage != "init"
                and known.rollout_fingerprint in (sample.rollout_fingerprint, ELSEWHERE)
            ):
                plan.unchanged += 1  # it was asked before: what was answered, and a verdict, stay
                return seq
            plan.skipped += 1
            if known.status == "skipped":
                return seq
            return self._store_plan(sample, (*ASKED_FIELDS, *RESET_FIELDS, "score"), seq)
        same = known.rollout_fingerprint in (sample.rollout_fingerprint, ELSEWHERE)
        asked = not ask_again and same and known.stage != "init"
        if asked and known.masked:
            # A verdict stands, as it was reached on the words themselves; without one they are asked for again.
            if known.stage == "judged" and known.status in ("passed", "failed"):
                plan.unchanged += 1
                return seq
            asked = False
        judged = known.stage == "judged" and known.judge_fingerprint == sample.judge_fingerprint
        if asked and judged and known.status in ("passed", "failed") and not rejudge:
            plan.unchanged += 1
            if known.marked:  # the gold that the verdict is of came back
                self._unmark(sample.id)
                return self._store_plan(sample, ASKED_FIELDS, seq)
            counted = (known.weight, known.cluster, known.pass_needed, known.pass_of)
            if counted != (sample.weight, to_column("cluster", sample.cluster), sample.pass_needed, sample.pass_of):
                return self._store_plan(sample, ("weight", "cluster", "pass_needed", "pass_of"), seq)
            return seq
        if asked and known.status == "error" and known.stage == "rollout" and "judge" in stages:
            plan.retry += 1
            sample.stage, sample.status = "rollout", "pending"
        elif asked:
            if "judge" not in stages:
                plan.unchanged += 1
                return seq
            plan.judge_again += 1
            sample.stage = "judged" if known.stage == "judged" else "rollout"
            sample.status = "pending"
        else:
            if "rollout" not in stages:
                plan.unchanged += 1
                return seq
            if known.status == "error":
                plan.retry += 1
            elif known.stage != "init":
                plan.ask_again += 1
            else:
                plan.new += 1
            sample.stage, sample.status = "init", "pending"
        plan.to_do.append(sample.id)
        if sample.stage == "judged":
            fields = tuple(name for name in ASKED_FIELDS if name not in ("rollout_fingerprint", "judge_fingerprint"))
            if known.status in ("passed", "failed") and not known.marked:
                self._mark(sample)
            return self._store_plan(sample, fields, seq)
        rollout_only = () if sample.stage == "init" else ("rollout_fingerprint",)
        fields = tuple(
            name for name in (*ASKED_FIELDS, *RESET_FIELDS) if name not in (*rollout_only, "judge_fingerprint")
        )
        return self._store_plan(sample, fields, seq)

    def _mark(self, sample: EvaluationSample) -> None:
        """Say of a verdict that stands until its sample is judged that it is not of the gold that is written beside it."""
        expected, evaluator_id = encoder_of(_RULES).encode(sample)
        # Raw SQL as in `_store_plan`.
        self.database.run(
            "UPDATE individual_test_results SET verdict_flags ="
            " json_insert(CASE WHEN json_valid(verdict_flags) THEN verdict_flags ELSE '[]' END, '$[#]', ?),"
            " reason = ? || coalesce(': ' || reason, '') WHERE id = ? AND (expected IS NOT ? OR evaluator_id IS NOT ?)",
            [OTHER_RULES, OF_OTHER_RULES, sample.id, expected, evaluator_id],
        )

    def _unmark(self, sample_id: int) -> None:
        """Take that away again, where the gold of the verdict is written beside it once more."""
        (one,) = self.load([sample_id])
        flags = [flag for flag in one.verdict_flags or () if flag != OTHER_RULES]
        reason = (one.reason or "").removeprefix(OF_OTHER_RULES).removeprefix(": ")
        columns = {"verdict_flags": flags or None, "reason": reason or None}
        self.database.change(Result.update(columns).where(Result.id == sample_id))

    def _store_plan(self, sample: EvaluationSample, fields: tuple[str, ...], seq: int) -> int:
        # Raw SQL for the reason that stands at `Writer._update_sql`: a changed suite rewrites every sample's plan.
        assignments = ", ".join(f"{name} = ?" for name in fields)
        values = encoder_of(fields).encode(sample)
        self.database.run(
            f"UPDATE individual_test_results SET {assignments}, seq = ? WHERE id = ?", [*values, seq + 1, sample.id]
        )
        return seq + 1

    def _insert(self, fresh: Sequence[EvaluationSample], plan: Plan, stages: Sequence[str], seq: int) -> int:
        if not fresh:
            return seq
        # Raw SQL: Peewee takes 220 µs a sample to build the insert, planning as a whole 80.
        columns = dict(zip(PLAN_FIELDS, encoder_of(PLAN_FIELDS).encode_all(fresh), strict=True))
        columns["seq"] = range(seq + 1, seq + 1 + len(fresh))
        insert_rows(self.database, "individual_test_results", columns)
        # Not the status as well: the ids alone stand in the index of positions.
        stored = Result.select(Result.id).where(
            Result.run == fresh[0].run_id, Result.position.between(fresh[0].position, fresh[-1].position)
        )
        for sample, (row_id,) in zip(fresh, self.database.fetch(stored.order_by(Result.position)), strict=True):
            if sample.status == "skipped":
                plan.skipped += 1
                continue
            plan.new += 1
            if "rollout" in stages:
                plan.to_do.append(row_id)
        return seq + len(fresh)

    def load(self, ids: Sequence[int]) -> list[EvaluationSample]:
        """Whole samples by id, in the order of `ids`."""
        return self.reader.samples_by_id(ids)

    def get_samples(self, exp_id: str, *, stage: str | None = None) -> Iterator[EvaluationSample]:
        """The samples of an experiment in planning order, a page in memory at a time."""
        run = self.reader.run(exp_id)
        for sample in self.reader.samples(run.id):
            if stage is None or sample.stage == stage:
                yield sample


def _new_run(exp_id: str, config: RunConfig) -> dict[str, Any]:
    columns = {"config": config.model_dump(mode="json"), "model": config.model.model}
    return {"exp_id": exp_id, **columns, "started_at": now()}
