"""What is wrong with a tool's file, and what a right one becomes: many files in one suite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from modex.core.suite.definitions import Suite, ToolDefinition
from tests.core.suite.conftest import case

Load = Callable[[dict[str, Any]], Suite]

_SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
_MCP: dict[str, Any] = {"mcp": {"command": ["server"]}, "tools": [{"name": "s"}]}


def _tool(**more: Any) -> dict[str, Any]:
    return {"name": "t", "response": 1, **more}


_WRONG: list[tuple[dict[str, Any], str]] = [
    ({"response": 1}, "the tool has no name"),
    (_tool(name="a b"), "the tool is named 'a b'; a name has 1 to 64 letters, digits, _ or -"),
    (_tool(name="x" * 65), "a name has 1 to 64 letters"),
    (_tool(parameters={"type": "array"}), 'must describe an object ("type": "object")'),
    (_tool(parameters={"properties": {"a": {"type": "nothing"}}}), "'parameters' is no JSON Schema"),
    ({"name": "t"}, "the tool has no answer"),
    ({"name": "t", "error": None}, "the tool has no answer"),
    (_tool(error="x"), "'response' and 'error' both answer; give one"),
    (_tool(function={"function": 3}), "'function' must be an object"),
    ({"name": "t", "handler": "Other:x"}, "'handler' must read 'world:<name>' or 'python:<name>', not 'Other:x'"),
    ({"name": "t", "handler": "python:"}, "'handler' must read"),
    ({"name": "t", "responses": []}, "'responses' is empty; add one"),
    ({"name": "t", "responses": ["x"]}, "an entry of 'responses' must be an object"),
    ({"name": "t", "responses": [{}]}, "an entry of 'responses' has one of"),
    ({"name": "t", "responses": [{"response": 1, "error": "x"}]}, "an entry of 'responses' has one of"),
    (_tool(latency_ms=-1), "'latency_ms' must be a number of milliseconds from 0 to 600,000"),
    (_tool(latency_ms=600_001), "'latency_ms' must be"),
    (_tool(latency_ms=True), "'latency_ms' must be"),
    ({"name": "t", "responses": [{"response": 1, "latency_ms": "x"}]}, "'latency_ms' must be"),
    ({"name": "t", "responses": [{"response": 1, "when": {"a": {"$regex": 3}}}]}, "'$regex' must be a text"),
    ({"name": "t", "responses": [{"response": 1, "when": {"a": [{"$regex": "("}]}}]}, "'$regex' "),
    (
        {"name": "t", "responses": [{"response": 1, "when": {"a": {"$cii": "x"}}}]},
        "there is no comparator '$cii'; did you mean",
    ),
    (
        {"name": "t", "responses": [{"response": 1, "when": {"a": {"$zzzzz": 1}}}]},
        "there is no comparator '$zzzzz'; there are $any, $any_of, ",
    ),
    ({"name": "t", "responses": [{"response": 1, "when": {"a": {"$call": 1}}}]}, "there is no comparator '$call'"),
    ({"name": "t", "responses": [{"response": 1, "set": {"a..b": 1}}]}, "'a..b' is no place in the state"),
    (_tool(parameters=_SCHEMA, response="in {{citi}}"), "unknown placeholder '{{citi}}'; did you mean '{{city}}'?"),
    (_tool(parameters=_SCHEMA, response=[{"a": "in {{ ciity }}"}]), "unknown placeholder '{{ciity}}'"),
    ({"mcp": 3}, "'mcp' must be an object with 'command' or 'url'"),
    ({"mcp": {}}, "'mcp' has either 'command' or 'url'"),
    ({"mcp": {"command": ["a"], "url": "http://x"}}, "'mcp' has either 'command' or 'url'"),
    ({"mcp": {"command": []}}, "'command' is a list of texts"),
    ({"mcp": {"command": [3]}}, "'command' is a list of texts"),
    ({"mcp": {"url": "ftp://x"}}, "'url' begins with http:// or https://"),
    ({"mcp": {"url": "http://x", "timeout_s": 0}}, "'timeout_s' must be a number of seconds up to 3600"),
    ({"mcp": {"url": "http://x", "timeout_s": 3601}}, "'timeout_s' must be"),
    ({"mcp": {"url": "http://x", "timeout_s": True}}, "'timeout_s' must be"),
    ({**_MCP, "tools": ["x"]}, "a tool must be an object with 'name', 'description' and 'parameters'"),
]


def test_each_mistake_is_named_in_its_file(load: Load) -> None:
    suite = load({
        "test_definitions/d/level_1/a.json": case(),
        **{f"tool_mocks/{number:02}.json": tool for number, (tool, _) in enumerate(_WRONG)},
    })  # fmt: skip
    said = [
        [problem.message for problem in suite.problems if problem.path == f"tool_mocks/{number:02}.json"]
        for number in range(len(_WRONG))
    ]
    assert [
        (wrong, found) for found, (_, wrong) in zip(said, _WRONG, strict=True) if not any(wrong in one for one in found)
    ] == []
    assert suite.tools == {}


def _loaded(load: Load, **tools: Any) -> dict[str, ToolDefinition]:
    suite = load({
        "test_definitions/d/level_1/a.json": case(), **{f"tool_mocks/{name}.json": tool for name, tool in tools.items()},
    })  # fmt: skip
    assert suite.problems == []
    return suite.tools


def test_what_is_right_is_read_however_it_is_wrapped(load: Load) -> None:
    tools = _loaded(
        load,
        plain={"id": "own", "name": "plain", "description": "d", "parameters": _SCHEMA, "response": None, "category": "c",
               "read_only": True, "claims": None},
        wrapped={"type": "function", "function": {"name": "wrapped", "description": "e"}, "error": "x", "latency_ms": 5},
        twice={"function": {"function": {"name": "twice", "parameters": _SCHEMA}}, "python": "1"},
        handled={"name": "handled", "handler": "world:x.y", "read_only": False},
        long={"name": "x" * 64, "latency_ms": 600_000, "responses": [{"response": 1, "latency_ms": 1}, {"error": "e"}]},
        many={"name": "many", "responses": [
            {"response": 1, "when": {"$call": 2, "$state.a.[b]": 1, "a": {"$ci": "x"}}, "set": {"a.[b].c": 1, "{{a}}": 2}}]},
        nearly={"name": "nearly", "parameters": _SCHEMA, "response": "{{city}} {{colour}}"},
        off={"name": "off", "response": 1, "enabled": False},
    )  # fmt: skip
    assert set(tools) == {"own", "wrapped", "twice", "handled", "x" * 64, "many", "nearly"}
    own = tools["own"]
    assert (own.name, own.description, own.parameters, own.mock, own.handler) == (
        "plain",
        "d",
        _SCHEMA,
        [{"response": None}],
        None,
    )
    assert (own.category, own.read_only, own.claims) == ("c", True, None)
    assert (tools["wrapped"].description, tools["wrapped"].mock) == ("e", [{"error": "x", "latency_ms": 5}])
    assert (tools["wrapped"].parameters, tools["twice"].parameters) == ({"type": "object", "properties": {}}, _SCHEMA)
    assert (tools["handled"].handler, tools["handled"].mock, tools["handled"].read_only) == ("world:x.y", None, False)
    assert tools["x" * 64].mock == [{"response": 1, "latency_ms": 1}, {"error": "e", "latency_ms": 600_000}]


def test_the_tools_of_a_server_are_answered_by_it(load: Load) -> None:
    tools = _loaded(
        load,
        there={
            "mcp": {"command": ["server", "-x"], "env": ["KEY"], "timeout_s": 3600},
            "tools": [{"name": "s"}, {"name": "r"}],
        },
        far={"mcp": {"url": "https://x"}, "tools": [{"name": "f"}]},
    )
    server, far = tools["s"].server, tools["f"].server
    assert server is not None
    assert far is not None
    assert (server.command, server.url, server.env, server.timeout_s) == (("server", "-x"), None, ("KEY",), 3600.0)
    assert tools["r"].server == server
    assert (server.cwd is None, far.cwd, far.command, far.url, far.timeout_s) == (
        False,
        None,
        (),
        "https://x",
        60.0,
    )
    assert (tools["s"].mock, tools["s"].handler) == (None, None)


def test_an_id_that_two_tools_have_is_named_once(load: Load) -> None:
    suite = load({"test_definitions/d/level_1/a.json": case(tool_ids=["t"]), "tool_mocks/a.json": _tool(response=1),
                  "tool_mocks/b.json": _tool(response=2)})  # fmt: skip
    (problem,) = suite.problems
    assert (problem.path, suite.tools["t"].mock) == ("tool_mocks/b.json", [{"response": 1}])
    assert "tool 't' is defined already in tool_mocks/a.json" in problem.message


def test_tests_say_why_a_tool_that_they_name_cannot_be_used(load: Load) -> None:
    suite = load({
        "test_definitions/d/level_1/a.json": case(tool_ids=["broken"]), "tool_mocks/a.json": {"name": "broken"},
        "test_definitions/d/level_2/b.json": case("b", tool_ids=["off"]), "tool_mocks/b.json": _tool(name="off", enabled=False),
    })  # fmt: skip
    assert [test.invalid for test in suite.tests] == [
        f"tool 'broken' has a mistake: {suite.problems[0]}",
        "tool 'off' is switched off (`enabled` is false in tool_mocks/b.json)",
    ]
