"""A judge of the suite: its prompt, its scale, and PASS 2 where it asks for that."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.answers.found import Extracted
from modex.core.evaluators.registry import get_evaluator
from tests.core.evaluators.conftest import ScriptedClient, config, context, part, sample

YES, NO = '{"reason": "so", "score": 1}', '{"reason": "not", "score": 0}'


def custom(**changes: Any) -> Any:
    return config("custom", eval_prompt="Is {response} right?", **changes)


@pytest.mark.parametrize(("given", "needed"), [(True, True), (False, False), (None, False)])
def test_an_extractor_is_needed_only_for_pass_2(given: bool | None, needed: bool) -> None:
    setting = custom(uses_pass2=given)
    evaluator = get_evaluator(setting)
    assert evaluator.needs_extractor("x", setting) is needed
    assert evaluator.needs_judge("x", setting) is True


def test_an_empty_response_is_wrong_and_nobody_is_asked() -> None:
    setting = context(custom(), judges=(ScriptedClient(),))
    assert get_evaluator(setting.config).evaluate(sample(" ", "x"), setting).score == 0.0


@pytest.mark.parametrize(
    ("reply", "verdict", "status", "fault"),
    [
        ("ANSWER: Paris", YES, "found", ""),
        ("NO_ANSWER", YES, "by_rules", "found_nothing"),
        ("NO_ANSWER", NO, "by_rules", ""),
    ],
)
def test_a_judge_sees_what_pass_2_extracted_or_the_whole_response(
    reply: str, verdict: str, status: str, fault: str
) -> None:
    judge = ScriptedClient(verdict)
    setting = context(custom(uses_pass2=True), extractor=ScriptedClient(reply), judges=(judge,))
    result = get_evaluator(setting.config).evaluate(sample("The capital is Paris.", "Paris"), setting)
    assert result.pass2_used
    read = part(result, Extracted)
    assert (read.state, read.fault) == (status, fault)
    assert result.extracted_answer == ("Paris" if status == "found" else None)
