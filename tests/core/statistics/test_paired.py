"""Comparing pairs: known values and what must hold for any data."""

from __future__ import annotations

import dataclasses
import math
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.statistics.discordant import mcnemar_exact
from modex.core.statistics.distributions import t_quantile
from modex.core.statistics.moments import Cell, Gathered, Moments
from modex.core.statistics.paired import PairedDifference, Unseen, holm, paired_difference, score_bounds
from tests.core.statistics.plainly import difference_of, drawn, gathered, lower_bound, run_of
from tests.rows import each_row


def binomial_tail(smaller: int, total: int) -> float:
    """The two-sided p-value by counting."""
    return min(1.0, 2 * sum(comb(total, k) for k in range(smaller + 1)) * 0.5**total)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemars_test_is_the_binomial_tail(one: int, other: int) -> None:
    expected = binomial_tail(min(one, other), one + other) if one + other else 1.0
    assert mcnemar_exact(one, other) == pytest.approx(expected, rel=1e-9)
    assert mcnemar_exact(one, other) == mcnemar_exact(other, one)


def test_mcnemars_published_example() -> None:
    assert mcnemar_exact(9, 1) == pytest.approx(0.021484, abs=1e-6)
    assert mcnemar_exact(0, 5) == pytest.approx(0.0625)


def test_thousands_of_flips_do_not_overflow() -> None:
    assert mcnemar_exact(5000, 5100) == pytest.approx(0.325, abs=0.005)
    assert mcnemar_exact(0, 20000) < 1e-300


def cells(differences: list[float], level: int = 1) -> dict[Cell, Moments]:
    """One cell of pairs."""
    moments = Moments(level)
    for difference in differences:
        moments.add(difference)
    return {("a", level): moments}


@given(st.lists(st.floats(-1, 1), max_size=40))
def test_the_difference_lies_in_its_interval_and_p_says_the_same(differences: list[float]) -> None:
    found = paired_difference(cells(differences))
    assert (found is None) == (len(differences) < 2)
    if found is None:
        return
    assert found.difference == pytest.approx(sum(differences) / len(differences), abs=1e-9)
    low, high = found.interval
    assert -1 <= low <= found.difference <= high <= 1
    assert (found.p_value < 0.05) == (low > 0 or high < 0) or found.p_value == pytest.approx(0.05, abs=1e-6)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=20))
def test_the_other_way_round_is_the_same_with_other_signs(differences: list[float]) -> None:
    one, other = paired_difference(cells(differences)), paired_difference(cells([-value for value in differences]))
    assert one is not None
    assert other is not None
    assert other.interval == pytest.approx((-one.interval[1], -one.interval[0]), abs=1e-7)
    assert other.p_value == pytest.approx(one.p_value, abs=1e-7)


def test_pairs_that_all_agree_leave_doubt() -> None:
    found = paired_difference(cells([0.0] * 20))
    assert found is not None
    assert (found.p_value, found.interval[1] > 0.05) == (1.0, True)


def test_a_harder_levels_pairs_count_by_its_number() -> None:
    found = paired_difference({**cells([1.0] * 10, 1), **cells([0.0] * 10, 4)})
    assert found is not None
    assert found.difference == pytest.approx(1 / 5)


def test_the_detectable_difference_shrinks_with_the_root_of_n() -> None:
    some, four_times = paired_difference(cells([1.0, -1.0] * 50)), paired_difference(cells([1.0, -1.0] * 200))
    assert some is not None
    assert four_times is not None
    assert some.detectable() / four_times.detectable() == pytest.approx(2, rel=0.02)


