"""A run's matrix as numbers: counts and weighted sums of every cell, cheap enough to ask several times a second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import peewee as pw
from peewee import fn

from modex.core.statistics.moments import Cell, Moments, Shared, add_cluster
from modex.core.store.exact import decode_text
from modex.core.store.rows import known_status, whole_level
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors

if TYPE_CHECKING:
    from modex.core.store.connection import Database
    from modex.core.store.reader import Reader


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
    units: int = 0
    """Its scored tests, and clusters of tests."""

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
    def moments(self) -> Moments:
        """The sums as statistics take them."""
        return Moments(self.level, self.units, self.w, self.wx, self.w2, self.w2x, self.w2x2)


_SCORED = ("passed", "failed")
_IS_SCORED = (
    Result.status.in_(_SCORED)
    & fn.typeof(Result.score).in_(("real", "integer"))
    & fn.typeof(Result.weight).in_(("real", "integer"))
    & (Result.weight > 0)
)


_NEEDED, _OF = fn.max(Result.pass_needed), fn.max(Result.pass_of)
_PASSES = fn.sum(pw.Case(None, [(Result.status == "passed", 1)], 0))
_SCORE: Any = pw.Case(
    None,
    [
        (_NEEDED.is_null(), fn.avg(Result.score)),
        (_PASSES >= _NEEDED, 1.0),
        (fn.count(Result.id) - _PASSES > _OF - _NEEDED, 0.0),
    ],
)
"""A test's score from its scored epochs, as `modex.core.statistics.k_of_n.score_of_epochs` has it."""


def most_epochs(reader: Reader, run_id: int) -> int:
    """The most epochs that a test with k of n may be asked; 1 without such a test."""
    query = Result.select(fn.max(Result.pass_of)).where(Result.run == run_id, Result.pass_of.is_null(False))
    with plain_errors(reader.path):
        return reader.database.fetch(query)[0][0] or 1


def standing(database: Database, run_id: int) -> dict[tuple[str, str, int, str], tuple[int, int]]:
    """How many epochs passed and failed so far, by test, of those with k of n."""
    passed = _PASSES
    query = (
        Result.select(Result.source, Result.domain, Result.level, Result.test_id, passed, fn.count(Result.id) - passed)
        .where(Result.run == run_id, Result.pass_of.is_null(False), Result.status.in_(("passed", "failed")))
        .group_by(Result.source, Result.domain, Result.level, Result.test_id)
    )
    with plain_errors(database.path):
        rows = database.fetch(query)
    return {
        (source, domain, level, decode_text(test_id)): (won, lost) for source, domain, level, test_id, won, lost in rows
    }


def tallies(
    reader: Reader, run_id: int, *, epochs: int = 1, clusters: Sequence[Shared] | None = None
) -> list[CellTally]:
    """Every cell of the run. With `epochs` above 1 a test counts once, with the average of its scored epochs.

    `clusters` are those of the run (`clusters_of`), asked for here where they are not given: each is one unit of its cells.
    """
    if clusters is None:
        clusters = clusters_of(reader, run_id)
    if not clusters and epochs <= 1 and most_epochs(reader, run_id) == 1:
        return _in_one_scan(reader, run_id)
    cell = (Result.domain, Result.level, Result.status)
    counting = Result.select(*cell, fn.count(Result.id)).where(Result.run == run_id).group_by(*cell)
    counted_alone = _IS_SCORED & Result.cluster.is_null() if clusters else _IS_SCORED
    tests = Result.select(Result.domain, Result.level, Result.weight.alias("w"), Result.score.alias("x"))
    if epochs > 1 or most_epochs(reader, run_id) > 1:
        mean = (fn.max(Result.weight).alias("w"), _SCORE.alias("x"))
        tests = Result.select(Result.domain, Result.level, *mean)
        tests = tests.group_by(Result.domain, Result.level, Result.source, Result.test_id).having(_SCORE.is_null(False))
    test = tests.where(Result.run == run_id, counted_alone).alias("test")
    w, x = test.c.w, test.c.x
    sums = (fn.sum(w), fn.sum(w * x), fn.sum(w * w), fn.sum(w * w * x), fn.sum(w * w * x * x), fn.count(x))
    summing = pw.Select([test], [test.c.domain, test.c.level, *sums]).group_by(test.c.domain, test.c.level)
    with plain_errors(reader.path):
        counted = reader.database.fetch(counting)
        summed = reader.database.fetch(summing)
    counts: dict[tuple[str, int], Counter[str]] = {}
    for domain, level, status, count in counted:
        counts.setdefault((domain, whole_level(level)), Counter())[known_status(status)] += count
    found: dict[Cell, Moments] = {}
    for domain, level, w_sum, *rest in summed:
        if level == whole_level(level):
            wx, w2, w2x, w2x2, units = rest
            found[domain, level] = Moments(level, units, w_sum, wx, w2, w2x, w2x2)
    for held in clusters:
        add_cluster(found, held)
    return [_tally(cell, by_status, found.get(cell, Moments(cell[1]))) for cell, by_status in counts.items()]


