"""Tool calls of the scripted model: those that a test asks for, and its typical mistakes."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.llm.demo.ability import Dice
from modex.core.llm.demo.calls import PlannedCall, is_tool_test, plan, schemas_of
from tests.rows import each_row

DICE = Dice("default", "k")
SCHEMAS = {
    "zoo": {"properties": {"n": {"type": "integer"}}, "required": ["n"]},
    "bar": {"properties": {"city": {"enum": ["Oslo", "Rome"]}, "note": {"type": "string"}}, "required": ["city"]},
}


def told(turns: list[list[PlannedCall]]) -> list[list[tuple[str, dict[str, Any]]]]:
    return [[(call.name, call.arguments) for call in turn] for turn in turns]


def test_a_schema_comes_with_what_its_tool_says_of_itself() -> None:
    tools: list[dict[str, Any]] = [
        {"function": {"name": "a", "description": "A", "parameters": {"type": "object"}}},
        {"function": {"name": "b", "parameters": {"description": "own"}}},
        {"type": "odd"},
    ]
    assert schemas_of(tools) == {
        "a": {"description": "A", "type": "object"},
        "b": {"description": "own"},
        "None": {"description": None},
    }
    assert schemas_of(None) == {}


@each_row(
    ("expected", "is_one"),
    [
        ("x", False), ({}, False), ({"calls": []}, True), ({"calls": [{"name": "a"}, 3]}, False), ({"calls": {}}, False),
        ({"calls": [3, 4]}, False), ({"chain": [{}]}, True), ({"bfcl": [{}]}, True), ({"tool": "a"}, True), ({"tool": 3}, False),
        ({"tools": ["a"]}, True), ({"tools": []}, True), ({"tools": ["a", 3]}, False), ({"tools": "a"}, False),
        ({"state": {}}, True), ({"state": 3}, False), ({"no_call": True}, True), ({"no_call": False}, False),
    ],
)  # fmt: skip
def test_what_is_about_tool_calls(expected: Any, is_one: bool) -> None:
    assert is_tool_test(expected) is is_one


@each_row(
    ("expected", "sample", "turns"),
    [
        ("x", None, []),
        ({"no_call": True, "tool": "zoo"}, None, []),
        ({"tool": "zoo"}, None, [[("zoo", {"n": 1})]]),
        ({"tool": "zoo", "args": {"n": 3, "more": 4}}, None, [[("zoo", {"n": 3, "more": 4})]]),
        ({"tool": "unknown", "args": {"n": 3}}, None, [[("unknown", {"n": 3})]]),
        ({"tools": ["zoo", "bar"]}, None, [[("zoo", {"n": 1}), ("bar", {"city": "Oslo"})]]),
        ({"tools": []}, None, []),
        ({"calls": []}, None, []),
        ({"calls": [{"name": "zoo"}, {"name": "bar"}]}, None, [[("zoo", {"n": 1}), ("bar", {"city": "Oslo"})]]),
        (
            {"calls": [{"name": "zoo"}, {"name": "bar"}], "order": "strict"},
            None,
            [[("zoo", {"n": 1})], [("bar", {"city": "Oslo"})]],
        ),
        ({"chain": [{"name": "zoo"}, {"name": "bar"}]}, None, [[("zoo", {"n": 1})], [("bar", {"city": "Oslo"})]]),
        (
            {"bfcl": [{"zoo": {"n": [5, 6], "o": ["", 1], "p": [], "q": 7}}, {"bar": 3}]},
            None,
            [[("zoo", {"n": 5}), ("bar", {})]],
        ),
        ({"bfcl": []}, None, []),
        (
            {"state": {}},
            [{"name": "zoo", "args": {"n": 9}}, {"name": "gone"}, {"name": "bar"}],
            [[("zoo", {"n": 9})], [("bar", {"city": "Oslo"})]],
        ),
        ({"tool": "zoo"}, [{"name": "gone"}], [[("zoo", {"n": 1})]]),
        ({"tool": "zoo"}, ["odd"], [[("zoo", {"n": 1})]]),
    ],
)
def test_the_right_calls_are_made_turn_by_turn(expected: Any, sample: Any, turns: Any) -> None:
    assert told(plan(expected, SCHEMAS, DICE, right=True, sample=sample)) == turns


@each_row(
    ("argument", "value"),
    [
        ({"$ci": "a"}, "a"), ({"$normalized": "b"}, "b"), ({"$approx": 1.5}, 1.5), ({"$any_of": ["x", "y"]}, "x"),
        ({"$any_of": [{"$ci": "z"}]}, "z"), ({"$any_of": []}, None), ({"$any_of": 3}, None), ({"$any_of": "ab"}, None),
        ({"$regex": "^c+$"}, "c"), ({"$regex": "("}, "text"), ({"$any": True}, 1), ([{"$ci": "d"}, 4], ["d", 4]),
        ({"in": {"$ci": "e"}}, {"in": "e"}), (None, None),
    ],
)  # fmt: skip
def test_a_comparator_is_met_by_a_value(argument: Any, value: Any) -> None:
    assert told(plan({"tool": "zoo", "args": {"n": argument}}, SCHEMAS, DICE, right=True)) == [[("zoo", {"n": value})]]


def _short(turns: list[list[tuple[str, dict[str, Any]]]]) -> str:
    return " then ".join(
        "+".join(f"{name}({', '.join(f'{key}={value}' for key, value in found.items())})" for name, found in turn)
        for turn in turns
    )


ONE = {"tool": "zoo", "args": {"n": 3}}
TWO = {"calls": [{"name": "zoo", "args": {"n": 3}}, {"name": "bar"}]}
CHAIN = {"chain": [{"name": "zoo", "args": {"n": 3}}, {"name": "bar"}]}
BARE = {"calls": [{"name": "none", "args": {}}]}


def wrong(expected: Any, number: int, schemas: Any = SCHEMAS) -> Any:
    return told(plan(expected, schemas, Dice("default", f"k{number}"), right=False))


@each_row(
    ("expected", "schemas", "drawn"),
    [
        (ONE, SCHEMAS, ["", "zoo(n=10)", "", "zoo(n=10)", "zoo(n=10)", "", "bar(city=Oslo)", "", "bar(city=Oslo)"]),
        (
            TWO,
            SCHEMAS,
            [
                "zoo(n=3)",
                "zoo(n=10)+bar(city=Oslo)",
                "zoo(n=3)",
                "zoo(n=10)+bar(city=Oslo)",
                "zoo(n=10)+bar(city=Oslo)",
                "zoo(n=3)",
                "bar(city=Oslo)",
                "zoo(n=3)",
                "bar(city=Oslo)",
            ],
        ),
        (
            CHAIN,
            SCHEMAS,
            [
                "zoo(n=3)",
                "zoo(n=10) then bar(city=Oslo)",
                "zoo(n=3)",
                "zoo(n=10) then bar(city=Oslo)",
                "zoo(n=10) then bar(city=Oslo)",
                "zoo(n=3)",
                "bar(city=Oslo) then bar(city=Oslo)",
                "zoo(n=3)",
                "bar(city=Oslo) then bar(city=Oslo)",
            ],
        ),
        (ONE, {"zoo": SCHEMAS["zoo"]}, ["", "zoo(n=10)", "", "zoo(n=10)", "zoo(n=10)", "", "", "", ""]),
        (BARE, {"none": {}}, ["", "", "", "", "", "", "", "", ""]),
        (
            {"no_call": True},
            SCHEMAS,
            [
                "bar(city=Oslo)",
                "zoo(n=1)",
                "bar(city=Oslo)",
                "zoo(n=1)",
                "bar(city=Oslo)",
                "bar(city=Oslo)",
                "zoo(n=1)",
                "zoo(n=1)",
                "zoo(n=1)",
            ],
        ),
        ({"no_call": True}, {}, ["", "", "", "", "", "", "", "", ""]),
        (
            {"tool": "mid", "args": {"b": 1, "a": 2}},
            SCHEMAS,
            ["", "mid(b=1, a=9)", "", "mid(b=8, a=2)", "mid(b=1, a=9)", "", "zoo(n=1)", "", "zoo(n=1)"],
        ),
    ],
)
def test_a_mistake_is_another_tool_another_argument_or_a_call_left_out(
    expected: Any, schemas: Any, drawn: list[str]
) -> None:
    assert [_short(wrong(expected, number, schemas)) for number in range(9)] == drawn


@pytest.mark.parametrize(("value", "other"), [(True, False), (3, 10), (1.5, 8.5), (["a", "b"], ["b"]), ([], ["other"]),
    ("a", "a (old)"), ({"a": 1}, '{"a": 1} (old)'), (None, "None (old)")])  # fmt: skip
def test_another_argument_is_near_the_right_one(value: Any, other: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dice, "pick", lambda _, purpose, __: 1 if purpose == "mistake" else 0)
    assert wrong({"tool": "zoo", "args": {"n": value}}, 0) == [[("zoo", {"n": other})]]
