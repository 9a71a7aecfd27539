"""How many samples passed, test by test, as the sums that intervals of pass rates are made of."""

from __future__ import annotations

import peewee as pw
from peewee import fn

from modex.core.statistics.moments import Cell, Moments, Shared, add_cluster
from modex.core.store.reader import Reader
from modex.core.store.rows import whole_level
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors


def pass_moments(reader: Reader, run_id: int, source: str) -> tuple[dict[Cell, Moments], list[Shared]]:
    """The source's scored samples by cell, and its clusters that stand in several.

    A unit is a test (or cluster), its weight the epochs scored, x the share of those that passed.
    """
    passed = pw.Case(None, [(Result.status == "passed", 1)], 0)
    scored = Result.select().where(
        Result.run == run_id, Result.source == source, Result.status.in_(("passed", "failed"))
    )
    cell = (Result.domain, Result.level)
    counts = (fn.count(Result.id).alias("n"), fn.sum(passed).alias("p"))
    per_test = scored.select(*cell, *counts).where(Result.cluster.is_null()).group_by(*cell, Result.test_id)
    per_cluster = scored.select(*cell, Result.cluster, *counts).where(Result.cluster.is_null(False))
    test = per_test.alias("test")
    n, p = test.c.n, test.c.p
    sums = (fn.count(n), fn.sum(n), fn.sum(p), fn.sum(n * n), fn.sum(n * p), fn.sum(p * p))
    query = pw.Select([test], [test.c.domain, test.c.level, *sums]).group_by(test.c.domain, test.c.level)
    with plain_errors(reader.path):
        rows = reader.database.fetch(query)
        clustered = reader.database.fetch(per_cluster.group_by(*cell, Result.cluster))
    cells = {
        (domain, level): Moments(level, *numbers) for domain, level, *numbers in rows if level == whole_level(level)
    }
    clusters: dict[str, dict[Cell, tuple[float, float]]] = {}
    for domain, level, cluster, number, won in clustered:
        if level == whole_level(level):
            clusters.setdefault(cluster, {})[domain, level] = number, won
    for held in clusters.values():
        add_cluster(cells, held)
    return cells, [held for held in clusters.values() if len(held) > 1]
