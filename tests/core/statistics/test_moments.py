"""Sums over cells: they say what the tests themselves would."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.statistics.moments import Cell, Gathered, Moments, add_cluster, within

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
    gathered.add(("a", 1), 0.5, 3.0, "text")
    gathered.add(("a", 1), 1.0, 1.0)
    gathered.add(("b", 2), 0.5, 2.0, "text")
    cells, shared = gathered.settled()
    assert (cells["a", 1].units, cells["b", 2].units) == (2, 1)
    assert cells["a", 1].score == pytest.approx(3.5 / 5)
    assert shared == [{("a", 1): (4.0, 2.5), ("b", 2): (2.0, 1.0)}]


@given(UNITS)
def test_every_sum_is_that_of_its_name(units: list[tuple[float, float]]) -> None:
    found = of([(2 * value - 1, weight) for value, weight in units])
    pairs = [(2 * value - 1, weight) for value, weight in units]
    expected = [
        sum(weight for _, weight in pairs),
        sum(weight * value for value, weight in pairs),
        sum(weight**2 for _, weight in pairs),
        sum(weight**2 * value for value, weight in pairs),
        sum((weight * value) ** 2 for value, weight in pairs),
        sum(weight**2 * abs(value) for value, weight in pairs),
    ]
    assert [found.w, found.wx, found.w2, found.w2x, found.w2x2, found.w2a] == pytest.approx(expected, abs=1e-9)
    assert (found.level, found.units) == (2, len(units))
    halves = found.rescaled(-0.5, 2.0)
    shifted = of([(2 - value / 2, weight) for value, weight in pairs])
    assert [halves.level, halves.units, halves.w, halves.w2, halves.w2a] == [2, len(units), found.w, found.w2, 0.0]
    assert [halves.wx, halves.w2x, halves.w2x2] == pytest.approx([shifted.wx, shifted.w2x, shifted.w2x2], abs=1e-9)


def test_equal_units_at_once_are_as_many_one_by_one_and_cells_are_added_sum_by_sum() -> None:
    at_once, one_by_one, twice = Moments(2), Moments(2), Moments(2)
    at_once.add(-0.5, 3.0, 4)
    for _ in range(4):
        one_by_one.add(-0.5, 3.0)
    assert at_once == one_by_one == Moments(2, 4, 12.0, -6.0, 36.0, -18.0, 9.0, 18.0)
    twice.include(at_once)
    twice.include(at_once)
    assert twice == Moments(2, 8, 24.0, -12.0, 72.0, -36.0, 18.0, 36.0)
    assert Moments(2) == Moments(2, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert Moments(2).score is None
    negative = Moments(2)
    negative.add(1.0, -1.0)
    assert negative == Moments(2)


TESTS = st.lists(
    st.tuples(st.sampled_from("ab"), st.floats(0, 1), st.sampled_from([0.0, 1.0, 2.5]), st.sampled_from([None, "x", "y"])),
    max_size=8,
)  # fmt: skip


@given(TESTS, TESTS)
def test_two_gatherings_included_are_all_their_tests_gathered(
    one: list[tuple[str, float, float, str | None]], two: list[tuple[str, float, float, str | None]]
) -> None:
    def gathering(tests: list[tuple[str, float, float, str | None]]) -> Gathered:
        found = Gathered()
        for domain, mean, weight, cluster in tests:
            found.add((domain, 3), mean, weight, cluster)
        return found

    together, other = gathering(one), gathering(two)
    together.include(other)
    expected = gathering(one + two)
    assert together.empty is expected.empty is (not any(weight for _, _, weight, _ in one + two))
    (found, shared), (cells, expected_shared) = together.settled(), expected.settled()
    assert {cell: dataclasses.astuple(of) for cell, of in found.items()} == {
        cell: pytest.approx(dataclasses.astuple(of)) for cell, of in cells.items()
    }
    assert len(shared) == len(expected_shared)
    assert all(moments.level == 3 for moments in found.values())


def test_tests_that_count_the_same_are_counted_at_once() -> None:
    gathered, one_by_one = Gathered(), Gathered()
    gathered.add(("a", 1), 0.5, 2.0, number=3)
    for _ in range(3):
        one_by_one.add(("a", 1), 0.5, 2.0)
    assert gathered == one_by_one
    assert not gathered.empty


def test_a_cluster_alone_makes_the_cells_it_stands_in_and_is_shared_where_they_are_several() -> None:
    gathered = Gathered()
    gathered.add(("a", 2), 1.0, 1.0, "x")
    assert not gathered.empty
    cells: dict[Cell, Moments] = {}
    add_cluster(cells, {("a", 2): (2.0, 1.0), ("b", 3): (1.0, 1.0)})
    assert cells == {("a", 2): Moments(2, 1, 2.0, 1.0, 4.0, 2.0, 1.0, 2.0), ("b", 3): Moments(3, 1, *[1.0] * 6)}
    held = [{("a", 2): (2.0, 1.0), ("b", 3): (1.0, 1.0), ("c", 1): (1.0, 0.0)}, {("a", 2): (1.0, 1.0)}]
    assert list(within(held, cells)) == [{("a", 2): (2.0, 1.0), ("b", 3): (1.0, 1.0)}]
    assert list(within(held, {("c", 1): Moments(1)})) == []
