"""Where two expressions with variables are compared: fixed rational points, the same for a variable's name everywhere.

Two different expressions that agree at every one of them are not to be met by chance (Schwartz and Zippel).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

NEEDED = 3
"""Points at which both expressions must be defined."""
ENOUGH = 9
"""Points of agreement after which no more are asked; both signs are among them."""


def points(names: Iterable[str]) -> Iterator[dict[str, Fraction]]:
    """Small and larger values of either sign by turns, then positive integers."""
    ordered = sorted(names)
    for number in range(26):
        yield {name: _value(name, number) for name in ordered}


@lru_cache(maxsize=4096)
def _value(name: str, number: int) -> Fraction:
    draw = random.Random(f"{number}:{name}")
    if number >= 18:
        return Fraction(draw.randint(1, 9 + number))
    size = Fraction(draw.randint(60, 480), 1009) if number % 6 in (0, 4) else Fraction(draw.randint(300, 5000), 997)
    return -size if number % 3 == 2 or (number % 3 == 1 and draw.random() < 0.5) else size
