"""Samples without a verdict for a reason that the model can cause, and between which scores they leave a run.

All of them wrong is one end, all of them right the other. Errors of the network, the key or the server bound nothing: they say
nothing of the model (`core.errors.MODEL_MAY_CAUSE` is the one list).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import peewee as pw
from peewee import fn

from core.errors import CUT_OFF, MAY_NEED_TOKENS, MODEL_MAY_CAUSE
from core.statistics.weighted import weighted_score
from core.store.reader import Reader
from core.store.rows import RunRow, whole_level
from core.store.tables import IndividualTestResult as Result
from core.store.words import plain_errors


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


def bounds(
    reader: Reader, run_id: int, kinds: Collection[str] = MODEL_MAY_CAUSE, cell: tuple[str, int] | None = None
) -> Bounds | None:
    """The samples of a run whose error is one of `kinds`, and the scores they leave it between; None where there are none.

    With a `cell` (domain, level) those of this cell alone.
    """
    lost = (Result.status == "error") & Result.error_type.in_(sorted(kinds))
    if cell is not None:
        lost &= (Result.domain == cell[0]) & (Result.level == cell[1])
    scored = Result.status.in_(("passed", "failed")) & fn.typeof(Result.score).in_(("real", "integer"))
    if cell is not None:
        scored &= (Result.domain == cell[0]) & (Result.level == cell[1])
    with plain_errors(reader.path):
        if not reader.database.fetch(Result.select(Result.id).where(Result.run == run_id, lost).limit(1)):
            return None

    def number(condition: pw.Expression) -> pw.Function:
        return fn.sum(pw.Case(None, [(condition, 1)], 0))

    per_test = (
        Result.select(
            Result.domain, Result.level, fn.max(Result.weight).alias("w"), fn.count(Result.id).alias("n"),
            fn.sum(pw.Case(None, [(scored, Result.score)], 0.0)).alias("s"),
            number(lost).alias("c"),
            number(lost & Result.error_type.in_(sorted(CUT_OFF))).alias("cut"),
            number(lost & Result.error_type.in_(sorted(MAY_NEED_TOKENS))).alias("t"),
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
    rows = [row for row in found if row[1] == whole_level(row[1]) and row[2]]
    low = weighted_score({(domain, level): worst / weight for domain, level, weight, worst, *_ in rows})
    high = weighted_score({(domain, level): best / weight for domain, level, weight, _, best, *_ in rows})
    if low is None or high is None:
        return None
    return Bounds(sum(row[5] for row in rows), low, high, sum(row[6] for row in rows), sum(row[7] for row in rows))


def cut_off(reader: Reader, run_id: int) -> Bounds | None:
    """The cut-off answers of a run alone, and the scores they leave it between; None where there are none."""
    return bounds(reader, run_id, CUT_OFF)


def with_bounds(reader: Reader, runs: Sequence[RunRow]) -> list[RunRow]:
    """The same runs, with bounds looked for where an older modex computed the score and did not store them."""
    return [_with_bounds(reader, run) for run in runs]


_MOST = 50_000
"""Samples of a run that is looked through for a list; `modex stat` stores the bounds of a larger one."""


def _with_bounds(reader: Reader, run: RunRow) -> RunRow:
    if not run.error_tests or run.unsettled is not None or run.overall_score is None or run.total_tests > _MOST:
        return run
    found = bounds(reader, run.id)
    if found is None:
        return replace(run, unsettled=0)
    return replace(run, unsettled=found.number, bound_low=found.low, bound_high=found.high)
