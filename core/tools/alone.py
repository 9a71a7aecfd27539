"""A tool tried by a person: called once with arguments as JSON, and answered as the engine answers a model's call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from modex.core.foundation.errors import ModelCallError
from modex.core.suite.definitions import TestCase, ToolDefinition
from modex.core.tools.arguments import parse_arguments
from modex.core.tools.base import ToolResult, ToolSession
from modex.core.tools.executor import SuiteToolExecutor

_EMPTY: Mapping[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}


def try_tool(tool: ToolDefinition, arguments: str, session: ToolSession) -> ToolResult:
    """The answer to one call with `arguments`; what is wrong with them, or with the tool, is an answer too.

    `session` is that of the calls before, which mocks may remember. A tool that a server answers is not asked: that takes a
    run, where the server was allowed.
    """
    parsed = parse_arguments(arguments, tool)
    if isinstance(parsed, str):
        return ToolResult(json.dumps({"error": parsed}, ensure_ascii=False), is_error=True)
    if tool.server is not None:
        words = f"{tool.name} is answered by the server {tool.server.words}; run a test to try it"
        return ToolResult(json.dumps({"error": words}, ensure_ascii=False), is_error=True)
    session.call_counts[tool.name] = session.call_counts.get(tool.name, 0) + 1
    executor = SuiteToolExecutor()
    try:
        return executor.call(tool, parsed, session)
    except ModelCallError as error:
        return ToolResult(json.dumps({"error": str(error)}, ensure_ascii=False), is_error=True)
    finally:
        executor.close()


def arguments_to_try(tool: ToolDefinition, test: TestCase | None = None) -> str:
    """Arguments to begin with, as JSON: those that the test expects, else those of the first mock, else empty values."""
    for found in (_expected(tool, test.expected) if test is not None else None, _of_mock(tool), _of_schema(tool)):
        if found:
            return json.dumps(found, ensure_ascii=False)
    return "{}"


def _expected(tool: ToolDefinition, expected: Any) -> dict[str, Any] | None:
    """The arguments of the first call of the tool that a gold names."""
    if not isinstance(expected, dict):
        return None
    calls = [expected, *(expected.get("calls") or ()), *(expected.get("chain") or ())]
    for call in calls:
        if isinstance(call, dict) and tool.name in (call.get("tool"), call.get("name")):
            arguments = call.get("args")
            return _plain(arguments) if isinstance(arguments, dict) else None
    return None


def _of_mock(tool: ToolDefinition) -> dict[str, Any] | None:
    entries = tool.mock if isinstance(tool.mock, list) else []
    return next((found for entry in entries if isinstance(entry, dict) and (found := _plain(entry.get("when")))), None)


def _plain(arguments: Any) -> dict[str, Any] | None:
    """The arguments without those that say how they are compared."""
    if not isinstance(arguments, dict):
        return None
    return {
        name: value
        for name, value in arguments.items()
        if not name.startswith("$") and not (isinstance(value, dict) and any(key.startswith("$") for key in value))
    }


def _of_schema(tool: ToolDefinition) -> dict[str, Any]:
    properties = tool.parameters.get("properties")
    if not isinstance(properties, dict):
        return {}
    wanted = tool.parameters.get("required") or list(properties)
    found: dict[str, Any] = {}
    for name in wanted:
        schema = properties.get(name)
        schema = schema if isinstance(schema, dict) else {}
        choices = schema.get("enum") or schema.get("examples")
        kind = schema.get("type")
        found[name] = choices[0] if choices else _EMPTY.get(kind if isinstance(kind, str) else "", "")
    return found
