"""One test, one cell or one suite over all runs of a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from modex.core.foundation.errors import StoreError
from modex.core.store.bounds import bounds, with_bounds
from modex.core.store.exact import decode_text
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow, SampleHead
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.tables import LevelScore
from modex.core.store.words import plain_errors

_EVERY = 1_000_000


@dataclass(frozen=True, slots=True)
class Attempt:
    """One epoch of a test in one run."""

    run: RunRow
    head: SampleHead


def history(reader: Reader, test_id: str, domain: str | None = None, level: int | None = None) -> list[Attempt]:
    """Every sample of a test, that of the run that was started last first; epochs in their order.

    Raises:
        StoreError: no run has such a test; the message names near ones.
    """
    # The ids come first and alone: the unique index holds all that this asks, so that no row with a transcript is read.
    condition: Any = Result.test_id == test_id
    if domain is not None:
        condition &= Result.domain == domain
    if level is not None:
        condition &= Result.level == level
    with plain_errors(reader.path):
        rows = reader.database.fetch(Result.select(Result.id, Result.run).where(condition))
    if not rows:
        raise StoreError(f"no run in {reader.path} has a test {test_id!r}{_near(reader, test_id)}")
    runs = {run_id: reader.run_by_id(run_id) for run_id in {run_id for _, run_id in rows}}
    heads = {head.id: head for head in reader.heads_by_id([id_ for id_, _ in rows])}
    found = [Attempt(runs[run_id], heads[id_]) for id_, run_id in rows if id_ in heads]
    found.sort(key=lambda one: (one.head.domain, one.head.level, one.head.epoch))
    found.sort(key=lambda one: (one.run.started_at or "", one.run.id), reverse=True)
    return found


def _near(reader: Reader, test_id: str) -> str:
    with plain_errors(reader.path):
        rows: Sequence[tuple[Any, ...]] = reader.database.fetch(Result.select(Result.test_id).distinct())
    near = get_close_matches(test_id, [decode_text(str(row[0])) for row in rows], n=3, cutoff=0.5)
    return f"; did you mean {', '.join(near)}?" if near else "; `modex show EXP --status failed` lists some"


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """How a cell or a suite stood in one run."""

    run: RunRow
    score: float | None
    """0 to 1."""
    low: float | None
    high: float | None
    """Of its interval."""
    passed: int
    total: int
    change: float | None
    """Against the same model's run before; None for its first."""
    bounds: tuple[float, float] | None = None
    """The scores that samples without a verdict leave it between; None where none does."""


def cell_history(reader: Reader, domain: str, level: int) -> list[HistoryPoint]:
    """A cell's score in every run that has one, that of the run that was started last first.

    Raises:
        StoreError: no run has the cell.
    """
    query = LevelScore.select(
        LevelScore.run, LevelScore.average_score, LevelScore.ci_low, LevelScore.ci_high, LevelScore.passed_tests,
        LevelScore.total_tests,
    ).where(LevelScore.domain == domain, LevelScore.level == level)  # fmt: skip
    with plain_errors(reader.path):
        rows = reader.database.fetch(query)
    if not rows:
        cells = sorted({(row[0], row[1]) for row in _cells(reader)})
        near = get_close_matches(f"{domain}/{level}", [f"{one}/{two}" for one, two in cells], n=3, cutoff=0.4)
        hint = f"; did you mean {', '.join(near)}?" if near else "; `modex show EXP` lists the cells"
        raise StoreError(f"no run in {reader.path} has a score of the cell {domain}/{level}{hint}")
    found = []
    for run_id, score, ci_low, ci_high, passed, total in rows:
        run = reader.run_by_id(run_id)
        open_ = bounds(reader, run_id, cell=(domain, level)) if run.error_tests else None
        between = (open_.low, open_.high) if open_ is not None else None
        found.append(HistoryPoint(run, score, ci_low, ci_high, passed, total, None, between))
    return _changes(found)


def suite_history(reader: Reader, suite: str | None) -> list[HistoryPoint]:
    """The Weighted Score of every run of a suite (None: the bundled one), that of the run that was started last first."""
    runs = with_bounds(reader, [run for run in reader.runs(limit=_EVERY) if run.suite == suite])
    return _changes(
        [
            HistoryPoint(
                run, run.overall_score, run.ci_low, run.ci_high, run.passed_tests, run.total_tests, None, run.bounds
            )
            for run in runs
        ]
    )


def _cells(reader: Reader) -> list[tuple[Any, ...]]:
    with plain_errors(reader.path):
        return reader.database.fetch(LevelScore.select(LevelScore.domain, LevelScore.level).distinct())


def _changes(found: list[HistoryPoint]) -> list[HistoryPoint]:
    """The newest first, each with how far it moved from the same model's run before; of scores that bounds leave open nothing."""
    found.sort(key=lambda one: (one.run.started_at or "", one.run.id))
    last: dict[str, float] = {}
    told = []
    for one in found:
        before = last.get(one.run.model)
        settled = one.score if one.bounds is None else None
        told.append(one if before is None or settled is None else replace(one, change=settled - before))
        if settled is not None:
            last[one.run.model] = settled
        elif one.bounds is not None:
            last.pop(one.run.model, None)
    return told[::-1]
