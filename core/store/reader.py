"""What viewers ask: runs, scores, samples, events, and what changed since a sequence number. Never writes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from core.errors import StoreError
from core.store.database import Database, open_database, plain_errors
from core.store.exact import decode_json, decode_text, encode_text
from core.store.lock import is_held
from core.store.rows import (
    HEAD_COLUMNS,
    RUN_COLUMNS,
    EventRow,
    RunRow,
    SampleHead,
    head_from_row,
    run_from_row,
    sample_from_row,
)
from core.store.sample import SAMPLE_FIELDS, EvaluationSample

RunOrder = Literal["started", "exp_id", "model", "score", "cost", "duration", "errors"]
_RUN_ORDER: dict[str, str] = {
    "started": "started_at DESC, id DESC",
    "exp_id": "exp_id",
    "model": "model, started_at DESC",
    "score": "overall_score IS NULL, overall_score DESC",
    "cost": "cost_usd DESC",
    "duration": "duration_ms DESC",
    "errors": "error_tests DESC, started_at DESC",
}
_SAMPLE_COLUMNS = ", ".join(SAMPLE_FIELDS)
_PAGE = 500


@dataclass(frozen=True, slots=True)
class SampleQuery:
    """Which samples of a run; empty fields do not restrict."""

    domains: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()
    statuses: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    test_ids: tuple[str, ...] = ()
    text: str = ""
    """Case-insensitive part of the test's id, name, error or extracted answer."""

    def sql(self) -> tuple[str, list[Any]]:
        """The condition behind `WHERE run_id = ?` and its parameters."""
        parts: list[str] = []
        parameters: list[Any] = []
        for column, values in (
            ("domain", self.domains),
            ("level", self.levels),
            ("status", self.statuses),
            ("source", self.sources),
            ("test_id", tuple(map(encode_text, self.test_ids))),
        ):
            if values:
                parts.append(f"{column} IN ({', '.join('?' * len(values))})")
                parameters += values
        if self.text:
            like = "%" + self.text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
            columns = ("test_id", "name", "domain", "error_type", "extracted_answer")
            parts.append("(" + " OR ".join(f"{column} LIKE ? ESCAPE '\\'" for column in columns) + ")")
            parameters += [like] * len(columns)
        return "".join(f" AND {part}" for part in parts), parameters


