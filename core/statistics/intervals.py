"""Intervals of Weighted Scores: one closed form for live, stored and compared numbers, meant for small cells.

A score's variance is the delta method's over cells, made to hold where a cell has one test, or one verdict only:

- each cell's rate is smoothed by one pseudo-test at the run's own (smoothed) score, so that four passes of four are not
  taken for certainty (A. Agresti & B. A. Coull, Am. Stat. 52, 1998);
- how much tests vary is measured against right-or-wrong verdicts of the same rate, over all cells together, each by its
  part in the score's variance: 1 for verdicts, less for fractions, epoch means and clusters;
- the interval is Wilson's on the effective number of tests that this variance amounts to (L. Kott & P. Carr, J. Off. Stat.
  13, 1997), with Student's t in so far as the variance had to be measured. For one cell of verdicts it is Wilson's own;
- where few units passed, or few failed, no end lies nearer than the exact one-sided limit: near 0 and 1 Wilson's alone
  holds the truth in as little as 84 % (L. Brown, T. Cai & A. DasGupta, Stat. Sci. 16, 2001, section 4.1.1);
- a run that lost tests reaches no less far down than one that lost none, a run that passed some no less far up than one of none.

How often it holds is simulated by `python -m benchmarks statistics`.

Agresti and Coull: https://doi.org/10.1080/00031305.1998.10480550. Brown, Cai and DasGupta: https://doi.org/10.1214/ss/1009213286.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from modex.core.statistics.distributions import ALPHA, Z, beta_quantile, t_quantile
from modex.core.statistics.moments import Cell, Moments, Shared
from modex.core.statistics.units import Units, units_of

Interval = tuple[float, float]

_PSEUDO_TESTS = 1.0
"""Pseudo-tests by which a cell's rate is smoothed."""
_PRIOR_VARIANCE = 0.125
"""Half a right-or-wrong test at rate ½, by which the measured dispersion is drawn towards that of verdicts."""
_FEW = 12.0
"""Passes or failures from which Wilson's ends lie farther out than the exact ones."""
_NONE = 0.01
"""A part of a test that is as good as none: its exact limit is below 10^−100."""
_NEARLY_ONE = 1.0001
"""An effective number of tests up to which a cell says nothing of how tests vary."""


