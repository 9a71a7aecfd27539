"""Whether the golds of a tool test could be met by a call that the schemas allow."""

from __future__ import annotations

from typing import Any

from modex.core.evaluators.tool_call.checking import call_faults
from modex.core.evaluators.tool_call.expectations import ExpectedCall
from modex.core.suite.definitions import Location, ToolDefinition
from tests.rows import each_row

PROPERTIES = {
    "a": {"type": "integer"},
    "u": {"type": "string", "enum": ["C", "F"]},
    "l": {"type": "array", "items": {"type": "integer"}},
    "o": {"type": "object", "properties": {"k": {"type": "integer"}}},
    "d": {"$ref": "#/$defs/whole"},
}
SCHEMA = {"type": "object", "properties": PROPERTIES, "required": ["a"], "$defs": {"whole": {"type": "integer"}}}


def tool(name: str, schema: dict[str, Any]) -> ToolDefinition:
    return ToolDefinition(name, name, "", schema, Location("t.json"))


def faults(call: ExpectedCall, schema: dict[str, Any] = SCHEMA) -> str:
    return "; ".join(call_faults(call, {call.name: tool(call.name, schema)}))


@each_row(
    ("call", "said"),
    [
        (ExpectedCall("f"), ""),
        (ExpectedCall("f", {"a": 1}), ""),
        (ExpectedCall("f", {}), "expects f without 'a', which its schema requires; add it"),
        (ExpectedCall("f", {}, partial=True), ""),
        (
            ExpectedCall("f", {"a": 1, "x": 2}),
            "expects f with 'x', which its schema does not have; leave it out",
        ),
        (ExpectedCall("f", {"a": "1"}), 'expects f with a: "1" is not of type "integer"'),
        (ExpectedCall("f", {"a": {"$any_of": [1, "2"]}}), 'expects f with a: "2" is not of type "integer"'),
        (ExpectedCall("f", {"a": {"$any_of": [{"$any_of": ["2"]}]}}), 'expects f with a: "2" is not of type "integer"'),
        (ExpectedCall("f", {"a": {"$approx": 1.5}}), 'expects f with a: 1.5 is not of type "integer"'),
        (ExpectedCall("f", {"a": {"$regex": "x"}}), ""),
        (ExpectedCall("f", {"a": 1, "l": ["x"]}), 'expects f with l.0: "x" is not of type "integer"'),
        (ExpectedCall("f", {"a": 1, "l": ["x", {"$any": True}]}), ""),
        (ExpectedCall("f", {"a": 1, "o": {"k": "x"}}), 'expects f with o.k: "x" is not of type "integer"'),
        (ExpectedCall("f", {"a": 1, "o": {"k": {"$ci": "x"}}}), ""),
        (ExpectedCall("f", {"a": 1, "o": {"k": [[{"$ci": "x"}]]}}), ""),
        (ExpectedCall("f", {"a": 1, "d": 2}), ""),
        (ExpectedCall("f", {"a": 1, "d": "x"}), 'expects f with d: "x" is not of type "integer"'),
    ],
)
def test_a_gold_that_the_schema_refuses_is_named_and_comparators_that_mean_many_values_are_not_checked(
    call: ExpectedCall, said: str
) -> None:
    assert faults(call) == said


@each_row(
    ("value", "omittable", "right"),
    [
        ("", True, True),
        (None, True, True),
        ("C", True, True),
        ("K", True, False),
        ("", False, False),
        (None, False, False),
    ],
)
def test_an_argument_that_may_be_left_out_may_be_empty_in_the_gold(value: Any, omittable: bool, right: bool) -> None:
    call = ExpectedCall("f", {"a": 1, "u": value}, omittable=frozenset({"u"} if omittable else ()))
    assert (faults(call) == "") is right


def test_a_schema_may_allow_arguments_that_it_does_not_name() -> None:
    call = ExpectedCall("f", {"a": 1, "x": 2})
    assert faults(call, {**SCHEMA, "additionalProperties": True}) == ""
    assert faults(call, {**SCHEMA, "additionalProperties": {"type": "integer"}}) == ""
    assert faults(call, {**SCHEMA, "patternProperties": {"^x": {"type": "integer"}}}) == ""
    wrong = {**SCHEMA, "additionalProperties": {"type": "string"}}
    assert faults(call, wrong) == 'expects f with x: 2 is not of type "string"'
    assert "does not have" in faults(call, {**SCHEMA, "additionalProperties": False})
    assert faults(ExpectedCall("f", {}), {"type": "object"}) == ""


def test_a_tool_that_the_test_does_not_offer_is_named_with_those_it_does() -> None:
    assert list(call_faults(ExpectedCall("f"), {})) == [
        "expects a call of 'f', which the test does not offer; there are: none"
    ]
    offered = {name: tool(name, SCHEMA) for name in ("h", "g")}
    assert next(call_faults(ExpectedCall("f"), offered)).endswith("there are: g, h")
