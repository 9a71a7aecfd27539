from __future__ import annotations

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.gate import Gate, Interrupted
from modex.core.llm.retry import RetryPolicy

DOWN = ModelCallError("down", ErrorType.SERVER_ERROR, retryable=True)
GARBAGE = ModelCallError("garbage", ErrorType.INVALID_RESPONSE, retryable=True)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Listener:
    """Writes down what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[Any, ...]] = []

    def on_retry(self, model: str, why: str, attempt: int, wait_s: float) -> None:
        self.heard.append(("retry", model, why, attempt))

    def on_hold(self, model: str, seconds: float, why: str) -> None:
        self.heard.append(("hold", model, seconds))

    def on_outage(self, model: str, since: float, why: str) -> None:
        self.heard.append(("outage", model))

    def on_recovered(self, model: str) -> None:
        self.heard.append(("recovered", model))

    def on_limit(self, model: str, limit: int, words: str) -> None:
        self.heard.append(("limit", model, limit, words))

    def on_note(self, words: str) -> None:
        self.heard.append(("note", words))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def make(clock: Clock, listener: Listener) -> Callable[..., Gate]:
    def build(concurrency: int = 8, max_outage_s: float = 100.0, stop: threading.Event | None = None) -> Gate:
        policy = RetryPolicy(first_wait_s=1.0, rng=random.Random(1))
        return Gate(
            "m",
            concurrency=concurrency,
            max_outage_s=max_outage_s,
            stop=stop or threading.Event(),
            policy=policy,
            listener=listener,
            clock=clock,
        )

    return build


def limited(seconds: float | None) -> ModelCallError:
    return ModelCallError("slow", ErrorType.RATE_LIMIT, retryable=True, retry_after=seconds)


def fail(gate: Gate, error: ModelCallError, times: int = 1) -> bool:
    excused = False
    for _ in range(times):
        excused = gate.failed(gate.acquire(), error)
    return excused


def test_a_rate_limit_holds_everyone_at_least_as_long_as_asked(make: Callable[..., Gate], listener: Listener) -> None:
    gate = make()
    fail(gate, limited(5))
    assert 5 <= gate.held_s() <= 5.3
    assert listener.heard[0][0] == "hold"


def test_concurrency_halves_once_for_calls_that_were_out_together(make: Callable[..., Gate], clock: Clock) -> None:
    gate = make(concurrency=8)
    tickets = [gate.acquire() for _ in range(8)]
    for ticket in tickets:
        gate.failed(ticket, limited(1))
    assert gate.snapshot().limit == 4
    clock.now += 2
    gate.failed(gate.acquire(), limited(1))
    assert gate.snapshot().limit == 1


def test_concurrency_grows_back_by_one_a_round(make: Callable[..., Gate], clock: Clock) -> None:
    gate = make(concurrency=4)
    tickets = [gate.acquire() for _ in range(4)]
    for ticket in tickets:
        gate.failed(ticket, limited(1))
    clock.now += 2
    limits = []
    for _ in range(9):
        gate.succeeded(gate.acquire())
        limits.append(gate.snapshot().limit)
    assert limits == [2, 3, 3, 3, 4, 4, 4, 4, 4]


def test_a_fatal_error_is_everybodys(make: Callable[..., Gate]) -> None:
    gate = make()
    fail(gate, ModelCallError("wrong key", ErrorType.AUTHENTICATION, fatal=True, status=401))
    with pytest.raises(ModelCallError, match="wrong key") as caught:
        gate.acquire()
    assert caught.value.fatal
    assert caught.value.attempts == 0
    with pytest.raises(ModelCallError, match="wrong key"):
        gate.pause(10)


def test_an_outage_opens_after_failures_in_a_row_and_excuses_what_follows(
    make: Callable[..., Gate], listener: Listener
) -> None:
    gate = make(concurrency=6)
    assert not fail(gate, DOWN, times=11)
    assert gate.snapshot().outage_since is None
    assert fail(gate, DOWN)
    assert gate.snapshot().outage_since is not None
    assert listener.heard == [("outage", "m")]


def test_garbage_is_no_outage(make: Callable[..., Gate], listener: Listener) -> None:
    gate = make(concurrency=1)
    fail(gate, GARBAGE, times=50)
    assert listener.heard == []


def test_one_success_ends_the_count(make: Callable[..., Gate], listener: Listener) -> None:
    gate = make(concurrency=1)
    fail(gate, DOWN, times=9)
    gate.succeeded(gate.acquire())
    fail(gate, DOWN, times=9)
    assert listener.heard == []


def test_an_outage_is_probed_one_at_a_time_with_growing_waits(make: Callable[..., Gate], clock: Clock) -> None:
    gate = make(concurrency=1, max_outage_s=10_000)
    fail(gate, DOWN, times=10)
    waits = []
    begun = clock.now
    while clock.now - begun < 600:
        before = clock.now
        while gate._obstacle() is not None:
            clock.now += 0.25
        ticket = gate.acquire()
        assert ticket.probe
        assert gate._obstacle() is not None
        gate.failed(ticket, DOWN)
        waits.append(clock.now - before)
        assert waits[-1] <= max(1.25, (before - begun) / 6 + 0.5), "a run goes on soon after a short outage"
    assert waits[0] <= 1.25
    assert waits[-1] > waits[1]
    assert max(waits) <= 30.25
    assert len(waits) < 60


def test_a_probe_that_succeeds_ends_the_outage(make: Callable[..., Gate], clock: Clock, listener: Listener) -> None:
    gate = make(concurrency=4)
    fail(gate, DOWN, times=10)
    clock.now += 2
    gate.succeeded(gate.acquire())
    assert gate.snapshot().outage_since is None
    assert listener.heard == [("outage", "m"), ("recovered", "m")]
    assert not gate.acquire().probe


def test_a_call_from_before_the_recovery_says_nothing_of_the_server_as_it_is_now(
    make: Callable[..., Gate], clock: Clock
) -> None:
    gate = make(concurrency=8)
    earlier = gate.acquire()
    fail(gate, DOWN, times=16)
    clock.now += 2
    gate.succeeded(gate.acquire())
    limit = gate.snapshot().limit
    gate.failed(earlier, ModelCallError("slow down", ErrorType.RATE_LIMIT, retryable=True))
    assert gate.snapshot().limit == limit


def test_an_outage_that_lasts_too_long_ends_the_run(make: Callable[..., Gate], clock: Clock) -> None:
    gate = make(concurrency=1, max_outage_s=60)
    fail(gate, DOWN, times=10)
    clock.now += 61
    with pytest.raises(ModelCallError) as caught:
        gate.acquire()
    assert caught.value.fatal
    assert caught.value.error_type is ErrorType.SERVER_ERROR


def test_a_wish_to_wait_for_hours_ends_the_run(make: Callable[..., Gate]) -> None:
    gate = make()
    fail(gate, limited(7200))
    with pytest.raises(ModelCallError, match="120 minutes") as caught:
        gate.acquire()
    assert caught.value.fatal


def test_stopping_ends_every_wait(make: Callable[..., Gate]) -> None:
    stop = threading.Event()
    gate = make(concurrency=1, stop=stop)
    gate.acquire()
    ended: list[type[BaseException]] = []

    def wait() -> None:
        try:
            gate.acquire()
        except BaseException as error:
            ended.append(type(error))

    threads = [threading.Thread(target=wait) for _ in range(3)]
    for thread in threads:
        thread.start()
    stop.set()
    for thread in threads:
        thread.join(2)
    assert ended == [Interrupted] * 3
    with pytest.raises(Interrupted):
        gate.pause(5)


def test_resizing_takes_effect_at_once(make: Callable[..., Gate]) -> None:
    gate = make(concurrency=2)
    gate.resize(5)
    assert (gate.snapshot().limit, gate.snapshot().ceiling) == (5, 5)
    gate.resize(1)
    assert (gate.snapshot().limit, gate.snapshot().ceiling) == (1, 1)


def refused(words: str = "tools[0]: no", status: int = 400) -> ModelCallError:
    return ModelCallError(f"m: request refused ({status}): {words}", ErrorType.BAD_REQUEST, status=status)


def test_a_wish_that_comes_with_a_failure_is_capped_said_and_counts_toward_an_outage(
    make: Callable[..., Gate], listener: Listener, clock: Clock
) -> None:
    gate = make(concurrency=1, max_outage_s=1000)
    tomorrow = ModelCallError("m: down (503)", ErrorType.SERVER_ERROR, retryable=True, retry_after=86400, status=503)
    waits = []
    for _ in range(10):
        gate.failed(gate.acquire(), tomorrow)
        waits.append(gate.held_s())
        clock.now += gate.held_s()
    assert max(waits) <= 60
    assert ("hold", "m", 60.0) in listener.heard
    assert gate.snapshot().outage_since is not None


def test_the_last_error_of_an_outage_is_told_and_ends_it_by_name(make: Callable[..., Gate], clock: Clock) -> None:
    said: list[str] = []
    gate = make(concurrency=1, max_outage_s=60)
    listener = Listener()
    listener.on_outage = lambda model, since, why: said.append(why)  # type: ignore[method-assign]
    gate._listener = listener
    fail(gate, ModelCallError("m: no connection: refused", ErrorType.CONNECTION, retryable=True), times=10)
    clock.now += 2
    fail(gate, ModelCallError("m: the provider failed (502)", ErrorType.SERVER_ERROR, retryable=True))
    assert said == ["no connection: refused", "the provider failed (502)"]
    clock.now += 60
    with pytest.raises(ModelCallError, match=r"at last: the provider failed \(502\)"):
        gate.acquire()


def test_rate_limits_without_any_answer_end_the_run_as_an_outage_does(make: Callable[..., Gate], clock: Clock) -> None:
    gate = make(concurrency=1, max_outage_s=100)
    for _ in range(30):
        if gate.snapshot().fatal:
            break
        fail(gate, limited(10))
        clock.now += 11
    with pytest.raises(ModelCallError, match="rate limited for 2 minutes") as caught:
        gate.acquire()
    assert caught.value.fatal


def test_the_same_refusal_for_every_call_ends_the_run_after_as_many_as_there_are_workers(
    make: Callable[..., Gate],
) -> None:
    gate = make(concurrency=4)
    for number in range(4):
        assert gate.snapshot().fatal is None
        fail(gate, refused(f"no deployment, request id {number}"))
    with pytest.raises(ModelCallError, match="every call is answered so") as caught:
        gate.acquire()
    assert caught.value.fatal


def test_refusals_that_differ_or_follow_an_answer_are_the_tests_own(make: Callable[..., Gate]) -> None:
    gate = make(concurrency=2)
    for words in ("one", "two", "three", "four"):
        fail(gate, refused(words))
    gate.succeeded(gate.acquire())
    for _ in range(10):
        fail(gate, refused("one"))
    assert gate.snapshot().fatal is None


def test_a_deadline_that_passes_while_others_are_answered_is_a_queue(make: Callable[..., Gate]) -> None:
    late = ModelCallError("m: no complete answer", ErrorType.TIMEOUT, retryable=True)
    gate = make(concurrency=8)
    tickets = [gate.acquire() for _ in range(6)]
    gate.succeeded(tickets.pop())
    assert all(gate.failed(ticket, late) for ticket in tickets)
    assert gate.snapshot().limit == 2
    assert gate.snapshot().outage_since is None
    assert not gate.failed(gate.acquire(), late)


def test_what_several_workers_find_out_at_the_same_moment_is_told_once(
    make: Callable[..., Gate], listener: Listener
) -> None:
    gate = make()
    together = threading.Barrier(8)

    def find_out(words: str) -> None:
        together.wait(30)
        gate.note(words)

    with ThreadPoolExecutor(8) as executor:
        list(executor.map(find_out, ["its answers come whole"] * 7 + ["it takes no seed"]))
    assert sorted(listener.heard) == [("note", "it takes no seed"), ("note", "its answers come whole")]