_LARGE = 50_000
"""Samples from which on groups are looked up one by one before all of their rows are gone through."""
_GROUPS = """
WITH RECURSIVE place(id, domain, level, status) AS (
  SELECT id, domain, level, status FROM individual_test_results WHERE id = (
    SELECT id FROM individual_test_results
    WHERE run_id = ? ORDER BY domain, level, status, score, weight, id LIMIT 1
  )
  UNION ALL
  SELECT following.id, following.domain, following.level, following.status
  FROM place JOIN individual_test_results AS following ON following.id = coalesce(
    (SELECT id FROM individual_test_results
     WHERE run_id = ? AND domain = place.domain AND level = place.level AND status > place.status
     ORDER BY status, score, weight, id LIMIT 1),
    (SELECT id FROM individual_test_results
     WHERE run_id = ? AND domain = place.domain AND level > place.level ORDER BY level, status, score, weight, id LIMIT 1),
    (SELECT id FROM individual_test_results
     WHERE run_id = ? AND domain > place.domain ORDER BY domain, level, status, score, weight, id LIMIT 1)
  )
)
SELECT one.domain, one.level, one.status, one.score, one.weight, last.score, last.weight, one.id, (
  SELECT count(*) FROM individual_test_results
  WHERE run_id = ? AND domain = one.domain AND level = one.level AND status = one.status
)
FROM place JOIN individual_test_results AS one ON one.id = place.id JOIN individual_test_results AS last ON last.id = (
  SELECT id FROM individual_test_results
  WHERE run_id = ? AND domain = one.domain AND level = one.level AND status = one.status
  ORDER BY score DESC, weight DESC, id DESC LIMIT 1
)
"""
"""The first and the last row of each cell and status, and how many there are: an index is entered a few times for each, and
its rows are counted without a look at them. In SQL, as a walk along an index takes a statement that goes back to itself;
a million samples take 0.03 s, and 0.15 s where each row is grouped."""


class _Group(NamedTuple):
    """A cell's samples with one status."""

    domain: str
    level: Any
    status: str
    score: Any
    weight: Any
    last_score: Any
    last_weight: Any
    first_id: int
    number: int

    @property
    def alike(self) -> bool:
        """Whether all have the same score and weight: the first has the least, and the last the greatest."""
        return (self.score, self.weight) == (self.last_score, self.last_weight)

    @property
    def sums(self) -> tuple[Any, ...]:
        """What `_in_one_scan` sums up of samples that are alike."""
        n, w, x = self.number, self.weight, self.score
        numbers = isinstance(w, int | float) and isinstance(x, int | float)
        if self.status not in _SCORED or not numbers or w <= 0:
            return (None,) * 6
        return n * w, n * w * x, n * w * w, n * w * w * x, n * w * w * x * x, n


def _groups(reader: Reader, run_id: int) -> list[_Group] | None:
    """The samples of a large run by cell and status; None for a small one, of which all rows are sooner gone through."""
    beyond = Result.select(Result.id).where(Result.run == run_id).offset(_LARGE).limit(1)
    with plain_errors(reader.path):
        if not reader.database.fetch(beyond):
            return None
        return [_Group(*row) for row in reader.database.rows(_GROUPS, [run_id] * 6)]


def _rows_of(groups: list[_Group] | None) -> list[tuple[Any, ...]] | None:
    """What `_in_one_scan` asks for, from groups of samples that are alike; None where some differ."""
    if groups is None or not all(group.alike for group in groups if group.status in _SCORED):
        return None
    return [(group.domain, group.level, group.status, group.number, *group.sums) for group in groups]


