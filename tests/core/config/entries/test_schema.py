"""The JSON Schema of `models.toml` takes what the program takes."""

from __future__ import annotations

import tomllib
from typing import Any

import jsonschema_rs

from modex.core.config.entries.schema import entries_schema
from tests.cli import call
from tests.core.config.entries.test_reading import WHOLE
from tests.rows import each_row


def test_the_whole_example_is_one() -> None:
    schema = entries_schema()
    jsonschema_rs.meta.validate(schema)
    assert jsonschema_rs.is_valid(schema, tomllib.loads(WHOLE))
    assert call("schema", "models").data == schema


@each_row(
    "entry",
    [
        {"modle": "x/y"},
        {"model": "x/y", "modle": "x/y"},
        {"model": "x/y", "gguf": "f"},
        {"gguf": "f", "serve": {"slots": 2, "slot": 2}},
        {"gguf": "f", "serve": {"gpu_layers": -1}},
        {"model": "x/y", "params": {"stop": ""}},
        {"model": "x/y", "params": {"stop": []}},
        {"api_base": "http://h"},
        {"model": "x/y", "params": {"temperture": 1}},
        {"model": "x/y", "timeout": "9"},
        {"model": "x/y", "api_key": "k"},
        {"gguf": "f", "serve": {"gpu_layers": "most"}},
        {"model": "x/y", "headers": {"A": 1}},
    ],
)
def test_what_is_refused_is_refused_by_it(entry: dict[str, Any]) -> None:
    assert not jsonschema_rs.is_valid(entries_schema(), {"models": {"a": entry}})


@each_row(
    ("file", "valid"),
    [
        ({"models": {"a": {"model": "x/y"}}}, True),
        ({"models": {"a.b-c_1": {"model": "x/y"}}}, True),
        ({"models": {}}, True),
        ({}, True),
        ({"model": {"a": {"model": "x/y"}}}, False),
        ({"models": {"a/b": {"model": "x/y"}}}, False),
        ({"models": {"a": {"gguf": "f", "serve": {"gpu_layers": 0}}}}, True),
        ({"models": {"a": {"model": "x/y", "params": {"stop": ["a"]}}}}, True),
    ],
)
def test_a_file_holds_entries_by_their_names_and_nothing_else(file: dict[str, Any], valid: bool) -> None:
    assert jsonschema_rs.is_valid(entries_schema(), file) is valid
