"""Rulings: what each side of the margin leads to."""

from __future__ import annotations

import pytest

from core.statistics.gating import more_tests, rule
from core.statistics.paired import PairedDifference


def paired(difference: float, half: float) -> PairedDifference:
    return PairedDifference(difference, (difference - half, difference + half), 0.5, half / 1.96, 1e9)


@pytest.mark.parametrize(
    ("difference", "half", "margin", "answer"),
    [
        (0.05, 0.03, 0.0, "pass"),
        (0.0, 0.02, 0.03, "pass"),
        (-0.05, 0.01, 0.03, "fail"),
        (-0.01, 0.05, 0.03, "undecided"),
        (0.0, 0.02, 0.0, "undecided"),
    ],
)
def test_the_whole_interval_decides(difference: float, half: float, margin: float, answer: str) -> None:
    found = paired(difference, half)
    assert rule(found, found, found, margin).answer == answer


def test_answers_without_a_verdict_block_what_they_could_turn() -> None:
    found, low = paired(0.1, 0.05), paired(-0.1, 0.05)
    ruling = rule(found, low, found, 0.0)
    assert (ruling.answer, ruling.blocked, more_tests(ruling, 100)) == ("undecided", True, None)


def test_half_the_distance_takes_four_times_as_many_tests() -> None:
    near, far = paired(0.01, 0.1), paired(0.02, 0.1)
    one, other = rule(near, near, near, 0.0).times, rule(far, far, far, 0.0).times
    assert one is not None
    assert other is not None
    assert one == pytest.approx(4 * other)


def test_a_difference_at_the_margin_can_be_told_by_no_number_of_tests() -> None:
    found = paired(-0.03, 0.1)
    assert more_tests(rule(found, found, found, 0.03), 50) is None
