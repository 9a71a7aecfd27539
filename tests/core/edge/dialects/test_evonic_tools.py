"""The stand-ins of tools that evonic has in its code: each is a tool of ours, and answers as there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.dialects.evonic_tools import STAND_INS
from modex.core.suite.loading import load_suite
from modex.core.tools.base import ToolSession
from modex.core.tools.code_mocks import unavailable
from modex.core.tools.mocks import answer_mock


def _suite(root: Path) -> Any:
    level = root / "test_definitions" / "d" / "level_1"
    level.mkdir(parents=True)
    (root / "test_definitions" / "suite.json").write_text('{"dialect": "evonic"}')
    test = {"id": "a", "prompt": "q", "evaluator_id": "tool_call", "expected": {"tools": ["api_call"]}}
    (level / "a.json").write_text(json.dumps({**test, "tool_ids": ["api_call"]}))
    return load_suite(root)


def test_a_suite_may_name_them_without_a_file(tmp_path: Path) -> None:
    suite = _suite(tmp_path)
    (test,) = suite.tests
    assert (test.invalid, [tool.name for tool in test.tools], suite.lacks) == (None, ["api_call"], [])
    assert suite.tools.keys() == STAND_INS.keys()


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("calculator", {"expression": "(3 * 4) + 2"}, {"result": 14, "expression": "(3 * 4) + 2"}),
        ("calculator", {"expression": "x"}, {"error": "Invalid characters in expression"}),
        (
            "get_weather",
            {"location": "Bali"},
            {"location": "Bali", "weather": {"temp": 30, "condition": "Cerah", "humidity": 70}, "status": "success"},
        ),
        (
            "search_restaurants",
            {"location": "Jakarta", "cuisine": "Italian", "min_rating": 4},
            {
                "restaurants": [
                    {"name": "Ristorante Italia", "cuisine": "Italian", "rating": 4.5, "location": "Jakarta"}
                ],
                "count": 1,
                "status": "success",
            },
        ),
        ("get_order", {"customer_id": 5}, {"customer_id": 5, "order": None, "status": "not_found"}),
        (
            "api_call",
            {"url": "https://api.example.com/users", "method": "GET"},
            {"response": {"users": [{"id": 1, "name": "John Doe"}]}, "status": "success"},
        ),
        (
            "api_call",
            {"url": "https://elsewhere.example/users", "method": "GET"},
            {"error": "Mock API endpoint not found: https://elsewhere.example/users", "status": "not_found"},
        ),
        (
            "database_query",
            {"query": "select 1"},
            {"result": [{"id": 1, "name": "Sample Row"}], "row_count": 1},
        ),
        (
            "write_file",
            {"filename": "a.txt", "content": "né", "mode": "append"},
            {"status": "appended", "filename": "a.txt", "bytes_written": 3},
        ),
        (
            "send_notification",
            {"email": "a@b.example", "message": "m" * 60},
            {"email": "a@b.example", "message_preview": "m" * 50, "status": "sent", "notification_id": "NOTIF-12345"},
        ),
    ],
)
def test_they_answer_as_there(tmp_path: Path, name: str, arguments: dict[str, Any], answer: dict[str, Any]) -> None:
    tool = _suite(tmp_path).tools[name]
    if reason := unavailable(tool.mock):
        pytest.skip(reason)
    assert json.loads(answer_mock(tool, arguments, ToolSession()).content) == answer


def test_a_file_of_the_suite_comes_before_its_stand_in(tmp_path: Path) -> None:
    tool = {"id": "api_call", "name": "api_call", "mock_response": {"own": True}}
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "api_call.json").write_text(json.dumps(tool))
    suite = _suite(tmp_path)
    assert suite.tools["api_call"].location.path == "tools/api_call.json"
