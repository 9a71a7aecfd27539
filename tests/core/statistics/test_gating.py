"""Rulings: what each side of the margin leads to."""

from __future__ import annotations

import dataclasses
import math

import pytest

from modex.core.statistics.gating import Ruling, fresh_tests, more_tests, rule
from modex.core.statistics.moments import Moments
from modex.core.statistics.paired import PairedDifference, paired_difference
from tests.rows import each_row


def paired(difference: float, half: float) -> PairedDifference:
    return PairedDifference(difference, (difference - half, difference + half), 0.5, half / 1.96, 1e9)


@each_row(
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


def counted(lost: int, same: int, gained: int = 0) -> PairedDifference:
    moments = Moments(1)
    moments.add(1.0, 1.0, gained)
    moments.add(-1.0, 1.0, lost)
    moments.add(0.0, 1.0, same)
    found = paired_difference({("d", 1): moments})
    assert found is not None
    return found


def test_none_lost_of_a_hundred_does_not_tell_two_points() -> None:
    few, enough = counted(0, 100), counted(0, 200)
    ruling = rule(few, few, few, 0.02)
    assert ruling.answer == "undecided"
    assert ruling.interval is not None
    assert -0.04 < ruling.interval[0] < -0.03
    assert fresh_tests(ruling, 100) in range(185, 205)
    assert rule(enough, enough, enough, 0.02).answer == "pass"


def test_four_pairs_are_too_few_for_any_ruling() -> None:
    few = counted(4, 0)
    ruling = rule(few, few, few, 0.0)
    assert (ruling.answer, ruling.too_few) == ("undecided", True)


@each_row("same", [8, 20, 80])
def test_however_well_it_goes_so_many_pairs_must_be_seen_of_which_none_is_lost(same: int) -> None:
    """None lost of 129 tells 3 points: the upper limit of the share lost is then Z²/(129 + Z²)."""
    found = counted(0, same)
    ruling = rule(found, found, found, 0.03)
    fresh, more = fresh_tests(ruling, same), more_tests(ruling, same)
    assert ruling.answer == "undecided"
    assert fresh is not None
    assert 128 <= fresh <= 170
    assert more == fresh - same
    enough, short = counted(0, 129), counted(0, 127)
    assert rule(enough, enough, enough, 0.03).answer == "pass"
    assert rule(short, short, short, 0.03).answer == "undecided"


def told_of(tests: int, lost: float, gained: float, margin: float) -> float:
    """How often the gate rules on so many pairs, of all that may be lost and gained, counted out."""
    share = 0.0
    for less in range(tests + 1):
        for more in range(tests + 1 - less):
            ways = math.comb(tests, less) * math.comb(tests - less, more)
            chance = ways * lost**less * gained**more * (1 - lost - gained) ** (tests - less - more)
            if chance > 1e-5:
                found = counted(less, tests - less - more, more)
                share += chance * (rule(found, found, found, margin).answer != "undecided")
    return share


@each_row(("lost", "same", "gained"), [(3, 7, 0), (2, 8, 0), (0, 8, 2), (0, 5, 1), (0, 10, 4)])
def test_few_pairs_are_told_as_many_tests_as_would_rule_and_hardly_more(lost: int, same: int, gained: int) -> None:
    tests, found = lost + same + gained, counted(lost, same, gained)
    fresh = fresh_tests(rule(found, found, found, 0.03), tests)
    assert fresh is not None
    assert told_of(fresh, lost / tests, gained / tests, 0.03) >= 0.75
    assert told_of(fresh * 2 // 3, lost / tests, gained / tests, 0.03) < 0.8


@each_row("margin", [0.0, 0.02, 0.1])
def test_an_end_on_the_margin_itself_decides_nothing(margin: float) -> None:
    above, below = paired(0.05 - margin, 0.05), paired(-0.05 - margin, 0.05)
    assert above.interval[0] == pytest.approx(-margin)
    for exactly in (
        dataclasses.replace(above, interval=(-margin, 0.1)), dataclasses.replace(below, interval=(-0.3, -margin))
    ):  # fmt: skip
        ruling = rule(exactly, exactly, exactly, margin)
        assert (ruling.answer, ruling.blocked) == ("undecided", False)


def test_what_a_bound_could_turn_is_blocked_on_either_side_and_what_the_interval_leaves_open_is_not() -> None:
    good, bad, unclear = paired(0.1, 0.05), paired(-0.1, 0.05), paired(0.01, 0.1)
    assert [rule(bad, bad, good, 0.0).blocked, rule(good, bad, good, 0.0).blocked] == [True, True]
    assert rule(unclear, bad, good, 0.0).blocked is False
    for ruling in (rule(good, bad, good, 0.01), rule(unclear, bad, good, 0.01), rule(good, good, good, 0.01)):
        assert (ruling.margin, ruling.times is None) == (0.01, ruling.blocked or ruling.answer == "pass")
    assert rule(good, bad, good, 0.0).interval == good.interval
    assert Ruling("pass", 0.1) == Ruling("pass", 0.1, False, None, False, None)


def told_at(found: PairedDifference, margin: float, times: float) -> bool:
    """Whether so many times as many pairs would rule, where luck is as bad as in one draw of five."""
    spread = found.error if found.unseen is None else math.sqrt(found.unseen.variance)
    side = math.copysign(1, found.difference + margin)
    seen = found.difference - side * 0.8416212335729143 * spread / math.sqrt(times)
    low, high = found.with_times(times, max(-1.0, min(1.0, seen))).strict_interval(None)
    return low > -margin if side > 0 else high < -margin


@each_row("margin", [0.0, 0.03])
@each_row(
    "found",
    [paired(0.01, 0.1), paired(-0.1, 0.12), paired(0.9, 0.95), counted(4, 30, 8), counted(9, 40, 3), counted(1, 9, 1)],
)
def test_so_many_times_as_many_tests_are_needed_as_rule_to_a_hundredth(found: PairedDifference, margin: float) -> None:
    times = rule(found, found, found, margin).times
    if times is None:
        assert found.difference + margin == pytest.approx(0, abs=1e-9)
        return
    assert told_at(found, margin, times)
    assert times > 1
    assert times < 1.02 or not told_at(found, margin, times / 1.0101)


def test_without_a_second_reading_twice_as_far_takes_a_quarter_by_the_formula() -> None:
    found = paired(0.01, 0.1)
    times = ((1.959963984540054 + 0.8416212335729143) * found.error / 0.04) ** 2
    assert rule(found, found, found, 0.03).times == pytest.approx(times, rel=0.011)


def test_tests_are_counted_up_to_the_next_whole_one_and_one_more_at_least() -> None:
    ruling = Ruling("undecided", 0.0, times=1.05)
    assert (fresh_tests(ruling, 101), more_tests(ruling, 101), more_tests(ruling, 3)) == (107, 6, 1)
    assert fresh_tests(Ruling("pass", 0.0), 100) is more_tests(Ruling("pass", 0.0), 100) is None


def test_nearly_decided_takes_hardly_more_and_what_no_number_would_tell_has_none() -> None:
    nearly = PairedDifference(0.5, (-0.001, 1.0), 0.5, 0.01, 1e9)
    assert 1 < (rule(nearly, nearly, nearly, 0.0).times or 0) < 1.02
    hopeless = PairedDifference(1e-7, (-0.1, 0.1), 0.9, 0.05, 1e9)
    assert rule(hopeless, hopeless, hopeless, 0.0).times is None
