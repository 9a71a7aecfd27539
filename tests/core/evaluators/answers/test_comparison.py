"""Where right answers end: tolerances, units, percentages and similarity at their bounds."""

from __future__ import annotations

from typing import Any

import pytest

from core.evaluators.answers.comparison import compare
from core.evaluators.answers.kinds import expected_answer


@pytest.mark.parametrize(
    ("expected", "answer", "right"),
    [
        ({"value": -100, "rel_tolerance": 0.05}, "-95", True),
        ({"value": -100, "rel_tolerance": 0.05}, "-94", False),
        ({"type": "numeric", "value": "1/3"}, "0.333", True),
        ({"type": "numeric", "value": "1/3"}, "0.333%", False),
        ({"type": "math", "value": "1/4", "tolerance": 0.25}, "1/2", True),
        ({"type": "math", "value": "1/4", "tolerance": 0.25}, "0.51", False),
        ({"type": "text", "value": "abcdefghij", "min_similarity": 0.9}, "abcdefghix", True),
        ({"type": "text", "value": "abcdefghij", "min_similarity": 0.91}, "abcdefghix", False),
        ({"type": "numeric", "value": "2 M", "locale": "id"}, "2 miliar", True),
        ({"type": "numeric", "value": "2 M", "locale": "en"}, "2 million", True),
    ],
)
def test_an_answer_is_right_up_to_the_bound_and_not_beyond(expected: dict[str, Any], answer: str, right: bool) -> None:
    assert compare(answer, expected_answer(expected))[0] is right
