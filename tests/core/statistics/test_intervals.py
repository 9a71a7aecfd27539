"""Intervals: known values, and what must hold for any data. How often they hold the truth: tests/benchmarks."""

from __future__ import annotations

import dataclasses
import math
import timeit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.statistics.distributions import t_quantile
from modex.core.statistics.intervals import estimate, rate_interval, score_interval, wilson
from modex.core.statistics.moments import Cell, Gathered, Moments
from modex.core.statistics.units import units_of, worst_unseen
from tests.core.statistics.plainly import drawn, estimated, gathered, run_of, solved
from tests.rows import each_row


def cells(found: dict[Cell, list[float]], weight: float = 1.0) -> dict[Cell, Moments]:
    """Cells with these tests' scores."""
    made = {}
    for cell, scores in found.items():
        made[cell] = Moments(cell[1])
        for score in scores:
            made[cell].add(score, weight)
    return made


def width(found: dict[Cell, list[float]]) -> float:
    interval = score_interval(cells(found))
    assert interval is not None
    return interval[1] - interval[0]


@each_row(
    ("passed", "total", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (10, 20, 0.2993, 0.7007),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilsons_interval_has_its_published_values(passed: int, total: int, low: float, high: float) -> None:
    assert wilson(passed, total) == pytest.approx((low, high), abs=5e-5)


@each_row(
    ("passed", "total", "low", "high"),
    [(5, 10, 0.2224, 0.7776), (1, 1, 0.05, 1.0), (9, 10, 0.5958, 0.9949), (99, 100, 0.9455, 0.9995)],
)
def test_no_end_is_nearer_than_the_exact_limit(passed: int, total: int, low: float, high: float) -> None:
    assert wilson(passed, total) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 300), st.floats(0, 1))
def test_the_truth_lies_beyond_either_end_in_one_draw_of_twenty_at_most(total: int, rate: float) -> None:
    found = [wilson(passed, total) or (0.0, 1.0) for passed in range(total + 1)]
    too_high = [passed for passed in range(total + 1) if found[passed][0] > rate]
    too_low = [passed for passed in range(total + 1) if found[passed][1] < rate]
    for beyond in (too_high, too_low):
        assert sum(binomial(passed, total, rate) for passed in beyond) <= 0.05 + 1e-9


def binomial(passed: int, total: int, rate: float) -> float:
    """The chance of so many passes."""
    return math.comb(total, passed) * rate**passed * (1 - rate) ** (total - passed)


@given(st.floats(0, 40), st.floats(0, 40), st.floats(0.05, 1))
def test_one_more_pass_never_lowers_an_end(passes: float, failures: float, more: float) -> None:
    before, after = wilson(passes, passes + failures + 1), wilson(passes + more, passes + failures + 1)
    assert before is not None
    assert after is not None
    assert before[0] <= after[0] + 1e-9
    assert before[1] <= after[1] + 1e-9


def test_no_trials_have_no_interval() -> None:
    assert wilson(0, 0) is None
    assert rate_interval(Moments(1)) is None


@given(st.integers(2, 400).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_the_interval_of_one_cell_of_verdicts_is_wilsons(counts: tuple[int, int]) -> None:
    passed, total = counts
    found = score_interval(cells({("a", 3): [1.0] * passed + [0.0] * (total - passed)}))
    assert found == pytest.approx(wilson(passed, total), abs=1e-9)


SCORES = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0]))


@given(
    st.dictionaries(st.tuples(st.sampled_from("ab"), st.integers(1, 5)), st.lists(SCORES, max_size=6), max_size=6),
    st.floats(0.5, 4),
)
def test_an_interval_is_never_empty_and_holds_its_score(found: dict[Cell, list[float]], weight: float) -> None:
    interval = score_interval(cells(found, weight))
    scored = {cell: scores for cell, scores in found.items() if scores}
    assert (interval is None) == (sum(map(len, scored.values())) < 2)
    if interval is None:
        return
    low, high = interval
    total = sum(level for _, level in scored)
    score = sum(cell[1] * sum(scores) / len(scores) for cell, scores in scored.items()) / total
    assert -1e-9 <= low <= score + 1e-9
    assert score - 1e-9 <= high <= 1 + 1e-9
    assert low < high


