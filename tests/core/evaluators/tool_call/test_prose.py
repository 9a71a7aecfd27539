"""Calls that a response only describes: PASS 2 copies them where the evaluator says `uses_pass2`, and makes none of its own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.tool_call import ToolCallEvaluator
from modex.core.foundation.errors import JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import Location, ToolDefinition
from modex.core.verdict import Calls
from tests.core.evaluators.conftest import ScriptedClient, config, context, part
from tests.rows import each_row

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}
TOOL = ToolDefinition("get_weather", "get_weather", "The weather.", SCHEMA, Location("t.json"))
SAID = "I would call get_weather for Oslo and then tell you."
EXPECTED: dict[str, Any] = {"tool": "get_weather", "args": {"city": "Oslo"}}


def judged(
    response: str, *copied: dict[str, Any], expected: Any = None, uses: bool | None = True, made: bool = False
) -> tuple[EvaluationResult, int]:
    """The verdict, and how often PASS 2 was asked."""
    extractor = ScriptedClient(json.dumps({"calls": list(copied)}))
    asked = context(config("tool_call", uses_pass2=uses), extractor=extractor)
    asked.tools = {TOOL.name: TOOL}
    entry: dict[str, Any] = {"role": "assistant", "content": response, "phase": "pass1", "iteration": 1}
    if made:
        entry["tool_calls"] = [{"id": "c", "name": "get_weather", "arguments": '{"city": "Rome"}'}]
    sample = EvaluationSample(
        test_id="t", prompt="Oslo?", response=response, expected=expected or EXPECTED, transcript=[entry]
    )
    return ToolCallEvaluator().evaluate(sample, asked), len(extractor.asked)


def test_a_described_call_counts_and_the_verdict_says_so() -> None:
    result, asked = judged(SAID, {"name": "get_weather", "arguments": {"city": "Oslo"}})
    assert (result.status, result.pass2_used, asked) == ("passed", True, 1)
    assert "these calls stand in the response as prose" in str(result.found)


@each_row(
    ("copied", "expected"),
    [
        ({"name": "get_weather", "arguments": {"city": "Rome"}}, EXPECTED),
        ({"name": "book_hotel", "arguments": {"city": "Oslo"}}, {"tool": "book_hotel", "args": {"city": "Oslo"}}),
        ({"name": "get_weather", "arguments": {"city": "Bergen"}}, {"tool": "get_weather", "args": {"city": "Bergen"}}),
    ],
    ids=["another argument", "a tool that the response does not name", "an argument that it does not hold"],
)
def test_what_the_response_does_not_hold_counts_for_nothing(copied: dict[str, Any], expected: dict[str, Any]) -> None:
    result, _ = judged(SAID, copied, expected=expected)
    assert result.status == "failed"


@pytest.mark.parametrize("uses", [None, False])
def test_nobody_is_asked_where_the_evaluator_does_not_say_so(uses: bool | None) -> None:
    result, asked = judged(SAID, uses=uses)
    assert (result.status, asked, result.pass2_used) == ("failed", 0, False)


def test_real_calls_come_first_and_no_call_asks_nobody() -> None:
    result, asked = judged(SAID, {"name": "get_weather", "arguments": {"city": "Oslo"}}, made=True)
    assert (result.status, asked) == ("failed", 0)
    result, asked = judged("It is cold there.", expected={"no_call": True})
    assert (result.status, asked) == ("passed", 0)


def test_a_reply_in_another_form_is_an_error_and_no_score() -> None:
    extractor = ScriptedClient("I see no calls.")
    asked = context(config("tool_call", uses_pass2=True), extractor=extractor)
    sample = EvaluationSample(test_id="t", prompt="?", response=SAID, expected=EXPECTED, transcript=[])
    with pytest.raises(JudgeError, match="PASS 2 gave no calls in the form asked for"):
        ToolCallEvaluator().evaluate(sample, asked)


def test_fifty_described_calls_are_read_at_most() -> None:
    copied = [{"name": "get_weather", "arguments": {"city": "Oslo"}}] * 60
    assert part(judged(SAID, *copied)[0], Calls).made == 50


def test_a_described_call_keeps_the_arguments_that_the_text_holds_and_others_are_left_out() -> None:
    copied = {"name": "Get Weather", "arguments": {"city": "OSLO", "days": 3, "unit": "C"}}
    result, _ = judged("Get weather for Oslo, 3 days.", copied, expected={"tool": "Get Weather", "args": {"days": 3}})
    (outcome,) = part(result, Calls).expected
    assert outcome.got is not None
    assert outcome.got.args == {"city": "OSLO", "days": 3}


def test_whose_answer_is_read_by_rules_used_pass_2_where_its_calls_were_described() -> None:
    extractor = ScriptedClient('{"calls": [{"name": "get_weather", "arguments": {"city": "Oslo"}}]}')
    own = context(
        config("tool_call", uses_pass2=True),
        extractor=extractor,
        configs={"two_pass": config("two_pass", uses_pass2=False)},
    )
    own.tools = {TOOL.name: TOOL}
    said = "I would call get_weather for Oslo.\nAnswer: 7"
    sample = EvaluationSample(prompt="Oslo?", response=said, expected={**EXPECTED, "answer": 7})
    result = ToolCallEvaluator().evaluate(sample, own)
    assert (result.score, result.extracted_answer, result.pass2_used) == (1.0, "7", True)
    assert len(extractor.asked) == 1


@each_row(
    ("expected", "uses", "needed"),
    [
        ({"tool": "f", "answer": 7}, None, True),
        ({"no_call": True, "answer": 7}, None, True),
        ({"tool": "f"}, None, False),
        ({"tool": "f"}, False, False),
        ({"tool": "f"}, True, True),
        ({"no_call": True}, True, False),
        (["f"], True, False),
    ],
)
def test_pass_2_is_needed_for_an_answer_and_for_calls_that_may_be_described(
    expected: Any, uses: bool | None, needed: bool
) -> None:
    assert ToolCallEvaluator().needs_extractor(expected, config("tool_call", uses_pass2=uses)) is needed
