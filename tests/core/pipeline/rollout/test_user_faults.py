"""What is the simulated user's fault, and what is not."""

from __future__ import annotations

import pytest

from modex.core.pipeline.rollout.user_faults import UserFault, fault_of, left_behind, withheld
from modex.core.suite.definitions import UserSpec
from tests.rows import each_row

SPEC = UserSpec(
    goal="You want to cancel order W-4101.", facts=("The order is W-4101.", "Your number is C-204."),
    must_say=("C-?204", r"\byes\b"),
)  # fmt: skip
STOP = ""
"""What is left of a message that is the stop word alone."""


def found(asked: str, text: str, *said: str, leaves: bool = False) -> str | None:
    dialogue = [{"role": "assistant", "content": "Hi."}, {"role": "user", "content": asked}]
    fault = fault_of(SPEC, dialogue, ["Hi.", *said], text, leaves=leaves)
    if fault is None:
        return None
    return fault.kind if fault.sure == "certain" else f"{fault.kind}?"


@each_row("asked", ["What is your number?", "Please tell me your number.", "Shall I cancel W-4101?"])
def test_leaving_where_something_was_asked_is_leaving_early(asked: str) -> None:
    assert found(asked, STOP, leaves=True) == "left_at_once"
    assert found(asked, STOP, "C-204", leaves=True) == "left_early"
    assert found(asked, "Thanks, bye.", "C-204", leaves=True) == "left_early"


@each_row(
    "asked",
    ["It is done.", "It is done. Is there anything else?", "Erledigt. Kann ich sonst noch etwas tun?", "Listo. ¿Algo más?"],
)  # fmt: skip
def test_leaving_where_the_model_says_that_it_is_done_is_no_fault(asked: str) -> None:
    assert found(asked, STOP, leaves=True) is None


def test_leaving_after_all_was_said_is_no_fault() -> None:
    assert found("Which colour?", STOP, "C-204", "Yes, please.", leaves=True) is None
    assert found("Which colour?", "Yes.", "I am c204", leaves=True) is None


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


@each_row(
    ("text", "fault"),
    [
        ("As an AI I cannot say.", "swapped_roles"), ("<tool_call>{}</tool_call>", "swapped_roles"),
        ("I have cancelled your order.", "swapped_roles?"), ("Your request has been processed.", "swapped_roles?"),
        ("I paid forty dollars.", "invented"), ("I live in New Orleans now.", "invented?"),
        ("I changed my mind, keep it.", "changed_goal?"), ("I changed my mind, it is W-9977.", "invented"),
    ],
)  # fmt: skip
def test_what_is_certain_comes_before_what_is_likely(text: str, fault: str) -> None:
    assert found("Hello.", text) == fault


def test_who_has_nothing_to_say_and_leaves_at_a_question_is_likely_at_fault() -> None:
    spec = UserSpec(goal="You want the time.")
    dialogue = [{"role": "assistant", "content": "Hi."}, {"role": "user", "content": "Where are you?"}]
    fault = fault_of(spec, dialogue, ["Hi.", "Tell me the time."], "", leaves=True)
    assert fault is not None
    assert (fault.kind, fault.sure) == ("left_early", "likely")
    assert fault_of(spec, dialogue, ["Hi."], "ok", leaves=True) is None


def test_a_user_that_is_gone_when_the_model_asks_again_left_early() -> None:
    assert left_behind(SPEC, ["Hi.", "C-204"], "Shall I cancel it?") == UserFault(
        "left_early", r"the user left when it was asked, before it had said /\byes\b/"
    )
    assert left_behind(SPEC, ["Hi.", "C-204"], "It is cancelled. Anything else?") is None
    assert left_behind(SPEC, ["Hi.", "C-204", "yes"], "Why?") is None


def test_a_user_that_never_says_what_it_knows_withholds_it() -> None:
    def asked(*said: str) -> str | None:
        dialogue = [{"role": "system", "content": ""}, {"role": "user", "content": "Hello?"}]
        dialogue += [{"role": "user", "content": one} for one in said]
        fault = withheld(SPEC, dialogue, ["Hi.", "yes"])
        return f"{fault.kind} {fault.sure}: {fault.why}" if fault is not None else None

    twice = "withheld likely: the user never said /C-?204/, though the model asked 2 times"
    assert asked("Your number?", "Please tell me your number.") == twice
    assert asked("Your number?", "Fine.") is None
    assert withheld(SPEC, [], ["C204", "yes"]) is None