def test_tests_that_agree_leave_the_doubt_that_so_few_leave() -> None:
    assert width({("a", 1): [1.0] * 4}) > width({("a", 1): [1.0] * 40}) > 0.05
    assert width({("a", level): [1.0] for level in (1, 2, 3)}) > 0.4
    assert width({("a", 1): [0.5] * 9}) > 0.15


def test_one_hard_test_among_many_easy_ones_decides_the_doubt() -> None:
    assert width({("a", 1): [1.0, 0.0] * 50, ("a", 5): [1.0]}) > 0.5


def test_a_test_that_weighs_more_leaves_more_doubt() -> None:
    def weighed(weights: list[float]) -> float:
        moments = Moments(1)
        for weight in weights:
            moments.add(1.0, weight)
        interval = score_interval({("a", 1): moments})
        assert interval is not None
        return interval[1] - interval[0]

    assert weighed([1, 1, 1, 7]) > weighed([1, 1, 1, 1]) == pytest.approx(weighed([7, 7, 7, 7]))


def test_more_tests_narrow_the_interval() -> None:
    def of(count: int) -> float:
        return width({("a", 1): [float(number % 2) for number in range(count)]})

    assert of(400) < of(100) / 1.7 < of(16) / 3.4


def test_clusters_that_stand_in_several_cells_widen_the_interval() -> None:
    found = cells({("a", 1): [1.0, 0.0] * 10, ("b", 1): [1.0, 0.0] * 10})
    shared = [{("a", 1): (1.0, value), ("b", 1): (1.0, value)} for value in [1.0, 0.0] * 10]
    alone, together = score_interval(found), score_interval(found, shared)
    assert alone is not None
    assert together is not None
    assert together[1] - together[0] > 1.25 * (alone[1] - alone[0])


def test_a_live_interval_costs_a_screen_nothing() -> None:
    found = cells({(str(number), number % 5 + 1): [1.0, 0.0, 1.0] for number in range(50)})
    assert min(timeit.repeat(lambda: score_interval(found), number=10, repeat=5)) / 10 < 0.01


def test_the_variance_smooths_each_cell_by_one_test_at_the_runs_own_score() -> None:
    found = estimate(cells({("d", 1): [1, 1], ("d", 2): [1, 0]}))
    assert found is not None
    middle = (3.6 * 2 / 3 + 1) / (3.6 + 2)
    easy, hard = (2 * 1.0 + middle) / 3, (2 * 0.5 + middle) / 3
    parts = easy * (1 - easy) / 9 + hard * (1 - hard) * 4 / 9
    assert (found.score, found.dispersion) == pytest.approx((2 / 3, 1))
    assert found.variance == pytest.approx(parts / (2 - (2 / 3) ** 2))


def test_a_cluster_over_several_cells_is_one_unit_as_in_a_single_cell() -> None:
    spread: dict[Cell, list[float]] = {("a", 1): [1, 0] * 10, ("b", 1): [1, 0] * 10}
    shared = [{("a", 1): (1.0, value), ("b", 1): (1.0, value)} for value in [1.0, 0.0] * 10]
    found, alone = estimate(cells(spread), shared), estimate(cells({("a", 1): [1, 0] * 10}))
    assert found is not None
    assert alone is not None
    assert found.units == 20
    assert found.df == pytest.approx(20)
    assert (found.variance, found.size) == pytest.approx((alone.variance, alone.size), rel=0.002)


