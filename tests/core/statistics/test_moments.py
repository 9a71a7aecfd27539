"""Sums over cells: they say what the tests themselves would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.moments import Gathered, Moments

UNITS = st.lists(st.tuples(st.floats(0, 1), st.floats(0.1, 9)), min_size=1, max_size=12)


def of(units: list[tuple[float, float]]) -> Moments:
    moments = Moments(2)
    for mean, weight in units:
        moments.add(mean, weight)
    return moments


@given(UNITS)
def test_score_and_spread_are_the_weighted_mean_and_variance(units: list[tuple[float, float]]) -> None:
    found = of(units)
    total = sum(weight for _, weight in units)
    mean = sum(weight * value for value, weight in units) / total
    squares = sum(weight**2 for _, weight in units)
    assert found.score == pytest.approx(mean)
    assert found.size == pytest.approx(total**2 / squares)
    expected = sum(weight**2 * (value - mean) ** 2 for value, weight in units) / squares
    assert found.spread == pytest.approx(expected, abs=1e-9)


@given(UNITS, UNITS)
def test_cells_taken_together_are_their_units_together(
    one: list[tuple[float, float]], two: list[tuple[float, float]]
) -> None:
    together = of(one)
    together.include(of(two))
    assert together.spread == pytest.approx(of(one + two).spread, abs=1e-9)
    assert together.units == len(one + two)
    assert together.score == pytest.approx(of(one + two).score)


@given(UNITS)
def test_rescaled_sums_are_those_of_rescaled_values(units: list[tuple[float, float]]) -> None:
    found = of(units).rescaled(0.5, 0.5)
    expected = of([(value / 2 + 0.5, weight) for value, weight in units])
    assert [found.wx, found.w2x2] == pytest.approx([expected.wx, expected.w2x2])


def test_a_test_without_weight_counts_nothing() -> None:
    assert of([(1.0, 0.0)]) == Moments(2)


def test_the_tests_of_a_cluster_are_one_unit_of_each_cell() -> None:
    gathered = Gathered()
    gathered.add(("a", 1), 1.0, 1.0, "text")
    gathered.add(("a", 1), 0.0, 3.0, "text")
    gathered.add(("a", 1), 1.0, 1.0)
    gathered.add(("b", 2), 1.0, 1.0, "text")
    cells, shared = gathered.settled()
    assert (cells["a", 1].units, cells["b", 2].units) == (2, 1)
    assert cells["a", 1].score == pytest.approx(2 / 5)
    assert shared == [{("a", 1): (4.0, 1.0), ("b", 2): (1.0, 1.0)}]
