from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evaluators.formulas.cleaning import cleaned
from core.evaluators.formulas.exact import exact_value
from core.evaluators.formulas.grammar import read_expression
from core.evaluators.formulas.statements import read_statement
from core.evaluators.formulas.tree import FormulaError, Node, from_json, negated, number

_SIGNS = r"0123456789.,+-*/^_!%()[]{}|\<>=:;$&xyzeinr πα√½²°±∞≤∈ \frac\sqrt\sin\log\pm\text\begin\cup\in"


def arithmetic() -> st.SearchStrategy[tuple[str, Fraction]]:
    """A written sum and its value, by Python's own arithmetic."""
    leaves = st.integers(0, 10**30).map(lambda value: (str(value), Fraction(value)))

    def combine(inner: st.SearchStrategy[tuple[str, Fraction]]) -> st.SearchStrategy[tuple[str, Fraction]]:
        pairs = st.tuples(inner, inner)
        return st.one_of(
            pairs.map(lambda p: (f"({p[0][0]}+{p[1][0]})", p[0][1] + p[1][1])),
            pairs.map(lambda p: (f"({p[0][0]}-{p[1][0]})", p[0][1] - p[1][1])),
            pairs.map(lambda p: (rf"{p[0][0]} \cdot {p[1][0]}", p[0][1] * p[1][1])),
            pairs.filter(lambda p: p[1][1] != 0).map(
                lambda p: (rf"\frac{{{p[0][0]}}}{{{p[1][0]}}}", p[0][1] / p[1][1])
            ),
        )

    return st.recursive(leaves, combine, max_leaves=8)


@given(arithmetic())
def test_sums_have_the_value_that_they_say(sum_: tuple[str, Fraction]) -> None:
    text, value = sum_
    assert exact_value(read_expression(cleaned(text)), {}) == value


@given(arithmetic())
def test_trees_survive_the_wire(sum_: tuple[str, Fraction]) -> None:
    node = read_expression(cleaned(sum_[0]))
    assert from_json(node.as_json()) == node


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=60), st.text(_SIGNS, max_size=60)), st.sampled_from(["en", "de"]))
def test_no_text_raises(text: str, locale: str) -> None:
    read_statement(text, locale)


@pytest.mark.parametrize(
    "text",
    [
        "2 3",
        "x2",
        "(1",
        "1)",
        "2+",
        "*3",
        "dog",
        r"\frac{1}",
        "1..2",
        "5!!",
        r"\foo",
        "a_",
        "|x",
        "",
        "(" * 200 + "1" + ")" * 200,
    ],
)
def test_what_is_no_single_expression_is_refused_whole(text: str) -> None:
    with pytest.raises(FormulaError):
        read_expression(text)


def test_a_sign_belongs_to_the_whole_product() -> None:
    assert read_expression("-2x^2") == negated(
        Node("mul", (number(2), Node("pow", (Node("var", text="x"), number(2)))))
    )


def test_a_quotient_binds_like_a_product() -> None:
    assert exact_value(read_expression("1/2x"), {"x": Fraction(3)}) == Fraction(3, 2)