def wilson(passed: float, total: float, z: float = Z, tail: float = ALPHA) -> Interval | None:
    """The Wilson score interval of a pass rate (E. B. Wilson, JASA 22, 1927), safe near 0 and 1; None without trials.

    Of scores between 0 and 1, `passed` is their sum: they vary at most as much as passes with their mean as rate. The truth
    lies beyond either end with a chance of `tail` at most, as C. J. Clopper & E. S. Pearson count it (Biometrika 26, 1934).

    Wilson: https://doi.org/10.1080/01621459.1927.10502953. Clopper and Pearson: https://doi.org/10.1093/biomet/26.4.404.
    """
    if total <= 0:
        return None
    rate = min(1.0, max(0.0, passed / total))
    centre = rate + z**2 / (2 * total)
    spread = z * math.sqrt(rate * (1 - rate) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    low, high = (centre - spread) / scale, (centre + spread) / scale
    passes, failures = rate * total, total - rate * total
    if passes < _FEW:
        low = _no_nearer(passes, total, low, tail)
    if failures < _FEW:
        high = 1 - _no_nearer(failures, total, 1 - high, tail)
    return max(0.0, low), min(1.0, high)


@lru_cache(maxsize=4096)
def _no_nearer(number: float, of: float, low: float, tail: float) -> float:
    """`low`, or the rate at which so many or more of so many have the chance `tail`, if that is lower."""
    if number < _NONE:
        return 0.0
    return beta_quantile(tail, number, of - number + 1, low) if low > 0 else low


@dataclass(frozen=True, slots=True)
class ScoreEstimate:
    """A Weighted Score and what is known of its doubt."""

    score: float
    variance: float
    """Of `score`."""
    size: float
    """The number of right-or-wrong tests that would leave the same doubt."""
    dispersion: float
    """How much units vary, against right-or-wrong verdicts of the same rate: 0 to 1."""
    df: float
    """Degrees of freedom of `variance`, where it is measured."""
    measured: float
    """How far `variance` had to be measured, 0 to 1: not where units are verdicts, wholly where clusters span cells."""
    seen: float
    """The part of `variance` that the units themselves show; the rest is what was assumed beforehand."""
    units: int
    """Independent tests and clusters."""


def estimate(
    cells: Mapping[Cell, Moments],
    shared: Iterable[Shared] = (),
    *,
    prior: float = _PRIOR_VARIANCE,
    found: Units | None = None,
) -> ScoreEstimate | None:
    """The Weighted Score of `cells` (values from 0 to 1) with its variance; None with fewer than two units.

    `shared` are the clusters that stand in several cells: each is one unit over all of them. `found` are the units, where
    they are known.
    """
    units = units_of(cells, shared) if found is None else found
    if units.number < 2:
        return None
    rows, effective = units.rows, units.effective
    score = math.fsum(row.share * row.rate for row in rows.values())
    dispersion, seen = _dispersion(units, effective, prior)
    middle = (effective * score + 1) / (effective + 2)
    variance = squares = smoothed = doubt = 0.0
    doubts: dict[Cell, tuple[float, float]] = {}
    for cell, row in rows.items():
        size, share, alone = row.size, row.share, row.alone
        drawn = size / (size + _PSEUDO_TESTS)
        near = drawn * row.rate + (1 - drawn) * middle
        smoothed += share * near
        one = dispersion * near * (1 - near) / (size - dispersion * drawn * drawn)
        if alone > 0:
            its = share * share * one * alone
            variance += its
            squares += its * its / max(size * alone - 1 + _PSEUDO_TESTS, _PSEUDO_TESTS)
            doubt += its * drawn * drawn
        if units.spanning:
            doubts[cell] = math.sqrt(one * size), drawn
    measured = 1 - dispersion**2
    if units.spanning:
        parts = [math.fsum(w * doubts[cell][0] for cell, w, _ in one.parts) ** 2 for one in units.spanning]
        whole = math.fsum(parts)
        variance += whole
        squares += math.fsum(part * part for part in parts)
        doubt += math.fsum(
            math.fsum(w * doubts[cell][0] * doubts[cell][1] for cell, w, _ in one.parts) ** 2 for one in units.spanning
        )
        measured += (1 - measured) * whole / variance
    worth = (smoothed * (1 - smoothed) + doubt) / variance
    df = max(1.5, variance * variance / squares)
    return ScoreEstimate(score, variance, worth, dispersion, df, measured, seen, units.number)


def score_interval(cells: Mapping[Cell, Moments], shared: Iterable[Shared] = ()) -> Interval | None:
    """The interval of the Weighted Score of `cells`; None with fewer than two tests (or clusters).

    With one cell this is the level score's interval, of a pass rate Wilson's.
    """
    shared = list(shared)
    found = estimate(cells, shared)
    if found is None:
        return None
    low, high = _around(found)
    if found.size * (1 - found.score) < _FEW:
        low = min(low, _around_all(cells, shared, 1.0)[0])
    if found.size * found.score < _FEW:
        high = max(high, _around_all(cells, shared, 0.0)[1])
    return low, high


def _around(found: ScoreEstimate) -> Interval:
    z = Z if found.measured < 1e-9 else t_quantile(max(1.5, round(found.df / found.measured, 3)))
    interval = wilson(found.score * found.size, found.size, z)
    assert interval is not None
    return interval


def _around_all(cells: Mapping[Cell, Moments], shared: Iterable[Shared], rate: float) -> Interval:
    """The interval if every unit were worth `rate`.

    A test that is lost at a low level counts little, and the doubt that it shows is small: of that alone a run with one loss
    would be known to be better than a run with none, whose losses may yet stand at the highest level.
    """
    found = estimate(
        {cell: moments.rescaled(0.0, rate) for cell, moments in cells.items()},
        [{cell: (weight, rate * weight) for cell, (weight, _) in held.items()} for held in shared],
    )
    assert found is not None
    return _around(found)


def rate_interval(units: Moments) -> Interval | None:
    """The interval of a plain rate of `units` (tests by their share of passes); of a single unit, Wilson's."""
    if units.units < 2:
        return wilson(units.wx / units.w, 1) if units.w else None
    return score_interval({("", 1): units})


def _dispersion(units: Units, effective: float, prior: float) -> tuple[float, float]:
    """How much units vary against verdicts of the same rates, 0 to 1, and which part of that they show themselves.

    Single units are taken as one cell. Each cell, and each cluster over several, counts by its part in the score's variance,
    so that the total is right where cells vary differently.
    """
    found = verdicts = corrections = parts = 0.0
    every = every_squares = every_sum = alone = alone_sum = alone_sum_squares = 0.0
    single: set[Cell] = set()
    for cell, row in units.rows.items():
        size, rate = row.size, row.rate
        part = effective * effective * row.share * row.share / size
        if size > _NEARLY_ONE:
            counted = part * row.alone
            found += part * row.spread
            verdicts += counted * rate * (1 - rate)
            corrections += counted / size
            parts += counted
        else:
            single.add(cell)
            every += part
            every_squares += part * part
            every_sum += part * rate
            alone += part * row.alone
            alone_sum += part * row.alone * rate
            alone_sum_squares += part * row.alone * rate * rate
    several = bool(every) and every * every / every_squares > _NEARLY_ONE
    mean = every_sum / every if every else 0.0
    if several and alone:
        found += max(0.0, alone_sum_squares - 2 * mean * alone_sum + mean * mean * alone)
        verdicts += alone * mean * (1 - mean)
        corrections += alone * every_squares / (every * every)
        parts += alone
    if units.spanning:
        rates = {cell: mean if cell in single else row.rate for cell, row in units.rows.items()}
        known = rates if several else {cell: rate for cell, rate in rates.items() if cell not in single}
        weights = []
        for one in units.spanning:
            held = [(weight, mean_here, known[cell]) for cell, weight, mean_here in one.parts if cell in known]
            weights.append(math.fsum(weight for weight, _, _ in held) ** 2)
            found += (effective * math.fsum(weight * (own - rate) for weight, own, rate in held)) ** 2
            verdicts += (effective * math.fsum(w * math.sqrt(max(0.0, r * (1 - r))) for w, _, r in held)) ** 2
        whole = math.fsum(weights)
        if whole > 0:
            corrections += effective**2 * math.fsum(weight * weight for weight in weights) / whole
            parts += effective**2 * whole
    correction = corrections / parts if parts else 1.0

    def corrected(extra: float) -> float:
        ratio = min(1.0, (found + extra) / (verdicts + extra)) if verdicts + extra > 0 else 0.0
        return ratio / (1 - correction + correction * ratio) if ratio > 0 else 0.0

    dispersion = corrected(prior)
    return dispersion, corrected(0.0) / dispersion
