"""How many samples passed, test by test, as the sums that intervals of pass rates are made of."""

from __future__ import annotations

import peewee as pw
from peewee import fn

from core.statistics.moments import Cell, Moments
from core.store.reader import Reader
from core.store.rows import whole_level
from core.store.tables import IndividualTestResult as Result
from core.store.words import plain_errors


def pass_moments(reader: Reader, run_id: int, source: str) -> dict[Cell, Moments]:
    """The source's scored samples by cell: a unit is a test (or cluster), its weight the epochs scored, x those passed."""
    passed = pw.Case(None, [(Result.status == "passed", 1)], 0)
    alone = pw.Case(None, [(Result.cluster.is_null(), Result.test_id)])
    per_test = (
        Result.select(Result.domain, Result.level, fn.count(Result.id).alias("n"), fn.sum(passed).alias("p"))
        .where(Result.run == run_id, Result.source == source, Result.status.in_(("passed", "failed")))
        .group_by(Result.domain, Result.level, Result.cluster, alone)
    )
    test = per_test.alias("test")
    n, p = test.c.n, test.c.p
    sums = (fn.count(n), fn.sum(n), fn.sum(p), fn.sum(n * n), fn.sum(n * p), fn.sum(p * p))
    query = pw.Select([test], [test.c.domain, test.c.level, *sums]).group_by(test.c.domain, test.c.level)
    with plain_errors(reader.path):
        rows = reader.database.fetch(query)
    return {
        (domain, level): Moments(level, *numbers) for domain, level, *numbers in rows if level == whole_level(level)
    }
