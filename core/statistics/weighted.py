"""Level scores and Weighted Scores: harder levels count by their number."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul

Cell = tuple[str, int]
"""(domain, level)"""


@dataclass(frozen=True, slots=True)
class ScoredTest:
    """One test with its epochs' scores; errors and unfinished epochs are not in `scores`."""

    domain: str
    level: int
    weight: float
    scores: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The epoch average."""
        return sum(self.scores) / len(self.scores)


@dataclass(slots=True)
class CellScores:
    """One cell's scored tests as two numbers each, so that a million tests fit into 16 MB."""

    level: int
    means: array[float] = field(default_factory=lambda: array("d"))
    """Each test's epoch average."""
    weights: array[float] = field(default_factory=lambda: array("d"))

    def add(self, mean: float, weight: float) -> None:
        """Count a test; one without weight counts nothing."""
        if weight > 0:
            self.means.append(mean)
            self.weights.append(weight)

    @property
    def score(self) -> float | None:
        """The level score: see `level_score`."""
        if not self.means:
            return None
        total: float = sum(map(mul, self.means, self.weights))
        return total / sum(self.weights)


def level_score(tests: Iterable[ScoredTest]) -> float | None:
    """Σ(weight·score) / Σ(weight) over the tests that have a score; None where none has."""
    total = weight = 0.0
    for test in tests:
        if test.scores and test.weight > 0:
            total += test.weight * test.mean
            weight += test.weight
    return total / weight if weight else None


def weighted_score(levels: Mapping[Cell, float | None] | Mapping[int, float | None]) -> float | None:
    """Σ(level_score × level) / Σ(level) over the cells that have a score; None where none has.

    Keys are levels, or (domain, level) cells for the overall score.
    """
    total = weight = 0.0
    for key, score in levels.items():
        if score is None:
            continue
        level = key[1] if isinstance(key, tuple) else key
        total += score * level
        weight += level
    return total / weight if weight else None


def by_cell(tests: Sequence[ScoredTest]) -> dict[Cell, list[ScoredTest]]:
    """The tests grouped by (domain, level), in order of first appearance."""
    cells: dict[Cell, list[ScoredTest]] = {}
    for test in tests:
        cells.setdefault((test.domain, test.level), []).append(test)
    return cells


def overall_score(tests: Sequence[ScoredTest]) -> float | None:
    """The Weighted Score over every (domain, level) cell."""
    return weighted_score({cell: level_score(members) for cell, members in by_cell(tests).items()})
