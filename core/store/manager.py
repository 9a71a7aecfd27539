"""Storing and continuing experiments: runs by `exp_id`, their samples, and which of them still have work to do."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from core.errors import StoreError
from core.runconfig import RunConfig
from core.store.clock import now
from core.store.database import Database, open_database, plain_errors
from core.store.exact import decode_text, encode_json, encode_text
from core.store.lock import is_held
from core.store.reader import Reader
from core.store.rows import PLAN_FIELDS, VERDICT_FIELDS, sample_from_row, to_column
from core.store.sample import SAMPLE_FIELDS, EvaluationSample

_CHUNK = 2000
_LOOKUP = 400
_RESET = ("status", "stage", "error_type", "error_message")
_ASKED = (
    "name", "weight", "system_prompt", "prompt_layers", "prompt", "definition", "expected", "evaluator_id",
    "rollout_fingerprint", "judge_fingerprint",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stored:
    """What planning needs to know of a stored sample."""

    id: int
    stage: str
    status: str
    rollout_fingerprint: str | None
    judge_fingerprint: str | None


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
            if self.database.rows("SELECT 1 FROM evaluation_runs WHERE exp_id = ?", [exp_id]):
                raise StoreError(f"a run named {exp_id!r} exists already in {self.path}")
            self.database.run(
                "INSERT INTO evaluation_runs (exp_id, model, status, config, started_at, metrics, live, total_tests,"
                " passed_tests, failed_tests, error_tests, skipped_tests, prompt_tokens, completion_tokens, cost_usd,"
                " unpriced_calls, duration_ms, seq)"
                " VALUES (?, ?, 'running', ?, ?, '{}', '{}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
                [exp_id, config.model.model, encode_json(config.model_dump(mode="json")), now()],
            )
            return int(self.database.rows("SELECT last_insert_rowid()")[0][0])

    def configuration(self, run_id: int) -> RunConfig:
        """The run's stored configuration."""
        return RunConfig.model_validate(self.reader.run_by_id(run_id).config)

    def set_configuration(self, run_id: int, config: RunConfig) -> None:
        """Replace the run's configuration (the same `exp_id` was started with other flags)."""
        with plain_errors(self.path):
            self.database.run(
                "UPDATE evaluation_runs SET config = ?, model = ? WHERE id = ?",
                [encode_json(config.model_dump(mode="json")), config.model.model, run_id],
            )

    def update_run(self, run_id: int, **columns: Any) -> None:
        """Set columns of the run's row; dicts are stored as JSON."""
        assignments = ", ".join(f"{name} = ?" for name in columns)
        values = [encode_json(value) if isinstance(value, dict) else value for value in columns.values()]
        with plain_errors(self.path):
            self.database.run(
                f"UPDATE evaluation_runs SET {assignments}, seq = seq + 1 WHERE id = ?", [*values, run_id]
            )

    def delete_run(self, run_id: int) -> None:
        """Delete a run and everything of it.

        Raises:
            StoreError: a runner works on it.
        """
        if is_held(self.path, run_id):
            raise StoreError("this run is being worked on; stop it before deleting it")
        with plain_errors(self.path), self.database.atomic("IMMEDIATE"):
            for table in ("earlier_verdicts", "run_events", "run_commands", "level_scores", "test_results"):
                self.database.run(f"DELETE FROM {table} WHERE run_id = ?", [run_id])
            self.database.run("DELETE FROM individual_test_results WHERE run_id = ?", [run_id])
            self.database.run("DELETE FROM evaluation_runs WHERE id = ?", [run_id])

    def recount(self, run_id: int) -> None:
        """Set the run's counts from its samples."""
        with plain_errors(self.path), self.database.atomic("IMMEDIATE"):
            rows = self.database.rows(
                "SELECT status, count(*) FROM individual_test_results WHERE run_id = ? GROUP BY status", [run_id]
            )
            counts = dict(rows)
            self.database.run(
                "UPDATE evaluation_runs SET total_tests = ?, passed_tests = ?, failed_tests = ?, error_tests = ?,"
                " skipped_tests = ?, seq = seq + 1 WHERE id = ?",
                [sum(counts.values()), *(counts.get(s, 0) for s in ("passed", "failed", "error", "skipped")), run_id],
            )

    # planning

    def plan(
        self,
        run_id: int,
        samples: Iterable[EvaluationSample],
        *,
        rejudge: bool = False,
        stages: Sequence[str] = ("rollout", "judge"),
        progress: Callable[[int], None] = lambda _: None,
    ) -> Plan:
        """Store `samples` (with fingerprints set) and find which have work to do.

        New → asked; another rollout fingerprint → asked again; another judge fingerprint → judged again;
        errors → retried at the stage that failed; unchanged → nothing. `stages` restricts what counts as work.
        """
        plan = Plan()
        top = self.database.rows(
            "SELECT coalesce(max(position), -1) FROM individual_test_results WHERE run_id = ?", [run_id]
        )
        position = int(top[0][0]) + 1
        iterator = iter(samples)
        planned = 0
        while chunk := list(islice(iterator, _CHUNK)):
            with plain_errors(self.path), self.database.atomic("IMMEDIATE"):
                seq = int(self.database.rows("SELECT seq FROM evaluation_runs WHERE id = ?", [run_id])[0][0])
                stored = self._stored(run_id, chunk)
                fresh: list[EvaluationSample] = []
                for sample in chunk:
                    sample.run_id = run_id
                    known = stored.get(sample.key)
                    if known is None:
                        sample.position = position
                        position += 1
                        fresh.append(sample)
                    else:
                        sample.id = known.id
                        seq = self._replan(sample, known, plan, rejudge=rejudge, stages=stages, seq=seq)
                seq = self._insert(fresh, plan, stages, seq)
                self.database.run("UPDATE evaluation_runs SET seq = ? WHERE id = ?", [seq, run_id])
            planned += len(chunk)
            progress(planned)
        self.recount(run_id)
        plan.not_selected = self.reader.run_by_id(run_id).total_tests - planned
        return plan

    def _stored(self, run_id: int, chunk: Sequence[EvaluationSample]) -> dict[tuple[str, str, int, str, int], Stored]:
        found: dict[tuple[str, str, int, str, int], Stored] = {}
        if not self.database.rows("SELECT 1 FROM individual_test_results WHERE run_id = ? LIMIT 1", [run_id]):
            return found
        for start in range(0, len(chunk), _LOOKUP):
            keys = [sample.key for sample in chunk[start : start + _LOOKUP]]
            values = ", ".join(["(?, ?, ?, ?, ?)"] * len(keys))
            for row in self.database.rows(
                "SELECT r.source, r.domain, r.level, r.test_id, r.epoch, r.id, r.stage, r.status, r.rollout_fingerprint,"
                f" r.judge_fingerprint FROM (VALUES {values}) AS k JOIN individual_test_results AS r ON r.run_id = ?"
                " AND r.source = k.column1 AND r.domain = k.column2 AND r.level = k.column3 AND r.test_id = k.column4"
                " AND r.epoch = k.column5",
                [*(part for key in keys for part in _columns_of(key)), run_id],
            ):
                source, domain, level, test_id, epoch = row[:5]
                found[source, domain, level, decode_text(test_id), epoch] = Stored(*row[5:])
        return found

    def _replan(
        self, sample: EvaluationSample, known: Stored, plan: Plan, *, rejudge: bool, stages: Sequence[str], seq: int
    ) -> int:
        assert sample.id is not None
        if sample.status == "skipped":
            plan.skipped += 1
            if known.status == "skipped":
                return seq
            return self._store_plan(sample, (*_ASKED, *_RESET, "score"), seq)
        asked = known.rollout_fingerprint == sample.rollout_fingerprint and known.stage != "init"
        judged = known.stage == "judged" and known.judge_fingerprint == sample.judge_fingerprint
        if asked and judged and known.status in ("passed", "failed") and not rejudge:
            plan.unchanged += 1
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
            fields = tuple(name for name in _ASKED if name not in ("rollout_fingerprint", "judge_fingerprint"))
            return self._store_plan(sample, fields, seq)
        rollout_only = () if sample.stage == "init" else ("rollout_fingerprint",)
        fields = tuple(name for name in (*_ASKED, *_RESET) if name not in (*rollout_only, "judge_fingerprint"))
        return self._store_plan(sample, fields, seq)

    def _store_plan(self, sample: EvaluationSample, fields: tuple[str, ...], seq: int) -> int:
        assignments = ", ".join(f"{name} = ?" for name in fields)
        values = [to_column(name, getattr(sample, name)) for name in fields]
        self.database.run(
            f"UPDATE individual_test_results SET {assignments}, seq = ? WHERE id = ?", [*values, seq + 1, sample.id]
        )
        return seq + 1

    def _insert(self, fresh: Sequence[EvaluationSample], plan: Plan, stages: Sequence[str], seq: int) -> int:
        if not fresh:
            return seq
        columns = ("seq", *PLAN_FIELDS)
        marks = ", ".join("?" * len(columns))
        sql = f"INSERT INTO individual_test_results ({', '.join(columns)}) VALUES ({marks})"
        rows = []
        for sample in fresh:
            seq += 1
            rows.append([seq, *(to_column(name, getattr(sample, name)) for name in PLAN_FIELDS)])
        self.database.run_many(sql, rows)
        first, last = fresh[0].position, fresh[-1].position
        for row_id, status in self.database.rows(
            "SELECT id, status FROM individual_test_results WHERE run_id = ? AND position BETWEEN ? AND ?"
            " ORDER BY position",
            [fresh[0].run_id, first, last],
        ):
            if status == "skipped":
                plan.skipped += 1
                continue
            plan.new += 1
            if "rollout" in stages:
                plan.to_do.append(row_id)
        return seq

    def load(self, ids: Sequence[int]) -> list[EvaluationSample]:
        """Whole samples by id, in the order of `ids`."""
        if not ids:
            return []
        with plain_errors(self.path):
            rows = self.database.rows(
                f"SELECT {', '.join(SAMPLE_FIELDS)} FROM individual_test_results WHERE id IN ({', '.join('?' * len(ids))})",
                list(ids),
            )
        found = {sample.id: sample for sample in map(sample_from_row, rows)}
        return [found[id_] for id_ in ids if id_ in found]

    def get_samples(self, exp_id: str, *, stage: str | None = None) -> Iterator[EvaluationSample]:
        """The samples of an experiment in planning order, a page in memory at a time."""
        run = self.reader.run(exp_id)
        for sample in self.reader.samples(run.id):
            if stage is None or sample.stage == stage:
                yield sample


def _columns_of(key: tuple[str, str, int, str, int]) -> tuple[Any, ...]:
    """A sample's key as its columns hold it."""
    source, domain, level, test_id, epoch = key
    return source, domain, level, encode_text(test_id), epoch


EMPTY_VERDICT: dict[str, Any] = {
    "extracted_answer": None,
    "pass2_used": False,
    "score": None,
    "details": {},
    "judge_prompt_tokens": 0,
    "judge_completion_tokens": 0,
    "judge_cost_usd": 0.0,
    "judge_duration_ms": 0,
    "judge_fingerprint": None,
    "completed_at": None,
}
"""The verdict fields of a sample that was not judged yet."""
assert set(EMPTY_VERDICT) == set(VERDICT_FIELDS) - set(_RESET)
