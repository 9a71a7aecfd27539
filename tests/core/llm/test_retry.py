from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.llm.retry import Patience, RetryPolicy
from tests.rows import each_row

DOWN = ModelCallError("down", ErrorType.SERVER_ERROR, retryable=True)
LIMITED = ModelCallError("slow", ErrorType.RATE_LIMIT, retryable=True)


@given(st.integers(1, 1000), st.floats(0, 10), st.integers())
def test_waits_grow_are_jittered_and_bounded(failures: int, first: float, seed: int) -> None:
    wait = RetryPolicy(first_wait_s=first, rng=random.Random(seed)).wait_s(failures)
    full = min(60.0, first * 2.0 ** min(failures - 1, 30))
    assert full / 2 <= wait <= full


def test_the_first_wait_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_RETRY_WAIT", "0.25")
    assert RetryPolicy.from_environment().first_wait_s == 0.25
    monkeypatch.delenv("MODEX_RETRY_WAIT")
    assert RetryPolicy.from_environment().first_wait_s == 1


@each_row(
    ("failures", "first", "full"),
    [(1, 1.0, 1.0), (2, 1.0, 2.0), (4, 0.5, 4.0), (7, 1.0, 60.0), (40, 1e-9, 2.0**30 * 1e-9)],
)
def test_a_wait_is_twice_the_one_before_and_between_half_of_it_and_all(
    failures: int, first: float, full: float
) -> None:
    class Chance(random.Random):
        """One end of what it is asked for, then the other."""

        def __init__(self) -> None:
            super().__init__()
            self.asked = 0

        def uniform(self, a: float, b: float) -> float:
            self.asked += 1
            return a if self.asked == 1 else b

    policy = RetryPolicy(first_wait_s=first, rng=Chance())
    assert [policy.wait_s(failures), policy.wait_s(failures)] == pytest.approx([full / 2, full])


@pytest.mark.parametrize(("text", "seconds"), [("0", 0.0), ("3600", 3600.0), (" 2 ", 2.0), ("  ", 1.0)])
def test_a_first_wait_may_be_from_none_to_an_hour(text: str, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_RETRY_WAIT", text)
    assert RetryPolicy.from_environment().first_wait_s == seconds


def test_three_deadlines_may_pass_in_a_servers_queue() -> None:
    patience = Patience(RetryPolicy())
    assert [patience.waits_in_line() for _ in range(5)] == [True, True, True, False, False]


def test_a_rate_limit_is_counted_anew_once_others_were_answered() -> None:
    patience = Patience(RetryPolicy())
    assert not any(patience.spent_by(LIMITED, 0) for _ in range(7))
    assert [patience.spent_by(LIMITED, 1) for _ in range(8)].index(True) == 7
    assert not patience.spent_by(DOWN, 1)


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "inf", "1e9", "3600.5", "-0.5"])
def test_a_first_wait_that_is_no_duration_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_RETRY_WAIT", text)
    with pytest.raises(ConfigurationError, match="MODEX_RETRY_WAIT"):
        RetryPolicy.from_environment()


def test_a_fault_is_tried_five_times() -> None:
    patience = Patience(RetryPolicy())
    assert [patience.spent_by(DOWN, 0) for _ in range(5)] == [False] * 4 + [True]


def test_a_rate_limit_that_lets_others_through_never_uses_up_attempts() -> None:
    patience = Patience(RetryPolicy())
    assert not any(patience.spent_by(LIMITED, successes) for successes in range(100))


def test_a_rate_limit_that_lets_nobody_through_ends() -> None:
    patience = Patience(RetryPolicy())
    assert [patience.spent_by(LIMITED, 0) for _ in range(8)].index(True) == 7


def test_what_cannot_succeed_is_not_tried_again() -> None:
    assert Patience(RetryPolicy()).spent_by(ModelCallError("no", ErrorType.BAD_REQUEST), 0)