class Reader:
    """Read access to a store; safe from any thread, each with a connection of its own."""

    def __init__(self, path: Path, database: Database | None = None) -> None:
        """Open the database at `path` for reading.

        Raises:
            StoreError: missing, damaged, or written by a newer modex.
        """
        self.path = path
        self.database = database or open_database(path, read_only=True)

    def close(self) -> None:
        """Close this thread's connection."""
        self.database.close()

    def _rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with plain_errors(self.path):
            return self.database.rows(sql, parameters)

    # runs

    def runs(
        self,
        *,
        text: str = "",
        model: str = "",
        status: str = "",
        order: RunOrder = "started",
        limit: int = 1000,
        offset: int = 0,
    ) -> list[RunRow]:
        """Runs that match, in `order`; unfinished ones first where the order is `started`."""
        where, parameters = self._runs_where(text, model, status)
        first = "(status IN ('running', 'paused')) DESC, " if order == "started" else ""
        rows = self._rows(
            f"SELECT {RUN_COLUMNS} FROM evaluation_runs{where} ORDER BY {first}{_RUN_ORDER[order]} LIMIT ? OFFSET ?",
            [*parameters, limit, offset],
        )
        return [self._run(row) for row in rows]

    def count_runs(self, *, text: str = "", model: str = "", status: str = "") -> int:
        """How many runs match."""
        where, parameters = self._runs_where(text, model, status)
        return int(self._rows(f"SELECT count(*) FROM evaluation_runs{where}", parameters)[0][0])

    def _runs_where(self, text: str, model: str, status: str) -> tuple[str, list[Any]]:
        parts: list[str] = []
        parameters: list[Any] = []
        for columns, value in ((("exp_id", "model"), text), (("model",), model), (("status",), status)):
            if value:
                parts.append("(" + " OR ".join(f"instr(lower({column}), ?) > 0" for column in columns) + ")")
                parameters += [value.lower()] * len(columns)
        return (" WHERE " + " AND ".join(parts) if parts else ""), parameters

    def _run(self, row: tuple[Any, ...]) -> RunRow:
        run = run_from_row(row, alive=False)
        return replace(run, alive=True) if run.status in ("running", "paused") and is_held(self.path, run.id) else run

    def find_run(self, exp_id: str) -> RunRow | None:
        """The run with exactly this `exp_id`, or None."""
        rows = self._rows(f"SELECT {RUN_COLUMNS} FROM evaluation_runs WHERE exp_id = ?", [exp_id])
        return self._run(rows[0]) if rows else None

    def run(self, exp_id: str) -> RunRow:
        """The run with this `exp_id`, or the only one that begins with it.

        Raises:
            StoreError: there is none, or several begin so; the message names near ones.
        """
        if run := self.find_run(exp_id):
            return run
        rows = self._rows(
            f"SELECT {RUN_COLUMNS} FROM evaluation_runs WHERE substr(exp_id, 1, ?) = ? ORDER BY id DESC LIMIT 6",
            [len(exp_id), exp_id],
        )
        if len(rows) == 1 and exp_id:
            return self._run(rows[0])
        from difflib import get_close_matches

        names = [str(row[0]) for row in self._rows("SELECT exp_id FROM evaluation_runs ORDER BY id DESC LIMIT 2000")]
        near = [row[1] for row in rows] if exp_id else []
        near = near or get_close_matches(exp_id, names, n=3, cutoff=0.5)
        hint = f"; did you mean {', '.join(near)}?" if near else "; `modex runs` lists them"
        raise StoreError(f"no run named {exp_id!r} in {self.path}{hint}")

    def run_by_id(self, run_id: int) -> RunRow:
        """The run with this id.

        Raises:
            StoreError: it is gone.
        """
        rows = self._rows(f"SELECT {RUN_COLUMNS} FROM evaluation_runs WHERE id = ?", [run_id])
        if not rows:
            raise StoreError(f"{self.path}: the run was deleted")
        return self._run(rows[0])

    # scores

    def domain_scores(self, run_ids: Sequence[int]) -> dict[int, list[tuple[str, float | None]]]:
        """Each run's domains with their Weighted Scores, as last stored by `stat`."""
        if not run_ids:
            return {}
        rows = self._rows(
            "SELECT run_id, domain, score FROM test_results WHERE level IS NULL AND run_id IN"
            f" ({', '.join('?' * len(run_ids))}) ORDER BY id",
            list(run_ids),
        )
        scores: dict[int, list[tuple[str, float | None]]] = {}
        for run_id, domain, score in rows:
            scores.setdefault(run_id, []).append((domain, score))
        return scores

    def level_scores(self, run_id: int) -> list[dict[str, Any]]:
        """The stored `level_scores` rows of the run."""
        names = ("domain", "level", "average_score", "weight", "total_tests", "passed_tests", "ci_low", "ci_high")
        rows = self._rows(f"SELECT {', '.join(names)} FROM level_scores WHERE run_id = ? ORDER BY id", [run_id])
        return [dict(zip(names, row, strict=True)) for row in rows]

    # samples

    def changes(self, run_id: int, since: int, limit: int = 5000) -> list[SampleHead]:
        """Samples changed after sequence number `since`, oldest change first."""
        rows = self._rows(
            f"SELECT {HEAD_COLUMNS} FROM individual_test_results WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            [run_id, since, limit],
        )
        return [head_from_row(row) for row in rows]

    def heads(
        self, run_id: int, query: SampleQuery = SampleQuery(), *, limit: int = 1000, offset: int = 0
    ) -> list[SampleHead]:
        """Samples that match, in planning order."""
        where, parameters = query.sql()
        rows = self._rows(
            f"SELECT {HEAD_COLUMNS} FROM individual_test_results WHERE run_id = ?{where}"
            " ORDER BY position LIMIT ? OFFSET ?",
            [run_id, *parameters, limit, offset],
        )
        return [head_from_row(row) for row in rows]

    def head_ids(self, run_id: int, query: SampleQuery = SampleQuery()) -> list[int]:
        """The ids of the samples that match, in planning order."""
        where, parameters = query.sql()
        rows = self._rows(
            f"SELECT id FROM individual_test_results WHERE run_id = ?{where} ORDER BY position", [run_id, *parameters]
        )
        return [row[0] for row in rows]

    def heads_by_id(self, ids: Sequence[int]) -> list[SampleHead]:
        """The heads of these samples, in the order of `ids`; missing ones are left out."""
        found: dict[int, SampleHead] = {}
        for start in range(0, len(ids), _PAGE):
            page = list(ids[start : start + _PAGE])
            rows = self._rows(
                f"SELECT {HEAD_COLUMNS} FROM individual_test_results WHERE id IN ({', '.join('?' * len(page))})", page
            )
            found.update((row[0], head_from_row(row)) for row in rows)
        return [found[id_] for id_ in ids if id_ in found]

    def count(self, run_id: int, query: SampleQuery = SampleQuery()) -> int:
        """How many samples match."""
        where, parameters = query.sql()
        sql = f"SELECT count(*) FROM individual_test_results WHERE run_id = ?{where}"
        return int(self._rows(sql, [run_id, *parameters])[0][0])

    def sample(self, sample_id: int) -> EvaluationSample:
        """One sample with everything it holds.

        Raises:
            StoreError: it is gone.
        """
        rows = self._rows(f"SELECT {_SAMPLE_COLUMNS} FROM individual_test_results WHERE id = ?", [sample_id])
        if not rows:
            raise StoreError(f"{self.path}: sample {sample_id} is gone; its run was deleted")
        return sample_from_row(rows[0])

    def samples(self, run_id: int, query: SampleQuery = SampleQuery()) -> Iterator[EvaluationSample]:
        """Whole samples in planning order, a page in memory at a time."""
        where, parameters = query.sql()
        after = -1
        while True:
            rows = self._rows(
                f"SELECT {_SAMPLE_COLUMNS} FROM individual_test_results WHERE run_id = ?{where} AND position > ?"
                f" ORDER BY position LIMIT {_PAGE}",
                [run_id, *parameters, after],
            )
            for row in rows:
                sample = sample_from_row(row)
                after = sample.position
                yield sample
            if len(rows) < _PAGE:
                return

    def by_test(self, run_id: int, columns: str) -> Iterator[tuple[Any, ...]]:
        """`(source, domain, level, test_id, *columns)` of every sample, the epochs of one test one after the other.

        Tests come in the order of their keys' bytes, which is Python's order of strings; `test_id` is as stored.
        """
        with plain_errors(self.path):
            yield from self.database.stream(
                f"SELECT source, domain, level, test_id, {columns} FROM individual_test_results"
                " WHERE run_id = ? ORDER BY source, domain, level, test_id, epoch",
                [run_id],
            )

    def earlier_verdicts(self, sample_id: int) -> list[dict[str, Any]]:
        """Judgements of the sample that later ones replaced, oldest first."""
        names = (
            "judge_fingerprint",
            "evaluator_id",
            "status",
            "score",
            "error_type",
            "error_message",
            "extracted_answer",
        )
        rows = self._rows(
            f"SELECT {', '.join(names)}, completed_at, details FROM earlier_verdicts WHERE result_id = ? ORDER BY id",
            [sample_id],
        )
        return [
            {**dict(zip(names, row, strict=False)), "completed_at": row[-2], "details": decode_json(row[-1]) or {}}
            for row in rows
        ]

    # log

    def events(self, run_id: int, since: int = 0, limit: int = 1000) -> list[EventRow]:
        """Log lines after sequence number `since`, oldest first; the newest `limit` of them."""
        rows = self._rows(
            "SELECT seq, at, kind, result_id, message FROM run_events WHERE run_id = ? AND seq > ?"
            " ORDER BY seq DESC LIMIT ?",
            [run_id, since, limit],
        )
        return [
            EventRow(seq, at, kind, result_id, decode_text(message)) for seq, at, kind, result_id, message in rows[::-1]
        ]


_SHOWN = ("value", "query", "reference")
"""What stands for a whole `expected` in one line, where it has it."""
_CUT_VALUE = re.compile(r'"(?:value|query)":\s*"((?:[^"\\]|\\.)*)')


def expected_text(head: SampleHead) -> str:
    """A head's expected answer as short text; empty where the part of the JSON that was read does not hold it."""
    if head.expected is None:
        return ""
    try:
        value = json.loads(head.expected)
    except ValueError:
        cut = _CUT_VALUE.search(head.expected)
        return cut[1] if cut else "" if head.expected.startswith("{") else head.expected
    if isinstance(value, dict):
        value = next((value[key] for key in _SHOWN if key in value), "")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
