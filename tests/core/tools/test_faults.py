"""Faults that a test plants: each call gets its own, and a call that failed did nothing."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from modex.core.suite.definitions import Location, ToolDefinition
from modex.core.tools.base import ToolResult, ToolSession
from modex.core.tools.executor import SuiteToolExecutor

ORDER = ToolDefinition("order", "get_order", "", {}, Location("t.json"), mock=[{"response": {"state": "packed"}}])


def answers(*planned: str, key: str = "get_order") -> list[ToolResult]:
    """The answers of one call more than there are faults."""
    stop = threading.Event()
    stop.set()  # a slow answer waits for it
    executor, session = SuiteToolExecutor(stop=stop), ToolSession(faults={key: planned})
    found = []
    for _ in range(len(planned) + 1):
        session.call_counts["get_order"] = session.call_counts.get("get_order", 0) + 1
        found.append(executor.call(ORDER, {}, session))
    return found


@pytest.mark.process
@pytest.mark.parametrize("key", ["get_order", "order"])
def test_each_call_gets_its_fault_and_later_ones_none(key: str) -> None:
    error, timeout, empty, garbled, slow, good = answers("error", "timeout", "empty", "garbled", "slow", key=key)
    assert (error.is_error, error.content) == (True, '{"error": "get_order failed: internal error"}')
    assert (timeout.is_error, "timed out" in timeout.content) == (True, True)
    assert (empty.is_error, empty.content) == (False, "")
    assert garbled.content == '{"state":\ufffd\ufffd'
    assert slow.content == good.content == '{"state": "packed"}'


def test_none_leaves_a_call_alone() -> None:
    assert [answer.is_error for answer in answers("none", "error")] == [False, True, False]


def test_a_call_that_failed_did_nothing() -> None:
    done: list[Any] = []

    def pay(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        done.append(arguments)
        return ToolResult("paid")

    tool = ToolDefinition("pay", "pay", "", {}, Location("t.json"), handler="python:pay")
    executor, session = SuiteToolExecutor({"python:pay": pay}), ToolSession(faults={"pay": ["error", "timeout"]})
    for call in (1, 2, 3):
        session.call_counts["pay"] = call
        executor.call(tool, {"call": call}, session)
    assert done == [{"call": 3}]
