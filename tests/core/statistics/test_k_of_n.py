"""k of n: the verdict of all n tries, with as few of them as can be."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.statistics.k_of_n import Required, score_of_epochs
from tests.rows import each_row

EVERY = [Required(k, n) for n in range(1, 7) for k in range(1, n + 1)]


def asked(required: Required, outcomes: tuple[bool, ...]) -> tuple[bool, int]:
    """The verdict and how many tries it took, one after the other."""
    for number in range(len(outcomes) + 1):
        passed = sum(outcomes[:number])
        if (verdict := required.verdict(passed, number - passed)) is not None:
            return verdict, number
    raise AssertionError("never decided")


@each_row("required", EVERY, ids=str)
def test_stopping_early_gives_the_verdict_of_all_tries_whatever_they_are(required: Required) -> None:
    for outcomes in product((False, True), repeat=required.of):
        assert asked(required, outcomes)[0] == (sum(outcomes) >= required.passes)


@each_row("rate", [0.0, 0.3, 0.7, 0.8, 1.0])
@each_row("required", EVERY, ids=str)
def test_chance_and_cost_are_those_of_every_outcome_weighed(required: Required, rate: float) -> None:
    chance = cost = 0.0
    for outcomes in product((False, True), repeat=required.of):
        weight = rate ** sum(outcomes) * (1 - rate) ** (required.of - sum(outcomes))
        verdict, number = asked(required, outcomes)
        chance += weight * verdict
        cost += weight * number
    assert required.chance(rate) == pytest.approx(chance)
    assert required.expected_epochs(rate) == pytest.approx(cost)


def test_eight_of_ten_costs_what_is_promised() -> None:
    required = Required(8, 10)
    assert required.expected_epochs(0.0) == 3.0
    assert required.expected_epochs(1.0) == 8.0
    assert max(required.expected_epochs(rate / 1000) for rate in range(1001)) < 8.73


@given(st.integers(1, 12), st.data())
def test_no_try_is_asked_beside_others_that_one_after_the_other_would_spare(of: int, data: st.DataObject) -> None:
    required = Required(data.draw(st.integers(1, of)), of)
    passed = data.draw(st.integers(0, of))
    failed = data.draw(st.integers(0, of - passed))
    asking = data.draw(st.integers(0, of))
    if required.needs(passed, failed, asking):
        for more in range(asking + 1):
            assert required.verdict(passed + more, failed + asking - more) is None


def test_it_is_read_as_people_write_it() -> None:
    assert Required.read("8/10") == Required.read(" 8 of 10 ") == Required(8, 10)
    for text in ("8", "10/8", "0/3", "a/b", "", "1/2000"):
        with pytest.raises(ValueError, match="8/10"):
            Required.read(text)


def test_a_score_is_the_verdict_where_so_many_must_pass_and_the_mean_elsewhere() -> None:
    assert score_of_epochs([1.0, 0.5], 1, 1, None) == 0.75
    assert score_of_epochs([1.0, 1.0], 2, 0, Required(2, 3)) == 1.0
    assert score_of_epochs([0.0, 0.0], 0, 2, Required(2, 3)) == 0.0
    assert score_of_epochs([1.0], 1, 0, Required(2, 3)) is None
    assert score_of_epochs([], 0, 0, None) is None


def test_one_more_try_is_needed_where_no_outcome_of_those_being_asked_decides() -> None:
    for required in EVERY:
        for passed, failed, asking in product(range(required.of + 1), repeat=3):
            undecided = all(
                required.verdict(passed + right, failed + asking - right) is None for right in range(asking + 1)
            )
            assert required.needs(passed, failed, asking) is undecided, (str(required), passed, failed, asking)


@each_row(("text", "read"), [("1/1", (1, 1)), ("1000/1000", (1000, 1000)), (" 1 of 1000 ", (1, 1000))])
def test_from_one_of_one_to_a_thousand_of_a_thousand_can_be_asked(text: str, read: tuple[int, int]) -> None:
    assert Required.read(text) == Required(*read)


@each_row("text", ["0/1", "2/1", "1001/1001", "1/0", "1/1001"])
def test_no_passes_more_than_tries_and_more_than_a_thousand_tries_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not understood"):
        Required.read(text)
