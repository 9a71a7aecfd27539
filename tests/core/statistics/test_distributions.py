"""Student's t and the normal: published values."""

from __future__ import annotations

import ast
import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.statistics import distributions
from modex.core.statistics.distributions import (
    ALPHA,
    LEVEL,
    LEVEL_TEXT,
    Z,
    beta_quantile,
    beta_tail,
    normal_p,
    normal_quantile,
    t_p,
    t_quantile,
)
from tests.rows import each_row


@each_row(
    ("df", "alpha", "value"),
    [
        (1.0, 0.05, 12.706205),
        (2.0, 0.05, 4.302653),
        (4.0, 0.05, 2.776445),
        (10.0, 0.05, 2.228139),
        (9.0, 0.01, 3.249836),
        (120.0, 0.05, 1.979930),
        (1e9, 0.05, 1.959964),
    ],
)
def test_quantiles_have_their_published_values(df: float, alpha: float, value: float) -> None:
    assert t_quantile(df, alpha) == pytest.approx(value, abs=1e-5)


@given(st.floats(1.5, 5000), st.sampled_from([0.2, 0.05, 0.01, 0.001]))
def test_the_tail_behind_a_quantile_is_its_alpha(df: float, alpha: float) -> None:
    assert t_p(t_quantile(df, alpha), df) == pytest.approx(alpha, rel=1e-6)


def test_the_normal_has_its_published_values() -> None:
    assert normal_p(1.959963984540054) == pytest.approx(0.05)
    assert normal_quantile(0.8) == pytest.approx(0.841621, abs=1e-6)


def test_the_incomplete_beta_function_at_its_ends_and_middle() -> None:
    assert (beta_tail(0, 2, 3), beta_tail(1, 2, 3)) == (0, 1)
    assert beta_tail(0.5, 2, 2) == pytest.approx(0.5)
    assert beta_tail(0.25, 1, 3) == pytest.approx(1 - 0.75**3)


def test_the_level_of_intervals_is_one_number_with_its_words_and_deviate() -> None:
    assert normal_quantile((1 + LEVEL) / 2) == pytest.approx(Z, abs=1e-14)
    assert pytest.approx(1 - LEVEL) == ALPHA
    assert LEVEL_TEXT == "95 %"


def test_no_other_module_spells_the_level_out() -> None:
    own = Path(distributions.__file__)
    found = [
        f"{path}:{constant.lineno}"
        for package in ("core", "tui")
        for path in (own.parents[2] / package).rglob("*.py")
        if path != own and "95" in (text := path.read_text(encoding="utf-8"))
        for constant in ast.walk(ast.parse(text))
        if isinstance(constant, ast.Constant)
        and (constant.value == LEVEL or (isinstance(constant.value, str) and re.search(r"\b95 ?%", constant.value)))
    ]
    assert found == []


@given(st.integers(1, 60), st.integers(1, 60), st.sampled_from([0.05, 0.025]))
def test_the_tail_below_a_quantile_of_the_beta_is_its_probability(passed: int, failed: int, probability: float) -> None:
    a, b, high = float(passed), failed + 1.0, passed / (passed + failed)
    found = beta_quantile(probability, a, b, high)
    assert 0 < found < high
    assert beta_tail(found, a, b) == pytest.approx(probability, rel=1e-4)


@given(
    st.floats(0.05, 3000), st.floats(1, 3000), st.sampled_from([0.5, 0.05, 0.025, 1e-6]),
    st.sampled_from([0.5, 0.999, 0.999999, 1 - 1e-12]),
)  # fmt: skip
def test_a_quantile_is_found_from_however_far_above_it(a: float, b: float, probability: float, high: float) -> None:
    found = beta_quantile(probability, a, b, high)
    assert 0 < found <= high
    assert found == high or beta_tail(found, a, b) == pytest.approx(probability, rel=1e-4)


def test_a_quantile_beyond_the_highest_that_is_asked_for_is_that() -> None:
    assert beta_quantile(0.5, 5.0, 1.0, 0.2) == 0.2
    assert beta_quantile(0.05, 9.0, 2.0, 0.9) == pytest.approx(0.6058, abs=1e-4)


def test_tails_are_their_closed_forms() -> None:
    """One and two degrees of freedom, and three (W. S. Gosset's integrals); far out too."""
    for t in (0.1, 0.5, 1.0, 2.5, 12.0, 400.0):
        assert t_p(t, 1) == pytest.approx(1 - 2 / math.pi * math.atan(t), rel=1e-9)
        assert t_p(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), rel=1e-9, abs=1e-15)
        angle = math.atan(t / math.sqrt(3))
        assert t_p(t, 3) == pytest.approx(1 - 2 / math.pi * (angle + math.sin(angle) * math.cos(angle)), rel=1e-8)
        assert t_p(-t, 3) == t_p(t, 3)
    assert t_p(2.0, 1e9) == normal_p(2.0) == pytest.approx(0.0455002639)
    assert t_p(2.0, 1e6) == pytest.approx(0.0455002639, rel=1e-5)


@each_row("df", [1.0, 1.5, 4.0, 30.0, 5000.0])
@each_row("alpha", [0.5, 1e-3, 1e-9, 1e-12])
def test_a_quantile_far_out_is_found_as_exactly(df: float, alpha: float) -> None:
    assert t_p(t_quantile(df, alpha), df) == pytest.approx(alpha, rel=1e-8)


def test_the_incomplete_beta_function_is_the_binomial_tail() -> None:
    for n in (1, 2, 7, 40):
        for k in range(1, n + 1):
            for x in (0.01, 0.3, 0.5, 0.77, 0.999):
                tail = math.fsum(math.comb(n, j) * x**j * (1 - x) ** (n - j) for j in range(k, n + 1))
                assert beta_tail(x, k, n - k + 1) == pytest.approx(tail, rel=1e-10)
    assert (beta_tail(-1.0, 2, 3), beta_tail(2.0, 2, 3)) == (0, 1)
    assert beta_tail(0.3, 0.5, 0.5) == pytest.approx(2 / math.pi * math.asin(math.sqrt(0.3)))  # the arcsine law


@each_row(("a", "b", "probability"), [(1, 5, 0.05), (5, 1, 0.05), (2, 90, 0.025), (60, 3, 0.2), (1, 1, 0.4)])
def test_a_quantile_of_the_beta_is_the_same_from_wherever_it_is_sought(a: float, b: float, probability: float) -> None:
    found = beta_quantile(probability, a, b, a / (a + b))
    assert beta_tail(found, a, b) == pytest.approx(probability, rel=1e-9)
    assert beta_quantile(probability, a, b, found * 1.0001) == pytest.approx(found, rel=1e-9)
    assert beta_quantile(probability, a, b, found * 0.9999) == found * 0.9999