def test_holms_published_example() -> None:
    adjusted = holm({"h1": 0.01, "h2": 0.04, "h3": 0.03, "h4": 0.005})
    assert adjusted == pytest.approx({"h1": 0.03, "h2": 0.06, "h3": 0.06, "h4": 0.02})
    assert list(adjusted) == ["h1", "h2", "h3", "h4"]


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 1), max_size=8))
def test_holms_correction_never_lowers_a_p_value_and_keeps_the_order(values: dict[str, float]) -> None:
    adjusted = holm(values)
    assert set(adjusted) == set(values)
    ordered = sorted(values, key=lambda key: values[key])
    assert [adjusted[key] for key in ordered] == sorted(adjusted[key] for key in ordered)
    for key, value in values.items():
        assert value <= adjusted[key] <= 1.0


def test_what_is_said_of_these_pairs_is_known_and_changes_only_with_a_rule_of_the_changelog() -> None:
    gathered = Gathered()
    for n in range(60):
        difference = -1.0 if n % 20 == 0 else 0.5 if n % 10 == 3 else 0.0
        cluster = f"c{n // 6}" if n >= 36 else None
        gathered.add(("a" if n % 2 else "b", 1 + n % 3), difference, 1.0 + (n % 5) / 4, cluster)
    found = paired_difference(*gathered.settled())
    assert found is not None
    assert found.unseen is not None
    assert (found.difference, found.error, found.df, found.p_value, found.units) == pytest.approx(
        (0.025, 0.0674315596, 6.515, 0.7225852274, 40), rel=1e-8
    )
    assert dataclasses.astuple(found.unseen) == pytest.approx((0.0011903886, 11.4454211819, 0.5305994085), rel=1e-7)
    assert found.interval == pytest.approx((-0.1617577876, 0.2095009316), rel=1e-8)
    assert found.strict_interval(1.0) == found.interval
    assert found.strict_interval(None) == pytest.approx((-0.3182962754, 0.3670445493), rel=1e-8)


@pytest.mark.parametrize(
    "values", [[0.0, 1.0, -1.0], [0.0, 0.5, 1.0, -0.25], [0.0], [0.5, 0.0], [1.0], [-1.0]], ids=str
)
def test_a_difference_is_what_the_units_themselves_give_with_the_likeliest_rates_found_by_trying(
    values: list[float],
) -> None:
    for number in range(8):
        tests = drawn(f"pairs {number} {values}", values)
        found = paired_difference(*gathered(tests).settled())
        if found is None:
            assert len(run_of(tests).units) < 2
            continue
        assert found.unseen is not None
        said = {
            "difference": found.difference, "error": found.error, "df": found.df, "units": found.units,
            "variance": found.unseen.variance, "size": found.unseen.size, "jump": found.unseen.jump,
            "low": found.interval[0], "high": found.interval[1], "p": found.p_value,
        }  # fmt: skip
        assert said == pytest.approx(difference_of(tests), rel=1e-6, abs=1e-7), tests


@each_row("deviate", [0.5, 1.96, 4.0])
@each_row(
    ("difference", "variance", "size", "jump"),
    [(0.0, 0.0, 20, 1.0), (0.1, 0.01, 30, 1.0), (-0.3, 0.004, 50, 0.6), (0.4, 0.0, 9, 0.5), (-1.0, 0.0, 5, 1.0),
     (0.02, 0.00001, 4000, 0.3), (0.0, 0.2, 4.5, 1.0)],
)  # fmt: skip
def test_a_score_bound_is_where_the_difference_is_as_many_errors_away(
    difference: float, variance: float, size: float, jump: float, deviate: float
) -> None:
    found, own = difference / jump, variance / jump**2
    discordant = max(abs(found), size * own + found**2)
    low, high = score_bounds(difference, Unseen(variance, size, jump), deviate)
    assert low == pytest.approx(max(-1.0, jump * lower_bound(found, discordant, size, deviate)), abs=1e-8)
    assert high == pytest.approx(min(1.0, -jump * lower_bound(-found, discordant, size, deviate)), abs=1e-8)


def test_jumps_that_cannot_make_the_variance_leave_the_difference_itself() -> None:
    assert score_bounds(0.4, Unseen(0.01, 20, 0.3), 2.0) == (0.4, 0.4)  # more than every pair would have to turn
    assert score_bounds(0.4, Unseen(0.0, 20, 0.4), 2.0) != (0.4, 0.4)


