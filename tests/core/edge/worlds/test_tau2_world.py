"""The program that serves tau2's environments: what it makes of them, and what it says."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.worlds.tau2_world import Tau2World, _changes, answer, describe, replay, serve
from tests.rows import each_row

PACKAGE = Path(__file__).parents[3] / "fixtures" / "tau2" / "tau2"
BRIGHT = {"env_type": "assistant", "func_name": "assert_bright", "arguments": {"room": "hall", "bright": 3}}
SAID = 'assistant.assert_bright({"room": "hall", "bright": 3})'


def world(**given: Any) -> Tau2World:
    made = Tau2World(PACKAGE)
    made.begin({"domain": "lamps", **given})
    return made


def test_calls_of_agent_and_user_change_one_world_and_the_state_tells_the_difference() -> None:
    made = world()
    assert made.names() == ["dim", "press"]
    assert made.state() == {"agent": {}, "user": {}, "assertions": {}}
    assert made.call("dim", {"room": "attic/east", "bright": 1}) == ("attic/east is at 1", False)
    assert made.call("press", {}) == ("pressed", False)
    assert made.call("dim", {"room": "cellar", "bright": 1}) == ("Error: no room cellar", True)
    assert made.state() == {"agent": {"/rooms/attic~1east": 1}, "user": {"/on": True}, "assertions": {}}


def test_a_task_begins_in_its_initial_state_from_which_differences_count() -> None:
    action = {**BRIGHT, "func_name": "dim"}
    made = world(
        initial_state={"initialization_actions": [action]}, assertions=[BRIGHT, {**BRIGHT, "assert_value": False}]
    )
    assert made.state() == {"agent": {}, "user": {}, "assertions": {SAID: True, f"not {SAID}": False}}
    made.call("dim", {"room": "hall", "bright": 9})
    assert made.state()["agent"] == {"/rooms/hall": 9}
    made.begin({"domain": "lamps"})
    assert made.state()["agent"] == {}
    made.call("dim", {"room": "hall", "bright": 9})
    made.begin({"domain": "lamps"})
    assert made.state()["agent"] == {}


def test_differences_count_from_a_tasks_own_initial_state_also_after_a_task_without_one() -> None:
    made = world()
    made.begin({"domain": "lamps", "initial_state": {"initialization_actions": [{**BRIGHT, "func_name": "dim"}]}})
    assert made.state()["agent"] == {}
    made.begin({"domain": "lamps"})
    made.call("dim", {"room": "hall", "bright": 3})
    assert made.state()["agent"] == {"/rooms/hall": 3}


@each_row(
    ("before", "after", "changes"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({}, {"a": {"b": 1}}, {"/a": {"b": 1}}),
        ({"a": 1}, {}, {"/a": {"$removed": True}}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 3, "c": 2}}, {"/a/b": 3}),
        ({"a": {"b": 1}}, {"a": 3}, {"/a": 3}),
        ({"a": 3}, {"a": {"b": 1}}, {"/a": {"b": 1}}),
        ({"a": [1, 2]}, {"a": [1]}, {"/a": [1]}),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}, {"/a~1b/~0": 2}),
    ],
)
def test_each_place_that_differs_is_told_by_its_pointer(before: Any, after: Any, changes: Any) -> None:
    assert _changes(before, after) == changes


def test_an_assertion_that_cannot_be_asked_says_why() -> None:
    [told] = world(assertions=[{**BRIGHT, "func_name": "nothing"}]).state()["assertions"].values()
    assert told == "AttributeError: 'Lamps' object has no attribute 'nothing'"


def test_golds_are_made_and_those_that_fail_are_passed_over() -> None:
    actions = [
        {"name": "dim", "requestor": "assistant", "arguments": {"room": "cellar", "bright": 3}},
        {"name": "dim", "requestor": "assistant", "arguments": {"room": "hall", "bright": 3}},
        {"name": "press", "requestor": "user", "arguments": {}},
    ]
    out = io.StringIO()
    tasks = [{"begin": {"domain": "lamps"}, "actions": actions}, {"begin": {"domain": "none"}, "actions": []}]
    replay(Tau2World(PACKAGE), [json.dumps(one) for one in tasks] + [""], out)
    first, second = (json.loads(line) for line in out.getvalue().splitlines())
    assert first["state"] == {"agent": {"/rooms/hall": 3}, "user": {"/on": True}, "assertions": {}}
    assert first["failed"] == ["dim: no room cellar"]
    assert second == {"error": "ModuleNotFoundError: No module named 'tau2.domains.none'"}


def test_a_domain_is_described_without_a_client_of_models() -> None:
    out = io.StringIO()
    describe(PACKAGE, ["lamps", "none"], out)
    told, lost = (json.loads(line) for line in out.getvalue().splitlines())
    assert told["agent"] == ("<instructions>\nHelp the user.\n</instructions>\n<policy>\nDim what is asked.\n</policy>")
    assert [one["function"]["name"] for one in told["agent_tools"] + told["user_tools"]] == ["dim", "press"]
    task = told["tasks"][0]
    assert task["user"] == f"You are a customer with tools.\n\n\n<scenario>\n{task['scenario']}\n</scenario>"
    assert lost == {"domain": "none", "error": "ModuleNotFoundError: No module named 'tau2.domains.none'"}


def test_the_protocol_is_answered_line_by_line() -> None:
    def request(id_: int, method: str, **params: Any) -> str:
        return json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})

    def tool(id_: int, name: str, **arguments: Any) -> str:
        return request(id_, "tools/call", name=name, arguments=arguments)

    lines = [
        request(1, "initialize", protocolVersion="2025-06-18"), json.dumps({"jsonrpc": "2.0", "method": "x"}),
        request(2, "tools/list"), tool(3, "begin", domain="lamps"), request(4, "tools/list"),
        tool(5, "dim", room="x", bright=1), tool(6, "state"), tool(7, "begin", domain="none"), request(8, "ping"),
    ]  # fmt: skip
    out = io.StringIO()
    serve(Tau2World(PACKAGE), lines, out)
    said = {one["id"]: one for one in map(json.loads, out.getvalue().splitlines())}
    assert said[1]["result"]["protocolVersion"] == "2025-06-18"
    assert [[tool["name"] for tool in said[n]["result"]["tools"]] for n in (2, 4)] == [
        ["begin", "state", "reset"], ["begin", "state", "reset", "dim", "press"],
    ]  # fmt: skip
    assert said[5]["result"] == {"content": [{"type": "text", "text": "Error: no room x"}], "isError": True}
    assert json.loads(said[6]["result"]["content"][0]["text"])["agent"] == {}
    assert said[7]["error"]["message"] == "ModuleNotFoundError: No module named 'tau2.domains.none'"
    assert said[8]["result"] == {}


def test_a_call_whose_task_was_not_begun_ends_the_program() -> None:
    made = world()
    assert answer(made, "tools/call", {"name": "reset"})["isError"] is False
    with pytest.raises(SystemExit, match="before begin"):
        answer(made, "tools/call", {"name": "press", "arguments": {}})
