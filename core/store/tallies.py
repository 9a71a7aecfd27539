"""A run's matrix as numbers: counts and weighted sums of every cell, cheap enough to ask several times a second."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.database import plain_errors

if TYPE_CHECKING:
    from core.store.reader import Reader, SampleQuery


@dataclass(frozen=True, slots=True)
class CellTally:
    """One (domain, level) cell: samples by status, and sums over its scored tests (`w` weight, `x` score)."""

    domain: str
    level: int
    pending: int = 0
    running: int = 0
    passed: int = 0
    failed: int = 0
    error: int = 0
    skipped: int = 0
    w: float = 0.0
    wx: float = 0.0
    w2: float = 0.0
    w2x: float = 0.0
    w2x2: float = 0.0

    @property
    def total(self) -> int:
        """All samples of the cell."""
        return self.pending + self.running + self.passed + self.failed + self.error + self.skipped

    @property
    def scored(self) -> int:
        """Its samples that have a score."""
        return self.passed + self.failed

    @property
    def score(self) -> float | None:
        """The level score; None where nothing is scored yet."""
        return self.wx / self.w if self.w else None

    @property
    def variance(self) -> float:
        """The level score's variance by the delta method."""
        score = self.score
        return (
            0.0 if score is None else max(0.0, self.w2x2 - 2 * score * self.w2x + score * score * self.w2) / self.w**2
        )


_SUMS = "sum(w), sum(w * x), sum(w * w), sum(w * w * x), sum(w * w * x * x)"
_SCORED = "status IN ('passed', 'failed') AND score IS NOT NULL AND weight > 0"


def tallies(reader: Reader, run_id: int, *, epochs: int = 1) -> list[CellTally]:
    """Every cell of the run. With `epochs` above 1 a test counts once, with the average of its scored epochs."""
    with plain_errors(reader.path):
        counted = reader.database.rows(
            "SELECT domain, level, status, count(*) FROM individual_test_results WHERE run_id = ?"
            " GROUP BY domain, level, status",
            [run_id],
        )
        tests = (
            f"SELECT domain, level, weight AS w, score AS x FROM individual_test_results WHERE run_id = ? AND {_SCORED}"
        )
        if epochs > 1:
            tests = (
                "SELECT domain, level, max(weight) AS w, avg(score) AS x FROM individual_test_results"
                f" WHERE run_id = ? AND {_SCORED} GROUP BY domain, level, source, test_id"
            )
        summed = reader.database.rows(f"SELECT domain, level, {_SUMS} FROM ({tests}) GROUP BY domain, level", [run_id])
    counts: dict[tuple[str, int], dict[str, int]] = {}
    for domain, level, status, count in counted:
        counts.setdefault((domain, level), {})[status] = count
    sums = {(domain, level): rest for domain, level, *rest in summed}
    names = ("w", "wx", "w2", "w2x", "w2x2")
    return [
        CellTally(domain, level, **found, **dict(zip(names, sums.get((domain, level), ()), strict=False)))
        for (domain, level), found in counts.items()
    ]


def data_version(reader: Reader) -> int:
    """A number that differs from the last one on the same thread where another connection changed the database."""
    with plain_errors(reader.path):
        return int(reader.database.rows("PRAGMA data_version")[0][0])


def domain_order(reader: Reader, run_id: int) -> list[str]:
    """The run's domains in planning order."""
    with plain_errors(reader.path):
        rows = reader.database.rows(
            "SELECT domain FROM individual_test_results WHERE run_id = ? GROUP BY domain ORDER BY min(position)",
            [run_id],
        )
    return [row[0] for row in rows]


def cell_statuses(
    reader: Reader, run_id: int, cells: Collection[tuple[str, int]]
) -> dict[tuple[str, int], dict[int, str]]:
    """The status of every sample of these cells by its position, in planning order."""
    found: dict[tuple[str, int], dict[int, str]] = {cell: {} for cell in cells}
    by_domain: dict[str, set[int]] = {}
    for domain, level in cells:
        by_domain.setdefault(domain, set()).add(level)
    with plain_errors(reader.path):
        for domain, levels in by_domain.items():
            rows = reader.database.rows(
                "SELECT level, position, status FROM individual_test_results WHERE run_id = ? AND domain = ?"
                f" AND level IN ({', '.join('?' * len(levels))}) ORDER BY position",
                [run_id, domain, *levels],
            )
            for level, position, status in rows:
                found[domain, level][position] = status
    return found


_SORTS = {
    "score": "score IS NULL, score, position",
    "time": "duration_ms DESC, position",
    "tokens": "prompt_tokens + completion_tokens DESC, position",
}


def sorted_ids(reader: Reader, run_id: int, query: SampleQuery, sort: str) -> list[int]:
    """The ids of the samples that match, worst `score`, longest `time` or most `tokens` first."""
    where, parameters = query.sql()
    with plain_errors(reader.path):
        rows = reader.database.rows(
            f"SELECT id FROM individual_test_results WHERE run_id = ?{where} ORDER BY {_SORTS[sort]}",
            [run_id, *parameters],
        )
    return [row[0] for row in rows]
