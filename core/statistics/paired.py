"""Comparing two runs by the tests they share: the difference of Weighted Scores, and Holm's correction.

The interval of a difference is the wider of two:

- Student's t on the paired variance, with a little prior for few pairs that agree;
- Tango's score interval (T. Tango, Stat. Med. 17, 1998), which knows that whole tests may turn although none of them did
  among those that were drawn: near perfection the variance says nothing. It is that of a gain and a loss as likely as the
  first two moments have them, over as many units as the heaviest of them would make.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from modex.core.statistics.distributions import Z, t_p, t_quantile
from modex.core.statistics.intervals import Interval, estimate
from modex.core.statistics.moments import Cell, Moments, Shared
from modex.core.statistics.units import LEAST_UNITS, Units, units_of, worst_unseen

_PRIOR_VARIANCE = 0.25
"""One pair that went each way: so few pairs that agree leave doubt (D. G. Bonett & R. M. Price, JEBS 37, 2012)."""
_PRIOR_JUMP = 1.0
"""One pair that turned wholly, by which the measured size of a jump is drawn towards a whole test's."""
POWER_Z = 0.8416212335729143
"""The deviate of 80 % power."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """What a score interval needs beside the difference and its degrees of freedom."""

    variance: float
    """Of the difference, as the pairs themselves show it."""
    size: float
    """How many pairs of equal weight could hide as large a loss as these."""
    jump: float = 1.0
    """By how much a unit differs where it differs, 0 to 1: whole verdicts 1, fractions and parts of clusters less."""

    def strict(self, jump_of_tests: float | None) -> Unseen:
        """The same where any test may turn wholly, however small the differences seen: the jump of clusters of such tests."""
        return Unseen(self.variance, self.size, 1.0 if jump_of_tests is None else min(1.0, self.jump / jump_of_tests))


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """A difference of Weighted Scores over the same tests: second − first."""

    difference: float
    interval: Interval
    """Leaves 0 out exactly where `p_value` is below `ALPHA`."""
    p_value: float
    """Two-sided, that the difference is 0: the larger one of Student's t on the paired variance and of the score test."""
    error: float
    """Standard error."""
    df: float
    units: int = LEAST_UNITS
    """Independent pairs: tests, and clusters."""
    unseen: Unseen | None = None
    """None where nothing but the interval is known."""

    @property
    def too_few(self) -> bool:
        """Whether there are too few independent pairs to decide anything."""
        return self.units < LEAST_UNITS

    def detectable(self) -> float:
        """The smallest true difference that these pairs would have shown (α = 5 %, power = 80 %)."""
        return (t_quantile(self.df) + POWER_Z) * self.error

    def with_times(self, times: float, difference: float) -> PairedDifference:
        """What so many times as many pairs like these would leave, if they differed by `difference`.

        What the pairs show of the variance falls with their number, and what was assumed beforehand with its square.
        """
        variance, df = self.error**2, self.df * times
        own = variance if self.unseen is None else min(variance, self.unseen.variance)
        error = math.sqrt((own + (variance - own) / times) / times)
        half = t_quantile(df) * error
        interval = max(-1.0, difference - half), min(1.0, difference + half)
        unseen = self.unseen
        if unseen is not None:
            unseen = replace(unseen, variance=own / times, size=unseen.size * times)
            low, high = score_bounds(difference, unseen, t_quantile(df))
            interval = min(interval[0], low), max(interval[1], high)
        return PairedDifference(difference, interval, self.p_value, error, df, round(self.units * times), unseen)

    def strict_interval(self, jump_of_tests: float | None = None) -> Interval:
        """The interval that allows for tests that turn wholly, whatever the size of the differences seen: the gate's.

        `jump_of_tests` is that size, where clusters are drawn; None where tests are.
        """
        if self.unseen is None:
            return self.interval
        low, high = score_bounds(self.difference, self.unseen.strict(jump_of_tests), t_quantile(self.df))
        return min(self.interval[0], low), max(self.interval[1], high)


def score_bounds(difference: float, unseen: Unseen, deviate: float) -> Interval:
    """Between which true differences the score test does not reject the one seen, at |z| = `deviate`.

    (−∞, ∞) is never returned: where jumps of the size seen cannot make the variance, the difference itself twice.
    """
    found = difference / unseen.jump
    discordant = _discordant(found, unseen)
    if discordant > 1:
        return difference, difference
    low = _lower(found, discordant, unseen.size, deviate)
    high = -_lower(-found, discordant, unseen.size, deviate)
    return max(-1.0, unseen.jump * low), min(1.0, unseen.jump * high)


def _discordant(found: float, unseen: Unseen) -> float:
    """The share of units that differ, from the first two moments in units of the jump."""
    return max(abs(found), unseen.size * unseen.variance / unseen.jump**2 + found * found)


