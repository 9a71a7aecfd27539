"""Comparing two runs by the tests they share: exact McNemar, a paired bootstrap, Holm's correction."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

from core.statistics.intervals import RESAMPLES, Z95, Interval


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided exact p-value that the discordant pairs split evenly (Q. McNemar, Psychometrika 12, 1947)."""
    discordant = only_first + only_second
    if discordant == 0:
        return 1.0
    smaller = min(only_first, only_second)
    log_half = discordant * math.log(0.5)
    tail = math.fsum(
        math.exp(math.lgamma(discordant + 1) - math.lgamma(k + 1) - math.lgamma(discordant - k + 1) + log_half)
        for k in range(smaller + 1)
    )
    return min(1.0, 2 * tail)


def paired_difference(differences: Sequence[float], *, seed: int = 0) -> tuple[float, Interval | None]:
    """The mean of per-test differences (second − first) and its 95 % percentile bootstrap interval."""
    count = len(differences)
    if not count:
        return 0.0, None
    mean = math.fsum(differences) / count
    if count < 2:
        return mean, None
    if count > 5000:
        half = Z95 * math.sqrt(math.fsum((d - mean) ** 2 for d in differences) / (count - 1) / count)
        return mean, (mean - half, mean + half)
    rng = random.Random(seed)
    draws = sorted(math.fsum(rng.choices(differences, k=count)) / count for _ in range(RESAMPLES))
    return mean, (draws[int(0.025 * RESAMPLES)], draws[min(RESAMPLES - 1, int(0.975 * RESAMPLES))])


def smallest_detectable(differences: Sequence[float], *, power_z: float = 0.8416212335729143) -> float | None:
    """The smallest true mean difference that this many pairs would have shown (α = 5 %, power = 80 %)."""
    count = len(differences)
    if count < 2:
        return None
    mean = math.fsum(differences) / count
    deviation = math.sqrt(math.fsum((d - mean) ** 2 for d in differences) / (count - 1))
    return (Z95 + power_z) * deviation / math.sqrt(count)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """p-values adjusted for their number (S. Holm, Scand. J. Stat. 6, 1979), by the same keys."""
    ordered = sorted(p_values.items(), key=lambda item: item[1])
    adjusted: dict[str, float] = {}
    highest = 0.0
    for rank, (key, value) in enumerate(ordered):
        highest = max(highest, min(1.0, value * (len(ordered) - rank)))
        adjusted[key] = highest
    return {key: adjusted[key] for key in p_values}
