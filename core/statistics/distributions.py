"""Tails and quantiles of the normal and of Student's t distribution, to 10 digits, from the standard library."""

from __future__ import annotations

import math
from functools import lru_cache

LEVEL = 0.95
"""How often an interval that is shown holds the truth; `racing` has its boundaries from a table for this level."""
LEVEL_TEXT = f"{100 * LEVEL:g} %"
"""The level as every report and screen writes it."""
ALPHA = round(1 - LEVEL, 12)
"""Below this p-value a difference is called one: then its interval leaves 0 out."""
Z = 1.959963984540054
"""The standard normal deviate of the level, as a figure: the module that computes it takes long to import."""
_LEAST_LOG = -700.0
"""The logarithm of the least number above which a quantile is looked for."""
_NORMAL_FROM = 1e6
"""From so many degrees of freedom on, t is the normal to 6 digits."""


def normal_p(z: float) -> float:
    """The two-sided p-value of a standard normal deviate."""
    return math.erfc(abs(z) / math.sqrt(2))


def normal_quantile(probability: float) -> float:
    """The standard normal deviate below which `probability` (0 < p < 1) lies."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(probability)


def t_p(t: float, df: float) -> float:
    """The two-sided p-value of Student's t with `df` degrees of freedom."""
    if df > _NORMAL_FROM:
        return normal_p(t)
    return beta_tail(df / (df + t * t), df / 2, 0.5)


@lru_cache(maxsize=4096)
def t_quantile(df: float, alpha: float = ALPHA) -> float:
    """The deviate that |t| exceeds with probability `alpha`.

    Newton's method for the logarithm of the exact tail in that of the deviate, which is concave: from the normal's on it comes
    no nearer than the root.
    """
    t = Z if alpha == ALPHA else normal_quantile(1 - alpha / 2)
    if df > _NORMAL_FROM:
        return t
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    for _ in range(20):
        tail = t_p(t, df)
        density = 2 * scale * (1 + t * t / df) ** (-(df + 1) / 2)
        step = math.log(tail / alpha) * tail / (density * t)
        t *= math.exp(step)
        if abs(step) < 1e-9:
            break
    return t


def beta_tail(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz's method)."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def beta_quantile(probability: float, a: float, b: float, high: float) -> float:
    """Where I_x(a, b) is `probability`; at most `high` (0 < `high` < 1), which is where the search begins.

    Newton's method for log I in log x, which is concave: from above the quantile a step may go too far, and a half of what is
    left is taken in its place.
    """
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    low, top = _LEAST_LOG, math.log(high)
    at, wanted = top, math.log(probability)
    for number in range(200):
        x = math.exp(at)
        front = scale + a * at + b * math.log1p(-x)
        logarithm = (
            front + math.log(_fraction(x, a, b) / a) if x < (a + 1) / (a + b + 2) else math.log(beta_tail(x, a, b))
        )
        if logarithm <= wanted:
            if not number:
                return high
            low = at
        else:
            top = at
        try:
            step = (logarithm - wanted) * math.exp(logarithm - front) * (1 - x)
        except OverflowError:  # so far above that the density is as good as none
            step = math.inf
        if abs(step) < 1e-6 * (1 - x) or top - low < 1e-15:
            return min(high, math.exp(at - step))
        at = at - step if low < at - step < top else (low + top) / 2
    return math.exp(at)


def _fraction(x: float, a: float, b: float) -> float:
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    value = d
    for m in range(1, 1000):
        for part in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + part * d) or tiny)
            c = (1 + part / c) or tiny
            value *= d * c
        if abs(d * c - 1) < 1e-13:
            break
    return value
