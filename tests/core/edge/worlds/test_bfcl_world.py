"""The program that serves BFCL's classes: what it makes of them, and what it says."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.worlds.bfcl_world import World, answer, replay, serve
from tests.rows import each_row

FOLDER = Path(__file__).parents[3] / "fixtures" / "bfcl_turns" / "eval_checker" / "multi_turn_eval" / "func_source_code"
BEGIN: dict[str, Any] = {
    "classes": ["LightsAPI"],
    "config": {"LightsAPI": {"rooms": {"hall": 7}}},
    "long_context": True,
}
STATE = {"LightsAPI": {"rooms": {"hall": {"class": "Lamp", "bright": 7}}, "owner": None, "extra": True}}


def world() -> World:
    made = World(FOLDER)
    made.begin(BEGIN)
    return made


def test_the_state_is_what_is_public_and_stands_not_above_itself() -> None:
    found = world().state()
    owner = found["LightsAPI"].pop("owner")
    assert found == {"LightsAPI": {key: value for key, value in STATE["LightsAPI"].items() if key != "owner"}}
    assert owner["rooms"] == found["LightsAPI"]["rooms"]


@each_row(
    ("call", "result"),
    [
        ("dim('hall', bright=3)", '{"room": "hall", "bright": 3}'), ("dim(room='hall')", '{"room": "hall", "bright": 10}'),
        ("look(room='hall')", "7"), ("dim('hall', look('hall'))", '{"room": "hall", "bright": 7}'), ("all_rooms()", "{'hall'}"),
        ("look(room='attic')", "Error during execution: 'attic'"), ("_load_scenario({})",
        "Error during execution: '_load_scenario'"),
        ("__import__('os')", "Error during execution: '__import__'"),
    ],
)  # fmt: skip
def test_calls_written_in_python_are_made_with_constants_and_calls_alone(call: str, result: str) -> None:
    assert world().run(call) == result


def test_a_call_by_name_gives_the_same_text() -> None:
    assert world().call("dim", [], {"room": "hall", "bright": 3}) == ('{"room": "hall", "bright": 3}', False)
    assert world().call("look", [], {"room": "attic"}) == ("Error during execution: 'attic'", True)


def test_a_replay_tells_results_and_states_of_every_turn() -> None:
    tests = [{"begin": BEGIN, "turns": [["dim('hall')"], []]}, {"begin": {"classes": ["Nothing"]}, "turns": []}]
    out = io.StringIO()
    replay(World(FOLDER), [json.dumps(one) for one in tests] + [""], out)
    first, second = (json.loads(line) for line in out.getvalue().splitlines())
    assert first["begun"]["LightsAPI"]["rooms"]["hall"]["bright"] == 7
    assert [turn["results"] for turn in first["turns"]] == [['{"room": "hall", "bright": 10}'], []]
    assert first["turns"][1]["state"]["LightsAPI"]["rooms"]["hall"]["bright"] == 10
    assert second == {"error": "KeyError: 'Nothing'"}


def test_the_protocol_is_answered_line_by_line() -> None:
    def request(id_: int, method: str, **params: Any) -> str:
        return json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})

    def tool(id_: int, name: str, **arguments: Any) -> str:
        return request(id_, "tools/call", name=name, arguments=arguments)

    lines = [
        request(1, "initialize", protocolVersion="2025-06-18"), json.dumps({"jsonrpc": "2.0",
        "method": "notifications/initialized"}),
        tool(2, "begin", **BEGIN), request(3, "tools/list"), tool(4, "look", room="hall"), tool(5, "look", room="x"),
        tool(6, "state"), request(7, "ping"), tool(8, "nothing"),
    ]  # fmt: skip
    out = io.StringIO()
    serve(World(FOLDER), lines, out)
    said = {one["id"]: one for one in map(json.loads, out.getvalue().splitlines())}
    assert said[1]["result"]["protocolVersion"] == "2025-06-18"
    assert {one["name"] for one in said[3]["result"]["tools"]} == {
        "begin",
        "state",
        "reset",
        "dim",
        "look",
        "all_rooms",
    }
    assert said[4]["result"] == {"content": [{"type": "text", "text": "7"}], "isError": False}
    assert said[5]["result"]["isError"] is True
    assert json.loads(said[6]["result"]["content"][0]["text"])["LightsAPI"]["extra"] is True
    assert said[7]["result"] == {}
    assert said[8]["result"]["content"][0]["text"] == "Error during execution: 'nothing'"
    assert set(said) == set(range(1, 9))


def test_a_call_whose_test_was_not_begun_ends_the_program() -> None:
    made = world()
    assert answer(made, "tools/call", {"name": "reset"})["isError"] is False
    with pytest.raises(SystemExit, match="before begin"):
        answer(made, "tools/call", {"name": "look", "arguments": {"room": "hall"}})
