"""A judged rate corrected by people's labels: prediction-powered inference with power tuning (PPI++, A. N. Angelopoulos,
J. C. Duchi & T. Zrnic, arXiv 2311.01453, 2023), with Student's t, as labels are few.

Where the judge is good, its verdicts on the many answers nobody read lend their number to the few labels; where it is not,
λ goes to 0 and what is left is the labels' own mean.

PPI++: https://arxiv.org/abs/2311.01453.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from modex.core.statistics.distributions import t_quantile
from modex.core.statistics.intervals import Interval

LEAST_LABELS = 10
"""Fewer labels say too little to correct anything by."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A rate of passes as people would have given them."""

    rate: float
    interval: Interval
    judged: float
    """The judge's own rate over all answers."""
    labels: int
    answers: int
    """All answers that the judge gave a verdict on, the labelled ones among them."""
    trust: float
    """λ, 0 to 1: how much the judge's verdicts count beside the labels."""


def corrected_rate(
    labelled: Sequence[tuple[float, float]],
    unlabelled: Sequence[float],
    units: tuple[Sequence[Hashable], Sequence[Hashable]] | None = None,
) -> Corrected | None:
    """The rate that people would give: `labelled` holds (person's, judge's) verdicts, `unlabelled` the judge's alone.

    `units` names what each of them belongs to, where answers have something in common: a test (several epochs), a cluster.
    The labelled answers must be a random draw of all. None with labels of fewer than `LEAST_LABELS` units.
    """
    m, n = len(labelled), len(unlabelled)
    if m < LEAST_LABELS:
        return None
    if units is not None and len({*units[0], *units[1]}) == m + n:
        units = None
    if units is not None and len(set(units[0])) < LEAST_LABELS:
        return None
    people, judge = [pair[0] for pair in labelled], [pair[1] for pair in labelled]
    every = [*judge, *unlabelled]
    trust = 0.0
    if n and (spread := _variance(every)) > 0:
        trust = min(1.0, max(0.0, _covariance(people, judge) / ((1 + m / n) * spread)))
    rectified = [y - trust * j for y, j in labelled]
    rate = math.fsum(rectified) / m + (trust * math.fsum(unlabelled) / n if n else 0.0)
    if units is not None:
        variance, df = _of_units(rectified, [trust * value for value in unlabelled], units)
    else:
        # As if one more label had disagreed wholly: few labels, and labels that agree, leave more doubt than they show.
        variance, df = (_variance(rectified) + 1 / m) / m, m - 1.0
        if n:
            variance += trust * trust * _variance(every) / n
    half = t_quantile(df) * math.sqrt(variance)
    rate = min(1.0, max(0.0, rate))
    interval = (max(0.0, rate - half), min(1.0, rate + half))
    return Corrected(rate, interval, math.fsum(every) / len(every), m, m + n, trust)


def _of_units(
    labelled: Sequence[float], unlabelled: Sequence[float], units: tuple[Sequence[Hashable], Sequence[Hashable]]
) -> tuple[float, float]:
    """The variance of the sum of both means where whole units are drawn, and its degrees of freedom.

    The units' pulls squared (K.-Y. Liang & S. L. Zeger, Biometrika 73, 1986), as if one more unit had disagreed wholly.
    """
    pulls: defaultdict[Hashable, float] = defaultdict(float)
    shares: Counter[Hashable] = Counter()
    for values, names in ((labelled, units[0]), (unlabelled, units[1])):
        mean = math.fsum(values) / len(values) if values else 0.0
        for value, name in zip(values, names, strict=True):
            pulls[name] += (value - mean) / len(values)
    shares.update(units[0])
    number = len(labelled) ** 2 / math.fsum(share * share for share in shares.values())
    squares = math.fsum(pull * pull for pull in pulls.values())
    return squares * len(pulls) / (len(pulls) - 1) + 1 / number**2, max(1.5, number - 1)


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1) if len(values) > 1 else 0.0


def _covariance(one: Sequence[float], other: Sequence[float]) -> float:
    means = math.fsum(one) / len(one), math.fsum(other) / len(other)
    return math.fsum((a - means[0]) * (b - means[1]) for a, b in zip(one, other, strict=True)) / (len(one) - 1)
