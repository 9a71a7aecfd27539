"""When a decimal is a fair rounding of an exact value: never wider than the digits it shows."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from modex.core.answers.numbers.reading import Number

if TYPE_CHECKING:
    from modex.core.answers.formulas.tree import Node

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
    if not number.decimals or number.significant < _LEAST_DIGITS:
        return False
    step = Fraction(10) ** -number.decimals
    difference = number.value - exact
    if abs(difference) <= step / 2:
        return True
    return number.value * exact > 0 and 0 < abs(exact) - abs(number.value) < step


def written_decimal(node: Node) -> Number | None:
    r"""The decimal that an expression is (`-3.14`, `1.4e-5`, `1.4 \times 10^{-5}`), with its digits; None for any other."""
    sign = 1
    if node.op == "neg":
        sign, node = -1, node.args[0]
    if node.op == "neg":
        return None
    if node.op == "mul" and (power := _power_of_ten(node.args[1])) is not None:
        inner = written_decimal(node.args[0])
        return None if inner is None else _shifted(sign, inner, power)
    return _decimal(node.text, sign) if node.op == "num" else None


def _power_of_ten(node: Node) -> int | None:
    """The exponent of `10^{-5}`, small enough to be written out."""
    if node.op != "pow" or node.args[0].op != "num" or node.args[0].text != "10":
        return None
    sign, exponent = (-1, node.args[1].args[0]) if node.args[1].op == "neg" else (1, node.args[1])
    return sign * int(exponent.text) if exponent.op == "num" and re.fullmatch(r"\d{1,3}", exponent.text) else None


def _shifted(sign: int, number: Number, power: int) -> Number:
    assert number.decimals is not None
    return Number(
        sign * number.value * Fraction(10) ** power, decimals=number.decimals - power, significant=number.significant
    )


def _decimal(text: str, sign: int) -> Number | None:
    """A numeral with a point (and a power of ten), with the digits it shows."""
    match = re.fullmatch(r"(\d*)\.(\d+)(?:e([+-]?\d{1,3}))?", text)
    if match is None:
        return None
    significant = len((match[1] + match[2]).lstrip("0"))
    return Number(sign * Fraction(text), decimals=len(match[2]) - int(match[3] or 0), significant=significant)


def written_number(exact: Fraction, value: float) -> Number:
    """A JSON number with the digits that it shows."""
    match = re.fullmatch(r"-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?", repr(value))
    if match is None:
        return Number(exact)
    decimals = "" if match[2] in (None, "0") else match[2]
    return Number(
        exact, decimals=len(decimals) - int(match[3] or 0), significant=len((match[1] + decimals).lstrip("0"))
    )


_DOUBLE_DIGITS = range(15, 18)
"""Significant digits of a double printed in full."""
_SHORT_DIGITS = 12
_SHORT_NOISE = Fraction(1, 10**12)
_STEPS = 4
"""How many neighbouring doubles a few roundings may lead away."""
_NO_NOISE = Fraction(0)


def is_double(number: Number) -> bool:
    """Whether a decimal is a double printed in full: 15 to 17 digits, or all those that the double has in decimal."""
    if not number.decimals or number.significant < _DOUBLE_DIGITS.start:
        return False
    if number.significant in _DOUBLE_DIGITS:
        return True
    try:
        return Fraction(float(number.value)) == number.value
    except OverflowError:
        return False


def is_long(number: Number) -> bool:
    """Whether a decimal has more digits than people write: a double whose last digits happen to be 0 has fewer than 15."""
    return bool(number.decimals) and number.significant > _SHORT_DIGITS


def float_noise(gold: Number, answer: Number) -> Fraction:
    """How far the two may lie apart because one is a double printed in full; nothing where neither is.

    Beside a short decimal (0.3 and `0.30000000000000004`) as far as a long sum in doubles gets; beside a value that has
    more digits (1/3, or another double) four steps of a double, which is less than its last two digits.
    """
    one, other = is_double(gold), is_double(answer)
    if not one and not other:
        return _NO_NOISE
    short = answer if one else gold
    if short.decimals is not None and short.significant <= _SHORT_DIGITS:
        return _SHORT_NOISE * abs(gold.value)
    if is_rounding_of(gold.value, answer) or is_rounding_of(answer.value, gold):
        return abs(gold.value - answer.value)
    return double_steps(gold.value)


def double_steps(value: Fraction) -> Fraction:
    """Four steps from one double to the next about `value`; 0 beyond the range of doubles."""
    try:
        step = math.ulp(float(value))
    except OverflowError:
        return _NO_NOISE
    return _STEPS * Fraction(step) if math.isfinite(step) else _NO_NOISE


def prints(exact: Fraction, computed: Fraction | None, number: Number) -> bool:
    """Whether a program that computes `exact` may print `number`, a double in full.

    It lies within four steps of the exact value, or of what the same operations give in doubles (`computed`), which is
    further off where a difference of near values loses digits.
    """
    if not is_double(number) or number.decimals is None:
        return False
    cut = Fraction(10) ** -number.decimals / 2
    if abs(number.value - exact) <= double_steps(exact) + cut:
        return True
    if computed is None or not one_value(computed, exact):
        return False
    return abs(number.value - computed) <= double_steps(computed) + cut


def one_value(computed: Fraction, exact: Fraction) -> bool:
    """Whether a value in doubles still is the exact one, whatever its last digits are."""
    return abs(computed - exact) <= _SHARED * abs(exact)


_SHARED = Fraction(1, 10**9)
