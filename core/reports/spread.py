"""How what a run's answers took is spread: median, nine in ten, most, and how many took how much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from modex.core.store.reader import Reader
from modex.core.store.story import measured

BINS = 12


@dataclass(frozen=True, slots=True)
class Spread:
    """Of values above 0: seconds or USD a sample."""

    number: int
    median: float
    ninth: float
    """What nine in ten took at most."""
    most: float
    bins: tuple[int, ...]
    """How many lie in each of `BINS` steps from the least to the most, each step the same factor above the one before."""


def spread_of(values: Sequence[float]) -> Spread | None:
    """The spread of the values above 0; None where there are fewer than two."""
    found = sorted(value for value in values if value > 0)
    if len(found) < 2:
        return None
    low, high = math.log(found[0]), math.log(found[-1])
    bins = [0] * BINS
    for value in found:
        share = (math.log(value) - low) / (high - low) if high > low else 0.0
        bins[min(BINS - 1, int(share * BINS))] += 1
    last = len(found) - 1
    return Spread(len(found), found[last // 2], found[math.ceil(0.9 * last)], found[-1], tuple(bins))


def spreads_of(reader: Reader, run_id: int) -> tuple[Spread | None, Spread | None]:
    """How long the answers of a run took, in seconds, and what they cost, in USD."""
    rows = measured(reader, run_id)
    return spread_of([(ms or 0) / 1000 for ms, _ in rows]), spread_of([usd or 0.0 for _, usd in rows])
