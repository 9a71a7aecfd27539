"""Repeating a seeded draw through the product's own functions, and how often a promise was kept."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from modex.core.statistics.moments import Cell, Moments

SEED = 2026
Cells = dict[Cell, Moments]
Rate = Callable[[random.Random, int], float]


@dataclass(frozen=True, slots=True)
class Promise:
    """One row of a table: how often something happened in so many draws, and between what it was to lie."""

    name: str
    share: float
    low: float = 0.0
    high: float = 1.0
    more: tuple[str, ...] = ()
    """Further columns."""

    @property
    def kept(self) -> bool:
        """Whether it lies there."""
        return self.low <= self.share <= self.high

    def row(self) -> list[str]:
        """The row of a Markdown table."""
        wanted = f"{self.low:.3g} to {self.high:.3g}" if self.low and self.high < 1 else f"≥ {self.low:.3g}"
        if not self.low:
            wanted = f"≤ {self.high:.3g}"
        return [self.name, f"{self.share:.3f}", wanted, *self.more, "" if self.kept else "**missed**"]


def repeated(name: str, times: int, happens: Callable[[random.Random], bool]) -> float:
    """The share of `times` seeded draws in which it happens; the name is part of the seed."""
    draw = random.Random(f"{SEED} {name}")
    return sum(happens(draw) for _ in range(times)) / times


def cell_of(level: int, scores: Sequence[float], weights: Sequence[float] | None = None) -> Moments:
    """A cell with these tests."""
    moments = Moments(level)
    for number, score in enumerate(scores):
        moments.add(score, weights[number] if weights else 1.0)
    return moments


def verdict(draw: random.Random, rate: float) -> float:
    """Right or wrong."""
    return float(draw.random() < rate)


def harder(draw: random.Random, level: int) -> float:
    """A domain's pass rate at a level: about .9 at level 1 and .3 at level 5."""
    return min(0.98, max(0.02, 1.05 - 0.15 * level + draw.gauss(0, 0.15)))