def test_all_right_in_five_cells_is_no_more_than_the_clusters_they_are() -> None:
    levels = [("d", level) for level in range(1, 6)]
    spread = cells({cell: [1.0] * 20 for cell in levels})
    clusters = [dict.fromkeys(levels, (1.0, 1.0)) for _ in range(20)]
    over, one = score_interval(spread, clusters), score_interval(cells({("d", 1): [1.0] * 20}))
    assert over is not None
    assert one is not None
    assert over[0] <= one[0] + 1e-9
    assert estimate({("d", 1): spread["d", 1]}, clusters) is not None
    assert estimate(cells({cell: [1.0] for cell in levels}), clusters[:1]) is None


def test_a_variance_that_had_to_be_measured_widens_the_interval_by_students_t() -> None:
    few = cells({("d", 1): [0.4, 0.5, 0.6]})
    found, interval = estimate(few), score_interval(few)
    assert found is not None
    assert interval is not None
    normal = wilson(found.score * found.size, found.size)
    assert normal is not None
    assert interval[0] < normal[0] - 0.05
    assert interval[1] > normal[1] + 0.05


def test_tests_of_unequal_weight_vary_at_most_as_verdicts_do() -> None:
    moments = Moments(1)
    moments.add(1.0, 3.0)
    for _ in range(27):
        moments.add(0.0, 1.0)
    found = estimate({("d", 1): moments})
    assert found is not None
    assert found.dispersion == pytest.approx(1)


ALONE = [
    ("a", 1, 1.0, 1.0, None), ("a", 1, 0.0, 1.0, None), ("a", 1, 0.5, 2.0, None), ("b", 3, 1.0, 1.0, None),
    ("b", 3, 1.0, 1.5, None), ("b", 3, 0.0, 1.0, None), ("b", 5, 0.25, 1.0, None),
]  # fmt: skip
IN_CLUSTERS = [
    ("a", 1, 1.0, 1.0, "x"), ("b", 3, 0.5, 2.0, "x"), ("b", 5, 1.0, 1.0, "x"), ("b", 3, 0.0, 1.0, "y"),
    ("b", 3, 1.0, 1.0, "y"), ("a", 1, 0.0, 1.0, "y"),
]  # fmt: skip

SINGLE = [
    ("a", 1, 1.0, 1.0, None), ("b", 2, 0.0, 1.0, None), ("c", 3, 0.5, 2.0, None), ("d", 4, 1.0, 1.0, None),
    ("e", 5, 0.25, 1.0, None), ("e", 5, 1.0, 1.0, None),
]  # fmt: skip


@each_row(
    ("tests", "values", "effective", "unseen"),
    [
        (ALONE, (0.4325396825, 0.1004998032, 2.7619682494, 0.9564211009, 1.5, 0.0852586777, 0.9166979125, 7),
         2.8423596813, 0.6388144689),
        ([*ALONE, *IN_CLUSTERS],
         (0.6027777778, 0.0541405337, 4.9604006581, 0.7694928200, 2.1700158789, 0.7889279041, 0.9315345990, 9),
         4.0401241410, 0.5829767695),
        (SINGLE, (0.6416666667, 0.0366785019, 6.7149504578, 0.7703346785, 4.5873400687, 0.4065844830, 0.9604691139, 6),
         5.2941176471, 0.5121878732),
    ],
    ids=["alone", "clusters", "single"],
)  # fmt: skip
def test_what_is_estimated_of_these_answers_is_known_and_changes_only_with_a_rule_of_the_changelog(
    tests: list[tuple[str, int, float, float, str | None]], values: tuple[float, ...], effective: float, unseen: float
) -> None:
    gathered = Gathered()
    for domain, level, score, weight, cluster in tests:
        gathered.add((domain, level), score, weight, cluster)
    settled = gathered.settled()
    found = estimate(*settled)
    assert found is not None
    assert dataclasses.astuple(found) == pytest.approx(values, rel=1e-8)
    units = units_of(*settled)
    assert (units.effective, worst_unseen(units)) == pytest.approx((effective, unseen), rel=1e-8)


