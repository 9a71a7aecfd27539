"""Several evaluators by weight, or a pattern first and the judge where it decides nothing."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.hybrid import HybridEvaluator
from modex.core.foundation.errors import JudgeError
from modex.core.suite.definitions import EvaluatorConfig, Location, TestCase
from modex.core.verdict import Weighted
from tests.core.evaluators.conftest import ScriptedClient, config, context, part, sample
from tests.rows import each_row

_LOOSE = config("regex", id="loose", config={"comparison": "required_keywords"})
_NAMES = {"loose": _LOOSE}


def _hybrid(**settings: Any) -> EvaluatorConfig:
    own = {name: settings.pop(name) for name in ("extraction_regex", "eval_prompt") if name in settings}
    return config("hybrid", id="h", config=settings, **own)


def _judged(response: str, expected: Any, own: EvaluatorConfig, *replies: str) -> EvaluationResult:
    judged = context(own, judges=(ScriptedClient(*replies),), configs=_NAMES)
    return HybridEvaluator().evaluate(sample(response, expected), judged)


@each_row(
    ("parts", "score", "below"),
    [
        ([{"evaluator": "loose"}], 0.5, ""),
        ([{"evaluator": "loose", "expected": ["red"]}], 1.0, ""),
        ([{"evaluator": "loose", "expected": ["red"]}, {"evaluator": "loose"}], 0.75, ""),
        ([{"evaluator": "loose", "expected": ["red"], "weight": 3}, {"evaluator": "loose", "weight": 1}], 0.875, ""),
        ([{"evaluator": "loose", "min": 0.5}], 0.5, ""),
        (
            [{"evaluator": "loose", "expected": ["red"], "weight": 9}, {"evaluator": "loose", "min": 0.7}],
            0.5,
            "loose 0.50, at least 0.7 is asked",
        ),
        (
            [{"evaluator": "loose", "expected": ["red"], "weight": 9}, {"evaluator": "loose", "min": 1}],
            0.5,
            "loose 0.50",
        ),
    ],
)
def test_parts_count_by_their_weight_and_one_below_its_least_holds_the_whole(
    parts: list[dict[str, Any]], score: float, below: str
) -> None:
    result = _judged("a red rose", ["red", "blue"], _hybrid(parts=parts))
    found = part(result, Weighted)
    assert result.score == pytest.approx(score)
    assert found.why.startswith(below)
    assert bool(found.why) is bool(below)
    assert [one.weight for one in found.items] == [one.get("weight", 1) for one in parts]


def test_a_part_that_reaches_its_least_but_not_a_pass_keeps_the_whole_from_passing() -> None:
    parts = [
        {"evaluator": "loose", "expected": ["red"]},
        {"evaluator": "loose", "expected": ["red", "blue", "a"], "min": 0.69},
    ]
    assert _judged("a red rose", [], _hybrid(parts=parts)).score == pytest.approx(0.6)


def test_the_first_answer_of_a_part_is_the_answer_and_pass_2_of_any_part_is_told() -> None:
    parts = [{"evaluator": "regex", "expected": "red"}, {"evaluator": "loose", "expected": ["red"]}]
    plain = {"regex": config("regex", extraction_regex=r"a (\w+)"), **_NAMES}
    own = context(_hybrid(parts=parts), configs=plain)
    result = HybridEvaluator().evaluate(sample("a red rose", "x"), own)
    assert (result.score, result.extracted_answer, result.pass2_used) == (1.0, "red", False)


def test_a_part_that_nobody_defines_is_an_error() -> None:
    with pytest.raises(JudgeError, match="nobody defines its part 'other'"):
        _judged("x", "x", _hybrid(parts=[{"evaluator": "other"}]))


def test_a_pattern_decides_first_and_the_judge_where_it_does_not_occur() -> None:
    own = _hybrid(regex_first=r"answer: (\w+)")
    by_pattern = _judged("answer: red", "red", own)
    assert (by_pattern.score, by_pattern.details["decided_by"], by_pattern.extracted_answer) == (1.0, "pattern", "red")
    assert _judged("answer: blue", "red", own).score == 0.0
    by_judge = _judged("It is red.", "red", own, '{"reason": "r", "score": 1}')
    assert (by_judge.score, by_judge.details["decided_by"]) == (1.0, "judge")
    asked = _hybrid(regex_first=True, extraction_regex=r"answer: (\w+)", eval_prompt="Is {response} right?")
    assert _judged("It is red.", "red", asked, '{"reason": "r", "score": 0}').score == 0.0


def test_what_it_asks_follows_from_its_parts() -> None:
    hybrid = HybridEvaluator()
    assert hybrid.needs_judge("x", _hybrid(regex_first="x"))
    assert not hybrid.needs_judge("x", _hybrid(parts=[{"evaluator": "keyword"}, {"evaluator": "nobody"}]))
    assert hybrid.needs_judge("x", _hybrid(parts=[{"evaluator": "keyword"}, {"evaluator": "llm_judge"}]))
    assert hybrid.needs_extractor("x", _hybrid(parts=[{"evaluator": "nobody"}, {"evaluator": "two_pass"}]))
    assert not hybrid.needs_extractor("x", _hybrid(parts=[{"evaluator": "nobody"}, {"evaluator": "keyword"}]))
    assert not hybrid.needs_extractor("x", _hybrid(regex_first="x"))


@each_row(
    ("settings", "problem"),
    [
        ({}, "config needs `parts`, or `regex_first`"),
        ({"regex_first": True}, "config needs `parts`, or `regex_first`"),
        ({"regex_first": "("}, "("),
        ({"regex_first": "x", "comparison": "odd"}, "config.comparison is one of"),
        ({"regex_first": "x", "eval_prompt": "Is it?"}, "eval_prompt must hold {response}"),
        ({"parts": []}, "at least one part"),
        ({"parts": "keyword"}, "at least one part"),
        ({"parts": ["keyword"]}, "part 1 must be an object"),
        ({"parts": [{"weight": 1}]}, "part 1 must be an object"),
        ({"parts": [{"evaluator": "keyword", "weight": 0}]}, "part 1: its weight must be a number above 0"),
        ({"parts": [{"evaluator": "keyword", "weight": True}]}, "its weight must be"),
        ({"parts": [{"evaluator": "keyword", "weight": "1"}]}, "its weight must be"),
        ({"parts": [{"evaluator": "keyword", "min": 2}]}, "`min` is the score"),
        ({"parts": [{"evaluator": "keyword", "min": -1}]}, "`min` is the score"),
        ({"parts": [{"evaluator": "keyword", "min": True}]}, "`min` is the score"),
        ({"parts": [{"evaluator": "h"}]}, "part 1: an evaluator cannot be a part of itself"),
        ({"parts": [{"evaluator": "loose"}, {"evaluator": "keyword", "expected": 5}]}, "part 2 (keyword): "),
        ({"parts": [{"evaluator": "loose", "min": 1, "weight": 0.5}]}, ""),
        ({"parts": [{"evaluator": "loose", "min": 0}]}, ""),
        ({"regex_first": "x"}, ""),
    ],
)
def test_mistakes_of_its_file_are_named(settings: dict[str, Any], problem: str) -> None:
    test = TestCase("suite", "d", 1, "t", "?", "x", "h", Location("t.json"))
    found = list(HybridEvaluator().check(test, _hybrid(**settings), None))
    assert bool(found) is bool(problem)
    assert any(problem in message for message in map(str, found)) or not problem
