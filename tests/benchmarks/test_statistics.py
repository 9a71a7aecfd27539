"""The promises about numbers that people decide by, in a smaller seeded form of `python -m benchmarks statistics`."""

from __future__ import annotations

from functools import partial

import pytest

from benchmarks.statistics import comparing, intervals, suite_faults
from benchmarks.statistics.simulation import repeated

_DRAWS = 250
_SLACK = 0.035
"""What so few draws may miss a promise by: 2.5 standard errors of .95."""
CASES = {case.name: case for case in intervals.score_cases()}
SMALL = [name for name in CASES if "cells" in name or "level" in name or "n = 5" in name or "epochs, 10" in name]


@pytest.mark.parametrize("name", SMALL)
def test_an_interval_holds_the_truth_as_often_as_it_says(name: str) -> None:
    case = CASES[name]
    assert case.low - _SLACK <= repeated(name, _DRAWS, case.holds) <= min(1.0, case.high + _SLACK)


def test_a_datasets_accuracy_takes_the_epochs_of_a_test_as_one_draw() -> None:
    holds = partial(intervals.accuracy_holds, tests=20, of=10, a=0.3, b=0.1)
    assert repeated("accuracy", _DRAWS, holds) >= 0.93 - _SLACK


@pytest.mark.parametrize("tests", [5, 10, 20])
def test_a_paired_difference_holds_the_truth(tests: int) -> None:
    holds = partial(intervals.difference_holds, tests=tests, gained=0.1, lost=0.05)
    assert repeated("pairs", _DRAWS, holds) >= 0.93 - _SLACK


@pytest.mark.parametrize("name", [name for name in comparing.cases() if "one domain" in name or "clusters" in name])
def test_equal_models_are_rarely_said_to_differ(name: str) -> None:
    claims = partial(comparing.claims, make=comparing.cases()[name])
    assert repeated(name, _DRAWS, claims) <= comparing.LARGEST + _SLACK


def test_wrong_golds_are_found_by_twelve_models_and_sound_tests_are_not_accused() -> None:
    found, accused, _, _ = suite_faults.suite_faults(draws=1)
    assert found.share >= 0.5
    assert accused.share <= 0.03