@each_row("values", [[0.0, 1.0], [0.0, 0.5, 1.0, 0.25], [1.0], [0.5]], ids=str)
def test_an_estimate_is_what_the_units_themselves_give(values: list[float]) -> None:
    for number in range(60):
        tests = drawn(f"{number} {values}", values)
        run, found = run_of(tests), estimate(*gathered(tests).settled())
        assert (found is None) == (len(run.units) < 2)
        if found is not None:
            assert dataclasses.astuple(found) == pytest.approx(estimated(run), rel=1e-8, abs=1e-9), tests


def exactly_no_nearer(passes: int, total: int, tail: float) -> float:
    """The rate at which so many passes or more have the chance `tail`, by counting."""
    return solved(lambda rate: tail - sum(binomial(k, total, rate) for k in range(passes, total + 1)), 0.0, 1.0)


@each_row("total", [1, 2, 13, 24, 60])
@each_row(("z", "tail"), [(1.959963984540054, 0.05), (2.5758293035489004, 0.01), (1.0, 0.05)])
def test_each_end_is_the_farther_of_wilsons_and_the_exact_limit(total: int, z: float, tail: float) -> None:
    for passed in range(total + 1):
        rate = passed / total
        half = z * math.sqrt(rate * (1 - rate) / total + z**2 / (4 * total**2))
        low, high = ((rate + z**2 / (2 * total) + sign * half) / (1 + z**2 / total) for sign in (-1, 1))
        if passed < 12:
            low = min(low, exactly_no_nearer(passed, total, tail)) if passed else 0.0
        if total - passed < 12:
            high = max(high, 1 - exactly_no_nearer(total - passed, total, tail)) if passed < total else 1.0
        assert wilson(passed, total, z, tail) == pytest.approx((max(0.0, low), min(1.0, high)), abs=1e-9)


def test_sums_a_hair_beyond_none_or_all_are_none_and_all() -> None:
    assert wilson(-1e-12, 10) == wilson(0, 10)
    assert wilson(10 + 1e-12, 10) == wilson(10, 10)
    assert (wilson(0.009, 10) or (1.0, 1.0))[0] == 0.0
    assert wilson(1, 0) is wilson(0, -1) is None


def test_the_rate_of_a_single_unit_is_wilsons_and_of_more_that_of_one_cell() -> None:
    one, several = Moments(1), cells({("a", 3): [1.0, 0.5, 0.0]})["a", 3]
    one.add(0.5, 4.0)
    assert rate_interval(one) == wilson(0.5, 1)
    assert rate_interval(several) == score_interval({("", 1): several})
    assert score_interval({("a", 1): one}) is None


def test_a_measured_variance_takes_students_t_of_its_degrees_by_how_far_it_was_measured() -> None:
    for tests in (ALONE, [*ALONE, *IN_CLUSTERS], SINGLE):
        gathering = Gathered()
        for domain, level, score, weight, cluster in tests:
            gathering.add((domain, level), score, weight, cluster)
        settled = gathering.settled()
        found = estimate(*settled)
        assert found is not None
        deviate = t_quantile(max(1.5, round(found.df / found.measured, 3)))
        assert score_interval(*settled) == wilson(found.score * found.size, found.size, deviate)


@each_row("level", [1, 2, 3])
@each_row("cluster", [False, True])
def test_a_run_that_lost_a_test_is_not_known_to_be_better_than_one_that_lost_none(level: int, cluster: bool) -> None:
    def whole(lost: int | None, right: float) -> Gathered:
        found = Gathered()
        for at in (1, 2, 3):
            for number in range(50):
                mean = 1 - right if at == lost and number == 0 else right
                found.add(("d", at), mean, 1.0, number // 5 if cluster else None)
        return found

    none, one = (score_interval(*whole(lost, 1.0).settled()) for lost in (None, level))
    assert none is not None
    assert one is not None
    assert one[0] <= none[0]
    none, one = (score_interval(*whole(lost, 0.0).settled()) for lost in (None, level))
    assert none is not None
    assert one is not None
    assert one[1] >= none[1]