def test_the_strict_interval_takes_tests_to_turn_wholly_or_by_the_jump_of_clusters() -> None:
    found = paired_difference(cells([0.5] * 3 + [0.0] * 30))
    assert found is not None
    assert found.unseen is not None
    assert found.unseen.jump < 1
    deviate = t_quantile(found.df)
    for of_tests, jump in ((None, 1.0), (1.0, found.unseen.jump), (2 * found.unseen.jump, 0.5), (0.1, 1.0)):
        low, high = score_bounds(found.difference, Unseen(found.unseen.variance, found.unseen.size, jump), deviate)
        strict = found.strict_interval(of_tests)
        assert strict == pytest.approx((min(found.interval[0], low), max(found.interval[1], high)))
    assert found.strict_interval(None) != found.interval
    bare = dataclasses.replace(found, unseen=None)
    assert bare.strict_interval(None) == bare.interval
    assert Unseen(0.1, 5.0) == Unseen(0.1, 5.0, 1.0)
    assert found.detectable() == pytest.approx((deviate + 0.8416212335729143) * found.error)
    assert PairedDifference(0.0, (0.0, 0.0), 1.0, 0.1, 9.0) == PairedDifference(0.0, (0.0, 0.0), 1.0, 0.1, 9.0, 5, None)


def test_one_unit_alone_is_no_difference() -> None:
    assert paired_difference(cells([1.0])) is None
    assert paired_difference({}) is None


def test_twice_as_many_pairs_of_the_same_kind_are_what_is_promised_of_them() -> None:
    """Measured variance falls with their number, what was assumed beforehand with its square."""
    some, twice = (
        paired_difference(cells([1.0, -1.0, 0.0, 0.0] * 20)),
        paired_difference(cells([1.0, -1.0, 0.0, 0.0] * 40)),
    )
    assert some is not None
    assert twice is not None
    promised = some.with_times(2.0, twice.difference)
    assert promised.error == pytest.approx(twice.error, rel=5e-3)
    assert promised.interval == pytest.approx(twice.interval, rel=5e-3)
    assert (promised.units, promised.df, promised.p_value) == (160, 2 * some.df, some.p_value)
    assert some.unseen is not None
    assert promised.unseen == dataclasses.replace(
        some.unseen, variance=some.unseen.variance / 2, size=2 * some.unseen.size
    )
    own, assumed = some.unseen.variance, some.error**2 - some.unseen.variance
    assert some.with_times(3.0, 0.2).error == pytest.approx(math.sqrt((own + assumed / 3) / 3))
    low, high = score_bounds(0.2, Unseen(own / 3, 3 * some.unseen.size, some.unseen.jump), t_quantile(3 * some.df))
    half = t_quantile(3 * some.df) * some.with_times(3.0, 0.2).error
    assert some.with_times(3.0, 0.2).interval == pytest.approx((min(low, 0.2 - half), max(high, 0.2 + half)))


def test_more_pairs_of_a_difference_that_was_only_told_narrow_it_by_students_t() -> None:
    told = PairedDifference(0.1, (0.0, 0.2), 0.05, 0.05, 10.0, 12)
    more = told.with_times(4.0, 0.99)
    half = t_quantile(40.0) * 0.025
    assert (more.error, more.df, more.units, more.unseen) == (0.025, 40.0, 48, None)
    assert more.interval == pytest.approx((0.99 - half, 1.0))
    assert told.with_times(4.0, -0.99).interval == pytest.approx((-1.0, half - 0.99))


@pytest.mark.parametrize(("units", "too_few"), [(4, True), (5, False)])
def test_four_pairs_are_too_few_to_decide_anything(units: int, too_few: bool) -> None:
    assert PairedDifference(0.5, (0.1, 0.9), 0.01, 0.1, 9.0, units).too_few is too_few
