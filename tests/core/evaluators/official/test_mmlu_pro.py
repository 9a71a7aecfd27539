"""MMLU-Pro's own rule takes the letters that its script takes."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from modex.core.evaluators.official.mmlu_pro import RULE, read_first, read_letter
from tests.rows import each_row


@each_row(
    ("text", "letter"),
    [
        ("So the answer is (C).", "C"),
        ("the answer is B", "B"),
        ("The answer is (A). No, the answer is (D).", "A"),
        ("The answer is (K).", None),
        ("answer is: C", "C"),  # as a capital that stands alone
        ("Answer: E", "E"),
        ("Final answer: (E)", "E"),
        ("answer: A, or rather answer: B", "B"),
        ("answer: A\nanswer: B", "A"),
        ("Answer:\n\n  F is right", "F"),
        ("Answer: x\nAnswer: G", "G"),
        ("Of A and B, B is the larger.", "B"),
        ("The current I through the coil", "I"),
        ("Charge in units of J", "J"),
        ("nothing of the kind", None),
        ("", None),
        ("the answer is (D", "D"),
        ("The ANSWER IS (D)", "D"),
    ],
)
def test_a_letter_is_taken_by_three_steps(text: str, letter: str | None) -> None:
    assert read_letter(text) == letter


def as_published(text: str) -> str | None:
    """The rule said by three patterns, as its page says it; slow on long texts."""
    if found := re.search(r"answer is \(?([A-J])\)?", text):
        return found[1]
    if found := re.search(r".*[aA]nswer:\s*([A-J])", text):
        return found[1]
    found = re.search(r"\b[A-J]\b(?!.*\b[A-J]\b)", text, re.DOTALL)
    return found[0] if found else None


@given(
    st.lists(
        st.sampled_from(
            ["answer is ", "Answer:", "answer:", "(", ")", "A", "B", "J", "K", " ", "\n", "x", "_", ".", "é"]
        ),
        max_size=24,
    )
)
def test_the_letter_is_that_of_the_published_patterns(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert read_letter(text) == as_published(text)


def test_the_first_published_rule_has_the_first_step_alone() -> None:
    assert [read_first(text) for text in ("the answer is (C)", "Answer: C", "C")] == ["C", None, None]


def test_only_the_golds_letter_is_right() -> None:
    assert (RULE.right("C", " C"), RULE.right("C", "D")) == (True, False)
