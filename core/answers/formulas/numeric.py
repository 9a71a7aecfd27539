"""Values to many digits, for what is not rational; runs in the killable child, because size can hold an interpreter for ever.

Expressions with variables are compared on the reals: where a root or a logarithm leaves them there is no value. Constants
may be complex.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import mpmath

from modex.core.answers.formulas.exact import NotRationalError, UndefinedError, exact_value
from modex.core.answers.formulas.points import ENOUGH, NEEDED, points
from modex.core.answers.formulas.tree import Node, variables

_DIGITS = 60
_DOUBLE_BITS = 53
_LARGEST_EXPONENT = 10**6
_MAX_TERMS = 5000


def same_value(gold: Node, answer: Node) -> bool:
    """Whether the two expressions have one value, at every point where both are defined, and there are enough of these."""
    names = variables(gold) | variables(answer)
    real = bool(names) and not any(
        part.op == "const" and part.text == "i" for node in (gold, answer) for part in node.walk()
    )
    strict = any(part.op == "abs" for part in gold.walk())
    if not names:
        one, other = constant(gold), constant(answer)
        return one is not None and other is not None and agree(one, other)
    agreed = 0
    for values in points(names):
        one, other = (_value_at(node, values, real=real) for node in (gold, answer))
        if one is not None and other is not None:
            if not agree(one, other):
                return False
            agreed += 1
            if agreed >= ENOUGH:
                return True
        elif strict and one is not None:
            return False
    return agreed >= NEEDED


def constant(node: Node) -> tuple[Any, Any] | None:
    """The value of a constant expression to two precisions, complex if need be; None where it has none."""
    return _value_at(node, {}, real=False)


def in_doubles(node: Node) -> Any:
    """What the operations of a constant expression give one by one in double precision; None where that is no real number."""
    with mpmath.workprec(_DOUBLE_BITS):
        try:
            value = _stepwise(node)
        except (UndefinedError, NotRationalError, ArithmeticError, ValueError, NotImplementedError):
            return None
        return mpmath.re(value) if mpmath.isfinite(value) and mpmath.im(value) == 0 else None


def _stepwise(node: Node) -> Any:
    """A constant expression without the exact arithmetic of its rational parts, which a program has not either."""
    if not node.args or node.op in ("sum", "prod"):
        return _evaluated(node, {}, real=False)
    return _applied(node, [_stepwise(arg) for arg in node.args], real=False)


def agree(one: tuple[Any, Any], other: tuple[Any, Any]) -> bool:
    """Whether two values, each to two precisions, are one: what shrinks with the precision is zero."""
    a, b = _settled(one), _settled(other)
    largest = max(abs(a), abs(b))
    return bool(abs(a - b) <= mpmath.mpf(10) ** (-_DIGITS // 2) * largest)


def _settled(value: tuple[Any, Any]) -> Any:
    rough, fine = value
    return mpmath.mpf(0) if abs(fine) <= abs(rough) * mpmath.mpf(10) ** (-_DIGITS // 2) else fine


def _value_at(node: Node, values: Mapping[str, Fraction], *, real: bool) -> tuple[Any, Any] | None:
    """To 60 digits more than the longest numeral has; to twice as many too where it may be zero."""
    longest = max((len(part.text) for part in node.walk() if part.op == "num"), default=0)
    digits = _DIGITS + 2 * min(longest, 4000)
    try:
        with mpmath.workdps(digits):
            rough = _evaluated(node, values, real=real)
            if not mpmath.isfinite(rough):
                return None
            if abs(rough) > mpmath.mpf(10) ** (-_DIGITS // 3):
                return rough, rough
        with mpmath.workdps(digits + _DIGITS):
            return rough, _evaluated(node, values, real=real)
    except (UndefinedError, NotRationalError, ArithmeticError, ValueError, NotImplementedError):
        return None


def _evaluated(node: Node, values: Mapping[str, Any], *, real: bool) -> Any:
    try:
        rational = exact_value(node, {name: value for name, value in values.items() if isinstance(value, Fraction)})
        return mpmath.mpf(rational.numerator) / rational.denominator
    except NotRationalError:
        pass
    if node.op in ("sum", "prod"):
        return _series(node, values, real=real)
    if node.op == "const":
        if node.text == "infty":
            raise UndefinedError
        return {"pi": +mpmath.pi, "e": +mpmath.e, "i": mpmath.mpc(0, 1)}[node.text]
    if node.op in ("var", "num"):
        raise UndefinedError
    args = [_evaluated(arg, values, real=real) for arg in node.args]
    return _applied(node, args, real=real)


def _applied(node: Node, args: list[Any], *, real: bool) -> Any:
    match node.op:
        case "add":
            return args[0] + args[1]
        case "mul":
            return args[0] * args[1]
        case "div":
            return args[0] / _nonzero(args[1])
        case "neg":
            return -args[0]
        case "percent":
            return args[0] / 100
        case "degree":
            return args[0] * mpmath.pi / 180
        case "pow":
            return _power(args[0], args[1], node.args[1], real=real)
        case "root":
            return _root(args[0], args[1], real=real)
        case "abs":
            return abs(args[0])
        case "floor" | "ceil":
            return mpmath.floor(args[0]) if node.op == "floor" else mpmath.ceil(args[0])
        case "fact":
            return mpmath.gamma(_small(args[0]) + 1)
        case "binom":
            return mpmath.binomial(_small(args[0]), _small(args[1]))
        case "log":
            return _logarithm(args[1], real=real) / _nonzero(_logarithm(args[0], real=real))
        case "fn":
            return _function(node.text, args, real=real)
    raise UndefinedError


def _power(base: Any, exponent: Any, written: Node, *, real: bool) -> Any:
    if abs(exponent) > _LARGEST_EXPONENT:
        raise UndefinedError
    if not base:
        if mpmath.re(exponent) <= 0:
            raise UndefinedError
        return mpmath.mpf(0)
    if real and base < 0 and exponent != mpmath.nint(exponent):
        try:
            rational = exact_value(written, {})
        except NotRationalError:
            raise UndefinedError from None
        if rational.denominator % 2 == 0:
            raise UndefinedError
        root = -mpmath.power(-base, mpmath.mpf(1) / rational.denominator)
        return mpmath.power(root, rational.numerator)
    return mpmath.power(base, exponent)


def _root(value: Any, index: Any, *, real: bool) -> Any:
    odd = index == mpmath.nint(index) and int(index) % 2 == 1
    if odd and mpmath.im(value) == 0 and value < 0:
        return -mpmath.power(-value, 1 / mpmath.mpf(int(index)))
    if real and value < 0:
        raise UndefinedError
    return mpmath.sqrt(value) if index == 2 else mpmath.power(value, 1 / _nonzero(index))


def _logarithm(value: Any, *, real: bool) -> Any:
    if not value or (real and value <= 0):
        raise UndefinedError
    return mpmath.log(value)


def _function(name: str, args: list[Any], *, real: bool) -> Any:
    if name in ("min", "max"):
        return min(args) if name == "min" else max(args)
    if len(args) != 1 or name not in _FUNCTIONS:
        raise UndefinedError
    if name in ("ln", "log"):
        return _logarithm(args[0], real=real)
    value = _FUNCTIONS[name](_small(args[0]))
    if real and mpmath.im(value) != 0:
        raise UndefinedError
    return value


def _series(node: Node, values: Mapping[str, Any], *, real: bool) -> Any:
    low, high = (_evaluated(arg, values, real=real) for arg in node.args[:2])
    if low != mpmath.nint(low) or high != mpmath.nint(high) or high - low > _MAX_TERMS:
        raise UndefinedError
    total = mpmath.mpf(0 if node.op == "sum" else 1)
    for index in range(int(low), int(high) + 1):
        term = _evaluated(node.args[2], {**values, node.text: Fraction(index)}, real=real)
        total = total + term if node.op == "sum" else total * term
    return total


def _nonzero(value: Any) -> Any:
    if not value:
        raise UndefinedError
    return value


def _small(value: Any) -> Any:
    """An argument whose function can be had without millions of digits."""
    if abs(value) > _LARGEST_EXPONENT:
        raise UndefinedError
    return value


_FUNCTIONS = {
    "ln": mpmath.log, "log": mpmath.log, "exp": mpmath.exp,
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "cot": mpmath.cot, "sec": mpmath.sec, "csc": mpmath.csc,
    "arcsin": mpmath.asin, "arccos": mpmath.acos, "arctan": mpmath.atan, "arccot": mpmath.acot,
    "sinh": mpmath.sinh, "cosh": mpmath.cosh, "tanh": mpmath.tanh, "coth": mpmath.coth,
    "arcsinh": mpmath.asinh, "arccosh": mpmath.acosh, "arctanh": mpmath.atanh,
}  # fmt: skip
