from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.jsonvalues.jsonargs import MAX_CHARS, decode_arguments
from modex.core.suite.definitions import Location, ToolDefinition
from modex.core.tools.arguments import parse_arguments
from tests.pace import stretched
from tests.rows import each_row

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer", "minimum": 1},
        "unit": {"enum": ["c", "f"]},
        "code": {"type": "string", "pattern": "^(a+)+$"},
    },
    "required": ["city"],
    "additionalProperties": False,
}
TOOL = ToolDefinition("w", "get_weather", "", SCHEMA, Location("t.json"))


def test_valid_arguments_come_back_as_they_are() -> None:
    assert parse_arguments('{"city": "Oslo", "days": 2}', TOOL) == {"city": "Oslo", "days": 2}


@pytest.mark.parametrize("text", ["", "  \n"])
def test_empty_text_is_an_empty_object(text: str) -> None:
    assert decode_arguments(text) == {}


@each_row(
    ("text", "said"),
    [
        ('{"city": "Oslo"', "not JSON: Expecting ',' delimiter at line 1 column 16"),
        ("{'city': 'Oslo'}", "not JSON"),
        ("[1]", "must be a JSON object, not a list"),
        ("null", '"city" is a required property'),
        ('{"city": NaN}', "NaN is no JSON number"),
        ("{}", '"city" is a required property'),
        ('{"city": 5}', 'city: 5 is not of type "string"'),
        ('{"city": "Oslo", "days": true}', 'days: true is not of type "integer"'),
        ('{"city": "Oslo", "days": 0}', "days: 0 is less than the minimum of 1"),
        ('{"city": "Oslo", "unit": "k"}', "unit: "),
        ('{"city": "Oslo", "town": 1}', "'town' was unexpected"),
        ('{"a":' * 30_000 + "1" + "}" * 30_000, "nested deeper"),
        ('{"city": ' + "[" * 100 + "]" * 100 + "}", "nested deeper"),
        ('{"city": "' + "x" * MAX_CHARS + '"}', "at most 200,000 are read"),
        ('{"city": ' + "9" * 5000 + "}", "not JSON"),
    ],
    ids=lambda value: value[:24],
)
def test_a_mistake_is_told_to_the_model_and_nothing_is_repaired(text: str, said: str) -> None:
    message = parse_arguments(text, TOOL)
    assert isinstance(message, str)
    assert message.startswith("get_weather: ")
    assert said in message


def test_a_pattern_cannot_hang() -> None:
    before = time.monotonic()
    answer = parse_arguments(json.dumps({"city": "x", "code": "a" * 5000 + "!"}), TOOL)
    assert isinstance(answer, str)
    assert time.monotonic() - before < stretched(2)


@given(st.text(max_size=200))
def test_any_text_gives_an_object_or_a_message(text: str) -> None:
    assert isinstance(decode_arguments(text), dict | str)


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none() | st.lists(st.booleans())))
def test_what_json_can_say_comes_back(value: dict[str, Any]) -> None:
    assert decode_arguments(json.dumps(value)) == value
