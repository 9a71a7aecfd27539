"""Which part of a verdict speaks, and what it leaves unsaid because the values say it."""

from __future__ import annotations

from modex.core.verdict import (
    Calls,
    Cases,
    Compared,
    Extra,
    Extracted,
    Keywords,
    Part,
    Rubric,
    RubricItem,
    Weighted,
    WeightedPart,
    reason_of,
)
from tests.rows import each_row

_RIGHT_CALLS = Calls(score=1.0, why="every call as expected")
_OFF = Compared("a", "b")


@each_row(
    ("parts", "passed", "reason"),
    [
        ([_RIGHT_CALLS, _OFF], False, "expected a, got b"),
        ([_OFF, _RIGHT_CALLS], False, "expected a, got b"),
        ([_RIGHT_CALLS, _OFF], True, "every call as expected"),
        ([Calls(score=0.99, why="late"), _OFF], False, "late"),
        ([Calls(score=None, why="late"), _OFF], False, "late"),
        ([_RIGHT_CALLS], False, ""),
        ([Extracted("no_answer"), Extra({"why": "x"})], False, "the response gives no answer"),
        ([Extracted("by_rules", fault="found_nothing")], False, "PASS 2 found nothing; the rules read the response"),
        ([_OFF, Extracted("by_rules", fault="found_nothing")], False,
         "expected a, got b; PASS 2 found nothing; the rules read the response"),
        ([Compared("a", "a", why="equal, exactly")], True, "got a as expected"),
        ([Compared("a", "A", why="the texts differ")], True, "got A as expected"),
        ([Compared("a", "A", why="apart from case")], True, "expected a, got A, apart from case"),
        ([Compared("a", "b", why="not similar enough")], False, "expected a, got b"),
        ([Compared("a", None, why="silent")], True, "silent"),
        ([Compared("x" * 121, "y")], False, f"expected {'x' * 119}…, got y"),
        ([Compared("x" * 120, "y")], False, f"expected {'x' * 120}, got y"),
        ([Cases("f", 2, 2, why="slow")], True, "slow"),
        ([Extra({"why": 3})], False, ""),
        ([Keywords(missing=("a", "b"), why="too short")], False, "too short; does not mention a, b"),
        ([Keywords(missing=("a", "b"), required=("b",), negated=("c",))], False,
         "does not mention b, which is required; denies c"),
        ([Rubric((RubricItem("a", "", 1, 1, True),))], True, "1 of 1 points, every demand met"),
        ([Rubric((RubricItem("a"), RubricItem("b", "true")))], False, "0 of 2 points; not met: a, true"),
        ([Rubric((RubricItem("a"),), "no reply")], False, "no reply"),
        ([Weighted((WeightedPart("a", 1, 0.5), WeightedPart("b", 2, 1.0)), why="sum")], True, "sum (a 0.50 × 1, b 1.00 × 2)"),
        ([Weighted((WeightedPart("a", 1, None),), why="sum")], False, "sum"),
        ([Weighted((WeightedPart("a", 1, 0.5, "dull"), WeightedPart("b", 2, 0.0, "late")))], False,
         "a 0.50 × 1, b 0.00 × 2: late"),
        ([Weighted((WeightedPart("a", 1, 0.5, "dull"),))], True, "a 0.50 × 1"),
        ([Weighted((WeightedPart("a", 1, 0.5, "dull"), WeightedPart("b", 2, None, "late")))], False, "a 0.50 × 1: dull"),
        ([Weighted((WeightedPart("a", 1, 0.5, "", (Cases(passed=0, total=2, why="none holds"),)),))], False,
         "a 0.50 × 1: none holds"),
        ([Weighted()], False, ""),
    ],
)  # fmt: skip
def test_the_first_part_with_a_reason_speaks(parts: list[Part], passed: bool, reason: str) -> None:
    assert reason_of(parts, passed=passed) == reason
