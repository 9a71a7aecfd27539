"""Rational values, to the last digit, and where there are none."""

from __future__ import annotations

from fractions import Fraction

from modex.core.answers.formulas.cleaning import cleaned
from modex.core.answers.formulas.exact import NotRationalError, UndefinedError, exact_value
from modex.core.answers.formulas.grammar import read_expression

_AT = {"x": Fraction(3), "y": Fraction(-1, 2)}


def _value(text: str) -> str:
    try:
        return str(exact_value(read_expression(cleaned(text)), _AT))
    except NotRationalError:
        return "not rational"
    except UndefinedError:
        return "undefined"


_VALUES = [
    ("x^2 y", "-9/2"),
    ("1/(x-3)", "undefined"),
    ("z+1", "not rational"),
    (r"\pi", "not rational"),
    ("7%", "7/100"),
    ("5!", "120"),
    ("(-1)!", "undefined"),
    ("2.5!", "not rational"),
    ("3000!/2999!", "3000"),
    ("3001!/3000!", "not rational"),
    (r"\sqrt{9/4}", "3/2"),
    (r"\sqrt{2}", "not rational"),
    (r"\sqrt{0}", "0"),
    (r"\sqrt{-4}", "not rational"),
    (r"\sqrt[3]{-8}", "-2"),
    (r"\sqrt[3]{8/27}", "2/3"),
    (r"\sqrt[4]{-16}", "not rational"),
    (r"\sqrt[64]{1}", "1"),
    (r"\sqrt[65]{1}", "not rational"),
    (r"\sqrt[1]{7}", "7"),
    (r"\sqrt[5]{1024}", "4"),
    (r"\sqrt[3]{9}", "not rational"),
    ("8^{2/3}", "4"),
    ("(-8)^{1/3}", "-2"),
    ("0^{1/2}", "0"),
    ("0^{-1/2}", "undefined"),
    ("0^0", "1"),
    ("0^{-1}", "undefined"),
    ("0^2", "0"),
    ("2^{-3}", "1/8"),
    ("1^{65537}", "not rational"),
    ("(-1)^{65535}", "-1"),
    ("2^{32767}/2^{32766}", "2"),
    ("3^{40000}", "not rational"),
    ("2^{70000}", "not rational"),
    ("1e5", "100000"),
    ("1e-4001", "not rational"),
    ("1e4000/1e3999", "10"),
    (r"\binom{5}{2}", "10"),
    (r"\binom{5}{5}", "1"),
    (r"\binom{5}{0}", "1"),
    (r"\binom{5}{6}", "not rational"),
    (r"\binom{-1}{1}", "not rational"),
    (r"\binom{3001}{1}", "not rational"),
    (r"\lfloor 7/2 \rfloor", "3"),
    (r"\lceil 7/2 \rceil", "4"),
    (r"\lfloor -7/2 \rfloor", "-4"),
    ("|y|", "1/2"),
    (r"\gcd(12,18)", "6"),
    (r"\operatorname{lcm}(4,6)", "12"),
    (r"\gcd(1/2,3)", "not rational"),
    (r"\min(3,x,y)", "-1/2"),
    (r"\max(3,x+1,y)", "4"),
    (r"\sum_{k=1}^{4} k", "10"),
    (r"\sum_{k=1}^{4} k x", "30"),
    (r"\prod_{k=1}^{4} k", "24"),
    (r"\sum_{k=3}^{2} k", "0"),
    (r"\prod_{k=3}^{2} k", "1"),
    (r"\sum_{k=1}^{2001} 1", "2001"),
    (r"\sum_{k=1}^{2002} 1", "not rational"),
    (r"\sum_{k=1/2}^{2} k", "not rational"),
    (r"\sum_{k=1}^{n} k", "not rational"),
    (r"\sin(0)", "not rational"),
    ("-x", "-3"),
]
"""An expression and its value where x is 3 and y is −1/2; "not rational" also where it would be too large."""


def test_an_expression_has_its_rational_value_or_is_refused() -> None:
    assert [(text, _value(text)) for text, _ in _VALUES] == _VALUES
