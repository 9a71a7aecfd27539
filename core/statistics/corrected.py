"""A judged rate corrected by people's labels: prediction-powered inference with power tuning (PPI++, A. N. Angelopoulos,
J. C. Duchi & T. Zrnic, arXiv 2311.01453, 2023), with Student's t, as labels are few.

Where the judge is good, its verdicts on the many answers nobody read lend their number to the few labels; where it is not,
λ goes to 0 and what is left is the labels' own mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.statistics.distributions import t_quantile
from core.statistics.intervals import Interval

LEAST_LABELS = 10
"""Fewer labels say too little to correct anything by."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A rate of passes as people would have given them."""

    rate: float
    interval: Interval
    """95 %."""
    judged: float
    """The judge's own rate over all answers."""
    labels: int
    answers: int
    """All answers that the judge gave a verdict on, the labelled ones among them."""
    trust: float
    """λ, 0 to 1: how much the judge's verdicts count beside the labels."""


def corrected_rate(labelled: Sequence[tuple[float, float]], unlabelled: Sequence[float]) -> Corrected | None:
    """The rate that people would give: `labelled` holds (person's, judge's) verdicts, `unlabelled` the judge's alone.

    The labelled answers must be a random draw of all. None with fewer than `LEAST_LABELS`.
    """
    m, n = len(labelled), len(unlabelled)
    if m < LEAST_LABELS:
        return None
    people, judge = [pair[0] for pair in labelled], [pair[1] for pair in labelled]
    every = [*judge, *unlabelled]
    trust = 0.0
    if n and (spread := _variance(every)) > 0:
        trust = min(1.0, max(0.0, _covariance(people, judge) / ((1 + m / n) * spread)))
    rectified = [y - trust * j for y, j in labelled]
    rate = math.fsum(rectified) / m + (trust * math.fsum(unlabelled) / n if n else 0.0)
    # As if one more label had disagreed wholly: few labels, and labels that all agree, leave more doubt than they show.
    variance = (_variance(rectified) + 1 / m) / m
    if n:
        variance += trust * trust * _variance(every) / n
    half = t_quantile(m - 1) * math.sqrt(variance)
    rate = min(1.0, max(0.0, rate))
    interval = (max(0.0, rate - half), min(1.0, rate + half))
    return Corrected(rate, interval, math.fsum(every) / len(every), m, m + n, trust)


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1) if len(values) > 1 else 0.0


def _covariance(one: Sequence[float], other: Sequence[float]) -> float:
    means = math.fsum(one) / len(one), math.fsum(other) / len(other)
    return math.fsum((a - means[0]) * (b - means[1]) for a, b in zip(one, other, strict=True)) / (len(one) - 1)
