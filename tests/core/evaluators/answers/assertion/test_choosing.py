"""Which option a text chooses: a capital counts where the text gives it as its answer, and nowhere else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluators.answers.assertion.choosing import choose
from core.evaluators.answers.assertion.letters import masked

CITIES = {"A": "London", "B": "Paris", "C": "Rome", "D": "Berlin"}
LETTERS = dict.fromkeys("ABCDEFGHIJ", "")


def chosen(text: str, options: dict[str, str] = CITIES) -> str | None:
    found = choose(text, options)
    return None if found is None else found.letter


@pytest.mark.parametrize(
    "text",
    [
        "23.5 J",
        "K = 4",
        "Vitamin A",
        "Let A be",
        "See Figure C.",
        "so A = 4",
        "E = mc^2",
        "So I would say nothing.",
        "AB",
    ],
)
def test_a_stray_capital_is_no_answer(text: str) -> None:
    assert chosen(text, LETTERS) is None


@pytest.mark.parametrize(
    "text", ["The answer is B.", "**(B)**", r"$\boxed{\text{B}}$", "Option B", "B\n\nBecause it is.", '{"answer": "B"}']
)
def test_a_letter_that_the_text_gives_as_its_answer_is_read(text: str) -> None:
    assert chosen(text) == "B"


def test_of_several_answers_the_last_counts_where_the_text_turns_to_it_and_none_where_it_lists_them() -> None:
    assert chosen("The answer is A. Wait, no: the answer is B.") == "B"
    assert chosen("The answer is (A). Therefore the answer is (B).") == "B"
    assert chosen("The answer is A. The answer is B.") is None
    assert chosen("The answer is (A) and (B).") is None


def test_a_new_list_of_options_behind_the_answer_is_not_read() -> None:
    assert chosen("The answer is (B).\nA. red\nB. blue\nC. green\nThe answer is (D).") == "B"


def test_where_the_letter_stands_is_told() -> None:
    text = "So the **answer** is (C)."
    found = choose(text, CITIES)
    assert found is not None
    assert text[found.start : found.end] == "(C)"


@given(st.text(max_size=300))
def test_masking_keeps_every_offset_and_any_text_is_read(text: str) -> None:
    assert len(masked(text)) == len(text)
    found = choose(text, CITIES)
    assert found is None or (0 <= found.start <= found.end <= len(text) and found.letter in CITIES)


@pytest.mark.parametrize(
    "piece", [r"\boxed{", "answer is ", "\n", " ", "**A** ", "(A) ", "A, ", "not ", "so A. ", "A. B. C. "]
)
def test_reading_takes_time_in_proportion_to_the_text(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        started = time.process_time()
        choose(text, CITIES)
        return time.process_time() - started

    seconds(1000)
    assert seconds(64_000) < 1 + 24 * seconds(8_000)
