"""Is a new run not worse than an old one? Three answers: yes, no, and cannot tell yet with what it would take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from core.statistics.distributions import t_quantile
from core.statistics.paired import POWER_Z, PairedDifference

Answer = Literal["pass", "fail", "undecided"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a gate says, on the 95 % interval of the difference second − first."""

    answer: Answer
    margin: float
    """By how much the second run may be worse and still pass: 0 to 1."""
    blocked: bool = False
    """Whether only answers without a verdict stand in the way: more tests would not help."""
    times: float | None = None
    """How many times as many tests would decide with 80 % power if the difference is what it seems; None where decided,
    blocked, or where it seems to stand exactly at the margin."""


def rule(found: PairedDifference, low: PairedDifference, high: PairedDifference, margin: float) -> Ruling:
    """The gate's ruling on a paired difference and its two bounds (answers without a verdict all wrong, all right).

    Passes where the interval lies above −margin even at the lower bound, fails where it lies below even at the upper one:
    each with at most 2.5 % error (a non-inferiority test; ICH E9, 3.3.2).
    """
    intervals = [found.interval, low.interval, high.interval]
    if all(interval[0] > -margin for interval in intervals):
        return Ruling("pass", margin)
    if all(interval[1] < -margin for interval in intervals):
        return Ruling("fail", margin)
    if found.interval[0] > -margin or found.interval[1] < -margin:
        return Ruling("undecided", margin, blocked=True)
    away = abs(found.difference + margin)
    needed = (t_quantile(found.df) + POWER_Z) * found.error
    return Ruling("undecided", margin, times=(needed / away) ** 2 if away > 1e-9 else None)


def more_tests(ruling: Ruling, tests: int) -> int | None:
    """How many tests more than these `tests` it would take; None where that cannot be said."""
    return None if ruling.times is None else max(1, math.ceil(tests * (ruling.times - 1)))
