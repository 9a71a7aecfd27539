"""One cell's scores as a few sums: all that intervals and comparisons need, whoever adds them up (SQL or Python)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

Cell = tuple[str, int]
"""(domain, level)"""


@dataclass(slots=True)
class Moments:
    """Sums over a cell's units, of weight w and mean x. A unit is a test, or the tests of one cluster together."""

    level: int
    units: int = 0
    w: float = 0.0
    wx: float = 0.0
    w2: float = 0.0
    w2x: float = 0.0
    w2x2: float = 0.0
    w2a: float = 0.0
    """Σw²·|x|: how large the differences are that `w2x2` is made of. What reads scores from a database leaves it out."""

    def add(self, mean: float, weight: float = 1.0, number: int = 1) -> None:
        """Count a unit, or a `number` of equal ones; one without weight counts nothing."""
        if weight > 0:
            self.units += number
            self.w += number * weight
            self.wx += number * weight * mean
            self.w2 += number * weight * weight
            self.w2x += number * weight * weight * mean
            self.w2x2 += number * weight * weight * mean * mean
            self.w2a += number * weight * weight * abs(mean)

    def include(self, other: Moments) -> None:
        """Count another cell's units as units of this one."""
        self.units += other.units
        self.w += other.w
        self.wx += other.wx
        self.w2 += other.w2
        self.w2x += other.w2x
        self.w2x2 += other.w2x2
        self.w2a += other.w2a

    @property
    def score(self) -> float | None:
        """Σ(weight·score) / Σ(weight); None where nothing is scored."""
        return self.wx / self.w if self.w else None

    @property
    def size(self) -> float:
        """Kish's effective number of units: their number where all weigh the same."""
        return self.w * self.w / self.w2

    @property
    def spread(self) -> float:
        """The units' weighted variance around the score, with the effective number as divisor."""
        score = self.wx / self.w
        return max(0.0, self.w2x2 - 2 * score * self.w2x + score * score * self.w2) / self.w2

    def rescaled(self, factor: float, shift: float) -> Moments:
        """The same units with `factor`·x + `shift` in place of x, without `w2a`."""
        return Moments(
            self.level,
            self.units,
            self.w,
            factor * self.wx + shift * self.w,
            self.w2,
            factor * self.w2x + shift * self.w2,
            factor**2 * self.w2x2 + 2 * factor * shift * self.w2x + shift**2 * self.w2,
        )


Shared = Mapping[Cell, tuple[float, float]]
"""A cluster with tests in several cells: its Σw and Σw·x in each."""


@dataclass(slots=True)
class Gathered:
    """Tests gathered into cells; those of one cluster become one unit of each cell they stand in."""

    cells: dict[Cell, Moments] = field(default_factory=dict)
    _clusters: dict[object, dict[Cell, tuple[float, float]]] = field(default_factory=dict)

    def add(self, cell: Cell, mean: float, weight: float, cluster: object = None, number: int = 1) -> None:
        """Count a test; `cluster` is anything hashable that the tests of one cluster have in common.

        A `number` of tests that count the same and are in no cluster are counted at once.
        """
        if weight <= 0:
            return
        found = self.cells.get(cell)
        if found is None:
            found = self.cells[cell] = Moments(cell[1])
        if cluster is None:
            found.add(mean, weight, number)
        else:
            held = self._clusters.setdefault(cluster, {})
            before = held.get(cell, (0.0, 0.0))
            held[cell] = before[0] + weight, before[1] + weight * mean

    def include(self, other: Gathered) -> None:
        """Count the tests of another gathering too; a cluster with tests in both stays one unit of each cell."""
        for cell, sums in other.cells.items():
            self.cells.setdefault(cell, Moments(cell[1])).include(sums)
        for cluster, theirs in other._clusters.items():
            held = self._clusters.setdefault(cluster, {})
            for cell, (weight, weighted) in theirs.items():
                before = held.get(cell, (0.0, 0.0))
                held[cell] = before[0] + weight, before[1] + weighted

    @property
    def empty(self) -> bool:
        """Whether nothing was counted."""
        return not self.cells and not self._clusters

    def settled(self) -> tuple[dict[Cell, Moments], list[Shared]]:
        """The cells with every cluster counted, and the clusters that stand in several cells. Call it once, at the end."""
        for held in self._clusters.values():
            add_cluster(self.cells, held)
        return self.cells, [held for held in self._clusters.values() if len(held) > 1]


def add_cluster(cells: dict[Cell, Moments], held: Shared) -> None:
    """Count one cluster as a unit of each of its cells."""
    for cell, (weight, weighted) in held.items():
        cells.setdefault(cell, Moments(cell[1])).add(weighted / weight, weight)


def within(shared: Iterable[Shared], cells: Mapping[Cell, Moments]) -> Iterator[Shared]:
    """The clusters' parts that stand in `cells`, where they still stand in several."""
    for held in shared:
        part = {cell: sums for cell, sums in held.items() if cell in cells}
        if len(part) > 1:
            yield part
