"""What a whole conversation came to, against its gold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.registry import find_config, get_evaluator
from modex.core.evaluators.tool_call.world_end import end_problems
from modex.core.foundation.errors import JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.store.simulated import SimulatedUser
from tests.core.evaluators.conftest import PROMPTS, ScriptedClient
from tests.rows import each_row

CONFIG = find_config("world", {})
STATE: dict[str, Any] = {"agent": {"/hall": 3}, "user": {}}


def judged(end: Any, *, state: Any = STATE, ended: str = "left", said: str = "It costs $1,234.") -> tuple[float, str]:
    assert CONFIG is not None
    transcript: list[dict[str, Any]] = [
        {"role": "user", "content": "It is 77.", "simulated": True},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "1", "name": "dim", "arguments": '{"x": 1, "y": 2}'}],
        },
        {"role": "tool", "content": "55"},
        {"role": "user", "content": "", "by": "user", "tool_calls": [{"id": "2", "name": "press", "arguments": "{}"}]},
        {"role": "assistant", "content": said},
    ]
    sample = EvaluationSample(
        test_id="t", expected={"end": end}, response=said, transcript=transcript, tool_state=state,
        simulated_user=SimulatedUser(ended=ended),
    )  # fmt: skip
    result = get_evaluator(CONFIG).evaluate(sample, JudgeContext(CONFIG, lambda name: ""))
    return result.score, result.why


ALL = {
    "state": STATE,
    "says": ["1234"],
    "calls": [{"name": "dim", "args": {"x": 1, "y": 2, "z": 3}}, {"name": "press"}],
}


def test_everything_as_it_should_be_passes() -> None:
    assert judged(ALL) == (1.0, "the conversation came to what it should")
    assert judged({})[0] == 1.0


@each_row(
    ("end", "why"),
    [
        ({"state": {"agent": {"/hall": 4}}}, "agent /hall: expected 4, got 3"),
        ({"state": {"agent": {}}}, "agent /hall: became 3, which nothing asked for"),
        ({"state": {"user": {"/on": True}}}, "user /on: expected True, and it is as it was"),
        ({"says": ["1234", "77"]}, "the user was not told '77'"),
        ({"says": ["55"]}, "the user was not told '55'"),
        ({"calls": [{"name": "look"}]}, "look was not called as expected"),
        ({"calls": [{"name": "dim", "args": {"x": 1}}]}, "dim was not called as expected"),
        ({"calls": [{"name": "dim", "args": {"x": 2}, "only": ["x"]}]}, "dim was not called as expected"),
    ],
)
def test_the_first_thing_that_is_not_is_told(end: Any, why: str) -> None:
    assert judged(end) == (0.0, why)


@each_row("call", [{"name": "dim", "args": {"x": 1}, "only": ["x"]}, {"name": "dim", "args": {"x": 7}, "only": []}])
def test_only_the_arguments_that_count_are_compared(call: Any) -> None:
    assert judged({"calls": [call]})[0] == 1.0


def test_a_conversation_that_its_user_did_not_end_fails() -> None:
    assert judged(ALL, ended="turn_limit") == (0.0, "the conversation ended before the user left")


def test_without_a_state_there_is_no_verdict() -> None:
    states: list[Any] = [None, {"user": {}}]
    for state in states:
        with pytest.raises(JudgeError, match="nobody told what the tools knew of 'agent' at the end"):
            judged(ALL, state=state)


def test_statements_are_asked_of_a_judge_and_only_where_the_rest_holds() -> None:
    assert CONFIG is not None
    evaluator = get_evaluator(CONFIG)
    assert evaluator.needs_judge({"end": {"holds": ["It is kind."]}}, CONFIG)
    assert not evaluator.needs_judge({"end": ALL}, CONFIG)
    assert not evaluator.needs_judge({"turns": [{}]}, CONFIG)
    assert judged({"says": ["99"], "holds": ["It is kind."]}) == (0.0, "the user was not told '99'")
    with pytest.raises(JudgeError):  # nobody is there to be asked
        judged({"holds": ["It is kind."]})


def test_the_judge_of_statements_reads_what_both_said_and_no_calls() -> None:
    assert CONFIG is not None
    transcript: list[dict[str, Any]] = [
        {"role": "user", "content": "Hi."},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "name": "dim", "arguments": "{}"}]},
        {"role": "tool", "content": "55"},
        {"role": "user", "content": " "},
        {"role": "assistant", "content": "It is done."},
    ]
    sample = EvaluationSample(
        test_id="t", expected={"end": {"holds": ["It is kind."]}}, response="It is done.", transcript=transcript,
        tool_state=STATE, simulated_user=SimulatedUser(ended="left"),
    )  # fmt: skip
    for kind, score in ((True, 1.0), (False, 0.0)):
        judge = ScriptedClient(json.dumps({"reason": "so", "items": {"s1": kind}}))
        context = JudgeContext(
            CONFIG, lambda name: (PROMPTS / f"{name}.md").read_text(encoding="utf-8"), judges=(judge,)
        )
        assert get_evaluator(CONFIG).evaluate(sample, context).score == score
        (message,) = judge.asked[0]
        assert "Customer: Hi.\n\nAgent: It is done." in message["content"]
        assert "None" not in message["content"]


@each_row(
    "end",
    [None, 3, {"turns": []}, {"state": 3}, {"state": {"agent": 3}}, {"says": "x"}, {"says": [" "]}, {"holds": [3]},
     {"calls": {}}, {"calls": [{"args": {}}]}, {"calls": [{"name": "x", "args": 3}]}, {"calls": [{"name": "x", "only": [3]}]},
     {"calls": [{"name": "x", "more": 1}]}],
)  # fmt: skip
def test_a_gold_of_another_form_is_a_mistake(end: Any) -> None:
    assert len(list(end_problems(end))) == 1
    with pytest.raises(JudgeError):
        judged(end)
    assert list(end_problems(ALL)) == []