def _lower(found: float, discordant: float, size: float, deviate: float) -> float:
    """The lower end in units of the jump: the likeliest rates under each difference give its variance.

    By false position (the Illinois method; M. Dowell & P. Jarratt, BIT 11, 1971).
    """
    root = math.sqrt(size)

    def beyond(true: float) -> float:
        return (found - true) * root - deviate * math.sqrt(_variance(true, found, discordant))

    low, high = -1.0, found - 1e-9  # where all pairs agree the difference itself has no variance
    at_low, at_high = beyond(low), beyond(high)
    if at_low <= 0 or high <= low:
        return low
    side = 0
    for _ in range(60):
        if high - low < 1e-10:
            break
        true = (low * at_high - high * at_low) / (at_high - at_low)
        value = beyond(true)
        if value > 0:
            low, at_low = true, value
            at_high = at_high / 2 if side > 0 else at_high
            side = 1
        else:
            high, at_high = true, value
            at_low = at_low / 2 if side < 0 else at_low
            side = -1
        if abs(value) < 1e-12:
            return true
    return low


def _variance(true: float, found: float, discordant: float) -> float:
    """Of one pair, if the true difference is `true`: by the maximum likelihood of the share lost (Tango 1998, eq. 6)."""
    b = discordant + true * (found - 2)
    c = (discordant - found) / 2 * true * (1 - true)
    lost = (b + math.sqrt(max(0.0, b * b + 8 * c))) / 4
    return max(0.0, 2 * lost + true - true * true)


def paired_difference(cells: Mapping[Cell, Moments], shared: Iterable[Shared] = ()) -> PairedDifference | None:
    """The difference of two Weighted Scores from the tests' own differences (−1 to 1), paired within `cells`.

    None with fewer than two pairs (or clusters of pairs).
    """
    shared = list(shared)
    units = units_of(
        {cell: moments.rescaled(0.5, 0.5) for cell, moments in cells.items()},
        [{cell: (w, (w + wx) / 2) for cell, (w, wx) in held.items()} for held in shared],
    )
    found = estimate({}, prior=_PRIOR_VARIANCE, found=units)
    if found is None:
        return None
    difference, error = 2 * found.score - 1, 2 * math.sqrt(found.variance)
    df = round(found.df, 3)
    deviate = t_quantile(df)
    half = deviate * error
    worst = worst_unseen(units)
    unseen = Unseen(
        variance=4 * found.variance * found.seen,
        size=Z * Z * (1 - worst) / worst if worst < 1 else 1e-9,
        jump=_jump(cells, units),
    )
    low, high = score_bounds(difference, unseen, deviate)
    discordant = _discordant(difference / unseen.jump, unseen)
    z = abs(difference / unseen.jump) * math.sqrt(unseen.size / discordant) if 0 < discordant <= 1 else math.inf
    p_value = t_p(difference / error, df)
    if difference and z < math.inf:
        p_value = max(p_value, t_p(z, df))
    return PairedDifference(
        difference=difference,
        interval=(max(-1.0, min(low, difference - half)), min(1.0, max(high, difference + half))),
        p_value=p_value,
        error=error,
        df=df,
        units=found.units,
        unseen=unseen,
    )


def _jump(cells: Mapping[Cell, Moments], units: Units) -> float:
    """By how much units differ where they differ: Σd² over Σ|d|, with a pair that turned wholly beside them."""
    effective = units.effective
    squares = sizes = 0.0
    for cell, row in units.rows.items():
        moments = cells[cell]
        part = effective * effective * row.share * row.share / moments.w**2
        squares += part * moments.w2x2
        sizes += part * moments.w2a
    for one in units.spanning:  # in place of their parts; the means are those of (d + 1) / 2
        parts = [(weight, 2 * mean - 1) for _, weight, mean in one.parts]
        whole = math.fsum(weight * value for weight, value in parts)
        squares += effective**2 * (whole * whole - math.fsum((weight * value) ** 2 for weight, value in parts))
        sizes += effective**2 * (
            one.weight * abs(whole) - math.fsum(weight * weight * abs(value) for weight, value in parts)
        )
    return min(1.0, (max(0.0, squares) + _PRIOR_JUMP) / (max(0.0, sizes) + _PRIOR_JUMP))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """p-values adjusted for their number (S. Holm, Scand. J. Stat. 6, 1979), by the same keys."""
    ordered = sorted(p_values.items(), key=lambda item: item[1])
    adjusted: dict[str, float] = {}
    highest = 0.0
    for rank, (key, value) in enumerate(ordered):
        highest = max(highest, min(1.0, value * (len(ordered) - rank)))
        adjusted[key] = highest
    return {key: adjusted[key] for key in p_values}
