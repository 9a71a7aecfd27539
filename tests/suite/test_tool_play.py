"""The project's own tools and evaluator play the tool_calling golds: mocks answer, perfect calls score 1, slips cost."""

from __future__ import annotations

import json
from typing import Any

from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.evaluators.tool_call.evaluator import ToolCallEvaluator
from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.tools.arguments import parse_arguments
from modex.core.tools.base import ToolSession
from modex.core.tools.executor import SuiteToolExecutor
from tests.rows import each_row
from tests.suite.golds import ROOT, bundled

CONFIG = EvaluatorConfig("tool_call", "Tool call", "builtin")
TESTS = {test.test_id: test for test in bundled().tests if test.domain == "tool_calling"}
CALLING = [name for name, test in TESTS.items() if test.metadata["sample_calls"]]


def transcript_of(test: TestCase, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The transcript of a model that makes `calls` one at a time, with the answers of the real mocks."""
    by_name = {tool.name: tool for tool in test.tools}
    session, executor = ToolSession(), SuiteToolExecutor()
    entries: list[dict[str, Any]] = []
    for number, call in enumerate(calls, 1):
        tool, raw = by_name[call["name"]], json.dumps(call["args"])
        arguments = parse_arguments(raw, tool)
        assert not isinstance(arguments, str), arguments
        session.call_counts[tool.name] = session.call_counts.get(tool.name, 0) + 1
        result = executor.call(tool, arguments, session)
        wanted = {"id": f"c{number}", "name": tool.name, "arguments": raw}
        entries.append({"role": "assistant", "content": "", "iteration": number, "tool_calls": [wanted]})
        entries.append(
            {
                "role": "tool",
                "content": result.content,
                "iteration": number,
                "tool_call_id": f"c{number}",
                "name": tool.name,
                "is_error": result.is_error,
            }
        )
    return [*entries, {"role": "assistant", "content": "Done.", "iteration": len(calls) + 1}]


def judged(test: TestCase, calls: list[dict[str, Any]]) -> EvaluationResult:
    """The verdict on `calls`, without that on the final text."""
    expected = {key: value for key, value in test.expected.items() if key != "answer"}
    sample = EvaluationSample(
        domain=test.domain,
        test_id=test.test_id,
        expected=expected,
        response=test.metadata.get("good_answer", "Done."),
        transcript=transcript_of(test, calls),
    )
    context = JudgeContext(CONFIG, template=lambda name: name, tools={tool.name: tool for tool in test.tools})
    return ToolCallEvaluator().evaluate(sample, context)


@each_row("test_id", TESTS)
def test_the_gold_is_in_order(test_id: str) -> None:
    assert list(ToolCallEvaluator().check(TESTS[test_id], CONFIG, ROOT)) == []


@each_row("test_id", TESTS)
def test_the_sample_calls_score_full_marks(test_id: str) -> None:
    test = TESTS[test_id]
    result = judged(test, test.metadata["sample_calls"])
    assert result.score == 1.0, result.why


@each_row("test_id", CALLING)
def test_doing_nothing_fails(test_id: str) -> None:
    assert judged(TESTS[test_id], []).score < PASS_SCORE


@each_row("test_id", [name for name in TESTS if TESTS[name].expected.get("forbidden")])
def test_a_forbidden_call_fails(test_id: str) -> None:
    test = TESTS[test_id]
    calls = test.metadata["sample_calls"]
    harmful = {
        "release_room": {"hold_id": "H-311"},
        "confirm_room": {"hold_id": "H-409"},
        "pay_invoice": {"invoice_id": "N-11", "account": "business"},
        "close_ticket": {"ticket_id": "T-77"},
        "book_flight": {"flight_id": "NH836", "passengers": 1},
        "delete_event": {"event_id": "e32"},
        "refund_order": {"order_id": "C-3305", "reason": "unopened"},
        "send_message": {"to": "a@example.org", "body": "Hello", "channel": "email"},
    }
    for name in test.expected["forbidden"]:
        assert judged(test, [*calls, {"name": name, "args": harmful[name]}]).score < PASS_SCORE, name
