"""A number that the response states apart from where its own answer was read."""

from __future__ import annotations

from typing import Any

from modex.core.answers.asked import stated_otherwise
from modex.core.answers.kinds import expected_answer
from modex.core.answers.own import read_own
from tests.rows import each_row


@each_row(
    ("gold", "response", "prompt", "answer"),
    [
        (17, "He has 17 pears left.", "How many pears are left?", "17"),
        (206, "Adults have 206 bones, compared to about 300 at birth.", "How many bones has an adult?", "206"),
        (206, "Although some textbooks say 207, an adult has 206 bones.", "How many bones has an adult?", "206"),
        (17, "He has 16 pears left.", "How many pears are left?", None),
        (17, " \n", "How many pears are left?", None),
        ({"type": "exact_match", "value": "17"}, "He has 17 pears left.", "How many pears are left?", None),
    ],
)
def test_the_gold_stated_as_a_number_counts(gold: Any, response: str, prompt: str, answer: str | None) -> None:
    expected = expected_answer(gold)
    found = stated_otherwise(response, expected, prompt, read_own(response, expected, prompt))
    assert (None if found is None or not found.right else found.answer) == answer
