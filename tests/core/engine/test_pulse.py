"""What the runner says of the moment."""

from __future__ import annotations

import time

import pytest

from modex.core.engine.pulse import Pulse
from modex.core.engine.workers import Activities, SampleFeed, Workers
from tests.core.store.stores import finished, sample


class _Nothing(SampleFeed):
    """A feed that is never asked."""

    def __init__(self) -> None:
        pass


def idle(activities: Activities | None = None) -> Workers:
    return Workers(_Nothing(), lambda _: True, 4, activities)


def test_the_same_moment_is_said_once() -> None:
    pulse, workers = Pulse(10, 0.0, 0.0), idle()
    assert pulse.beat(workers, []) is not None
    assert pulse.beat(workers, []) is None


def test_earlier_sessions_count_in_time_and_cost() -> None:
    pulse = Pulse(10, 100.0, 0.25)
    assert pulse.elapsed_s >= 100.0
    assert pulse.spent_usd == 0.25


def test_cost_is_projected_from_what_is_done() -> None:
    pulse, workers = Pulse(10, 0.0, 1.0), idle()
    for number in range(2):
        done = finished(sample(str(number)))
        done.cost_usd, done.judge_cost_usd = 0.1, 0.05
        pulse.count(done, rolled_out=True)
    said = pulse.beat(workers, [])
    assert said is not None
    assert said["projected_cost_usd"] == 1.0 + 0.3 * 5
    assert pulse.spent_usd == 1.3


def test_a_rollout_of_an_earlier_session_is_not_counted_again() -> None:
    pulse = Pulse(1, 0.0, 0.0)
    done = finished(sample("a"))
    done.cost_usd, done.judge_cost_usd, done.prompt_tokens = 0.1, 0.05, 100
    pulse.count(done, rolled_out=False)
    assert pulse.spent_usd == 0.05


def test_an_unknown_price_counts_as_nothing() -> None:
    pulse = Pulse(1, 0.0, 0.0)
    done = finished(sample("a"))
    done.cost_usd = done.judge_cost_usd = None
    pulse.count(done, rolled_out=True)
    assert pulse.spent_usd == 0.0


def test_a_pause_is_no_working_time(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: moment)
    pulse = Pulse(10, 0.0, 0.0)
    moment = 5.0
    pulse.rest(True)
    moment = 65.0
    pulse.rest(True)
    assert pulse.elapsed_s == 5.0
    pulse.rest(False)
    moment = 70.0
    assert pulse.elapsed_s == 10.0


def test_nothing_left_has_no_estimate() -> None:
    pulse, workers = Pulse(2, 0.0, 0.0), idle()
    pulse.beat(workers, [])
    for number, expected in ((1, True), (2, False)):
        pulse.count(finished(sample(str(number))), rolled_out=True)
        said = pulse.beat(workers, [])
        assert said is not None
        assert (said["eta_s"] is not None) is expected


def test_who_judges_is_counted_though_nothing_is_in_flight() -> None:
    activities = Activities()
    pulse, workers = Pulse(3, 0.0, 0.0), idle(activities)
    for number, phase in enumerate(("judge", "judge", "pass 1")):
        taken = sample(str(number))
        taken.id = number
        activities.begin(taken)
        activities.phase(taken, phase)
    said = pulse.beat(workers, [])
    assert said is not None
    assert (said["in_flight"], said["judging"]) == (0, 2)


def test_that_time_went_by_is_said_once_a_second_and_what_happened_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    moment, activities = 0.0, Activities()
    monkeypatch.setattr(time, "monotonic", lambda: moment)
    pulse, workers = Pulse(3, 0.0, 0.0), idle(activities)
    taken = sample("a")
    taken.id = 1
    activities.begin(taken)
    assert pulse.beat(workers, []) is not None
    said = []
    for moment in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25):
        if moment == 1.5:
            activities.phase(taken, "pass 1")
        if (beat := pulse.beat(workers, [])) is not None:
            said.append((moment, beat["workers"][0]["since_s"], beat["workers"][0]["phase"]))
    assert said == [(1.0, 1.0, "waiting"), (1.5, 1.5, "pass 1")]
    moment = 2.5
    pulse.count(finished(taken), rolled_out=True)
    assert pulse.beat(workers, []) is not None
    activities.end(taken)
    assert pulse.beat(workers, []) is not None
