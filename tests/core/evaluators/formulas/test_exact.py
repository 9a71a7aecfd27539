"""Rational values, to the last digit, and where there are none."""

from __future__ import annotations

from fractions import Fraction

from core.evaluators.formulas.exact import NotRationalError, UndefinedError, exact_value
from core.evaluators.formulas.grammar import parse

_AT = {"x": Fraction(3), "y": Fraction(-1, 2)}


def _value(text: str) -> str:
    try:
        return str(exact_value(parse(text), _AT))
    except NotRationalError:
        return "not rational"
    except UndefinedError:
        return "undefined"
