"""What an agent tells of its calls against what was seen: what was seen holds, and both are counted where they differ."""

from __future__ import annotations

import json
from typing import Any

from modex.core.pipeline.rollout.asking import Rollout
from modex.core.pipeline.rollout.claims import CALLS_DIFFER, merged, plain_name
from tests.rows import each_row

OFFERED = ("get", "cancel_order")


def told(content: str, *calls: tuple[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {"role": "assistant", "content": content, "phase": "agent", "iteration": 1}
    if calls:
        entry["tool_calls"] = [
            {"id": f"t{n}", "name": name, "arguments": json.dumps(arguments)}
            for n, (name, arguments) in enumerate(calls)
        ]
    return entry


def seen(*calls: tuple[str, Any]) -> list[dict[str, Any]]:
    results = [{"role": "tool", "name": name, "content": f"seen {name}", "iteration": 0} for name, _ in calls]
    return [told("", *calls), *results]


def shown(entries: list[dict[str, Any]]) -> list[Any]:
    """Each entry as what it says, its calls, and the calls that were only told."""
    found = []
    for entry in entries:
        calls = [call["name"] for call in entry.get("tool_calls", ())]
        only_told = [call["name"] for call in entry.get("told_calls", ())]
        found.append((entry["role"], entry["content"], calls, only_told))
    return found


RESULT = {"role": "tool", "name": "get", "content": "made up", "iteration": 1}


@each_row(
    ("told_of", "was_seen", "entries", "counts"),
    [
        (  # the same: words and calls are one message, and results are those that were seen
            [told("I look.", ("get", {"x": 1})), RESULT, told("a")],
            [seen(("get", {"x": 1}))],
            [("assistant", "I look.", ["get"], []), ("tool", "seen get", [], []), ("assistant", "a", [], [])],
            None,
        ),
        (  # told by the name that a coding agent gives it
            [told("", ("mcp__modex__get", {})), told("a")],
            [seen(("get", {}))],
            [("assistant", "", ["get"], []), ("tool", "seen get", [], []), ("assistant", "a", [], [])],
            None,
        ),
        (  # nothing is told: what was seen came before the answer, and that is no difference
            [told("a")],
            [seen(("get", {}))],
            [("assistant", "", ["get"], []), ("tool", "seen get", [], []), ("assistant", "a", [], [])],
            None,
        ),
        (  # told and never made
            [told("", ("get", {})), told("Done.", ("cancel_order", {"id": 1})), told("a")],
            [seen(("get", {}))],
            [
                ("assistant", "", ["get"], []),
                ("tool", "seen get", [], []),
                ("assistant", "Done.", [], ["cancel_order"]),
                ("assistant", "a", [], []),
            ],
            {"seen": 1, "told": 2},
        ),
        (  # made and not told: in the order in which they were seen
            [told("", ("get", {})), told("a")],
            [seen(("cancel_order", {})), seen(("get", {}))],
            [
                ("assistant", "", ["cancel_order"], []),
                ("tool", "seen cancel_order", [], []),
                ("assistant", "", ["get"], []),
                ("tool", "seen get", [], []),
                ("assistant", "a", [], []),
            ],
            {"seen": 2, "told": 1},
        ),
        (  # what was never made stands where it was told, and takes nothing that was seen along
            [told("c", ("cancel_order", {})), told("g", ("get", {})), told("a")],
            [seen(("get", {}))],
            [
                ("assistant", "c", [], ["cancel_order"]),
                ("assistant", "g", ["get"], []),
                ("tool", "seen get", [], []),
                ("assistant", "a", [], []),
            ],
            {"seen": 1, "told": 2},
        ),
        (  # other arguments are another call
            [told("", ("get", {"x": 2})), told("a")],
            [seen(("get", {"x": 1}))],
            [("assistant", "", [], ["get"]), ("assistant", "", ["get"], []), ("tool", "seen get", [], []),
             ("assistant", "a", [], [])],
            {"seen": 1, "told": 1},
        ),
        (  # a tool of the agent's own is kept as told, and makes no difference
            [told("", ("calculate", {}), ("get", {})), told("a")],
            [seen(("get", {}))],
            [
                ("assistant", "", [], ["calculate"]),
                ("assistant", "", ["get"], []),
                ("tool", "seen get", [], []),
                ("assistant", "a", [], []),
            ],
            None,
        ),
        (  # one message told, two seen, and the other way round
            [told("both", ("get", {}), ("cancel_order", {})), told("a")],
            [seen(("get", {})), seen(("cancel_order", {}))],
            [
                ("assistant", "both", [], []),
                ("assistant", "", ["get"], []),
                ("tool", "seen get", [], []),
                ("assistant", "", ["cancel_order"], []),
                ("tool", "seen cancel_order", [], []),
                ("assistant", "a", [], []),
            ],
            None,
        ),
    ],
)  # fmt: skip
def test_what_was_seen_stands_where_it_was_told(
    told_of: list[dict[str, Any]], was_seen: list[list[dict[str, Any]]], entries: list[Any], counts: Any
) -> None:
    rollout = Rollout()
    found = merged(json.loads(json.dumps(told_of)), json.loads(json.dumps(was_seen)), OFFERED, rollout)
    assert shown(found) == entries
    assert rollout.flags == ([CALLS_DIFFER] if counts else [])
    assert [entry["calls"] for entry in found if "calls" in entry] == ([counts] if counts else [])
    numbers = [entry["iteration"] for entry in found]
    assert numbers == sorted(numbers)
    assert numbers[-1] == sum(entry["role"] == "assistant" for entry in found)


@each_row(
    ("name", "plain"),
    [
        ("get", "get"),
        ("mcp__modex__get", "get"),
        ("modex.cancel_order", "cancel_order"),
        ("modex/get", "get"),
        ("forget", "forget"),
        ("x__order", "x__order"),
    ],
)
def test_a_server_before_a_tools_name_is_left_out(name: str, plain: str) -> None:
    assert plain_name(name, OFFERED) == plain
    assert plain_name("a__b_get", ("get", "b_get")) == "b_get"
