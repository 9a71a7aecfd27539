"""The JSON Schema of `models.toml` for editors, from the table that it is read by.

The dialect: https://json-schema.org/draft/2020-12/json-schema-core.
"""

from __future__ import annotations

import tomllib
from typing import Any

from modex.core.config.entries.keys import KEYS, NAME, EntryKey


def entries_schema() -> dict[str, Any]:
    """What an editor completes and checks; what keys say together is checked where the file is read."""
    fields: dict[str, Any] = {}
    for key in KEYS:
        table, _, name = key.name.rpartition(".")
        within = fields if not table else fields.setdefault(table, _table())["properties"]
        within[name] = {"description": f"{key.help}.", **_shape(key)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "models.toml",
        "type": "object",
        "properties": {
            "models": {
                "type": "object",
                "propertyNames": {"pattern": f"^{NAME.pattern}$"},
                "additionalProperties": {
                    "type": "object",
                    "properties": fields,
                    "additionalProperties": False,
                    "oneOf": [{"required": ["model"]}, {"required": ["gguf"]}],
                },
            }
        },
        "additionalProperties": False,
    }


def _table() -> dict[str, Any]:
    return {"type": "object", "properties": {}, "additionalProperties": False}


def _shape(key: EntryKey) -> dict[str, Any]:
    """The types of the key's value, as its example has one."""
    example = tomllib.loads(f"value = {key.example}")["value"]
    if key.name == "serve.gpu_layers":
        return {"anyOf": [{"type": "integer", "minimum": 0}, {"const": "all"}], "examples": [example]}
    if key.name == "params.stop":
        texts = {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}}
        return {"anyOf": [{"type": "string", "minLength": 1}, texts], "examples": [example]}
    if isinstance(example, dict):
        values: dict[str, Any] = {"additionalProperties": {"type": "string"}} if key.name == "headers" else {}
        return {"type": "object", **values, "examples": [example]}
    return {"type": "string" if isinstance(example, str) else "number", "examples": [example]}
