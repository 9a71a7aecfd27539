"""Comparing two runs by the tests they share: the difference of Weighted Scores, exact McNemar, Holm's correction."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.statistics.distributions import t_p, t_quantile
from core.statistics.intervals import Interval, estimate
from core.statistics.moments import Cell, Moments, Shared

_PRIOR_VARIANCE = 0.25
"""One pair that went each way: so few pairs that agree leave doubt (D. G. Bonett & R. M. Price, JEBS 37, 2012)."""
POWER_Z = 0.8416212335729143
"""The deviate of 80 % power."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """A difference of Weighted Scores over the same tests: second − first."""

    difference: float
    interval: Interval
    """95 %; leaves 0 out exactly where `p_value` is below 5 %."""
    p_value: float
    """Two-sided, that the difference is 0 (Student's t on the paired variance)."""
    error: float
    """Standard error."""
    df: float

    def detectable(self) -> float:
        """The smallest true difference that these pairs would have shown (α = 5 %, power = 80 %)."""
        return (t_quantile(self.df) + POWER_Z) * self.error


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


def paired_difference(cells: Mapping[Cell, Moments], shared: Iterable[Shared] = ()) -> PairedDifference | None:
    """The difference of two Weighted Scores from the tests' own differences (−1 to 1), paired within `cells`.

    None with fewer than two pairs (or clusters of pairs).
    """
    found = estimate(
        {cell: moments.rescaled(0.5, 0.5) for cell, moments in cells.items()},
        [{cell: (w, (w + wx) / 2) for cell, (w, wx) in held.items()} for held in shared],
        prior=_PRIOR_VARIANCE,
    )
    if found is None:
        return None
    difference, error = 2 * found.score - 1, 2 * math.sqrt(found.variance)
    df = round(found.df, 3)
    half = t_quantile(df) * error
    return PairedDifference(
        difference=difference,
        interval=(max(-1.0, difference - half), min(1.0, difference + half)),
        p_value=t_p(difference / error, df),
        error=error,
        df=df,
    )


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """p-values adjusted for their number (S. Holm, Scand. J. Stat. 6, 1979), by the same keys."""
    ordered = sorted(p_values.items(), key=lambda item: item[1])
    adjusted: dict[str, float] = {}
    highest = 0.0
    for rank, (key, value) in enumerate(ordered):
        highest = max(highest, min(1.0, value * (len(ordered) - rank)))
        adjusted[key] = highest
    return {key: adjusted[key] for key in p_values}
