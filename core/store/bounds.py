"""Samples without a verdict for a reason that the model can cause, and between which scores they leave a run.

All of them wrong is one end, all of them right the other. Errors of the network, the key or the server bound nothing: they say
nothing of the model (`modex.core.foundation.errors.MODEL_MAY_CAUSE` is the one list).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import peewee as pw
from peewee import fn

from modex.core.foundation.errors import CUT_OFF, MAY_NEED_TOKENS, MODEL_MAY_CAUSE
from modex.core.statistics.weighted import weighted_score
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow, whole_level
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors

Ends = tuple[float, float] | None
"""The scores, from 0 to 1, that something lies between; None where nothing is open."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A run's samples without a verdict, and the scores that they leave it between."""

    number: int
    low: float
    """The Weighted Score if all of them were wrong, from 0 to 1."""
    high: float
    """If all were right."""
    cut_off: int = 0
    """How many of them are answers that were cut off."""
    may_need_tokens: int = 0
    """How many of them ended where more tokens may help."""

    @property
    def ends(self) -> tuple[float, float]:
        """Both scores."""
        return self.low, self.high


@dataclass(frozen=True, slots=True)
class Open:
    """What samples without a verdict leave open in a run: in all, and of each domain, level and cell that has such a sample."""

    whole: Bounds | None = None
    domains: Mapping[str, Bounds] = field(default_factory=dict)
    levels: Mapping[int, Bounds] = field(default_factory=dict)
    cells: Mapping[tuple[str, int], Bounds] = field(default_factory=dict)

    def ends(self, domain: str, level: int | None = None) -> Ends:
        """Between which scores a cell lies, or with no `level` a domain; None where all is settled."""
        found = self.domains.get(domain) if level is None else self.cells.get((domain, level))
        return found.ends if found is not None else None


def bounds(
    reader: Reader, run_id: int, kinds: Collection[str] = MODEL_MAY_CAUSE, cell: tuple[str, int] | None = None
) -> Bounds | None:
    """The samples of a run whose error is one of `kinds`, and the scores they leave it between; None where there are none.

    With a `cell` (domain, level) those of this cell alone.
    """
    return _together(_cells(reader, run_id, kinds, cell))


def open_bounds(reader: Reader, run: RunRow) -> Open:
    """What samples without a verdict leave open in a run, its domains, levels and cells."""
    if not run.error_tests:
        return Open()
    cells = _cells(reader, run.id, MODEL_MAY_CAUSE, None)
    domains: dict[str, list[_Cell]] = {}
    levels: dict[int, list[_Cell]] = {}
    for one in cells:
        domains.setdefault(one.domain, []).append(one)
        levels.setdefault(one.level, []).append(one)
    return Open(
        _together(cells),
        {name: found for name, held in domains.items() if (found := _together(held)) is not None},
        {level: found for level, held in levels.items() if (found := _together(held)) is not None},
        {(one.domain, one.level): found for one in cells if (found := _together([one])) is not None},
    )


@dataclass(frozen=True, slots=True)
class _Cell:
    """One cell's tests that have a verdict or may have either: sums of weights, and of what they weigh at worst and best."""

    domain: str
    level: int
    weight: float
    worst: float
    best: float
    number: int
    cut_off: int
    may_need_tokens: int


def _together(cells: Sequence[_Cell]) -> Bounds | None:
    """The Weighted Scores that these cells leave open; None where they leave nothing open."""
    number = sum(one.number for one in cells)
    low = weighted_score({(one.domain, one.level): one.worst / one.weight for one in cells})
    high = weighted_score({(one.domain, one.level): one.best / one.weight for one in cells})
    if not number or low is None or high is None:
        return None
    return Bounds(number, low, high, sum(one.cut_off for one in cells), sum(one.may_need_tokens for one in cells))


