"""What is drawn: clusters put together again wherever they stand, and what none of the draws showed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.statistics.moments import Gathered, Moments
from modex.core.statistics.paired import paired_difference
from modex.core.statistics.units import LEAST_UNITS, pooled, units_of, worst_unseen
from tests.core.statistics.plainly import Test, drawn, gathered, run_of, unseen_of
from tests.rows import each_row

TESTS = st.lists(
    st.tuples(
        st.sampled_from("ab"), st.integers(1, 3), st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.5, 3),
        st.sampled_from([None, "x", "y", "z"]),
    ),
    min_size=1,
    max_size=20,
)  # fmt: skip


@given(TESTS)
def test_cells_pooled_are_their_tests_pooled(tests: list[tuple[str, int, float, float, str | None]]) -> None:
    cells, one = Gathered(), Gathered()
    for domain, level, score, weight, cluster in tests:
        cells.add((domain, level), score, weight, cluster)
        one.add(("", 1), score, weight, cluster)
    found, expected = pooled(*cells.settled()), one.settled()[0]["", 1]
    assert found.units == expected.units
    assert [found.w, found.wx] == pytest.approx([expected.w, expected.wx])
    assert [found.w2, found.w2x2] == pytest.approx([expected.w2, expected.w2x2], abs=1e-9)


@given(TESTS)
def test_the_units_of_a_run_are_its_tests_and_its_clusters(
    tests: list[tuple[str, int, float, float, str | None]],
) -> None:
    gathered = Gathered()
    for domain, level, score, weight, cluster in tests:
        gathered.add((domain, level), score, weight, cluster)
    units = units_of(*gathered.settled())
    clusters = {cluster for *_, cluster in tests if cluster is not None}
    assert units.number == len(clusters) + sum(cluster is None for *_, cluster in tests)
    whole = sum(row.share for row in units.rows.values())
    assert whole == pytest.approx(1)
    assert units.effective <= units.number + 1e-9


@each_row("tests", [1, 20, 100])
def test_what_equal_tests_may_hide_is_the_exact_bound_of_none_lost(tests: int) -> None:
    moments = Moments(1)
    moments.add(1.0, 1.0, tests)
    found = worst_unseen(units_of({("d", 1): moments}), -math.log(0.025))
    assert found == pytest.approx(1 - 0.025 ** (1 / tests))


def test_few_tests_that_weigh_much_may_hide_more_than_many() -> None:
    def hidden(heavy: int) -> float:
        easy, hard = Moments(1), Moments(5)
        easy.add(1.0, 1.0, 200)
        hard.add(1.0, 1.0, heavy)
        return worst_unseen(units_of({("d", 1): easy, ("d", 5): hard}))

    assert hidden(1) > 5 / 6 * 0.95
    assert hidden(5) > hidden(50) > 3.84 / 250


@pytest.mark.parametrize(("tests", "too_few"), [(4, True), (5, False)])
def test_fewer_than_five_units_decide_nothing(tests: int, too_few: bool) -> None:
    assert (tests < LEAST_UNITS) is too_few  # five that all go one way: 2 · ½⁵ = .0625
    moments = Moments(1)
    moments.add(1.0, 1.0, tests)
    found = paired_difference({("d", 1): moments})
    assert found is not None
    assert found.too_few is too_few


@pytest.mark.parametrize("values", [[0.0, 1.0], [0.0, 0.5, 1.0]], ids=str)
def test_units_and_what_they_may_hide_are_those_of_the_tests_themselves(values: list[float]) -> None:
    for number in range(60):
        tests = drawn(f"units {number}", values)
        run, found = run_of(tests), units_of(*gathered(tests).settled())
        assert found.number == len(run.units)
        assert found.effective == pytest.approx(run.effective, rel=1e-9)
        assert sorted(one.weight for one in found.spanning) == pytest.approx(
            sorted(unit.weight for unit in run.units if len(unit.parts) > 1)
        )
        assert worst_unseen(found) == pytest.approx(unseen_of(run), abs=1e-9), tests
        assert worst_unseen(found, 0.5) == pytest.approx(unseen_of(run, 0.5), abs=1e-9), tests
        for cell, row in found.rows.items():
            alone = [unit for unit in run.units if list(unit.parts) == [cell]]
            squares = run.squares(cell)
            spread = sum(unit.weight**2 * (unit.parts[cell][1] - run.rates[cell]) ** 2 for unit in alone) / squares
            expected = (run.rates[cell], run.sizes[cell], run.shares[cell], spread)
            assert (row.rate, row.size, row.share, row.spread) == pytest.approx(expected, abs=1e-9), tests
            assert (row.alone, row.units) == pytest.approx(
                (sum(unit.weight**2 for unit in alone) / squares, len(alone)), abs=1e-9
            )


def test_a_cell_whose_units_all_stand_elsewhere_too_has_none_of_its_own_left() -> None:
    tests: list[Test] = [
        (("a", 1), 0.1, 0.3, "x"), (("b", 1), 0.7, 0.1, "x"), (("a", 1), 0.9, 0.7, "y"), (("b", 1), 0.2, 1.1, "y"),
        (("b", 1), 0.6, 0.9, None),
    ]  # fmt: skip
    found = units_of(*gathered(tests).settled())
    row = found.rows["a", 1]
    assert (row.alone, row.spread, row.units) == (0.0, 0.0, 0)
    assert found.rows["b", 1].units == 1


def test_without_a_single_unit_nothing_is_drawn() -> None:
    assert units_of({("a", 1): Moments(1)}).number == 0
    assert units_of({("a", 1): Moments(1)}).rows == {}


def test_pooled_clusters_count_once_and_tests_in_one_cell_as_they_stand() -> None:
    tests: list[Test] = [
        (("a", 1), 1.0, 2.0, "x"), (("b", 5), 0.0, 1.0, "x"), (("a", 1), 0.5, 1.0, None), (("b", 5), 1.0, 4.0, "y"),
    ]  # fmt: skip
    whole = pooled(*gathered(tests).settled())
    assert (whole.level, whole.units, whole.w, whole.wx) == (1, 3, 8.0, 6.5)
    assert (whole.w2, whole.w2x2) == pytest.approx((9 + 1 + 16, 9 * (2 / 3) ** 2 + 0.25 + 16))