def _in_one_scan(reader: Reader, run_id: int) -> list[CellTally]:
    """Every cell where each sample is a test of its own: an index holds all of it in the order of the groups."""
    alike = (Result.domain, Result.level, Result.status, Result.score, Result.weight)
    scored = pw.Case(None, [(_IS_SCORED, 1)], 0).alias("scored")
    group = (
        Result.select(*alike, scored, fn.count(Result.id).alias("n"))
        .where(Result.run == run_id)
        .group_by(*alike)
        .alias("alike")
    )
    n, w, x, cell = group.c.n, group.c.weight, group.c.score, (group.c.domain, group.c.level, group.c.status)
    each = (n * w, n * w * x, n * w * w, n * w * w * x, n * w * w * x * x, n)
    sums = [fn.sum(pw.Case(None, [(group.c.scored == 1, value)])) for value in each]
    rows = _rows_of(_groups(reader, run_id))
    if rows is None:
        with plain_errors(reader.path):
            rows = reader.database.fetch(pw.Select([group], [*cell, fn.sum(n), *sums]).group_by(*cell))
    counts: dict[Cell, Counter[str]] = {}
    found: dict[Cell, Moments] = {}
    for domain, stored, status, count, w_sum, wx, w2, w2x, w2x2, units in rows:
        level = whole_level(stored)
        counts.setdefault((domain, level), Counter())[known_status(status)] += count
        if units and stored == level:
            found.setdefault((domain, level), Moments(level)).include(Moments(level, units, w_sum, wx, w2, w2x, w2x2))
    return [_tally(cell, by_status, found.get(cell, Moments(cell[1]))) for cell, by_status in counts.items()]


def _tally(cell: Cell, by_status: Counter[str], sums: Moments) -> CellTally:
    return CellTally(
        cell[0],
        cell[1],
        **by_status,
        **{name: getattr(sums, name) for name in ("w", "wx", "w2", "w2x", "w2x2", "units")},
    )


def clusters_of(reader: Reader, run_id: int) -> list[Shared]:
    """Every cluster of the run: its Σ(weight) and Σ(weight·score) in each cell, a test's scored epochs averaged first."""
    per_test = (
        Result.select(
            Result.source, Result.cluster, Result.domain, Result.level, fn.max(Result.weight).alias("w"),
            _SCORE.alias("x"),
        )
        .where(Result.run == run_id, pw.Expression(Result.cluster, ">", pw.SQL("''")), _IS_SCORED)
        .group_by(Result.source, Result.cluster, Result.domain, Result.level, Result.test_id)
        .having(_SCORE.is_null(False))
    )  # fmt: skip
    test = per_test.alias("test")
    key = (test.c.source, test.c.cluster, test.c.domain, test.c.level)
    query = pw.Select([test], [*key, fn.sum(test.c.w), fn.sum(test.c.w * test.c.x)]).group_by(*key)
    found: dict[tuple[str, str], dict[Cell, tuple[float, float]]] = {}
    with plain_errors(reader.path):
        for source, cluster, domain, level, weight, weighted in reader.database.fetch(query):
            if level == whole_level(level):
                found.setdefault((source, cluster), {})[domain, level] = weight, weighted
    return list(found.values())


def domain_order(reader: Reader, run_id: int) -> list[str]:
    """The run's domains in planning order."""
    groups = _groups(reader, run_id)
    if groups is not None and all(group.alike for group in groups):  # the first in the index is then the first by id
        first: dict[str, int] = {}
        for group in groups:
            first[group.domain] = min(group.first_id, first.get(group.domain, group.first_id))
        return sorted(first, key=lambda domain: first[domain])
    query = Result.select(Result.domain).where(Result.run == run_id).group_by(Result.domain)
    with plain_errors(reader.path):
        # By the rows' ids, which grow with their positions: an index holds them beside the domain, and no row is read.
        return [row[0] for row in reader.database.fetch(query.order_by(fn.min(Result.id)))]


def cell_statuses(
    reader: Reader, run_id: int, cells: Collection[tuple[str, int]]
) -> dict[tuple[str, int], dict[int, tuple[str, str]]]:
    """The status of every sample of these cells, and what names its test, by its position, in planning order."""
    found: dict[tuple[str, int], dict[int, tuple[str, str]]] = {cell: {} for cell in cells}
    by_domain: dict[str, set[int]] = {}
    for domain, level in cells:
        by_domain.setdefault(domain, set()).add(level)
    with plain_errors(reader.path):
        for domain, levels in by_domain.items():
            query = Result.select(Result.level, Result.position, Result.status, Result.source, Result.test_id)
            query = query.where(Result.run == run_id, Result.domain == domain, Result.level.in_(sorted(levels)))
            for level, position, status, source, test in reader.database.fetch(query.order_by(Result.position)):
                found[domain, level][position] = known_status(status), f"{source}/{test}"
    return found


def data_version(reader: Reader) -> int:
    """A number that differs from the last one on the same thread where another connection changed the database."""
    with plain_errors(reader.path):
        return int(reader.database.rows("PRAGMA data_version")[0][0])
