from __future__ import annotations

from typing import Any

import pytest

from core.errors import ConfigurationError, ErrorType, ModelCallError
from core.pipeline.plugins import load_bundled_plugins
from core.suite.definitions import Location, ToolDefinition
from core.tools.base import ToolResult, ToolSession
from core.tools.executor import MAX_RESULT_CHARS, SuiteToolExecutor
from core.tools.registry import register_handler


def _tool(handler: str | None = None, mock: Any = None) -> ToolDefinition:
    return ToolDefinition("t", "t", "", {}, Location("t.json"), mock=mock, handler=handler)


def test_a_mock_answers_where_there_is_no_handler() -> None:
    assert SuiteToolExecutor().call(_tool(mock=[{"response": "hi"}]), {}, ToolSession()).content == "hi"


def test_a_handler_s_exception_is_a_tool_error_without_secrets() -> None:
    def broken(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        raise RuntimeError("no luck with sk-proj-abcdefghijklmnopqrstuvwxyz123456")

    result = SuiteToolExecutor({"python:broken": broken}).call(_tool("python:broken"), {}, ToolSession())
    assert result.is_error
    assert "RuntimeError: no luck" in result.content
    assert "abcdefghijklmnop" not in result.content


def test_a_long_answer_is_cut_and_said_so() -> None:
    result = SuiteToolExecutor().call(_tool(mock=[{"response": "x" * (MAX_RESULT_CHARS + 5)}]), {}, ToolSession())
    assert result.content.endswith("x\n[… 5 characters left out]")


def test_a_missing_handler_is_the_machine_s_fault_and_not_the_model_s() -> None:
    executor = SuiteToolExecutor()
    assert "no handler 'python:nowhere'" in (executor.unavailable(_tool("python:nowhere")) or "")
    with pytest.raises(ModelCallError) as raised:
        executor.call(_tool("python:nowhere"), {}, ToolSession())
    assert raised.value.error_type is ErrorType.TOOL_UNAVAILABLE


def test_a_plugin_s_handler_is_found_by_its_id() -> None:
    @register_handler("python:shout_in_tests")
    def shout(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        return ToolResult(str(arguments["text"]).upper())

    executor = SuiteToolExecutor()
    assert executor.unavailable(_tool("python:shout_in_tests")) is None
    assert executor.call(_tool("python:shout_in_tests"), {"text": "a"}, ToolSession()).content == "A"


def test_a_handler_s_id_has_one_form() -> None:
    with pytest.raises(ConfigurationError, match="python:<name>"):
        register_handler("shout")


def test_the_world_and_the_workspace_are_there() -> None:
    load_bundled_plugins()
    executor = SuiteToolExecutor()
    assert executor.unavailable(_tool("world:token_supply")) is None
    assert executor.unavailable(_tool("python:code_workspace")) is None
