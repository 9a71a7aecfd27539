"""Comparing while the answers come: looks at which a race may be decided, and what may be said after stopping early.

The boundaries are O'Brien and Fleming's over 20 equally spaced looks (Biometrics 35, 1979): |z| ≥ c·√(20/k) at look k. c is
that of the two-sided 5 % divided by the pairs still in (Bonferroni over all pairs, stepped down as models leave: Holm).
For looking whenever one likes, an e-process on tests and clusters that differ (`modex.core.statistics.discordant`).

O'Brien and Fleming: https://doi.org/10.2307/2530245. Holm: https://www.jstor.org/stable/4615733.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from modex.core.statistics.discordant import Discordant
from modex.core.statistics.distributions import ALPHA, Z, normal_p, normal_quantile, t_quantile
from modex.core.statistics.intervals import Interval
from modex.core.statistics.paired import PairedDifference

LOOKS = 20
Decision = Literal["better", "worse", "futile", "open"]
"""Of the second run against the first; `futile`: the answers that are left will hardly decide it."""

_FINAL = {
    1: 2.126, 2: 2.384, 3: 2.525, 4: 2.622, 5: 2.695, 6: 2.754, 8: 2.844, 10: 2.913, 15: 3.034, 21: 3.132, 28: 3.214,
    36: 3.284, 45: 3.345,
}  # fmt: skip
"""c by the number of pairs, from the recursive integral of Armitage, McPherson and Rowe (J. R. Stat. Soc. A 132, 1969)."""
_FUTILE_BELOW = 0.02
"""The chance of a decision, under the largest effect that the data allow, below which going on is given up."""
_LEAST_TAIL = 1e-12
"""The tail beyond which a quantile says no more: the bound is then as wide as scores allow, or nearly."""


def boundary(look: int, pairs: int = 1) -> float:
    """The |z| from which a race of so many pairs is decided at `look` (1 to 20)."""
    final = next((value for number, value in _FINAL.items() if number >= pairs), None)
    if final is None:
        final = normal_quantile(1 - ALPHA / pairs / 2) + 0.085  # the gap of c to the normal shrinks as pairs grow
    return final * math.sqrt(LOOKS / look)


def deviate(found: PairedDifference) -> float:
    """The difference as a standard normal deviate: its t with the same p-value."""
    tail = max(found.p_value / 2, 1e-300)
    z = 37.0 if tail < 1e-290 else -normal_quantile(tail)
    return math.copysign(z, found.difference)


@dataclass(frozen=True, slots=True)
class PairLook:
    """One pair at one look."""

    decision: Decision
    z: float
    boundary: float
    bound: Interval
    """Holds the true difference in a share `LEVEL` of races wherever they stop: a repeated interval (Jennison & Turnbull,
    J. R. Stat. Soc. B 51, 1989); with answers that lack a verdict all wrong, and all right."""


def look_at(
    found: PairedDifference, low: PairedDifference, high: PairedDifference, look: int, pairs: int = 1
) -> PairLook:
    """What a pair's difference says at `look`; `low` and `high` take answers without a verdict as all wrong, all right.

    Nothing is decided that these could turn.
    """
    limit, z = boundary(look, pairs), deviate(found)
    tail = max(_LEAST_TAIL, normal_p(boundary(look, 1)))
    halves = [t_quantile(one.df, tail) * one.error for one in (found, low, high)]
    ends = [
        (one.difference - half, one.difference + half) for one, half in zip((found, low, high), halves, strict=True)
    ]
    bound = (max(-1.0, min(low_end for low_end, _ in ends)), min(1.0, max(high_end for _, high_end in ends)))
    sides = [z, deviate(low), deviate(high)]
    decision: Decision = "open"
    if found.too_few:
        return PairLook(decision, z, limit, bound)
    if all(side >= limit for side in sides):
        decision = "better"
    elif all(side <= -limit for side in sides):
        decision = "worse"
    elif look < LOOKS and chance_left(z, look, pairs) < _FUTILE_BELOW:
        decision = "futile"
    return PairLook(decision, z, limit, bound)


def chance_left(z: float, look: int, pairs: int = 1) -> float:
    """The chance that the last look decides, if the true effect is the largest one that |z| so far allows (its interval)."""
    done = look / LOOKS
    drift = (abs(z) + Z) / math.sqrt(done)
    expected = abs(z) * math.sqrt(done) + drift * (1 - done)
    short = (boundary(LOOKS, pairs) - expected) / math.sqrt(1 - done)
    return normal_p(short) / 2 if short > 0 else 1 - normal_p(short) / 2


def peek_at(found: Discordant, pairs: int = 1) -> Decision:
    """What may be said of the pass rates when looking whenever one likes, at whole clusters."""
    if found.evidence < math.log(pairs / ALPHA):
        return "open"
    return "better" if found.gains else "worse"
