"""Weighted Scores, against the definition written out again."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.statistics.moments import Gathered
from modex.core.statistics.weighted import weighted_score

Test = tuple[str, int, float, float]
"""(domain, level, weight, mean)"""
TEST = st.tuples(st.sampled_from(["a", "b"]), st.integers(1, 5), st.floats(0.1, 10), st.floats(0, 1))


def overall(tests: list[Test]) -> float | None:
    """The overall score as the product adds it up."""
    gathered = Gathered()
    for domain, level, weight, mean in tests:
        gathered.add((domain, level), mean, weight)
    return weighted_score({cell: moments.score for cell, moments in gathered.settled()[0].items()})


def exactly(tests: list[Test]) -> Fraction | None:
    """The overall score by the formula, in exact arithmetic."""
    cells: dict[tuple[str, int], tuple[Fraction, Fraction]] = {}
    for domain, level, weight, mean in tests:
        above, below = cells.get((domain, level), (Fraction(), Fraction()))
        cells[domain, level] = above + Fraction(weight) * Fraction(mean), below + Fraction(weight)
    levels = sum(level for _, level in cells)
    if not levels:
        return None
    return sum((above / below * level for (_, level), (above, below) in cells.items()), Fraction()) / levels


@given(st.lists(TEST, max_size=25))
def test_the_overall_score_is_the_formulas(tests: list[Test]) -> None:
    found, expected = overall(tests), exactly(tests)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert found == pytest.approx(float(expected), abs=1e-9)


@given(st.lists(TEST, max_size=15))
def test_the_order_of_tests_does_not_matter(tests: list[Test]) -> None:
    assert overall(tests[::-1]) == pytest.approx(overall(tests))


def test_a_documented_example() -> None:
    assert weighted_score({1: 1.0, 2: 0.5, 5: 0.2}) == pytest.approx((1 + 1 + 1) / 8)
    assert weighted_score({("a", 1): 1.0, ("b", 3): 0.0}) == pytest.approx(0.25)


def test_levels_without_a_score_leave_both_sums() -> None:
    assert weighted_score({1: 0.5, 5: None}) == 0.5
    assert weighted_score({1: None}) is None
    assert weighted_score({}) is None
