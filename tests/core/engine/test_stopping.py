"""How a session comes to its end."""

from __future__ import annotations

import pytest

from modex.core.engine.stopping import SessionOutcome, Stopping


@pytest.mark.parametrize(
    ("asked", "shortest"), [((8.0,), 8.0), ((8.0, 2.5), 2.5), ((2.5, 8.0), 2.5), ((8.0, 0.0), 0.0)]
)
def test_of_several_who_ask_to_stop_the_shortest_grace_counts(
    monkeypatch: pytest.MonkeyPatch, asked: tuple[float, ...], shortest: float
) -> None:
    monkeypatch.setattr("modex.core.engine.stopping.time.monotonic", lambda: 100.0)
    stop = Stopping()
    assert (stop.asked.is_set(), stop.deadline) == (False, None)
    for grace in asked:
        stop.ask(grace)
    assert (stop.asked.is_set(), stop.deadline) == (True, 100.0 + shortest)
    assert (stop.calls_ended.is_set(), stop.outcome) == (False, None)


def test_an_outcome_has_no_reason_unless_one_is_given() -> None:
    assert SessionOutcome("completed").reason is None
