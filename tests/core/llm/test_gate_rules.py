"""The gate's small print: each rule by the call that would go wrong without it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.gate import Gate, Interrupted
from modex.core.llm.retry import RetryPolicy
from tests.core.llm.test_gate import DOWN, GARBAGE, Clock, Listener, clock, listener, make

__all__ = ["clock", "listener", "make"]


def limited(after: float | None = None) -> ModelCallError:
    return ModelCallError("slow down", ErrorType.RATE_LIMIT, retryable=True, retry_after=after)


def _outage(gate: Gate) -> None:
    for ticket in [gate.acquire() for _ in range(gate.snapshot().limit)]:
        gate.failed(ticket, DOWN)
    while gate.snapshot().outage_since is None:
        gate.failed(gate.acquire(), DOWN)


def test_an_answer_makes_the_next_rate_limit_the_first_again(make: Callable[..., Gate], clock: Clock) -> None:
    gate = make(concurrency=1, max_outage_s=10_000)
    for _ in range(6):
        clock.now += gate.held_s()
        gate.failed(gate.acquire(), limited())
    assert gate.held_s() > 10
    clock.now += gate.held_s()
    gate.succeeded(gate.acquire())
    gate.failed(gate.acquire(), limited())
    assert gate.held_s() <= 1.0


def test_an_answer_ends_the_time_without_one(make: Callable[..., Gate], clock: Clock) -> None:
    gate = make(concurrency=1, max_outage_s=100)
    for _ in range(20):
        gate.failed(gate.acquire(), limited(20))
        clock.now += gate.held_s()
        gate.succeeded(gate.acquire())
    assert gate.snapshot().fatal is None


def test_rate_limits_of_calls_that_were_out_together_count_once(make: Callable[..., Gate]) -> None:
    gate = make(concurrency=8)
    for ticket in [gate.acquire() for _ in range(8)]:
        gate.failed(ticket, limited())
    assert gate.held_s() <= 1.0


def test_a_shorter_wish_does_not_end_a_longer_hold(make: Callable[..., Gate], listener: Listener) -> None:
    gate = make(concurrency=2)
    first, second = gate.acquire(), gate.acquire()
    gate.failed(first, limited(50))
    held = gate.held_s()
    gate.failed(second, limited(1))
    assert gate.held_s() == held
    assert len([one for one in listener.heard if one[0] == "hold"]) == 1


def test_a_wish_for_a_minute_is_waited_for_however_short_an_outage_may_be(make: Callable[..., Gate]) -> None:
    gate = make(concurrency=1, max_outage_s=5)
    gate.failed(gate.acquire(), limited(50))
    assert gate.snapshot().fatal is None
    assert gate.held_s() >= 50


def test_garbage_is_no_sign_of_life_in_an_outage(make: Callable[..., Gate], clock: Clock) -> None:
    gate = make(concurrency=2)
    _outage(gate)
    clock.now += 60
    probe = gate.acquire()
    assert probe.probe
    gate.failed(probe, GARBAGE)
    assert gate.snapshot().outage_since is not None


def test_only_the_probe_s_garbage_delays_the_next_probe(make: Callable[..., Gate], clock: Clock) -> None:
    gate = make(concurrency=2)
    late = gate.acquire()
    while gate.snapshot().outage_since is None:
        gate.failed(gate.acquire(), DOWN)
    clock.now += 60
    gate.failed(late, GARBAGE)
    assert gate.acquire().probe, "at once: the probe was due, and garbage of an older call says nothing"


def test_a_probe_waits_for_a_hold_too(make: Callable[..., Gate], clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = make(concurrency=1, max_outage_s=100_000)
    down = ModelCallError("down", ErrorType.SERVER_ERROR, retryable=True, retry_after=50)
    while gate.snapshot().outage_since is None:
        clock.now += gate.held_s()
        gate.failed(gate.acquire(), down)
    held = gate.held_s()
    assert held > 40
    waits: list[float] = []

    def wait(seconds: float | None = None) -> bool:
        waits.append(seconds or 0.0)
        clock.now += seconds or 0.0
        return True

    monkeypatch.setattr(gate._changed, "wait", wait)
    assert gate.acquire().probe
    assert sum(waits) >= held


def test_after_an_outage_half_as_many_begin(make: Callable[..., Gate], clock: Clock) -> None:
    gate = make(concurrency=8)
    _outage(gate)
    clock.now += 60
    gate.succeeded(gate.acquire())
    assert gate.snapshot().limit == 4


def test_a_larger_ceiling_does_not_undo_what_a_rate_limit_taught(make: Callable[..., Gate]) -> None:
    gate = make(concurrency=8)
    for ticket in [gate.acquire() for _ in range(8)]:
        gate.failed(ticket, limited())
    lowered = gate.snapshot().limit
    assert lowered < 8
    gate.resize(16)
    assert (gate.snapshot().limit, gate.snapshot().ceiling) == (lowered, 16)


def test_a_caller_that_has_given_up_waits_for_nothing() -> None:
    gate = Gate("m", concurrency=1, max_outage_s=1, stop=threading.Event(), policy=RetryPolicy(), given_up=lambda: True)
    with pytest.raises(Interrupted):
        gate.acquire()
    assert gate.snapshot().in_flight == 0


def test_only_refusals_of_the_request_itself_shut_the_gate(make: Callable[..., Gate]) -> None:
    gate = make(concurrency=1)
    for _ in range(9):
        gate.failed(gate.acquire(), ModelCallError("no images", ErrorType.ATTACHMENT_REFUSED, status=400))
    assert gate.snapshot().fatal is None
