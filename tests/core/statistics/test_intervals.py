"""Intervals: known values, and how often they hold the truth."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.intervals import normal_interval, score_interval, wilson
from core.statistics.weighted import ScoredTest, overall_score


@pytest.mark.parametrize(
    ("passed", "total", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),
        (1, 1, 0.2065, 1.0),
    ],
)
def test_wilsons_interval_has_its_published_values(passed: int, total: int, low: float, high: float) -> None:
    assert wilson(passed, total) == pytest.approx((low, high), abs=5e-5)


def test_no_trials_have_no_interval() -> None:
    assert wilson(0, 0) is None


@given(st.integers(1, 5000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_wilsons_interval_holds_the_rate_and_stays_within_bounds(counts: tuple[int, int]) -> None:
    passed, total = counts
    interval = wilson(passed, total)
    assert interval is not None
    low, high = interval
    assert 0.0 <= low <= passed / total + 1e-12
    assert passed / total - 1e-12 <= high <= 1.0
    mirrored = wilson(total - passed, total)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(
    st.lists(
        st.builds(
            ScoredTest,
            domain=st.sampled_from("ab"),
            level=st.integers(1, 5),
            weight=st.floats(0.5, 4),
            scores=st.lists(st.floats(0, 1), max_size=2).map(tuple),
        ),
        max_size=6,
    )
)
def test_a_scores_interval_lies_between_nothing_and_everything(tests: list[ScoredTest]) -> None:
    interval = score_interval(tests)
    scored = [test for test in tests if test.scores]
    assert (interval is None) == (len(scored) < 2)
    if interval:
        low, high = interval
        assert -1e-9 <= low <= high <= 1 + 1e-9
        assert interval == score_interval(tests)


@pytest.mark.parametrize(("score", "count"), [(1.0, 10), (0.0, 10), (0.5, 9), (1.0, 2), (0.9, 3000)])
def test_equal_scores_keep_the_doubt_that_so_few_tests_leave(score: float, count: int) -> None:
    tests = [ScoredTest("a", 1, 1, (score,)) for _ in range(count)]
    assert score_interval(tests) == pytest.approx(wilson(score * count, count))


def test_cells_that_do_not_vary_within_have_an_interval_together() -> None:
    tests = [ScoredTest("a", level, 1, (float(level < 3),)) for level in (1, 2, 3)]
    size = (1 + 2 + 3) ** 2 / (1 + 4 + 9)
    assert score_interval(tests) == pytest.approx(wilson(0.5 * size, size))


def test_a_test_that_weighs_more_leaves_more_doubt() -> None:
    def width(weights: list[float]) -> float:
        interval = score_interval([ScoredTest("a", 1, weight, (1.0,)) for weight in weights])
        assert interval is not None
        return interval[1] - interval[0]

    assert width([1, 1, 1, 7]) > width([1, 1, 1, 1]) == pytest.approx(width([7, 7, 7, 7]))


@given(st.floats(0, 1), st.floats(1, 1e6), st.floats(0, 0.25))
def test_a_normal_interval_is_never_empty_and_holds_its_score(score: float, size: float, variance: float) -> None:
    low, high = normal_interval(score, variance, size)
    assert 0 <= low <= score + 1e-9
    assert score - 1e-9 <= high <= 1
    assert low < high


def test_more_tests_narrow_the_interval() -> None:
    def width(count: int) -> float:
        interval = score_interval([ScoredTest("a", 1, 1, (float(number % 2),)) for number in range(count)])
        assert interval is not None
        return interval[1] - interval[0]

    assert width(400) < width(100) / 1.7 < width(16) / 3.4


def test_epochs_of_one_test_count_as_one_test() -> None:
    once = [ScoredTest("a", 1, 1, (float(number % 2),)) for number in range(20)]
    often = [ScoredTest("a", 1, 1, test.scores * 50) for test in once]
    assert score_interval(often) == score_interval(once)


def test_the_large_form_agrees_with_the_bootstrap() -> None:
    draw = random.Random(3)
    tests = [
        ScoredTest(domain, level, draw.choice([1.0, 2.0]), (draw.random(),))
        for domain in "ab"
        for level in (1, 2, 5)
        for _ in range(340)
    ]
    large = score_interval(tests)
    small = score_interval(tests[:1999])
    assert large is not None
    assert small is not None
    assert large == pytest.approx(small, abs=0.01)


def test_about_95_of_100_intervals_hold_the_true_score() -> None:
    draw = random.Random(11)
    held = 0
    for number in range(60):
        tests = [ScoredTest("a", 1, 1, (float(draw.random() < 0.6),)) for _ in range(60)]
        interval = score_interval(tests, seed=number)
        assert interval is not None
        held += interval[0] <= 0.6 <= interval[1]
        assert overall_score(tests) == pytest.approx(sum(test.mean for test in tests) / 60)
    assert 52 <= held <= 60
