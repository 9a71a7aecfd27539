"""What the mocks know at the end, against what a test expects of it."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.evaluators.tool_call import ToolCallEvaluator
from modex.core.evaluators.tool_call.expectations import ExpectationError, read_expectations
from modex.core.evaluators.tool_call.final_state import compare_state
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, Location, ToolDefinition
from tests.rows import each_row

BEFORE = {"orders": {"A": {"status": "pending", "items": {"x": 1}}, "B": {"status": "sent"}}, "who": None}
TOOL = ToolDefinition("cancel", "cancel", "", {"type": "object"}, Location("t.json"))


def judged(expected: dict[str, Any], after: dict[str, Any] | None, calls: tuple[str, ...] = ()) -> EvaluationResult:
    transcript = [
        {"role": "assistant", "content": "", "tool_calls": [{"id": str(n), "name": name, "arguments": "{}"}]}
        for n, name in enumerate(calls)
    ]
    sample = EvaluationSample(
        expected=expected, tool_state=after, response="Done.", transcript=transcript,
        definition={"tool_state": BEFORE},  # type: ignore[arg-type]  # a plain dict is read as one
    )  # fmt: skip
    config = EvaluatorConfig("tool_call", "Tool call", "builtin")
    context = JudgeContext(config, template=lambda name: name, tools={"cancel": TOOL})
    return ToolCallEvaluator().evaluate(sample, context)


def changed(**orders: Any) -> dict[str, Any]:
    return {**BEFORE, "orders": {**BEFORE["orders"], **orders}}  # type: ignore[dict-item]


CANCELLED = changed(A={"status": "cancelled", "items": {"x": 1}})
GOAL = {"state": {"orders.A.status": "cancelled"}}


@each_row(
    ("flags", "entry", "said"),
    [
        (["state_unknown"], {"state_unknown": "it is far"}, "cannot be told: it is far"),
        (["state_unknown"], {}, "cannot be told: its calls were not seen"),
        ([], {"phase": "agent"}, "it was not kept when the agent answered; ask the agent again"),
    ],
)
def test_a_state_that_nobody_knows_is_no_verdict(flags: list[str], entry: dict[str, Any], said: str) -> None:
    sample = EvaluationSample(
        expected=GOAL, response="Done.", transcript=[{"role": "assistant", "content": "Done.", **entry}], flags=flags,
        definition={"tool_state": BEFORE},  # type: ignore[arg-type]  # a plain dict is read as one
    )  # fmt: skip
    config = EvaluatorConfig("tool_call", "Tool call", "builtin")
    context = JudgeContext(config, template=lambda name: name, tools={"cancel": TOOL})
    with pytest.raises(JudgeError, match=said) as refused:
        ToolCallEvaluator().evaluate(sample, context)
    assert refused.value.error_type is ErrorType.AGENT_ERROR


def test_the_goal_reached_by_any_calls_is_a_pass() -> None:
    assert judged(GOAL, CANCELLED).score == 1.0
    assert judged(GOAL, CANCELLED, ("cancel", "cancel")).score == 1.0


@each_row(
    ("after", "said"),
    [
        (BEFORE, 'orders.A.status: expected "cancelled", got "pending"'),
        (None, 'orders.A.status: expected "cancelled", got "pending"'),
        (changed(A={"status": "cancelled", "items": {"x": 2}}), "orders.A.items.x: changed from 1 to 2, which nothing asked for"),
        (changed(A={"status": "cancelled", "items": {}}), "orders.A.items.x: changed from 1 to nothing"),
        ({**CANCELLED, "who": "C-1"}, 'who: changed from nothing to "C-1"'),
        ({**CANCELLED, "new": {"a": 1}}, "new.a: changed from nothing to 1"),
    ],
)  # fmt: skip
def test_a_place_that_is_wrong_or_was_changed_unasked_is_no_pass_and_is_named(after: Any, said: str) -> None:
    found = judged(GOAL, after)
    assert found.score < PASS_SCORE
    assert said in found.why


def test_other_changes_are_free_where_the_test_says_so() -> None:
    assert judged({**GOAL, "partial_state": True}, {**CANCELLED, "who": "C-1"}).score == 1.0


def test_a_forbidden_call_is_no_pass_whatever_the_state() -> None:
    found = judged({**GOAL, "forbidden": ["cancel"]}, CANCELLED, ("cancel",))
    assert found.score == 0.0
    assert "forbidden" in found.why


def test_calls_count_beside_the_state_where_both_are_expected() -> None:
    both = {**GOAL, "calls": ["cancel"]}
    assert judged(both, CANCELLED, ("cancel",)).score == 1.0
    assert judged(both, CANCELLED).score < PASS_SCORE
    assert judged(both, BEFORE, ("cancel",)).score < PASS_SCORE
    assert "orders.A.status" in judged(both, BEFORE, ("cancel",)).why


def test_comparators_serve_in_a_state() -> None:
    assert judged({"state": {"orders.A.status": {"$regex": "^canc"}}}, CANCELLED).score == 1.0


@each_row("state", [{}, [], "x", {"a": {"$nothing": 1}}])
def test_what_is_no_state_is_refused(state: Any) -> None:
    with pytest.raises(ExpectationError, match="state"):
        read_expectations({"state": state})


@each_row(
    ("wanted", "after", "partial", "right", "total", "share"),
    [
        ({"orders.A.status": "cancelled"}, CANCELLED, False, 1, 1, 1.0),
        ({"orders.A.status": "cancelled", "who": "C-1"}, CANCELLED, False, 1, 2, 0.5),
        ({"orders.A.status": "cancelled", "who": "C-1"}, {**CANCELLED, "new": 1}, False, 1, 2, 1 / 3),
        ({"orders.A.status": "cancelled", "who": "C-1"}, {**CANCELLED, "new": 1}, True, 1, 2, 0.5),
        ({"orders.A": {"status": "cancelled", "items": {"x": 1}}}, CANCELLED, False, 1, 1, 1.0),
        ({"orders.A": {"$any": True}}, CANCELLED, False, 1, 1, 1.0),
        ({"orders.B.status": "sent"}, CANCELLED, False, 1, 1, 0.5),
        ({"orders.B.status": "pending", "orders.A.status": "sent"}, CANCELLED, False, 0, 2, 0.0),
    ],
)
def test_the_share_is_that_of_right_places_and_a_change_nobody_asked_for_is_a_wrong_one_more(
    wanted: dict[str, Any], after: dict[str, Any], partial: bool, right: int, total: int, share: float
) -> None:
    sample = EvaluationSample(tool_state=after, definition={"tool_state": BEFORE})  # type: ignore[arg-type]
    found = compare_state(sample, wanted, partial=partial)
    assert (found.right, found.total) == (right, total)
    assert found.share == pytest.approx(share)
