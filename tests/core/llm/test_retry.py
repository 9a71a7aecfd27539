from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.llm.retry import Patience, RetryPolicy

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


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "inf", "1e9"])
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
