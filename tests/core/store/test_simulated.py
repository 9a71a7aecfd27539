"""What is stored of a simulated user."""

from __future__ import annotations

import dataclasses

import pytest

from modex.core.store.simulated import SimulatedUser
from tests.rows import each_row


@each_row(
    ("kind", "right", "wrong"),
    [("str", ["", "a"], [3, None, True]), ("int", [0, 7], [1.0, "1", None, True]), ("float | None", [None, 0.5, 3], ["1", True])],
)  # fmt: skip
def test_a_users_stored_fields_are_read_where_they_hold_what_they_can(
    kind: str, right: list[object], wrong: list[object]
) -> None:
    for field in dataclasses.fields(SimulatedUser):
        if field.type != kind:
            continue
        for value in right:
            read = SimulatedUser.of({field.name: value, "of no field": 1})
            assert read.as_json() == {**SimulatedUser().as_json(), field.name: value}
        for value in wrong:
            with pytest.raises(ValueError, match=f"`{field.name}` of another form"):
                SimulatedUser.of({field.name: value})


def test_nothing_was_used_by_a_user_that_said_nothing() -> None:
    assert SimulatedUser().as_json() == {
        "model": "", "turns": 0, "ended": "", "fault": "", "why": "", "prompt_tokens": 0, "completion_tokens": 0,
        "cost_usd": 0.0, "duration_ms": 0, "attempts": 0, "sure": "",
    }  # fmt: skip


def test_a_fault_is_said_with_its_party_and_how_sure_it_is() -> None:
    certain = SimulatedUser(fault="left_early", why="it left")
    assert (certain.said, certain.certainly_at_fault) == ("the user is at fault (left early): it left", True)
    likely = SimulatedUser(fault="changed_goal", why="it turned", sure="likely")
    assert (likely.said, likely.certainly_at_fault) == ("the user is at fault (changed goal, likely): it turned", False)
    assert (SimulatedUser().said, SimulatedUser().certainly_at_fault) == ("", False)
