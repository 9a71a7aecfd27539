"""What is drawn when tests are: a test with all its epochs, or a whole cluster with all its tests wherever they stand.

Cells count a cluster as one unit each (`moments`). A cluster with tests in several cells is one unit all the same: here its
parts are taken out of the cells and put together again, for intervals, differences, the gate and pooled rates alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from modex.core.statistics.distributions import Z
from modex.core.statistics.moments import Cell, Moments, Shared, within

LEAST_UNITS = 5
"""Fewer units decide nothing: five pairs that all went one way have an exact two-sided p-value of .0625."""


@dataclass(slots=True)
class ScoredCell:
    """One scored cell as its part of the Weighted Score."""

    rate: float
    size: float
    """Kish's effective number of its units."""
    share: float
    """Its part in the Weighted Score; all shares add up to 1."""
    spread: float
    """The variance of the units that stand here alone around `rate`, times `alone`."""
    alone: float = 1.0
    """The part of Σw² that belongs to units that stand in no other cell."""
    units: float = 0.0
    """How many those are."""


@dataclass(frozen=True, slots=True)
class Spanning:
    """A cluster with tests in several cells: its weight in the Weighted Score by cell, and its mean there."""

    parts: tuple[tuple[Cell, float, float], ...]

    @property
    def weight(self) -> float:
        """In the Weighted Score, over all its cells."""
        return math.fsum(weight for _, weight, _ in self.parts)


@dataclass(frozen=True, slots=True)
class Units:
    """Everything that was drawn, in so far as a Weighted Score depends on it."""

    rows: dict[Cell, ScoredCell]
    spanning: list[Spanning]
    number: int
    """Independent units: tests, and clusters."""

    @property
    def effective(self) -> float:
        """How many units of equal weight would leave the same doubt."""
        alone = math.fsum(row.share * row.share * row.alone / row.size for row in self.rows.values())
        return 1 / (alone + math.fsum(one.weight**2 for one in self.spanning))


def units_of(cells: Mapping[Cell, Moments], shared: Iterable[Shared] = ()) -> Units:
    """The units of the cells with a score; `shared` are the clusters that stand in several cells."""
    scored = {cell: moments for cell, moments in cells.items() if moments.w > 0}
    total = number = 0
    for moments in scored.values():
        total += moments.level
        number += moments.units
    rows = {}
    for cell, moments in scored.items():  # `size` and `spread` written out: half of an interval's time is spent here
        w, w2 = moments.w, moments.w2
        rate = moments.wx / w
        spread = max(0.0, moments.w2x2 - 2 * rate * moments.w2x + rate * rate * w2) / w2
        rows[cell] = ScoredCell(rate, w * w / w2, moments.level / total, spread, 1.0, moments.units)
    spanning = []
    for held in within(shared, scored):
        number -= len(held) - 1
        parts = []
        for cell, (weight, weighted) in held.items():
            moments, row = scored[cell], rows[cell]
            mean = weighted / weight
            part = weight * weight / moments.w2
            row.alone -= part
            row.spread -= part * (mean - row.rate) ** 2
            row.units -= 1
            parts.append((cell, row.share * weight / moments.w, mean))
        spanning.append(Spanning(tuple(parts)))
    if spanning:
        for row in rows.values():  # what is left of differences of large numbers
            if row.units < 1:
                row.alone = row.units = row.spread = 0.0
            row.alone, row.spread = max(0.0, row.alone), max(0.0, row.spread)
    return Units(rows, spanning, number)


def worst_unseen(units: Units, log_chance: float = Z * Z) -> float:
    """How far the score may truly lie below one of which no unit lost anything, by units that are lost in other draws.

    The largest Σ weight·p over units lost with chance p, of which none is seen with a chance of e^−`log_chance` at least.
    """
    found = [(one.weight, 1.0) for one in units.spanning]
    for row in units.rows.values():
        if row.alone > 0:
            count = max(1.0, min(row.units, row.size * row.alone))
            found.append((row.share * math.sqrt(row.alone / row.size / count), count))
    found.sort(reverse=True)
    number = logs = weights = 0.0
    limit = 0.0
    for place, (weight, count) in enumerate(found):
        number += count
        logs += count * math.log(weight)
        weights += count * weight
        limit = math.exp((logs - log_chance) / number)
        if place + 1 == len(found) or found[place + 1][0] <= limit:
            break
    return min(1.0, weights - number * limit)


def pooled(cells: Mapping[Cell, Moments], shared: Iterable[Shared] = ()) -> Moments:
    """All cells as one in which every test counts by its weight, whatever its level; a cluster is one unit of it."""
    whole = Moments(1)
    for moments in cells.values():
        whole.include(moments)
    for held in within(shared, cells):
        for weight, weighted in held.values():
            whole.add(weighted / weight, weight, -1)
        weight = math.fsum(weight for weight, _ in held.values())
        whole.add(math.fsum(weighted for _, weighted in held.values()) / weight, weight)
    return whole
