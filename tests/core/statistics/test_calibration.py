"""How well stated confidence agrees with being right."""

from __future__ import annotations

import pytest

from modex.core.statistics.calibration import calibration


def test_nothing_said_is_no_calibration() -> None:
    assert calibration([]) is None


def test_the_error_is_the_mean_distance_of_ten_bins_in_order_of_confidence_whatever_the_order_of_the_answers() -> None:
    said = [(number / 20, number % 3 > 0) for number in range(20)]
    bins = [said[start : start + 2] for start in range(0, 20, 2)]
    error = sum(abs(sum(right for _, right in one) - sum(sure for sure, _ in one)) / 2 for one in bins) / 10
    found = calibration(said)
    assert found == calibration(said[::-1]) == calibration([*said[::2], *said[1::2]])
    assert found is not None
    assert (found["n"], found["confidence"], found["accuracy"]) == (20, 0.475, 0.65)
    assert found["error"] == pytest.approx(error, abs=1e-6)


def test_answers_of_one_confidence_stand_in_one_bin() -> None:
    assert calibration([(0.5, True), (0.5, False)] * 10) == {"n": 20, "confidence": 0.5, "accuracy": 0.5, "error": 0.0}
    found = calibration([(0.9, True)] * 15 + [(0.1, False)] * 5)
    assert found is not None
    assert found["error"] == pytest.approx(0.1)


def test_shares_are_rounded_to_six_digits() -> None:
    found = calibration([(1 / 3, True), (2 / 3, True), (1 / 7, False)])
    assert found == {"n": 3, "confidence": 0.380952, "accuracy": 0.666667, "error": 0.380952}
