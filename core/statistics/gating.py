"""Is a new run not worse than an old one? Three answers: yes, no, and cannot tell yet with what it would take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from core.statistics.distributions import Z, t_quantile
from core.statistics.intervals import Interval
from core.statistics.paired import POWER_Z, PairedDifference

_NEXT = 1.05
"""What is undecided takes more tests than there are."""
Answer = Literal["pass", "fail", "undecided"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a gate says, on the interval of the difference second − first that holds near perfection too."""

    answer: Answer
    margin: float
    """By how much the second run may be worse and still pass: 0 to 1."""
    blocked: bool = False
    """Whether only answers without a verdict stand in the way: more tests would not help."""
    interval: Interval | None = None
    """On which it rules (`PairedDifference.strict_interval`)."""
    too_few: bool = False
    """Whether there are too few independent pairs to rule at all."""
    times: float | None = None
    """How many times as many tests would decide with 80 % power if the difference is what it seems; None where decided,
    blocked, or where it seems to stand exactly at the margin."""


def rule(
    found: PairedDifference,
    low: PairedDifference,
    high: PairedDifference,
    margin: float,
    jump_of_tests: float | None = None,
) -> Ruling:
    """The gate's ruling on a paired difference and its two bounds (answers without a verdict all wrong, all right).

    Passes where the interval lies above −margin even at the lower bound, fails where it lies below even at the upper one:
    each with at most 2.5 % error (a non-inferiority test; ICH E9, 3.3.2). `jump_of_tests`: by how much tests differ where they
    differ, where clusters are drawn; None where tests are.
    """
    intervals = [one.strict_interval(jump_of_tests) for one in (found, low, high)]
    own = intervals[0]
    if found.too_few:
        return Ruling("undecided", margin, interval=own, too_few=True)
    if all(interval[0] > -margin for interval in intervals):
        return Ruling("pass", margin, interval=own)
    if all(interval[1] < -margin for interval in intervals):
        return Ruling("fail", margin, interval=own)
    if own[0] > -margin or own[1] < -margin:
        return Ruling("undecided", margin, blocked=True, interval=own)
    away = abs(found.difference + margin)
    if away <= 1e-9:
        return Ruling("undecided", margin, interval=own)
    times = ((t_quantile(found.df) + POWER_Z) * found.error / away) ** 2
    if found.unseen is not None and 0 < margin < 1 and found.difference > -margin:
        # However well it goes, so many units must be seen of which none is lost.
        times = max(times, Z * Z * (1 - margin) / margin / found.unseen.size)
    return Ruling("undecided", margin, interval=own, times=max(times, _NEXT))


def fresh_tests(ruling: Ruling, tests: int) -> int | None:
    """How many tests a new pair of runs would take, where these are `tests`; None where that cannot be said."""
    return None if ruling.times is None else math.ceil(tests * ruling.times)


def more_tests(ruling: Ruling, tests: int) -> int | None:
    """How many tests more than these `tests` it would take; None where that cannot be said."""
    return None if ruling.times is None else max(1, math.ceil(tests * (ruling.times - 1)))
