"""Arguments of a call, decoded and checked."""

from __future__ import annotations

from typing import Any

from modex.core.jsonvalues.jsonargs import MAX_CHARS, MAX_DEPTH, decode_arguments, schema_faults, too_deep
from tests.rows import each_row


def nested(depth: int) -> str:
    """An object of so many levels."""
    return '{"a":' * (depth - 1) + "{}" + "}" * (depth - 1)


@each_row(
    ("text", "decoded"),
    [
        ("", {}),
        (" \n", {}),
        ("{}", {}),
        ('{"a": 1}', {"a": 1}),
        ("[1]", "the arguments must be a JSON object, not a list"),
        ('"a"', "the arguments must be a JSON object, not a text"),
        ("true", "the arguments must be a JSON object, not true or false"),
        ("null", {}),
        (" null ", {}),
        ("3", "the arguments must be a JSON object, not a number"),
        ('{"a": NaN}', "the arguments are not JSON: NaN is no JSON number"),
        ('{"a"\n 1}', "the arguments are not JSON: Expecting ':' delimiter at line 2 column 2"),
        ('{"a":' + " " * (MAX_CHARS - 7) + "1}", {"a": 1}),
        (
            '{"a":' + " " * (MAX_CHARS - 6) + "1}",
            f"the arguments have {MAX_CHARS + 1:,} characters; at most {MAX_CHARS:,} are read",
        ),
        ("[" * 100_000, f"the arguments are nested deeper than {MAX_DEPTH} levels"),
    ],
)
def test_arguments_are_one_json_object(text: str, decoded: dict[str, Any] | str) -> None:
    assert decode_arguments(text) == decoded


def test_arguments_nest_as_deep_as_the_limit_and_no_deeper() -> None:
    assert isinstance(decode_arguments(nested(MAX_DEPTH)), dict)
    assert decode_arguments(nested(MAX_DEPTH + 1)) == f"the arguments are nested deeper than {MAX_DEPTH} levels"
    assert not too_deep([[1]], 3)
    assert too_deep([[1]], 2)
    assert too_deep({"a": {"b": 1}}, 2)
    assert not too_deep(1, 1)


def test_faults_name_their_place_and_are_five_at_most() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}, "required": ["b"]}
    assert schema_faults({"a": [1], "b": 1}, schema) == []
    assert schema_faults({"x": 1}, {}) == []
    (fault,) = schema_faults({"a": [1, "x"], "b": 1}, schema)
    assert fault.startswith("a.1: ")
    (fault,) = schema_faults({}, schema)
    assert not fault.startswith(":")
    assert len(schema_faults({"a": ["x"] * 9, "b": 1}, schema)) == 5
    assert schema_faults({"a": 1}, {"type": "nothing"})[0].startswith("the arguments cannot be checked: ")


@each_row(
    ("schema", "value", "valid"),
    [
        ({"type": "string"}, None, False),
        ({"type": "string", "nullable": True}, None, True),
        ({"type": "string", "nullable": False}, None, False),
        ({"type": "string", "default": None}, None, True),
        ({"type": "string", "default": ""}, None, False),
        ({"enum": ["a"], "type": "string", "nullable": True}, None, True),
        ({"enum": ["a"], "type": "string", "nullable": True}, "b", False),
        ({"type": "object", "properties": {"x": {"type": "integer", "nullable": True}}}, {"x": None}, True),
        ({"type": "array", "items": {"type": "integer", "nullable": True}}, [None, 1], True),
        ({"anyOf": [{"type": "integer", "nullable": True}]}, None, True),
    ],
)
def test_null_is_valid_where_the_schema_says_so_in_any_way(schema: dict[str, Any], value: Any, valid: bool) -> None:
    assert (schema_faults({"v": value}, {"properties": {"v": schema}}) == []) is valid
