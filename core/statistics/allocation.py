"""Which sample decides most for a budget, and the interval to expect of it, before anything is asked.

Cells are strata, their weight in the Weighted Score is their level. The sample is Neyman's (J. R. Stat. Soc. 97, 1934) with
prices, n ∝ W·S/√price, in whole numbers and within what each cell has: one test after the other where it takes most variance
away for its price (T. Wright, Stat. Probab. Lett. 82, 2012). The interval is that of `score_interval`, averaged over answers
drawn at the rates that are expected.

How often it holds is simulated by `python -m benchmarks statistics`.

Neyman: https://doi.org/10.2307/2342192.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from modex.core.statistics.intervals import estimate, score_interval
from modex.core.statistics.moments import Cell, Gathered, Moments

Price = tuple[float, ...]
"""What a test takes of each budget, as a share of the whole."""
_LEAST = 2
"""Tests of a cell before any cell gets more: with one, nothing is seen of how its tests vary."""
_DRAWS = 60
_ROOM = 1 + 1e-9
_CHEAP = 1e-12
"""Least price that is divided by, where tests cost nothing."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected of a cell's tests."""

    rate: float = 0.5
    dispersion: float = 1.0
    """How much tests vary against right-or-wrong verdicts of this rate, 0 to 1."""

    @property
    def variance(self) -> float:
        """Of one test's score."""
        return self.dispersion * self.rate * (1 - self.rate)


def expected(earlier: Mapping[Cell, Moments], cells: Iterable[Cell]) -> dict[Cell, Expected]:
    """What earlier answers let expect of each cell, drawn towards their common score by two pseudo-tests.

    Without any, rate ½ and verdicts: the largest variance that there is.
    """
    known = estimate(earlier)
    if known is None:
        return {cell: Expected() for cell in cells}
    middle = (known.size * known.score + 1) / (known.size + 2)
    found = {}
    for cell in cells:
        moments = earlier.get(cell)
        rate = moments.score if moments is not None else None
        if moments is not None and rate is not None:
            rate = (moments.size * rate + 2 * middle) / (moments.size + 2)
        found[cell] = Expected(middle if rate is None else rate, known.dispersion)
    return found


def allocated(prices: Mapping[Cell, Sequence[Price]], what: Mapping[Cell, Expected]) -> dict[Cell, int]:
    """How many tests of each cell to ask; `prices` has its tests in the order in which they would be taken.

    Every cell gets one test, then, as far as the budgets go, a second; then the next is always the one that takes most
    variance from the Weighted Score for the mean price of its cell.

    Raises:
        ValueError: the budgets do not pay for one test in each cell.
    """
    spent = [0.0 for of in islice(prices.values(), 1) for _ in of[0]]
    counts = dict.fromkeys(prices, 0)

    def take(cell: Cell) -> bool:
        after = [have + price for have, price in zip(spent, prices[cell][counts[cell]], strict=True)]
        if any(budget > _ROOM for budget in after):
            return False
        spent[:] = after
        counts[cell] += 1
        return True

    weight = {cell: cell[1] * math.sqrt(what[cell].variance) for cell in prices}
    for least in range(1, _LEAST + 1):
        for cell in sorted(prices, key=lambda cell: (-weight[cell], cell)):
            if counts[cell] < min(least, len(prices[cell])) and not take(cell):
                if least == 1:
                    raise ValueError(f"they pay for {sum(counts.values())} tests, and there are {len(prices)} cells")
                return counts
    mean = {cell: max(_CHEAP, math.fsum(map(max, of)) / len(of)) for cell, of in prices.items()}

    def gain(cell: Cell) -> float:
        return weight[cell] ** 2 / (counts[cell] * (counts[cell] + 1) * mean[cell])

    waiting = [(-gain(cell), cell) for cell in prices if counts[cell] < len(prices[cell])]
    heapq.heapify(waiting)
    while waiting:
        _, cell = heapq.heappop(waiting)
        if not take(cell):
            break  # a cheaper test of another cell would make the sample one of cheap tests
        if counts[cell] < len(prices[cell]):
            heapq.heappush(waiting, (-gain(cell), cell))
    return counts


@dataclass(frozen=True, slots=True)
class Planned:
    """A test of a sample."""

    cell: Cell
    weight: float = 1.0
    cluster: object = None


def expected_interval(
    sample: Sequence[Planned], what: Mapping[Cell, Expected], seed: int
) -> tuple[float, float] | None:
    """The Weighted Score to expect and half the width of its interval; None for fewer than two units.

    Answers are drawn at the expected rates, by one luck for all tests of a cluster, with the variance that is expected.
    """
    draw = random.Random(f"{seed} interval")
    widths = []
    for _ in range(_DRAWS):
        gathered, of_clusters = Gathered(), dict[object, float]()
        for test in sample:
            luck = draw.random()
            if test.cluster is not None:
                luck = of_clusters.setdefault(test.cluster, luck)
            gathered.add(test.cell, _drawn(luck, what[test.cell]), test.weight, test.cluster)
        interval = score_interval(*gathered.settled())
        if interval is None:
            return None
        widths.append(interval[1] - interval[0])
    cells = {test.cell for test in sample}
    score = math.fsum(cell[1] * what[cell].rate for cell in cells) / sum(cell[1] for cell in cells)
    return score, math.fsum(widths) / len(widths) / 2


def _drawn(luck: float, what: Expected) -> float:
    """A score between 0 and 1 with this mean and variance, from a number drawn evenly between 0 and 1."""
    passed = float(luck < what.rate)
    return what.rate + math.sqrt(what.dispersion) * (passed - what.rate)
