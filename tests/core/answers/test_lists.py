"""Answers of several items: each stands for one part, and none is left over."""

from __future__ import annotations

from modex.core.answers.comparison import compare
from modex.core.answers.kinds import expected_answer
from modex.core.answers.lists import same_list
from tests.rows import each_row


@each_row(
    ("answer", "right"),
    [
        ("pear, plum, pear", True),
        ("plum, pear, pear", True),
        ("pear, plum, plum", False),
        ("pear, plum", False),
        ("pear, pear, plum, fig", False),
    ],
)
def test_each_part_is_given_once_for_each_time_that_it_is_asked_for(answer: str, right: bool) -> None:
    gold = expected_answer({"value": ["pear", "pear", "plum"], "gold": "parts"})
    assert compare(answer, gold)[0] is right


@each_row(("answer", "same"), [("3.0 kg; 4 kg", True), ("3 g; 4 kg", False), ("3; 4", False)])
def test_numbers_of_a_list_are_the_same_with_their_units(answer: str, same: bool) -> None:
    assert same_list("3 kg; 4 kg", answer) is same
