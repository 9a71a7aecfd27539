"""A tool tried by a person: its mocks answer as in a run, wrong arguments are told, and the start is one worth changing."""

from __future__ import annotations

import json
from typing import Any

from modex.core.suite.definitions import Location, McpServer, ToolDefinition
from modex.core.tools.alone import arguments_to_try, try_tool
from modex.core.tools.base import ToolSession
from tests.rows import each_row

PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}


def tool(**more: Any) -> ToolDefinition:
    fields: dict[str, Any] = {
        "mock": [{"when": {"city": "Oslo"}, "response": {"at": "{{city}}"}}, {"error": "no such city"}]
    }
    return ToolDefinition("w", "weather", "", PARAMETERS, Location("t.json"), **{**fields, **more})


@each_row(
    ("arguments", "answer", "is_error"),
    [
        ('{"city": "Oslo"}', {"at": "Oslo"}, False),
        ('{"city": "Rome"}', {"error": "no such city"}, True),
        ("{}", {"error": 'weather: "city" is a required property'}, True),
        ("[1]", {"error": "weather: the arguments must be a JSON object, not a list"}, True),
    ],
)
def test_mocks_answer_as_in_a_run(arguments: str, answer: dict[str, str], is_error: bool) -> None:
    result = try_tool(tool(), arguments, ToolSession())
    assert (json.loads(result.content), result.is_error) == (answer, is_error)


def test_code_of_a_mock_runs_in_the_sandbox() -> None:
    result = try_tool(tool(mock=[{"python": "{'days': args['days'] * 2}"}]), '{"city": "x", "days": 3}', ToolSession())
    assert json.loads(result.content) == {"days": 6}
    out = try_tool(tool(mock=[{"python": "open('/etc/hosts').read()"}]), '{"city": "x"}', ToolSession())
    assert out.is_error


def test_calls_of_one_session_remember() -> None:
    session = ToolSession()
    counted = tool(mock=[{"when": {"$call": 1}, "response": "first"}, {"response": "later"}])
    assert [try_tool(counted, '{"city": "x"}', session).content for _ in range(2)] == ["first", "later"]


def test_a_server_is_not_asked() -> None:
    result = try_tool(tool(mock=None, server=McpServer(("false",))), '{"city": "x"}', ToolSession())
    assert "is answered by the server false; run a test to try it" in result.content


def test_a_missing_handler_is_an_answer() -> None:
    assert try_tool(tool(mock=None, handler="python:none"), '{"city": "x"}', ToolSession()).is_error


def test_arguments_begin_with_those_of_the_test_then_of_a_mock_then_of_the_schema() -> None:
    from modex.core.suite.definitions import TestCase

    def case(expected: Any) -> TestCase:
        return TestCase("suite", "d", 1, "t", "?", expected, "tool_call", Location("t.json"))

    assert arguments_to_try(tool(), case({"tool": "weather", "args": {"city": "Rome"}})) == '{"city": "Rome"}'
    chain = {
        "chain": [{"name": "other", "args": {}}, {"name": "weather", "args": {"city": "Bonn", "days": {"$any": True}}}]
    }
    assert arguments_to_try(tool(), case(chain)) == '{"city": "Bonn"}'
    assert arguments_to_try(tool(), case("text")) == '{"city": "Oslo"}'
    assert arguments_to_try(tool(mock=None, handler="world:x")) == '{"city": ""}'
    assert arguments_to_try(ToolDefinition("n", "n", "", {"type": "object"}, Location("t"), mock=[])) == "{}"


@each_row(
    ("schema", "begun"),
    [
        ({"type": "string"}, ""),
        ({"type": "integer"}, 0),
        ({"type": "number"}, 0),
        ({"type": "boolean"}, False),
        ({"type": "array"}, []),
        ({"type": "object"}, {}),
        ({"type": "none"}, ""),
        ({"type": ["string"]}, ""),
        ({}, ""),
        (True, ""),
        ({"type": "string", "enum": ["a", "b"]}, "a"),
        ({"type": "integer", "examples": [7, 8]}, 7),
        ({"enum": [1], "examples": [2]}, 1),
    ],
)
def test_what_a_parameter_begins_with_follows_from_its_schema(schema: Any, begun: Any) -> None:
    parameters = {"properties": {"x": schema, "y": {}}, "required": ["x"]}
    asked = ToolDefinition("n", "n", "", parameters, Location("t"), mock=[])
    assert json.loads(arguments_to_try(asked)) == {"x": begun}


@each_row(
    ("mock", "begun"),
    [
        (
            [{"when": {"$call": 1, "city": "Oslo", "days": {"$regex": "1"}, "at": {"lat": 1}}}],
            {"city": "Oslo", "at": {"lat": 1}},
        ),
        ([{"when": {"$call": 1}}, "odd", {"response": 1}, {"when": {"city": "Rome"}}], {"city": "Rome"}),
        ([{"when": {"city": {"$any": True, "more": 1}}}], {"city": ""}),
        ({"response": 1}, {"city": ""}),
    ],
)
def test_conditions_of_a_mock_that_are_values_are_what_to_begin_with(mock: Any, begun: dict[str, Any]) -> None:
    assert json.loads(arguments_to_try(tool(mock=mock))) == begun


def test_without_required_parameters_every_one_is_begun() -> None:
    parameters = {"properties": {"a": {"type": "integer"}, "b": {}}}
    assert arguments_to_try(ToolDefinition("n", "n", "", parameters, Location("t"))) == '{"a": 0, "b": ""}'
    assert arguments_to_try(ToolDefinition("n", "n", "", {"properties": [1]}, Location("t"))) == "{}"


@each_row(
    ("expected", "begun"),
    [
        (
            {"calls": [{"tool": "weather", "args": {"city": "Bonn"}}, {"tool": "weather", "args": {"city": "Rome"}}]},
            "Bonn",
        ),
        ({"calls": ["odd", {"name": "weather", "args": {"city": "Rome"}}]}, "Rome"),
        ({"tool": "weather", "args": ["odd"]}, "Oslo"),
        ({"tool": "other", "args": {"city": "Rome"}}, "Oslo"),
        (["weather"], "Oslo"),
        ({"tool": "weather", "args": {"city": {"$regex": "B"}}}, "Oslo"),
        ({"calls": None, "chain": None}, "Oslo"),
    ],
)
def test_a_gold_gives_the_arguments_of_its_first_call_of_the_tool(expected: Any, begun: str) -> None:
    from modex.core.suite.definitions import TestCase

    case = TestCase("suite", "d", 1, "t", "?", expected, "tool_call", Location("t.json"))
    assert json.loads(arguments_to_try(tool(), case)) == {"city": begun}
