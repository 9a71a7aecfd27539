"""The range a judge rates on."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.judging.scale import BINARY, Scale, scale_of
from tests.core.evaluators.conftest import config
from tests.rows import each_row


@each_row(
    ("scale", "rating", "problem"),
    [
        (Scale(), 0, None),
        (Scale(), 1, None),
        (Scale(), 0.5, None),
        (Scale(), 1.01, "is outside 0 to 1"),
        (Scale(), -0.01, "is outside 0 to 1"),
        (Scale(1, 5), 1, None),
        (Scale(1, 5), 5, None),
        (Scale(1, 5), 0.99, "is outside 1 to 5"),
        (BINARY, 1, None),
        (BINARY, 0.0, None),
        (BINARY, 0.5, "is neither 0 nor 1"),
        (BINARY, 2, "is outside 0 to 1"),
        (Scale(), True, "is not a number"),
        (Scale(), "1", "is not a number"),
        (Scale(), None, "is not a number"),
        (Scale(), float("nan"), "is not a number"),
        (Scale(0, float("inf")), float("inf"), "is not a number"),
    ],
)
def test_what_is_a_rating_on_a_scale(scale: Scale, rating: Any, problem: str | None) -> None:
    said = scale.problem(rating)
    assert said is None if problem is None else said == f"the score {rating!r} {problem}"


def test_the_ends_of_a_scale_are_no_score_and_full_marks() -> None:
    assert [Scale(0, 5).normalised(rating) for rating in (0, 1, 5)] == [0, 0.2, 1]
    assert [Scale(1, 5).normalised(rating) for rating in (1, 3, 5)] == [0, 0.5, 1]


def test_a_scale_is_what_the_evaluator_declares() -> None:
    assert scale_of(config("llm_judge", config={})) == Scale(0.0, 1.0, False, {})
    given = {"min_score": 1, "max_score": 5, "binary": True, "verdicts": {"PASS": 5, "Fail": 1}}
    assert scale_of(config("llm_judge", config=given)) == Scale(1.0, 5.0, True, {"pass": 5.0, "fail": 1.0})


@each_row(
    ("given", "said"),
    [
        ({"min_score": 1}, "must be below"),
        ({"min_score": 2, "max_score": 1}, "must be below"),
        ({"min_score": True}, "config.min_score is a number"),
        ({"max_score": "5"}, "config.max_score is a number"),
        ({"max_score": float("inf")}, "config.max_score is a number"),
        ({"verdicts": ["pass"]}, "maps each verdict word"),
        ({"verdicts": {"pass": 2}}, "maps each verdict word"),
        ({"verdicts": {"pass": 1, "so-so": 0.5}, "binary": True}, "maps each verdict word"),
    ],
)
def test_a_scale_that_cannot_be_meant_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        scale_of(config("llm_judge", config=given))
