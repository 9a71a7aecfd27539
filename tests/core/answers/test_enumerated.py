"""Lists of three items or more in ordinary answers: the order is free unless the question asks for one."""

from __future__ import annotations

from typing import Any

from modex.core.answers.enumerated import judge_list
from modex.core.answers.kinds import expected_answer
from tests.core.answers.tables import differing
from tests.core.evaluators.answers.test_ordinary_answers import Row, misread

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
