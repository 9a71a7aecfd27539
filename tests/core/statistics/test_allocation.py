"""Which sample a budget buys, and what it promises."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.statistics.planning import cases, planned_run
from benchmarks.statistics.simulation import cell_of
from modex.core.statistics.allocation import Expected, Planned, Price, allocated, expected, expected_interval
from modex.core.statistics.intervals import estimate, score_interval
from modex.core.statistics.moments import Cell, Moments

SIZES = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 12), st.floats(0.5, 9)), min_size=1, max_size=8)


@given(SIZES, st.floats(0.3, 1.2))
def test_a_sample_stays_within_its_budget_and_its_cells(sizes: list[tuple[int, int, float]], share: float) -> None:
    tests: dict[Cell, tuple[int, float]] = {
        (str(n), level): (count, price) for n, (level, count, price) in enumerate(sizes)
    }
    budget = max(sum(p for _, p in tests.values()), share * sum(n * p for n, p in tests.values()))
    prices = {cell: [(price / budget,)] * count for cell, (count, price) in tests.items()}
    found = allocated(prices, {cell: Expected() for cell in tests})
    assert all(1 <= found[cell] <= count for cell, (count, _) in tests.items())
    assert sum(found[cell] * price for cell, (_, price) in tests.items()) <= budget * 1.000001
    if share >= 1:
        assert all(found[cell] == count for cell, (count, _) in tests.items())


def test_harder_levels_and_what_varies_get_more_and_what_is_dear_gets_less() -> None:
    cells: list[Cell] = [("a", 1), ("a", 4), ("b", 4), ("c", 4)]
    what = {cell: Expected() for cell in cells} | {("b", 4): Expected(0.98)}
    prices = {cell: [(1 / 200,)] * 200 for cell in cells} | {("c", 4): [(4 / 200,)] * 200}
    found = allocated(prices, what)
    # Neyman: n ∝ level · √variance / √price.
    assert found["a", 4] / found["a", 1] == pytest.approx(4, rel=0.1)
    assert found["a", 4] / found["b", 4] == pytest.approx(0.5 / 0.14, rel=0.1)
    assert found["a", 4] / found["c", 4] == pytest.approx(2, rel=0.1)


def test_every_cell_has_two_tests_before_any_has_three() -> None:
    cells: list[Cell] = [("a", 1), ("a", 5)]
    assert allocated({cell: [(0.25,)] * 9 for cell in cells}, {cell: Expected() for cell in cells}) == dict.fromkeys(
        cells, 2
    )


def test_a_budget_that_leaves_a_cell_out_is_refused() -> None:
    with pytest.raises(ValueError, match="1 tests, and there are 2 cells"):
        allocated({("a", 1): [(0.6,)], ("a", 2): [(0.6,)]}, {("a", 1): Expected(), ("a", 2): Expected()})


def test_where_nothing_is_stored_the_largest_variance_is_expected() -> None:
    assert expected({}, [("a", 1)])["a", 1].variance == 0.25
    known = expected({("a", 1): cell_of(1, [1.0] * 18 + [0.0] * 2)}, [("a", 1), ("a", 2)])
    assert 0.8 < known["a", 1].rate < 0.9
    assert known["a", 2].rate == pytest.approx(known["a", 1].rate, abs=0.05)


def test_the_interval_to_expect_is_the_one_that_such_answers_get() -> None:
    what = {("a", 1): Expected(0.7)}
    found = expected_interval([Planned(("a", 1))] * 100, what, seed=1)
    got = score_interval({("a", 1): cell_of(1, [1.0] * 70 + [0.0] * 30)})
    assert found is not None
    assert got is not None
    assert found[1] == pytest.approx((got[1] - got[0]) / 2, rel=0.03)
    assert found == expected_interval([Planned(("a", 1))] * 100, what, seed=1)


def test_tests_of_one_cluster_promise_no_more_than_one_test() -> None:
    what = {("a", 1): Expected(0.7)}
    alone = expected_interval([Planned(("a", 1))] * 20, what, seed=1)
    together = expected_interval([Planned(("a", 1), 1.0, n % 20) for n in range(200)], what, seed=1)
    assert alone is not None
    assert together is not None
    assert together[1] == pytest.approx(alone[1], rel=0.1)


def test_a_promised_half_width_holds_the_truth_and_is_smaller_than_that_of_a_plain_sample() -> None:
    case = replace(cases()[1], name="small")
    draw = random.Random("promise")
    runs = [planned_run(draw, case) for _ in range(40)]
    assert sum(run.held for run in runs) >= 34  # .95 less three standard errors
    assert sum(run.half for run in runs) < 0.8 * sum(run.plain_half for run in runs)


def test_where_the_best_next_test_cannot_be_paid_no_cheaper_one_of_another_cell_is_taken_instead() -> None:
    dear, cheap = ("a", 5), ("b", 1)
    prices = {dear: [(0.4,)] * 5, cheap: [(0.05,)] * 9}
    assert allocated(prices, {dear: Expected(), cheap: Expected()}) == {dear: 2, cheap: 2}


def test_the_next_test_goes_where_it_takes_most_variance_away() -> None:
    # Of n tests another one takes S²/n − S²/(n + 1) = S²/(n·(n + 1)) away: .21/12 of the fourth there, .1/6 of the third here.
    here, there = ("a", 1), ("b", 1)
    what = {here: Expected(0.5, 0.4), there: Expected(0.5, 0.84)}
    assert allocated({here: [(1 / 6,)] * 9, there: [(1 / 6,)] * 9}, what) == {here: 2, there: 4}


def test_how_many_tests_a_cell_has_is_not_what_one_of_them_costs() -> None:
    small, large = ("a", 1), ("b", 1)
    prices = {small: [(1 / 8,)] * 6, large: [(1 / 8,)] * 60}
    assert allocated(prices, {small: Expected(), large: Expected()}) == {small: 4, large: 4}


def greedily(prices: Mapping[Cell, Sequence[Price]], what: Mapping[Cell, Expected]) -> dict[Cell, int] | None:
    """One test after the other where it takes most variance away for the mean price of its cell; None: not one each is paid."""
    counts = dict.fromkeys(prices, 0)
    weights = {cell: cell[1] * math.sqrt(what[cell].variance) for cell in prices}

    def paid(cell: Cell) -> bool:
        asked = [*(of[n] for one, of in prices.items() for n in range(counts[one])), prices[cell][counts[cell]]]
        return all(sum(price[budget] for price in asked) <= 1 + 1e-9 for budget in range(len(asked[0])))

    for least in (1, 2):
        for cell in sorted(prices, key=lambda cell: (-weights[cell], cell)):
            if counts[cell] < least <= len(prices[cell]):
                if not paid(cell):
                    return counts if least == 2 else None
                counts[cell] += 1
    while left := [cell for cell in prices if counts[cell] < len(prices[cell])]:
        cell = min(
            left,
            key=lambda cell: (
                -(weights[cell] ** 2)
                / (counts[cell] * (counts[cell] + 1))
                / (sum(max(price) for price in prices[cell]) / len(prices[cell])),
                cell,
            ),
        )
        if not paid(cell):
            break
        counts[cell] += 1
    return counts


def test_a_sample_is_that_of_taking_one_test_after_the_other_by_two_budgets() -> None:
    draw = random.Random("budgets")
    paid = 0
    for _ in range(150):
        cells = [(str(number), draw.randint(1, 5)) for number in range(draw.randint(1, 5))]
        what = {cell: Expected(draw.choice([0.5, 0.8, 0.97, 0.1]), draw.choice([1.0, 0.3])) for cell in cells}
        budgets = draw.uniform(5, 60), draw.uniform(5, 60)
        prices = {
            cell: [tuple(draw.uniform(0.2, 4) / budget for budget in budgets)] * draw.randint(1, 12) for cell in cells
        }
        expected_counts = greedily(prices, what)
        if expected_counts is None:
            with pytest.raises(ValueError, match="they pay for"):
                allocated(prices, what)
        else:
            assert allocated(prices, what) == expected_counts
            paid += 1
    assert paid > 100


def test_a_budget_is_spent_to_its_end_and_the_heavier_cells_have_their_second_test_first() -> None:
    light, heavy = ("a", 1), ("b", 5)
    what = {light: Expected(), heavy: Expected()}
    assert allocated({light: [(0.1,)] * 20}, {light: Expected()}) == {light: 10}
    assert allocated({light: [(0.3,)] * 2, heavy: [(0.3,)] * 2}, what) == {light: 1, heavy: 2}
    assert allocated({light: [(0.0,)] * 4, heavy: [(0.0,)] * 3}, what) == {light: 4, heavy: 3}
    assert allocated({}, {}) == {}


def test_what_is_expected_is_drawn_towards_the_common_score_by_two_tests() -> None:
    one, two, none = ("a", 1), ("a", 2), ("b", 1)
    earlier = {one: cell_of(1, [1.0] * 6 + [0.0] * 2), two: cell_of(2, [0.0, 1.0, 0.0, 0.0]), none: Moments(1)}
    known = estimate(earlier)
    assert known is not None
    middle = (known.size * (1 * 0.75 + 2 * 0.25) / 3 + 1) / (known.size + 2)
    found = expected(earlier, [one, two, none, ("c", 3)])
    rates = {one: (6 + 2 * middle) / 10, two: (1 + 2 * middle) / 6, none: middle, ("c", 3): middle}
    assert {cell: what.rate for cell, what in found.items()} == pytest.approx(rates)
    assert {what.dispersion for what in found.values()} == {known.dispersion}
    assert Expected(0.2, 0.5).variance == pytest.approx(0.5 * 0.2 * 0.8)
    assert Expected() == Expected(0.5, 1.0)
    assert Planned(one) == Planned(one, 1.0, None)


def test_the_score_to_expect_counts_cells_by_their_level_and_the_width_falls_where_tests_vary_less() -> None:
    sample = [Planned(("a", 1), 1.0)] * 40 + [Planned(("b", 3), 1.0)] * 40
    what = {("a", 1): Expected(0.9), ("b", 3): Expected(0.5)}
    found = expected_interval(sample, what, 1)
    assert found is not None
    assert found[0] == pytest.approx((0.9 + 3 * 0.5) / 4)
    steady = expected_interval(sample, {cell: Expected(one.rate, 0.25) for cell, one in what.items()}, 1)
    assert steady is not None
    assert steady[1] == pytest.approx(found[1] / 2, rel=0.1)  # a quarter of the variance
    assert expected_interval(sample[:1], what, 1) is None
    weighed = expected_interval([*sample[1:], Planned(("a", 1), 60.0)], what, 1)
    assert weighed is not None
    assert weighed[1] > found[1] * 1.1
