from __future__ import annotations

import heapq
import itertools
import random
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.gate import Gate, Ticket
from modex.core.llm.knee import Knee
from modex.core.llm.retry import RetryPolicy
from tests.core.llm.test_gate import Listener

Seconds = Callable[[random.Random, int], float]


def fixed(seconds: float) -> Seconds:
    return lambda _random, _busy: seconds


def spread(seconds: float, sigma: float) -> Seconds:
    """Log-normal round `seconds`: what answers of different lengths take."""
    return lambda source, _busy: seconds * source.lognormvariate(-sigma * sigma / 2, sigma)


@dataclass
class Endpoint:
    """A server that works on `capacity` calls at once and lets others wait (or refuses them), on a clock of its own."""

    capacity: int
    seconds: Seconds = fixed(1.0)
    refuses: bool = False
    seed: int = 1
    now: float = 1000.0
    busy: int = 0
    _queue: deque[Ticket] = field(default_factory=deque)
    _due: list[tuple[float, int, Ticket]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._count = itertools.count()

    def arrive(self, ticket: Ticket) -> bool:
        """Whether the call was taken."""
        if self.busy < self.capacity:
            self._serve(ticket)
        elif self.refuses:
            return False
        else:
            self._queue.append(ticket)
        return True

    def answer(self) -> Ticket:
        """Go to the moment of the next answer."""
        self.now, _, ticket = heapq.heappop(self._due)
        self.busy -= 1
        if self._queue and self.busy < self.capacity:
            self._serve(self._queue.popleft())
        return ticket

    def _serve(self, ticket: Ticket) -> None:
        self.busy += 1
        heapq.heappush(self._due, (self.now + self.seconds(self._random, self.busy), next(self._count), ticket))


@dataclass
class Ran:
    """What a simulated run came to."""

    took: float
    limits: list[int]
    """How many could be in flight, after each answer."""
    listener: Listener
    gate: Gate

    @property
    def said(self) -> list[Any]:
        return [heard[3] for heard in self.listener.heard if heard[0] == "limit" and heard[3]]


def ran(endpoint: Endpoint, calls: int, *, at_once: int | None = None, at: Callable[[int], None] | None = None) -> Ran:
    """Ask `calls` questions through a real gate; `at` may change the endpoint after each answer."""
    listener = Listener()
    gate = Gate(
        "m",
        concurrency=at_once or 16,
        max_outage_s=100.0,
        stop=threading.Event(),
        policy=RetryPolicy(first_wait_s=1.0, rng=random.Random(1)),
        listener=listener,
        clock=lambda: endpoint.now,
        knee=Knee() if at_once is None else None,
    )
    limits: list[int] = []
    begun, left = endpoint.now, calls
    refusal = ModelCallError("too many", ErrorType.RATE_LIMIT, retryable=True, retry_after=0.1)
    while len(limits) < calls:
        while left and gate.held_s() == 0 and gate.snapshot().in_flight < gate.snapshot().limit:
            ticket = gate.acquire()
            if endpoint.arrive(ticket):
                left -= 1
            else:
                gate.failed(ticket, refusal)
        if not endpoint.busy:
            endpoint.now += gate.held_s() + 0.001
            continue
        gate.succeeded(endpoint.answer())
        limits.append(gate.snapshot().limit)
        if at is not None:
            at(len(limits))
    return Ran(endpoint.now - begun, limits, listener, gate)


@pytest.mark.parametrize("capacity", [17, 20, 24, 30, 40, 48])
def test_the_knee_is_found_within_a_fifth_in_the_time_of_three_hundred_calls(capacity: int) -> None:
    found = ran(Endpoint(capacity), 600)
    assert 0.8 * capacity <= found.limits[-1] <= 1.2 * capacity
    settled = Endpoint(capacity)
    assert all(
        0.8 * capacity <= limit <= 1.2 * capacity
        for limit in ran(settled, 600).limits[300:]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("calls", "refuses"), [(300, False), (1000, False), (4000, False), (300, True), (1000, True), (4000, True)]
)
def test_a_run_takes_hardly_longer_than_with_the_best_number_given(calls: int, refuses: bool) -> None:
    best = ran(Endpoint(24, refuses=refuses), calls, at_once=24).took
    assert ran(Endpoint(24, refuses=refuses), calls).took <= 1.2 * best


@pytest.mark.parametrize("seed", range(8))
def test_answers_of_different_lengths_change_little(seed: int) -> None:
    seconds = spread(2.0, 0.5)
    best = ran(Endpoint(24, seconds, seed=seed), 1500, at_once=24).took
    found = ran(Endpoint(24, seconds, seed=seed), 1500)
    assert found.took <= 1.2 * best
    assert found.limits[-1] >= 19


def test_an_endpoint_without_a_knee_gets_as_many_as_are_tried_unasked() -> None:
    found = ran(Endpoint(1000), 600)
    assert found.limits[-1] == max(found.limits) == 64
    assert found.said == ["64 calls at once: --concurrency allows more"]


def test_a_batching_server_whose_answers_grow_slower_is_not_held_below_what_it_can_do() -> None:
    def batched(_source: random.Random, busy: int) -> float:
        return 0.6 + 0.025 * busy  # answers a second still rise by a fifth from 32 to 64

    assert ran(Endpoint(1000, batched), 1000).limits[-1] == 64


@pytest.mark.parametrize("capacity", [1, 4, 8])
def test_a_small_server_is_asked_no_more_than_it_answers(capacity: int) -> None:
    found = ran(Endpoint(capacity), 600)
    assert found.limits[-1] == capacity
    assert found.took <= 1.1 * ran(Endpoint(capacity), 600, at_once=16).took


def test_a_fast_server_is_never_asked_less_than_before() -> None:
    """Test that where a call takes milliseconds, waiting is not taken for the server's."""
    assert min(ran(Endpoint(4, fixed(0.02)), 2000).limits) == 16


def test_a_short_run_goes_on_as_it_begins() -> None:
    assert set(ran(Endpoint(24), 40).limits) == {16}


def test_refusals_end_the_growth_and_are_few() -> None:
    found = ran(Endpoint(24, refuses=True), 2000)
    assert found.limits[-1] <= 24
    holds = [heard for heard in found.listener.heard if heard[0] == "hold"]
    assert len(holds) <= 6
    assert found.said[0] == "24 calls at once: more are refused"


@pytest.mark.parametrize("capacity", [17, 20, 24, 30, 40, 48])
def test_what_is_accepted_while_more_are_refused_is_the_capacity(capacity: int) -> None:
    found = ran(Endpoint(capacity, refuses=True), 1000)
    assert found.limits[-1] == capacity
    assert found.said == [f"{capacity} calls at once: more are refused"]
    assert found.took <= 1.2 * ran(Endpoint(capacity, refuses=True), 1000, at_once=capacity).took


def test_of_calls_that_go_out_together_those_that_come_back_refused_are_counted() -> None:
    endpoint = Endpoint(1000)
    gate = ran(endpoint, 60).gate
    tickets = [gate.acquire() for _ in range(32)]
    for ticket in tickets[24:]:
        gate.failed(ticket, ModelCallError("too many", ErrorType.RATE_LIMIT, retryable=True, retry_after=1.0))
    state = gate.snapshot()
    assert (state.in_flight, state.limit, state.ceiling) == (24, 16, 24), "back to what was answered before"
    assert state.found == "24 calls at once: more are refused"


def test_a_second_refusal_halves_as_for_a_given_number() -> None:
    endpoint = Endpoint(1000)
    gate = ran(endpoint, 60).gate
    refusal = ModelCallError("too many", ErrorType.RATE_LIMIT, retryable=True, retry_after=1.0)
    for expected in (16, 8, 4):
        tickets = [gate.acquire() for _ in range(gate.snapshot().limit)]
        gate.failed(tickets.pop(), refusal)
        assert gate.snapshot().limit == expected
        endpoint.now += 2.0
        for ticket in tickets:
            gate.released(ticket)


def test_refusals_alone_never_bring_the_limit_below_the_first_number() -> None:
    knee = Knee()
    for _ in range(20):
        knee.refused()
    assert knee.limit == 16


def test_what_was_found_is_looked_at_again() -> None:
    endpoint = Endpoint(20)

    def grow(answers: int) -> None:
        if answers == 1000:
            endpoint.capacity = 60

    found = ran(endpoint, 6000, at=grow)
    assert found.limits[999] <= 24
    assert found.limits[-1] >= 48
    assert len(found.said) == 2


def test_looking_again_says_nothing_where_nothing_changed() -> None:
    found = ran(Endpoint(24), 8000)
    (said,) = found.said
    assert said.endswith("calls at once: more only wait")


def test_a_number_given_while_it_runs_ends_the_search() -> None:
    found = ran(Endpoint(1000), 60)
    found.gate.resize(5)
    assert found.gate.snapshot().ceiling == 5
    for _ in range(500):
        found.gate.succeeded(found.gate.acquire())
    assert found.gate.snapshot().limit == 5


def test_calls_that_were_given_up_are_no_measurement() -> None:
    knee = Knee()
    for moment in range(1000):
        assert knee.ended(moment + 0.5, None, knee.began(float(moment))) == ""
    assert knee.limit == 16


def test_where_others_keep_the_calls_few_nothing_is_concluded() -> None:
    """Test that samples that mostly compute or wait for another model leave the limit as it is."""
    knee = Knee()
    for moment in range(5000):
        knee.ended(moment + 0.9, 0.9, knee.began(float(moment)))
    assert knee.limit == 16
