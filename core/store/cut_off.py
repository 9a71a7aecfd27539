"""Answers that were cut off, and between which scores they leave a run: all of them wrong, all of them right."""

from __future__ import annotations

from dataclasses import dataclass

import peewee as pw
from peewee import fn

from core.errors import CUT_OFF, MAY_NEED_TOKENS
from core.statistics.weighted import weighted_score
from core.store.reader import Reader
from core.store.rows import whole_level
from core.store.tables import IndividualTestResult as Result
from core.store.words import plain_errors


@dataclass(frozen=True, slots=True)
class CutOff:
    """A run's cut-off answers."""

    number: int
    low: float
    """The Weighted Score if all of them were wrong."""
    high: float
    """If all were right."""
    may_need_tokens: int
    """How many of them ended where more tokens may help."""


def cut_off(reader: Reader, run_id: int) -> CutOff | None:
    """The cut-off answers of a run and the scores they leave it between; None where there are none."""
    cut = (Result.status == "error") & Result.error_type.in_(sorted(CUT_OFF))
    scored = Result.status.in_(("passed", "failed")) & fn.typeof(Result.score).in_(("real", "integer"))
    with plain_errors(reader.path):
        if not reader.database.fetch(Result.select(Result.id).where(Result.run == run_id, cut).limit(1)):
            return None
    per_test = (
        Result.select(
            Result.domain, Result.level, fn.max(Result.weight).alias("w"), fn.count(Result.id).alias("n"),
            fn.sum(pw.Case(None, [(scored, Result.score)], 0.0)).alias("s"),
            fn.sum(pw.Case(None, [(cut, 1)], 0)).alias("c"),
            fn.sum(pw.Case(None, [(cut & Result.error_type.in_(sorted(MAY_NEED_TOKENS)), 1)], 0)).alias("t"),
        )
        .where(Result.run == run_id, cut | scored)
        .group_by(Result.domain, Result.level, Result.source, Result.test_id)
    )  # fmt: skip
    test = per_test.alias("test")
    w, n, s, c = test.c.w, test.c.n, test.c.s, test.c.c
    sums = (fn.sum(w), fn.sum(w * s / n), fn.sum(w * (s + c) / n), fn.sum(c), fn.sum(test.c.t))
    query = pw.Select([test], [test.c.domain, test.c.level, *sums]).group_by(test.c.domain, test.c.level)
    with plain_errors(reader.path):
        rows = [row for row in reader.database.fetch(query) if row[1] == whole_level(row[1]) and row[2]]
    low = weighted_score({(domain, level): worst / weight for domain, level, weight, worst, *_ in rows})
    high = weighted_score({(domain, level): best / weight for domain, level, weight, _, best, *_ in rows})
    if low is None or high is None:
        return None
    return CutOff(sum(row[5] for row in rows), low, high, sum(row[6] for row in rows))
