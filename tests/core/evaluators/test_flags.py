"""What is worth finding again of a verdict."""

from __future__ import annotations

from typing import Any

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.flags import verdict_flags
from modex.core.verdict import Extracted, Part, Vote, Votes, Weighted, WeightedPart
from tests.core.evaluators.conftest import sample
from tests.rows import each_row

_FAULT, _OTHER = Extracted("by_rules", fault="found_nothing"), Extracted("by_rules", fault="unreadable")
_VOTES = Votes((Vote("m", 1.0, 1.0, None, False),))
_LACKING = Votes((Vote("m", 1.0, 1.0, None, False),), without_verdict=("m: hm",))


@each_row(
    ("response", "expected", "score", "parts", "flags"),
    [
        ("It is Paris.", "Paris", 0.0, (), ["gold_in_answer"]),
        ("It is Paris.", "Paris", 0.69, (), ["gold_in_answer"]),
        ("It is Paris.", "Paris", 0.7, (), []),
        ("It is Rome.", "Paris", 0.0, (), []),
        ("", "Paris", 0.0, (), []),
        (None, "Paris", 0.0, (), []),
        ("It is Paris.", None, 0.0, (), []),
        ("It is Rome.", "Paris", 0.0, (_FAULT,), ["pass2_found_nothing"]),
        ("It is Paris.", "Paris", 0.0, (_FAULT,), ["gold_in_answer", "pass2_found_nothing"]),
        ("It is Rome.", "Paris", 1.0, (_FAULT, _OTHER, _FAULT), ["pass2_found_nothing", "pass2_unreadable"]),
        ("It is Rome.", "Paris", 1.0, (Extracted("found"),), []),
        ("x", "y", 1.0, (_VOTES,), []),
        ("x", "y", 1.0, (_LACKING,), ["judge_missing"]),
        ("x", "y", 1.0, (Extracted("found"), _LACKING), ["judge_missing"]),
        (
            "It is Paris.",
            "Paris",
            0.0,
            (Weighted((WeightedPart("two_pass", 1.0, 0.0, "", (_OTHER,)),)), _LACKING),
            ["gold_in_answer", "pass2_unreadable", "judge_missing"],
        ),
    ],
)
def test_a_gold_that_stands_in_a_failed_answer_a_pass_2_of_no_use_and_a_silent_judge_are_flagged(
    response: str | None, expected: Any, score: float, parts: tuple[Part, ...], flags: list[str]
) -> None:
    assert verdict_flags(sample(response, expected), EvaluationResult(score, parts=parts)) == flags
