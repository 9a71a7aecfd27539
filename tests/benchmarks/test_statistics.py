"""The promises about numbers that people decide by, in a smaller seeded form of `python -m benchmarks statistics`."""

from __future__ import annotations

from functools import partial

import pytest

from benchmarks.statistics import comparing, deciding, intervals, judges, suite_faults
from benchmarks.statistics.simulation import repeated
from tests.rows import each_row

_DRAWS = 120
_SLACK = 0.05
"""What so few draws may miss a promise by: 2.5 standard errors of .95."""
CASES = {case.name: case for case in intervals.score_cases()}
SMALL = [name for name in CASES if "cells" in name or "level" in name or "n = 5" in name or "epochs, 10" in name]


@each_row("name", SMALL)
def test_an_interval_holds_the_truth_as_often_as_it_says(name: str) -> None:
    case = CASES[name]
    assert case.low - _SLACK <= repeated(name, _DRAWS, case.holds) <= min(1.0, case.high + _SLACK)


def test_a_datasets_accuracy_takes_the_epochs_of_a_test_as_one_draw() -> None:
    holds = partial(intervals.accuracy_holds, tests=20, of=10, a=0.3, b=0.1)
    assert repeated("accuracy", _DRAWS, holds) >= 0.93 - _SLACK


@each_row("tests", [5, 10, 20])
def test_a_paired_difference_holds_the_truth(tests: int) -> None:
    holds = partial(intervals.difference_holds, tests=tests, gained=0.1, lost=0.05)
    assert repeated("pairs", _DRAWS, holds) >= 0.93 - _SLACK


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in comparing.cases() if "one domain" in name or "50 clusters" in name])
def test_equal_models_are_rarely_said_to_differ(name: str) -> None:
    claims = partial(comparing.claims, make=comparing.cases()[name])
    assert repeated(name, _DRAWS, claims) <= comparing.LARGEST + _SLACK


SPANNING = [case for case in intervals.spanning_cases() if case.clusters == 20 and case.correlation == 0.7]


@pytest.mark.parametrize("case", SPANNING, ids=lambda case: case.name)
def test_clusters_over_levels_hold_the_truth_up_to_near_perfection(case: intervals.Spanning) -> None:
    assert repeated(case.name, _DRAWS, case.holds) >= 0.93 - _SLACK


def test_few_clusters_hold_the_truth_near_perfection() -> None:
    for correlation in (0.7, 1.0):
        case = intervals.Spanning(10, 4, correlation, 0.99)
        assert repeated(case.name, _DRAWS, case.holds) >= 0.93


@each_row("tests", [3, 5, 10, 20, 100])
def test_a_cell_of_verdicts_holds_the_truth_near_perfection(tests: int) -> None:
    assert min(intervals.counted_coverage(tests, rate) for rate in (0.95, 0.98, 0.99, 0.999)) >= 0.93


def test_a_datasets_accuracy_takes_a_cluster_over_several_levels_as_one_draw() -> None:
    case = intervals.Spanning(20, 2, 0.7, 0.8)
    assert repeated("clustered accuracy", _DRAWS, case.accuracy_holds) >= 0.93 - _SLACK


@pytest.mark.parametrize(
    "name", [name for name in comparing.clustered_cases() if "epochs" in name or "10 clusters" in name]
)
def test_passes_and_failures_of_few_clusters_rarely_tell_equal_models_apart(name: str) -> None:
    claims = partial(comparing.passes_claim, make=comparing.clustered_cases()[name])
    assert repeated(name, 100, claims) <= comparing.LARGEST + 2 * _SLACK


@pytest.mark.long
@pytest.mark.parametrize("peek", [False, True], ids=["looks", "peeking"])
def test_a_race_over_clusters_rarely_tells_equal_models_apart(peek: bool) -> None:
    assert repeated(f"race {peek}", 15, partial(deciding.clustered_race, peek=peek, of=20, tests=5)) <= 0.2


@pytest.mark.long
@pytest.mark.parametrize(("tests", "margin"), [(100, 0.02), (198, 0.01), (67, 0.03), (198, 0.02), (20, 0.05)])
@pytest.mark.parametrize("rate", [1.0, 0.95])
def test_the_gate_hardly_ever_passes_what_is_worse_by_the_margin(tests: int, margin: float, rate: float) -> None:
    assert deciding.passes_at_the_margin(tests, margin, rate) <= 0.026


def test_the_gate_holds_where_all_is_lost_at_one_level_or_among_fractions_that_hardly_differ() -> None:
    levels = partial(deciding.levels_at_the_margin, tests=20, margin=0.05)
    fractions = partial(deciding.fractions_at_the_margin, tests=100, margin=0.02)
    assert repeated("levels", 100, levels) <= 0.07
    assert repeated("fractions", 100, fractions) <= 0.07


def test_three_tests_decide_nothing() -> None:
    assert repeated("three", 50, comparing.few_decide) == 0


def test_labels_of_clusters_are_as_many_as_there_are_clusters() -> None:
    holds = partial(judges.clustered_holds, of=40, each=10, labels=100)
    assert repeated("clustered labels", _DRAWS, holds) >= 0.93 - _SLACK


def test_wrong_golds_are_found_by_twelve_models_and_sound_tests_are_not_accused() -> None:
    found, accused, _, _ = suite_faults.suite_faults(draws=1)
    assert found.share >= 0.5
    assert accused.share <= 0.03
