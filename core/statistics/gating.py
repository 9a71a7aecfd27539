"""Is a new run not worse than an old one? Three answers: yes, no, and cannot tell yet with what it would take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from modex.core.statistics.intervals import Interval
from modex.core.statistics.paired import POWER_Z, PairedDifference

_NEXT = 1.05
"""What is undecided takes more tests than there are."""
_NEVER = 1e9
"""So many times as many tests nobody asks."""
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
    blocked, or where it seems to stand exactly at the margin. By the interval that so many tests like these would leave."""


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
    return Ruling("undecided", margin, interval=own, times=_times(found, margin, jump_of_tests))


def _times(found: PairedDifference, margin: float, jump_of_tests: float | None) -> float | None:
    """How many times as many tests would decide with 80 % power, by the interval that they would leave."""
    away = found.difference + margin
    if abs(away) <= 1e-9:
        return None
    spread = found.error if found.unseen is None else math.sqrt(found.unseen.variance)

    def tells(times: float) -> bool:
        seen = found.difference - math.copysign(POWER_Z * spread / math.sqrt(times), away)
        low, high = found.with_times(times, max(-1.0, min(1.0, seen))).strict_interval(jump_of_tests)
        return low > -margin if away > 0 else high < -margin

    few, many = 1.0, _NEXT
    while not tells(many):
        few, many = many, 2 * many
        if many > _NEVER:
            return None
    while many > 1.01 * few:
        middle = math.sqrt(few * many)
        few, many = (few, middle) if tells(middle) else (middle, many)
    return many


def fresh_tests(ruling: Ruling, tests: int) -> int | None:
    """How many tests a new pair of runs would take, where these are `tests`; None where that cannot be said."""
    return None if ruling.times is None else math.ceil(tests * ruling.times)


def more_tests(ruling: Ruling, tests: int) -> int | None:
    """How many tests more than these `tests` it would take; None where that cannot be said."""
    return None if ruling.times is None else max(1, math.ceil(tests * (ruling.times - 1)))
