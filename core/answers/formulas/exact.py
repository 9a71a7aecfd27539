"""Exact values: rational arithmetic, bounded in size, so that no digit of an integer is ever rounded away."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from modex.core.answers.formulas.tree import Node

_MAX_BITS = 1 << 16
_MAX_FACTORIAL = 3000
_MAX_TERMS = 2000


class NotRationalError(ArithmeticError):
    """The value is irrational, unknown, or too large to be held exactly; arithmetic with rounding may still find it."""


class UndefinedError(ArithmeticError):
    """There is no value here: a division by zero, a root of a negative number."""


def exact_value(node: Node, values: Mapping[str, Fraction]) -> Fraction:
    """The rational value of `node` where its variables have `values`.

    Raises:
        NotRationalError: it has none, or none that is small enough.
        UndefinedError: it is not defined there.
    """
    handler = _OPERATIONS.get(node.op)
    if handler is not None:
        return _bounded(handler(*[exact_value(arg, values) for arg in node.args]))
    match node.op:
        case "num":
            return _number(node.text)
        case "var" if node.text in values:
            return values[node.text]
        case "fn" if node.text in _INTEGER_FUNCTIONS:
            whole = [_integer(exact_value(arg, values)) for arg in node.args]
            return Fraction(_INTEGER_FUNCTIONS[node.text](*whole)) if whole else _unknown()
        case "fn" if node.text in ("min", "max"):
            found = [exact_value(arg, values) for arg in node.args]
            return min(found) if node.text == "min" else max(found)
        case "sum" | "prod":
            return _series(node, values)
    return _unknown()


def _unknown() -> Fraction:
    raise NotRationalError


def _number(text: str) -> Fraction:
    if len(text) > 4000 or ("e" in text and abs(int(text.partition("e")[2])) > 4000):
        raise NotRationalError
    return Fraction(text)


def _bounded(value: Fraction) -> Fraction:
    if value.numerator.bit_length() + value.denominator.bit_length() > _MAX_BITS:
        raise NotRationalError
    return value


def _divided(top: Fraction, bottom: Fraction) -> Fraction:
    if not bottom:
        raise UndefinedError
    return top / bottom


def _raised(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        return _root(base, Fraction(exponent.denominator)) ** exponent.numerator if base else _zero_to(exponent)
    if not base:
        return _zero_to(exponent)
    power = exponent.numerator
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(power) > _MAX_BITS or (size > 1 and size * abs(power) > _MAX_BITS):
        raise NotRationalError
    return base**power


def _zero_to(exponent: Fraction) -> Fraction:
    if exponent < 0:
        raise UndefinedError
    return Fraction(0 if exponent else 1)


def _root(value: Fraction, index: Fraction) -> Fraction:
    """The exact root where there is a rational one (of a negative number: for odd indices only)."""
    if index.denominator != 1 or not 1 <= index <= 64:
        raise NotRationalError
    odd = index.numerator % 2 == 1
    if value < 0 and not odd:
        raise NotRationalError
    sign = -1 if value < 0 else 1
    top = _integer_root(abs(value.numerator), index.numerator)
    bottom = _integer_root(value.denominator, index.numerator)
    return Fraction(sign * top, bottom)


def _integer_root(value: int, index: int) -> int:
    if index == 2:
        root = math.isqrt(value)
    elif value.bit_length() > 900:
        raise NotRationalError
    else:
        root = round(value ** (1 / index))
    for candidate in (root - 1, root, root + 1):
        if candidate**index == value:
            return candidate
    raise NotRationalError


def _factorial(value: Fraction) -> Fraction:
    whole = _integer(value)
    if whole < 0:
        raise UndefinedError
    if whole > _MAX_FACTORIAL:
        raise NotRationalError
    return Fraction(math.factorial(whole))


def _binomial(top: Fraction, bottom: Fraction) -> Fraction:
    n, k = _integer(top), _integer(bottom)
    if not 0 <= k <= n or n > _MAX_FACTORIAL:
        raise NotRationalError
    return Fraction(math.comb(n, k))


def _integer(value: Fraction) -> int:
    if value.denominator != 1:
        raise NotRationalError
    return value.numerator


def _series(node: Node, values: Mapping[str, Fraction]) -> Fraction:
    low, high = (_integer(exact_value(arg, values)) for arg in node.args[:2])
    if high - low > _MAX_TERMS:
        raise NotRationalError
    total = Fraction(0 if node.op == "sum" else 1)
    for index in range(low, high + 1):
        term = exact_value(node.args[2], {**values, node.text: Fraction(index)})
        total = _bounded(total + term if node.op == "sum" else total * term)
    return total


_OPERATIONS: dict[str, Callable[..., Fraction]] = {
    "add": lambda one, other: one + other,
    "mul": lambda one, other: one * other,
    "div": _divided,
    "neg": lambda one: -one,
    "percent": lambda one: one / 100,
    "pow": _raised,
    "root": _root,
    "abs": abs,
    "floor": lambda one: Fraction(math.floor(one)),
    "ceil": lambda one: Fraction(math.ceil(one)),
    "fact": _factorial,
    "binom": _binomial,
}
_INTEGER_FUNCTIONS = {"gcd": math.gcd, "lcm": math.lcm}
