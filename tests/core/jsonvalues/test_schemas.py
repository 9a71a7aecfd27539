"""Which schema holds below a value, and what it means to leave a property out."""

from __future__ import annotations

from typing import Any

from modex.core.jsonvalues.schemas import SchemaPlace
from tests.rows import each_row

ROOM = {"type": "object", "properties": {"beds": {"type": "integer", "default": 2}}}
LINKED: dict[str, Any] = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
ROOT: dict[str, Any] = {"$defs": {"room": ROOM, "a/b": ROOM, "node": LINKED, "loop": {"$ref": "#/$defs/loop"}}}
FORMS = {
    "anyOf": [
        {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"default": 1}}, "required": ["kind"]},
        {"type": "object", "properties": {"kind": {"const": "b"}, "x": {"default": 2}}, "required": ["kind"]},
    ]
}


@each_row(
    ("schema", "left_out"),
    [
        ({}, ()),
        ({"type": "string"}, ()),
        ({"type": "string", "default": "x"}, ("x",)),
        ({"type": ["string", "null"]}, (None,)),
        ({"type": ["string", "null"], "default": "x"}, ("x",)),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, (None,)),
        ({"type": "string", "nullable": True}, (None,)),
        ({"type": "string", "nullable": 1}, ()),
        ({"enum": ["a", None]}, (None,)),
        ({"enum": ["a"]}, ()),
        ({"const": None}, (None,)),
        ({"const": "x"}, ()),
        ({"type": ["string", "null"], "description": "Null removes the number."}, ()),
        ({"type": ["string", "null"], "description": "The number, none to clear it"}, ()),
        ({"type": ["string", "null"], "description": "The number, or null."}, (None,)),
        ({"type": ["string", "null"], "description": "The number to remove."}, (None,)),
        (ROOM, ({},)),
        ({"type": "object"}, ()),
        ({"$ref": "#/$defs/room"}, ({},)),
        ({"$ref": "#/$defs/room", "default": {"beds": 1}}, ({"beds": 1},)),
        ({"anyOf": [ROOM, {"type": "null"}]}, (None, {})),
        ({"$ref": "#/$defs/none"}, ()),
        ({"$ref": "#/$defs/loop"}, ()),
        ({"$ref": "https://example.org/x"}, ()),
    ],
)
def test_what_leaving_a_property_out_says(schema: dict[str, Any], left_out: tuple[Any, ...]) -> None:
    assert SchemaPlace(schema, ROOT, named=True).left_out() == left_out
    assert SchemaPlace(schema, ROOT).left_out() == ()


@each_row(
    ("schema", "name", "holder", "below"),
    [
        ({"properties": {"a": {"type": "integer"}}}, "a", {}, {"type": "integer"}),
        ({"properties": {"a": True}}, "a", {}, None),
        ({}, "a", {}, None),
        ({"allOf": [{}, {"properties": {"a": ROOM}}]}, "a", {}, ROOM),
        (FORMS, "x", {"kind": "a"}, {"default": 1}),
        (FORMS, "x", {"kind": "b"}, {"default": 2}),
        (FORMS, "x", {"kind": "c"}, None),
        ({"$ref": "#/$defs/a~1b"}, "beds", {}, {"type": "integer", "default": 2}),
        ({"additionalProperties": {"type": "string"}}, "a", {}, {"type": "string"}),
        ({"additionalProperties": True}, "a", {}, None),
        ({"patternProperties": {"^x": ROOM}, "additionalProperties": {"type": "string"}}, "xa", {}, ROOM),
        ({"patternProperties": {"^x": ROOM}, "additionalProperties": {"type": "string"}}, "a", {}, {"type": "string"}),
        ({"properties": {"a": {}}, "additionalProperties": {"type": "string"}}, "a", {}, {}),
    ],
)
def test_the_schema_of_a_property(schema: dict[str, Any], name: str, holder: Any, below: Any) -> None:
    found = SchemaPlace(schema, ROOT).below(name, holder)
    assert (found.node if found else None) == below


def test_only_a_property_that_is_named_has_a_default() -> None:
    other = SchemaPlace.whole({"additionalProperties": {"default": 1}}).below("a", {})
    assert other is not None
    assert other.left_out() == ()


@each_row(
    ("schema", "allowed"),
    [
        ({}, False),
        ({"properties": {"a": {}}}, True),
        ({"additionalProperties": True}, True),
        ({"additionalProperties": False}, False),
        ({"additionalProperties": {"type": "string"}}, True),
        ({"allOf": [{"additionalProperties": True}]}, True),
    ],
)
def test_whether_a_schema_speaks_of_a_name(schema: dict[str, Any], allowed: bool) -> None:
    assert SchemaPlace.whole(schema).allows("a") is allowed


@each_row(
    ("schema", "number", "item"),
    [
        ({"items": ROOM}, 3, ROOM),
        ({"prefixItems": [{"const": 1}], "items": ROOM}, 0, {"const": 1}),
        ({"prefixItems": [{"const": 1}], "items": ROOM}, 1, ROOM),
        ({"type": "array"}, 0, None),
        ({"items": True}, 0, None),
    ],
)
def test_the_schema_of_an_item(schema: dict[str, Any], number: int, item: Any) -> None:
    found = SchemaPlace.whole(schema).item(number, [])
    assert (found.node if found else None) == item


def test_references_hold_below_and_in_what_is_said_against_a_value() -> None:
    below = SchemaPlace({"$ref": "#/$defs/node"}, ROOT).below("next", {})
    assert below is not None
    assert below.below("next", {}) == SchemaPlace({"$ref": "#/$defs/node"}, ROOT, named=True)
    assert SchemaPlace({"$ref": "#/$defs/room"}, ROOT).faults("r", {"beds": "x"}) == [
        'r.beds: "x" is not of type "integer"'
    ]
    assert SchemaPlace({"$ref": "#/$defs/room"}, ROOT).faults("r", {"beds": 1}) == []
