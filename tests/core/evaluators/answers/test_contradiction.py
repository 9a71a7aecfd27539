"""The type that a gold in words is judged by."""

from __future__ import annotations

from typing import Any

from modex.core.answers.kinds import expected_answer
from modex.core.evaluators.answers.contradiction import typed_gold

_OPTIONS = "Which is red? A) a rose B) the sea C) grass"
_GOLDS: list[tuple[Any, str, str | None]] = [
    ("12", "How many?", "numeric"),
    (["12", "13"], "How many?", "numeric"),
    (["12", "Paris"], "How many?", None),
    ("Paris", "Where?", None),
    ("yes", "Is it?", "boolean"),
    ("a rose", _OPTIONS, "choice"),
    ("B", _OPTIONS, "choice"),
    ("the sky", _OPTIONS, None),
    ({"type": "exact_match", "value": "12"}, "How many?", "numeric"),
    ({"type": "numeric", "value": 12}, "How many?", "numeric"),
    ({"type": "boolean", "value": True}, "Is it?", "boolean"),
    ({"type": "math", "value": "x^2"}, "What?", None),
    ({"value": ["1", "2"], "gold": "parts"}, "Which?", None),
]


def test_a_gold_that_is_a_number_an_option_or_a_truth_is_judged_as_one() -> None:
    found = [(gold, prompt, typed_gold(expected_answer(gold), prompt)) for gold, prompt, _ in _GOLDS]
    assert [(gold, prompt, one.type if one else None) for gold, prompt, one in found] == _GOLDS
