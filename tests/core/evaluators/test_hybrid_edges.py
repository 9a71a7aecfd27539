"""A hybrid's parts at their edges: what is refused before anything is scored, and what its parts spend and say."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.hybrid import HybridEvaluator, evaluate_within
from modex.core.evaluators.registry import get_evaluator
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.llm.types import Completion, Message, Usage
from modex.core.suite.definitions import EvaluatorConfig, Location, TestCase
from tests.core.evaluators.conftest import ScriptedClient, config, context, sample
from tests.rows import each_row


def _hybrid(**settings: Any) -> EvaluatorConfig:
    own = {name: settings.pop(name) for name in ("extraction_regex", "eval_prompt") if name in settings}
    return config("hybrid", id="h", config=settings, **own)


def _judged(response: str | None, expected: Any, own: EvaluatorConfig, *replies: str) -> EvaluationResult:
    clients = (ScriptedClient(*replies),) if replies else ()
    judged = context(own, judges=clients, extractor=clients[0] if clients else None)
    return HybridEvaluator().evaluate(sample(response, expected), judged)


@each_row(
    ("settings", "expected", "problems"),
    [
        ({"parts": [{"evaluator": "keyword", "weight": 0, "expected": 5}]}, "x", ["part 1: its weight"]),
        ({"parts": [{"evaluator": "keyword", "expected": ["a"]}]}, "x", []),
        ({"parts": [{"evaluator": "keyword"}]}, ["a"], []),
        ({"parts": [{"evaluator": "nobody"}, {"evaluator": "keyword"}]}, ["a"], []),
        ({"parts": [{"evaluator": "keyword"}]}, "x", ["part 1 (keyword): "]),
        ({"parts": [{"evaluator": "keyword", "weight": float("inf")}]}, ["a"], ["part 1: its weight"]),
        ({"parts": [{"evaluator": "keyword", "min": "0.5"}]}, ["a"], ["part 1: `min` is"]),
        ({"parts": [{"evaluator": "keyword", "min": 1.5, "weight": -1}]}, ["a"], ["part 1: its", "part 1: `min`"]),
        ({"parts": [7, {"evaluator": "keyword"}, {"evaluator": "h"}]}, ["a"], ["part 1 must", "part 3: an evaluator"]),
        ({"extraction_regex": "x"}, "x", ["config needs `parts`, or `regex_first`"]),
        ({"regex_first": True, "extraction_regex": "x"}, "x", []),
        ({"regex_first": "x", "eval_prompt": "{response}?"}, "x", []),
    ],
)
def test_each_mistake_is_said_once_and_parts_are_asked_only_where_there_is_none(
    settings: dict[str, Any], expected: Any, problems: list[str]
) -> None:
    test = TestCase("suite", "d", 1, "t", "?", expected, "h", Location("t.json"))
    found = list(HybridEvaluator().check(test, _hybrid(**settings), None))
    assert len(found) == len(problems)
    assert all(one.startswith(said) for one, said in zip(found, problems, strict=True)), found


def test_a_file_that_cannot_be_used_is_an_error_of_the_evaluator() -> None:
    with pytest.raises(JudgeError, match="evaluator 'h': config needs `parts`") as caught:
        _judged("x", "x", _hybrid())
    assert caught.value.error_type == ErrorType.EVALUATOR_ERROR


def test_parts_that_are_none_are_no_parts() -> None:
    parts = HybridEvaluator().parts
    assert parts(_hybrid(parts=["keyword", {"evaluator": "match"}])) == [{"evaluator": "match"}]
    assert parts(_hybrid(parts="keyword")) == parts(_hybrid()) == []


def test_a_providers_error_text_is_not_searched_for_an_answer_and_no_response_is_an_empty_one() -> None:
    with pytest.raises(JudgeError, match="provider's error message"):
        _judged("Error code: 429 - {'error': 'x'}", "429", _hybrid(regex_first=r"code: (\d+)"))
    judged = _judged(None, "", _hybrid(regex_first="^$", comparison="found"))
    assert (judged.score, judged.details["decided_by"]) == (1.0, "pattern")


@each_row("order", [["two_pass", "match"], ["match", "two_pass"]])
def test_pass_2_of_one_part_is_pass_2_of_the_whole(order: list[str]) -> None:
    parts = [{"evaluator": name} for name in order]
    assert _judged("It is 7.", 7, _hybrid(parts=parts), "ANSWER: 7").pass2_used is True
    assert _judged("It is 7.", 7, _hybrid(parts=[{"evaluator": "match"}] * 2)).pass2_used is False


def test_a_part_without_a_weight_weighs_one_and_without_a_least_may_be_0() -> None:
    parts = [{"evaluator": "match", "expected": 7}, {"evaluator": "match", "expected": 8, "weight": 1}]
    assert _judged("It is 7.", 7, _hybrid(parts=parts)).score == 0.5
    assert _judged("It is 7.", 8, _hybrid(parts=[{"evaluator": "match", "weight": 3}])).score == 0.0
    odd = [{"evaluator": "match", "weight": weight / 10} for weight in (1, 2, 7, 3, 6)]
    assert _judged("It is 7.", 7, _hybrid(parts=odd)).score == 1.0


class Timed(ScriptedClient):
    """Says what each call took and used."""

    def complete(self, messages: list[Message], **_: Any) -> Completion:
        return Completion(text=self.replies.pop(0), usage=Usage(3, 4), duration_ms=7, cost_usd=self.cost_usd)


def test_time_and_tokens_of_a_part_are_added_to_those_of_the_whole() -> None:
    outer = context("llm_judge", judges=(Timed('{"reason": "r", "score": 1}'),))
    outer.duration_ms, outer.usage = 100, Usage(10, 20)
    evaluate_within(get_evaluator(outer.config), outer.config, sample("Paris", "Paris"), outer)
    assert (outer.duration_ms, outer.usage) == (107, Usage(13, 24))
    assert len(outer.exchanges) == 1
