"""Level scores and Weighted Scores, against the definition written out again."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.weighted import ScoredTest, by_cell, level_score, overall_score, weighted_score

SCORE = st.floats(0, 1)
TEST = st.builds(
    ScoredTest,
    domain=st.sampled_from(["a", "b"]),
    level=st.integers(1, 5),
    weight=st.floats(0.1, 10),
    scores=st.lists(SCORE, max_size=3).map(tuple),
)


def exactly(tests: list[ScoredTest]) -> Fraction | None:
    """The overall score by the formula, in exact arithmetic."""
    cells: dict[tuple[str, int], tuple[Fraction, Fraction]] = {}
    for test in tests:
        if test.scores:
            mean = sum(map(Fraction, test.scores), Fraction()) / len(test.scores)
            above, below = cells.get((test.domain, test.level), (Fraction(), Fraction()))
            cells[test.domain, test.level] = above + Fraction(test.weight) * mean, below + Fraction(test.weight)
    levels = sum(level for _, level in cells)
    if not levels:
        return None
    return sum((above / below * level for (_, level), (above, below) in cells.items()), Fraction()) / levels


@given(st.lists(TEST, max_size=25))
def test_the_overall_score_is_the_formulas(tests: list[ScoredTest]) -> None:
    found, expected = overall_score(tests), exactly(tests)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert found == pytest.approx(float(expected), abs=1e-9)
        assert -1e-9 <= found <= 1 + 1e-9


@given(st.lists(TEST, max_size=15))
def test_the_order_of_tests_does_not_matter(tests: list[ScoredTest]) -> None:
    turned = list(reversed(tests))
    assert overall_score(turned) == pytest.approx(overall_score(tests))


def test_a_documented_example() -> None:
    assert weighted_score({1: 1.0, 2: 0.5, 5: 0.2}) == pytest.approx((1 + 1 + 1) / 8)
    assert weighted_score({("a", 1): 1.0, ("b", 3): 0.0}) == pytest.approx(0.25)


def test_levels_without_a_score_leave_both_sums() -> None:
    assert weighted_score({1: 0.5, 5: None}) == 0.5
    assert weighted_score({1: None}) is None
    assert weighted_score({}) is None


def test_weights_count_within_a_level() -> None:
    tests = [ScoredTest("a", 1, 3.0, (1.0,)), ScoredTest("a", 1, 1.0, (0.0,))]
    assert level_score(tests) == 0.75


def test_epochs_are_averaged_before_weights_count() -> None:
    tests = [ScoredTest("a", 1, 1.0, (1.0, 1.0, 1.0, 0.0)), ScoredTest("a", 1, 1.0, (0.0,))]
    assert level_score(tests) == pytest.approx(0.375)


def test_a_test_without_a_score_or_weight_is_not_a_zero() -> None:
    scored = ScoredTest("a", 1, 1.0, (1.0,))
    assert level_score([scored, ScoredTest("a", 1, 5.0, ()), ScoredTest("a", 1, 0.0, (0.0,))]) == 1.0
    assert level_score([]) is None


def test_cells_come_in_order_of_first_appearance() -> None:
    tests = [ScoredTest("z", 2, 1, (1.0,)), ScoredTest("a", 1, 1, (1.0,)), ScoredTest("z", 2, 1, (0.0,))]
    assert [(cell, len(members)) for cell, members in by_cell(tests).items()] == [(("z", 2), 2), (("a", 1), 1)]
