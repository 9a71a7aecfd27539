"""Which tries of a test with k of n are let through, held back, freed and spared."""

from __future__ import annotations

from itertools import count

from modex.core.engine.needed import Needed
from modex.core.store.sample import EvaluationSample, SampleStatus
from tests.rows import each_row

_IDS = count(1)


def a_try(test: str = "t", needed: int | None = 2, of: int | None = 3, stage: str = "init") -> EvaluationSample:
    one = EvaluationSample(domain="d", test_id=test, pass_needed=needed, pass_of=of, id=next(_IDS))
    one.stage = stage  # type: ignore[assignment]
    return one


def ended(one: EvaluationSample, status: SampleStatus) -> EvaluationSample:
    one.status = status
    return one


def test_only_tries_that_are_needed_however_the_others_end_are_let_through_at_once() -> None:
    needed = Needed({})
    tries = [a_try() for _ in range(3)]
    assert [needed.admits(one) for one in tries] == [True, True, False]
    assert needed.holds
    assert needed.freed() is None


def test_a_try_that_was_held_comes_once_it_is_needed() -> None:
    needed = Needed({})
    first, second, third = (a_try() for _ in range(3))
    for one in (first, second, third):
        needed.admits(one)
    needed.ended(ended(first, "failed"))
    assert needed.freed() is None  # another failure would decide it
    needed.ended(ended(second, "passed"))
    assert needed.holds  # free, and nobody took it yet
    assert needed.freed() is third
    assert (needed.freed(), needed.holds) == (None, False)
    assert needed.spared(third) == ""


def test_a_try_that_was_held_is_spared_once_the_others_decided() -> None:
    needed = Needed({})
    first, second, third = (a_try() for _ in range(3))
    for one in (first, second, third):
        needed.admits(one)
    needed.ended(ended(first, "passed"))
    assert needed.freed() is None
    needed.ended(ended(second, "passed"))
    assert needed.freed() is third
    assert needed.spared(third) == "not asked: 2 of 3 was decided by 2 passed and 0 failed"
    needed.ended(ended(third, "skipped"))
    assert needed.admits(a_try())  # to be spared too
    assert not needed.holds


def test_a_spared_try_is_not_counted_as_one_that_ended() -> None:
    needed = Needed({("suite", "d", 1, "t"): (2, 0)})
    late = a_try()
    assert needed.admits(late)
    needed.ended(ended(late, "failed"))
    assert needed.spared(late) == "not asked: 2 of 3 was decided by 2 passed and 0 failed"


def test_two_failures_of_three_decide_two_of_three() -> None:
    needed = Needed({("suite", "d", 1, "t"): (0, 1)})
    first, second = a_try(), a_try()
    assert [needed.admits(first), needed.admits(second)] == [True, False]
    needed.ended(ended(first, "failed"))
    assert needed.freed() is second
    assert needed.spared(second) == "not asked: 2 of 3 was decided by 0 passed and 2 failed"


def test_a_try_that_ended_without_a_verdict_makes_room_for_another() -> None:
    needed = Needed({})
    first, second, third = (a_try() for _ in range(3))
    for one in (first, second, third):
        needed.admits(one)
    needed.ended(ended(first, "error"))
    assert needed.freed() is third


def test_each_test_is_counted_by_itself_and_several_are_freed_in_order() -> None:
    needed = Needed({})
    one, other = a_try(needed=1, of=2), a_try("u", needed=1, of=2)
    held = [a_try(needed=1, of=2), a_try("u", needed=1, of=2)]
    assert [needed.admits(each) for each in (one, other, *held)] == [True, True, False, False]
    needed.ended(ended(other, "failed"))
    assert needed.freed() is held[1]
    assert needed.holds
    needed.ended(ended(one, "failed"))
    assert needed.freed() is held[0]


@each_row(
    "one", [a_try(needed=None, of=None), a_try(needed=None, of=3), a_try(needed=2, of=None), a_try(stage="rollout")]
)
def test_what_is_no_try_of_k_of_n_or_only_waits_for_its_verdict_is_always_let_through(one: EvaluationSample) -> None:
    needed = Needed({("suite", "d", 1, "t"): (2, 0)})
    assert needed.admits(one)
    assert (needed.spared(one), needed.holds) == ("", False)


def test_the_verdict_of_a_stored_rollout_counts_though_nobody_asked_for_it() -> None:
    needed = Needed({})
    stored = a_try(stage="rollout")
    needed.admits(stored)
    needed.ended(ended(stored, "passed"))
    needed.ended(ended(a_try(needed=None, of=None), "passed"))
    tries = [a_try(), a_try()]
    assert needed.admits(tries[0])
