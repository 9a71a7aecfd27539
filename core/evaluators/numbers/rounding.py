"""When a decimal is a fair rounding of an exact value: never wider than the digits it shows."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from core.evaluators.numbers.reading import Number

if TYPE_CHECKING:
    from core.evaluators.formulas.tree import Node

_LEAST_DIGITS = 3


def terminates(value: Fraction) -> bool:
    """Whether a decimal can write the value exactly."""
    denominator = value.denominator
    if denominator == 1:
        return True
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
    return denominator == 1


def is_rounding_of(exact: Fraction, number: Number) -> bool:
    """Whether `number` is `exact` rounded half up or truncated to the decimals it shows, with three significant digits or more.

    3.14 and 3.142 are π, and so is 3.141 (truncated); 3.15 is not, nor is 0.334 a third.
    """
    if number.decimals is None or number.decimals == 0 or number.significant < _LEAST_DIGITS:
        return False
    step = Fraction(1, 10**number.decimals)
    difference = number.value - exact
    if abs(difference) <= step / 2:
        return True
    return number.value * exact > 0 and 0 < abs(exact) - abs(number.value) < step


def written_decimal(node: Node) -> Number | None:
    """The decimal that an expression is (`-3.14`), with the digits it shows; None for any other expression."""
    sign = 1
    if node.op == "neg":
        sign, node = -1, node.args[0]
    match = re.fullmatch(r"(\d*)\.(\d+)", node.text) if node.op == "num" else None
    if match is None:
        return None
    significant = len((match[1] + match[2]).lstrip("0"))
    return Number(sign * Fraction(node.text), decimals=len(match[2]), significant=significant)


def written_number(exact: Fraction, value: float) -> Number:
    """A JSON number with the digits that it shows; one in powers of ten shows none."""
    match = re.fullmatch(r"-?(\d+)(?:\.(\d+))?", repr(value))
    if match is None:
        return Number(exact)
    decimals = "" if match[2] in (None, "0") else match[2]
    return Number(exact, decimals=len(decimals), significant=len((match[1] + decimals).lstrip("0")))


_FLOAT_DIGITS = 15
_FLOAT_NOISE = Fraction(1, 10**12)
_NO_NOISE = Fraction(0)


def float_noise(gold: Number, answer: Number) -> Fraction:
    """How far the two may lie apart because one is a float written out (`0.30000000000000004`): nothing below 15 digits."""
    longest = max(gold.significant if gold.decimals else 0, answer.significant if answer.decimals else 0)
    return _FLOAT_NOISE * abs(gold.value) if longest >= _FLOAT_DIGITS else _NO_NOISE
