"""Lists of three items or more in ordinary answers: the order is free unless the question asks for one."""

from __future__ import annotations

from typing import Any

from modex.core.answers.enumerated import judge_list
from modex.core.answers.kinds import expected_answer
from tests.core.answers.tables import differing
from tests.core.evaluators.answers.test_ordinary_answers import Row, misread
from tests.rows import each_row

_RIGHT = [
    "The primary colours are blue, red and yellow.",
    "blue, red, yellow",
    "Sure! Yellow, blue & red.",
    "Blue, red and yellow are the primary colours.",
    "The three primary colours are **yellow**, **red**, and **blue**.",
    "- **Blue**\n- **Red**\n- **Yellow**",
    "The primary colours are:\n1. Blue: a cool colour\n2. Red\n3. Yellow",
]
_OTHERS = [
    "The primary colours are blue, red and green.",
    "The primary colours are blue and red.",
    "The primary colours are blue, red, yellow and green.",
    "blue, red, yellow, green",
    "- Blue\n- Red\n- Green",
    "- Blue\n- Red\n- Yellow\n- Green",
    "The primary colours are not red, blue and yellow.",
]


def test_the_order_of_a_list_is_free() -> None:
    golds: list[Any] = [
        "red, yellow, blue",
        "red, yellow and blue",
        "red, yellow & blue",
        {"value": ["red", "yellow", "blue"], "gold": "parts"},
    ]
    rows: list[Row] = [("What are the primary colours?", gold, _RIGHT, _OTHERS) for gold in golds]
    assert not misread(rows)


def test_an_order_that_is_asked_counts() -> None:
    right = ["red, yellow, blue", "They are red, yellow and blue.", "- Red\n- Yellow\n- Blue"]
    others = ["blue, red, yellow", "They are blue, red and yellow.", "- Blue\n- Red\n- Yellow"]
    asked = [
        "Give the colours in order of wavelength.",
        "Rank the three colours.",
        "List the colours from largest to smallest wavelength.",
        "List the colours chronologically by their first use.",
        "Which colour comes first, which then, and which is last?",
    ]
    assert not misread([(question, "red, yellow, blue", right, others) for question in asked])


def test_a_place_of_three_parts_is_no_closed_list() -> None:
    right = ["Salem, Oregon, United States", "He was born in Salem, Oregon, United States, in May."]
    rows: list[Row] = [("Where was he born?", "Salem, Oregon, United States", right, ["Salem, Ohio, United States"])]
    assert not misread(rows)


_LISTED = r"""
red, green, blue|The colours are red, green and blue. => right 'red, green and blue'
red, green, blue|blue, green, red => right 'blue, green, red'
red, green, blue|red, green => -
red, green, blue|red, green, blue, pink => wrong 'red, green, blue, pink'
red, green, blue|- red\n- green\n- blue => right 'red\n- green\n- blue'
red, green, blue|1. Red (warm)\n2. Green (mild)\n3. Blue (cold) => right 'Red (warm)\n2. Green (mild)\n3. Blue (cold)'
red, green, blue|It is not red, green and blue. => -
red, green, blue|red; green; blue => right 'red; green; blue'
red, green|red, green => -
red, green, blue|Yes, red, green and blue. => right 'red, green and blue'
red, green, blue|They are: red, green, blue => right 'red, green, blue'
red, green, blue|a red, the green, blue => right 'a red, the green, blue'
Salem, Oregon, USA|Salem, Oregon, USA, Earth => -
red, green and blue|red, green, blue, pink => wrong 'red, green, blue, pink'
"""
_IN_ORDER = r"""
red, green, blue|The colours are red, green and blue. => right 'red, green and blue'
red, green, blue|blue, green, red => -
"""
"""A gold and a response: whether it lists the gold's items and no other, and where."""


def listed(line: str, prompt: str) -> str:
    gold, response = line.split("|", 1)
    verdict = judge_list(response, expected_answer(gold), prompt)
    return "-" if verdict is None else f"{'right' if verdict.right else 'wrong'} {verdict.answer!r}"


def test_a_list_is_right_with_its_items_and_no_other() -> None:
    assert differing(_LISTED, lambda line: listed(line, "Which colours?")) == []
    assert differing(_IN_ORDER, lambda line: listed(line, "Which colours, in order?")) == []


_LINES: list[tuple[list[object], bool, str, bool | None]] = [
    (["A", "B", "C"], True, "A\nB\nC", True),
    (["A", "B", "C"], True, "The order is:\n\nA\n\nB\nC\n", True),
    (["A", "B", "C"], True, "1) **A**\n2) B\n3) C", True),
    (["A", "B", "C"], True, "C\nB\nA", False),
    (["A", "B", "C"], False, "C\nB\nA", True),
    (["A", "B", "C"], True, "A\nB", None),
    (["A", "B", "C"], True, "A\nB\nC\nD", None),
    (["A", "B", "C"], True, "A\nB\nD", None),
    (["A", "B", "C"], True, "The order is\nA\nB\nC", None),
    (["red", "blue"], True, "- red\n- blue", True),
    (["red", "blue"], True, "blue\nred", False),
    (["red"], True, "red", None),
    ([12, 15, 20], True, "12\n15.0\n20", True),
    ([12, 15, 20], True, "20\n15\n12", False),
]


@each_row(("gold", "ordered", "response", "right"), _LINES)
def test_parts_on_a_line_each_are_read_in_their_order(
    gold: list[object], ordered: bool, response: str, right: bool | None
) -> None:
    kind = "numeric" if isinstance(gold[0], int) else "exact_match"
    expected = expected_answer({"type": kind, "value": gold, "gold": "parts", "ordered": ordered})
    verdict = judge_list(response, expected, "In which order?")
    assert (None if verdict is None else verdict.right) is right
