"""What is the simulated user's fault, and what is not."""

from __future__ import annotations

import pytest

from modex.core.pipeline.rollout.user_faults import fault_of
from modex.core.suite.definitions import UserSpec
from tests.rows import each_row

SPEC = UserSpec(
    goal="You want to cancel order W-4101.", facts=("The order is W-4101.", "Your number is C-204."),
    must_say=("C-?204", r"\byes\b"),
)  # fmt: skip
STOP = "###STOP###"


def found(asked: str, text: str, *said: str, leaves: bool = False) -> str | None:
    dialogue = [{"role": "assistant", "content": "Hi."}, {"role": "user", "content": asked}]
    fault = fault_of(SPEC, dialogue, ["Hi.", *said], text, leaves=leaves)
    return fault.kind if fault is not None else None


@each_row("asked", ["What is your number?", "Please tell me your number.", "Shall I cancel W-4101?"])
def test_leaving_where_something_was_asked_is_leaving_early(asked: str) -> None:
    assert found(asked, STOP, leaves=True) == "left_early"
    assert found(asked, STOP, "C-204", leaves=True) == "left_early"


@each_row(
    "asked",
    ["It is done.", "It is done. Is there anything else?", "Erledigt. Kann ich sonst noch etwas tun?", "Listo. ¿Algo más?"],
)  # fmt: skip
def test_leaving_where_the_model_says_that_it_is_done_is_no_fault(asked: str) -> None:
    assert found(asked, STOP, leaves=True) is None


def test_leaving_after_all_was_said_is_no_fault() -> None:
    assert found("Which colour?", STOP, "C-204", "Yes, please.", leaves=True) is None
    assert found("Which colour?", f"Yes. {STOP}", "I am c204", leaves=True) is None


@pytest.mark.parametrize("text", ["It is W-9977.", "My number is 12 34 56."])
def test_a_number_that_nothing_told_it_is_invented(text: str) -> None:
    assert found("Which order?", text) == "invented"


@each_row("text", ["W-4101, and C-204.", "it's 4101", "the 7,321 that you named", "I have 2 of them"])
def test_a_number_from_its_facts_or_from_the_conversation_is_not(text: str) -> None:
    assert found("Do you mean the one of 7321 points?", text) is None


@each_row("text", ["How can I help you today?", "Wie kann ich Ihnen helfen?", "May I assist you with that?"])
def test_a_user_who_offers_help_swapped_roles(text: str) -> None:
    assert found("Hello.", text) == "swapped_roles"


def test_an_empty_message_is_a_fault() -> None:
    assert found("Hello?", " \n") == "said_nothing"
