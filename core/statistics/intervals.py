"""95 % intervals of Weighted Scores: one closed form for live, stored and compared numbers, meant for small cells.

A score's variance is the delta method's over cells, made to hold where a cell has one test, or one verdict only:

- each cell's rate is smoothed by one pseudo-test at the run's own (smoothed) score, so that four passes of four are not
  taken for certainty (A. Agresti & B. A. Coull, Am. Stat. 52, 1998);
- how much tests vary is measured against right-or-wrong verdicts of the same rate, over all cells together, each by its
  part in the score's variance: 1 for verdicts, less for fractions, epoch means and clusters;
- the interval is Wilson's on the effective number of tests that this variance amounts to (L. Kott & P. Carr, J. Off. Stat.
  13, 1997), with Student's t in so far as the variance had to be measured. For one cell of verdicts it is Wilson's own.

How often it holds is simulated by `python -m benchmarks statistics`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.statistics.distributions import Z95, t_quantile
from core.statistics.moments import Cell, Moments, Shared, within

Interval = tuple[float, float]

_PSEUDO_TESTS = 1.0
"""Pseudo-tests by which a cell's rate is smoothed."""
_PRIOR_VARIANCE = 0.125
"""Half a right-or-wrong test at rate ½, by which the measured dispersion is drawn towards that of verdicts."""
_NEARLY_ONE = 1.0001
"""An effective number of tests up to which a cell says nothing of how tests vary."""


def wilson(passed: float, total: float, z: float = Z95) -> Interval | None:
    """The Wilson score interval of a pass rate (E. B. Wilson, JASA 22, 1927); None without trials.

    Of scores between 0 and 1, `passed` is their sum: they vary at most as much as passes with their mean as rate.
    """
    if total <= 0:
        return None
    rate = min(1.0, max(0.0, passed / total))
    centre = rate + z**2 / (2 * total)
    spread = z * math.sqrt(rate * (1 - rate) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A Weighted Score and what is known of its doubt."""

    score: float
    variance: float
    """Of `score`."""
    size: float
    """The number of right-or-wrong tests that would leave the same doubt."""
    dispersion: float
    """How much tests vary, against right-or-wrong verdicts of the same rate: 0 to 1."""
    df: float
    """Degrees of freedom of `variance`, where it is measured."""


def estimate(
    cells: Mapping[Cell, Moments], shared: Iterable[Shared] = (), *, prior: float = _PRIOR_VARIANCE
) -> Estimate | None:
    """The Weighted Score of `cells` (values from 0 to 1) with its variance; None with fewer than two units.

    `shared` are the clusters that stand in several cells: what they have in common there is added.
    """
    scored = {cell: moments for cell, moments in cells.items() if moments.w > 0}
    if sum(moments.units for moments in scored.values()) < 2:
        return None
    total = sum(moments.level for moments in scored.values())
    rows = [(m.wx / m.w, m.size, m.level / total, m.spread) for m in scored.values()]
    score = math.fsum(share * rate for rate, _, share, _ in rows)
    effective = 1 / math.fsum(share * share / size for _, size, share, _ in rows)
    dispersion = _dispersion(rows, effective, prior)
    middle = (effective * score + 1) / (effective + 2)
    variance = squares = smoothed = doubt = 0.0
    for rate, size, share, _ in rows:
        drawn = size / (size + _PSEUDO_TESTS)
        near = drawn * rate + (1 - drawn) * middle
        its = share * share * dispersion * near * (1 - near) / (size - dispersion * drawn * drawn)
        variance += its
        squares += its * its / max(size - 1 + _PSEUDO_TESTS, _PSEUDO_TESTS)
        smoothed += share * near
        doubt += its * drawn * drawn
    common, whole, clusters = _in_common(scored, shared, total)
    if common > 0:
        variance += common
        squares += whole * whole / max(1, clusters - 1)
    size = (smoothed * (1 - smoothed) + doubt) / variance
    return Estimate(score, variance, size, dispersion, max(1.5, variance * variance / squares))


def score_interval(cells: Mapping[Cell, Moments], shared: Iterable[Shared] = ()) -> Interval | None:
    """The 95 % interval of the Weighted Score of `cells`; None with fewer than two tests (or clusters).

    With one cell this is the level score's interval, of a pass rate Wilson's.
    """
    found = estimate(cells, shared)
    if found is None:
        return None
    measured = 1 - found.dispersion**2
    z = Z95 if measured < 1e-9 else t_quantile(max(1.5, round(found.df / measured, 3)))
    return wilson(found.score * found.size, found.size, z)


def rate_interval(units: Moments) -> Interval | None:
    """The 95 % interval of a plain rate of `units` (tests by their share of passes); of a single unit, Wilson's."""
    if units.units < 2:
        return wilson(units.wx / units.w, 1) if units.w else None
    return score_interval({("", 1): units})


def _dispersion(rows: list[tuple[float, float, float, float]], effective: float, prior: float) -> float:
    """How much tests vary within cells against verdicts of the same rates, 0 to 1; single tests are taken as one cell.

    Each cell counts by its part in the score's variance, so that the total is right where cells vary differently.
    """
    found = verdicts = corrections = parts = 0.0
    single = single_squares = single_sum = single_sum_squares = 0.0
    for rate, size, share, spread in rows:
        part = effective * effective * share * share / size
        if size > _NEARLY_ONE:
            found += part * spread
            verdicts += part * rate * (1 - rate)
            corrections += part / size
            parts += part
        else:
            single += part
            single_squares += part * part
            single_sum += part * rate
            single_sum_squares += part * rate * rate
    if single and single * single / single_squares > _NEARLY_ONE:
        mean = single_sum / single
        found += max(0.0, single_sum_squares - single * mean * mean)
        verdicts += single * mean * (1 - mean)
        corrections += single_squares / single
        parts += single
    ratio = min(1.0, (found + prior) / (verdicts + prior))
    correction = corrections / parts if parts else 1.0
    return ratio / (1 - correction + correction * ratio)


def _in_common(cells: Mapping[Cell, Moments], shared: Iterable[Shared], total: int) -> tuple[float, float, int]:
    """The variance that clusters add by standing in several cells (never below 0), all of theirs, and how many do."""
    added = whole = 0.0
    clusters = 0
    for held in within(shared, cells):
        pulls = [
            cells[cell].level / total * (weighted - weight * cells[cell].wx / cells[cell].w) / cells[cell].w
            for cell, (weight, weighted) in held.items()
        ]
        together = math.fsum(pulls) ** 2
        whole += together
        added += together - math.fsum(pull * pull for pull in pulls)
        clusters += 1
    if clusters < 2:
        return 0.0, 0.0, clusters
    correction = clusters / (clusters - 1)
    return max(0.0, added * correction), whole * correction, clusters
