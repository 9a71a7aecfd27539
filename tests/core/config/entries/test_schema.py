"""The JSON Schema of `models.toml` takes what the program takes."""

from __future__ import annotations

import tomllib
from typing import Any

import jsonschema_rs

from modex.core.config.entries.schema import entries_schema
from tests.cli import call
from tests.core.config.entries.test_reading import WHOLE
from tests.rows import each_row

SCHEMA = entries_schema()


def test_the_whole_example_is_one() -> None:
    jsonschema_rs.meta.validate(SCHEMA)
    assert jsonschema_rs.is_valid(SCHEMA, tomllib.loads(WHOLE))
    assert call("schema", "models").data == SCHEMA


@each_row(
    "entry",
    [
        {"modle": "x/y"},
        {"api_base": "http://h"},
        {"model": "x/y", "params": {"temperture": 1}},
        {"model": "x/y", "timeout": "9"},
        {"model": "x/y", "api_key": "k"},
        {"gguf": "f", "serve": {"gpu_layers": "most"}},
        {"model": "x/y", "headers": {"A": 1}},
    ],
)
def test_what_is_refused_is_refused_by_it(entry: dict[str, Any]) -> None:
    assert not jsonschema_rs.is_valid(SCHEMA, {"models": {"a": entry}})