def _cells(reader: Reader, run_id: int, kinds: Collection[str], cell: tuple[str, int] | None) -> list[_Cell]:
    """Every cell of a run with a test that has a verdict or an error of `kinds`; none where no test has such an error."""
    lost = (Result.status == "error") & Result.error_type.in_(tuple(kinds))
    if cell is not None:
        lost &= (Result.domain == cell[0]) & (Result.level == cell[1])
    scored = Result.status.in_(("passed", "failed")) & fn.typeof(Result.score).in_(("real", "integer"))
    if cell is not None:
        scored &= (Result.domain == cell[0]) & (Result.level == cell[1])
    with plain_errors(reader.path):
        if not reader.database.fetch(Result.select(Result.id).where(Result.run == run_id, lost).limit(1)):
            return []

    def number(condition: pw.Expression) -> pw.Function:
        return fn.sum(pw.Case(None, [(condition, 1)], 0))

    per_test = (
        Result.select(
            Result.domain, Result.level, fn.max(Result.weight).alias("w"), fn.count(Result.id).alias("n"),
            fn.sum(pw.Case(None, [(scored, Result.score)], 0.0)).alias("s"),
            number(lost).alias("c"),
            number(lost & Result.error_type.in_(tuple(CUT_OFF))).alias("cut"),
            number(lost & Result.error_type.in_(tuple(MAY_NEED_TOKENS))).alias("t"),
            number(scored & (Result.status == "passed")).alias("won"),
            number(scored & (Result.status == "failed")).alias("missed"),
            fn.max(Result.pass_needed).alias("needed"), fn.max(Result.pass_of).alias("of"),
        )
        .where(Result.run == run_id, lost | scored)
        .group_by(Result.domain, Result.level, Result.source, Result.test_id)
    )  # fmt: skip
    test = per_test.alias("test")
    w, n, s, c, needed = test.c.w, test.c.n, test.c.s, test.c.c, test.c.needed
    certain = test.c.missed > test.c.of - needed
    undecided = needed.is_null(False) & (c == 0) & (test.c.won < needed) & ~certain
    worst = pw.Case(None, [(needed.is_null(), s / n), (test.c.won >= needed, 1.0)], 0.0)
    best = pw.Case(None, [(needed.is_null(), (s + c) / n), (certain, 0.0)], 1.0)
    sums = (fn.sum(w), fn.sum(w * worst), fn.sum(w * best), fn.sum(c), fn.sum(test.c.cut), fn.sum(test.c.t))
    query = pw.Select([test], [test.c.domain, test.c.level, *sums]).where(~undecided)
    with plain_errors(reader.path):
        found = reader.database.fetch(query.group_by(test.c.domain, test.c.level))
    return [_Cell(*row) for row in found if row[1] == whole_level(row[1]) and row[2]]


def open_samples(reader: Reader, run_id: int, source: str) -> dict[tuple[str, int], int]:
    """How many samples of a source lack a verdict for a reason that the model can cause, by (domain, level); only what occurs."""
    lost = (Result.status == "error") & Result.error_type.in_(tuple(MODEL_MAY_CAUSE))
    query = Result.select(Result.domain, Result.level, fn.count(Result.id)).where(
        Result.run == run_id, Result.source == source, lost
    )
    with plain_errors(reader.path):
        rows = reader.database.fetch(query.group_by(Result.domain, Result.level))
    return {(domain, level): number for domain, level, number in rows}


def outside(reader: Reader, run_id: int) -> int:
    """How many samples of a run lack a verdict for reasons that say nothing of the model: network, key, server, quota."""
    lost = (Result.status == "error") & Result.error_type.not_in(tuple(MODEL_MAY_CAUSE))
    query = Result.select(fn.count(Result.id)).where(Result.run == run_id, lost)
    with plain_errors(reader.path):
        return int(reader.database.fetch(query)[0][0])


def open_judgements(reader: Reader, run_id: int, evaluator_id: str) -> int:
    """How many answers of one evaluator lack a verdict for a reason that the model can cause."""
    lost = (Result.status == "error") & Result.error_type.in_(tuple(MODEL_MAY_CAUSE))
    query = Result.select(fn.count(Result.id)).where(Result.run == run_id, Result.evaluator_id == evaluator_id, lost)
    with plain_errors(reader.path):
        return int(reader.database.fetch(query)[0][0])


def cut_off(reader: Reader, run_id: int) -> Bounds | None:
    """The cut-off answers of a run alone, and the scores they leave it between; None where there are none."""
    return bounds(reader, run_id, CUT_OFF)


def with_bounds(reader: Reader, runs: Sequence[RunRow]) -> list[RunRow]:
    """The same runs, with bounds looked for where an older modex computed the score and did not store them."""
    return [_with_bounds(reader, run) for run in runs]


_MOST = 50_000
"""Samples of a run that is looked through for a list; `modex stat` stores the bounds of a larger one."""


def domain_ends(reader: Reader, run: RunRow) -> dict[str, Ends] | None:
    """Between which scores each domain of a run lies that lacks verdicts; None where too many samples would be looked through."""
    if run.bounds is None:
        return {}
    if run.total_tests > _MOST:
        return None
    return {name: found.ends for name, found in open_bounds(reader, run).domains.items()}


def _with_bounds(reader: Reader, run: RunRow) -> RunRow:
    if not run.error_tests or run.unsettled is not None or run.overall_score is None or run.total_tests > _MOST:
        return run
    found = bounds(reader, run.id)
    if found is None:
        return replace(run, unsettled=0)
    return replace(run, unsettled=found.number, bound_low=found.low, bound_high=found.high)
