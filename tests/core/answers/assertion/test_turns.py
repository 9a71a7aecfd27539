"""Where a response stops being the answer: at a question or a turn that it begins itself."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.assertion.turns import turns_of


def pieces(response: str, question: str = "") -> list[str]:
    return [response[turn.start : turn.end].strip() for turn in turns_of(response, question)]


def test_a_question_that_the_response_begins_is_a_piece_of_its_own() -> None:
    assert pieces("It is 7.\n\nQuestion: And 4 + 5?\nIt is 9.") == ["It is 7.", "Question: And 4 + 5?\nIt is 9."]
    assert pieces("It is 7.<|im_end|>\n<|im_start|>user\nAnd 4?") == ["It is 7.", "user\nAnd 4?"]
    assert pieces("It is 7.\n\nHuman: And 4?") == ["It is 7.", "Human: And 4?"]


def test_a_question_restated_at_the_start_cuts_nothing_off() -> None:
    assert pieces("Question: How many?\nAnswer: 7") == ["Question: How many?\nAnswer: 7"]


def test_the_asked_question_said_again_is_told_from_a_new_one() -> None:
    asked = "How many apples has Tom after lunch?"
    again, other = (
        turns_of(f"Let us see.\nQuestion: {text}\nSeven.", asked)[1]
        for text in (asked, "Where is Rome, and who saw it?")
    )
    assert again.restates
    assert not other.restates


def test_a_line_of_the_prompt_s_own_form_begins_a_turn_and_a_label_of_answers_does_not() -> None:
    prompt = "Passage: It rained.\nAnswer: wet\nPassage: The sun shone."
    assert pieces("Answer: dry\nPassage: It snowed.\nAnswer: cold", prompt) == [
        "Answer: dry",
        "Passage: It snowed.\nAnswer: cold",
    ]


@given(st.text(max_size=200), st.text(max_size=60))
def test_the_pieces_stand_in_order_and_do_not_overlap(response: str, question: str) -> None:
    turns = turns_of(response, question)
    assert all(one.end <= other.start for one, other in pairwise(turns))
