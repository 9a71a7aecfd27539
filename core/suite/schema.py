"""JSON Schemas of the suite's files for editors, made from the tables that the loader checks by.

The dialect: https://json-schema.org/draft/2020-12/json-schema-core.
"""

from __future__ import annotations

from typing import Any

from modex.core.sandbox.workspace.spec import MAX_CHECKS, WORKSPACE_LIMITS
from modex.core.suite.instructions import TYPES
from modex.core.suite.keys import FAULTS, MAX_CALL_MS, MAX_ID, MAX_TRIES, MAX_TURNS, Key, Table
from modex.core.suite.tables import (
    DATASET,
    DOMAIN,
    EVALUATOR,
    FUNCTION,
    LEVEL,
    RESPONSE,
    RUBRIC,
    RUBRIC_GATE,
    RUBRIC_ITEM,
    TEST,
    TOOL,
    USER,
)

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_ID: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": MAX_ID, "pattern": r"^[^\s/\\.:-][^\s/\\]*$"}
_PARTS: list[dict[str, Any]] = [
    {
        "type": "object",
        "properties": {"type": {"const": kind}, kind: {"type": "string", "minLength": 1}},
        "required": ["type", kind],
    }
    for kind in ("text", "image", "file")
]
_CONTENT: dict[str, Any] = {
    "anyOf": [{"type": "string"}, {"type": "array", "minItems": 1, "items": {"anyOf": _PARTS}}],
}
_TURN: dict[str, Any] = {
    "type": "object",
    "properties": {"role": {"enum": ["system", "user", "assistant"]}, "content": _CONTENT},
    "required": ["role", "content"],
}
_FILES: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "string"}}
_SHAPES: dict[str, dict[str, Any]] = {
    "id": _ID,
    "text": {"type": "string"},
    "file": {"type": "string", "minLength": 1},
    "boolean": {"type": "boolean"},
    "positive": {"type": "number", "exclusiveMinimum": 0},
    "milliseconds": {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_CALL_MS},
    "whole": {"type": "integer", "minimum": 1},
    "turns": {"type": "integer", "minimum": 1, "maximum": MAX_TURNS},
    "tries": {
        "type": "object",
        "properties": {name: {"type": "integer", "minimum": 1, "maximum": MAX_TRIES} for name in ("pass", "of")},
        "required": ["pass", "of"],
        "additionalProperties": False,
    },
    "level": {"type": "integer", "minimum": 1, "maximum": 5},
    "object": {"type": "object"},
    "any": {},
    "list": {"type": "array"},
    "ids": {"type": "array", "items": _ID},
    "strings": {"type": "array", "items": {"type": "string"}},
    "faults": {"type": "object", "additionalProperties": {"type": "array", "items": {"enum": list(FAULTS)}}},
    "sandbox": {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "packages": {"type": "array", "items": {"type": "string"}},
            "limits": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    name: {"type": "number", "exclusiveMinimum": 0, "maximum": most}
                    for name, most in WORKSPACE_LIMITS.items()
                },
            },
            "needs": {"type": "array", "items": {"type": "string"}},
            "files": _FILES,
            "workspace": {"type": "string", "minLength": 1},
            "tests": {"anyOf": [_FILES, {"type": "string", "minLength": 1}]},
            "checks": {
                "type": "array",
                "maxItems": MAX_CHECKS,
                "items": {
                    "anyOf": [
                        {"type": "string", "pattern": r"\S"},
                        {
                            "type": "object",
                            "additionalProperties": False,
                            "properties": {
                                "run": {"type": "string", "pattern": r"\S"},
                                "stdin": {"type": "string"},
                                "prints": {"type": "string"},
                                "exit": {"type": "integer", "minimum": 0, "maximum": 255},
                            },
                            "required": ["run"],
                        },
                    ]
                },
            },
            "solution": {
                "anyOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "minProperties": 1,
                        "properties": {
                            "files": _FILES,
                            "folder": {"type": "string", "minLength": 1},
                            "run": {"type": "string", "minLength": 1},
                        },
                    },
                ]
            },
        },
    },
    "prompt": {"anyOf": [{"type": "string", "pattern": r"\S"}, {"type": "array", "minItems": 1, "items": _TURN}]},
}


def _property(key: Key) -> dict[str, Any]:
    """The schema of one key's value; null counts as absent where the key is not required."""
    shape = {"enum": list(key.choices)} if key.kind == "choice" else _SHAPES[key.kind]
    if not key.required and shape:
        shape = {"anyOf": [shape, {"type": "null"}]}
    return {"description": key.description, **shape}


def _schema(table: Table) -> dict[str, Any]:
    """The schema of one kind of object. Unknown keys are allowed: the loader keeps them."""
    found: dict[str, Any] = {
        "type": "object",
        "properties": {"$schema": {"type": "string"}, **{key.name: _property(key) for key in table.keys}},
    }
    if table.required:
        found["required"] = list(table.required)
    return found


def _tool() -> dict[str, Any]:
    tool = _schema(TOOL)
    function = _schema(FUNCTION)
    wrapped = {
        "type": "object",
        "properties": {"type": {"const": "function"}, "function": function},
        "required": ["function"],
    }
    tool["properties"]["function"] = {
        "description": tool["properties"]["function"]["description"],
        "anyOf": [function, wrapped, {"type": "null"}],
    }
    tool["properties"]["responses"]["anyOf"][0] = {"type": "array", "minItems": 1, "items": _schema(RESPONSE)}
    return tool


def _rubric() -> dict[str, Any]:
    rubric = _schema(RUBRIC)
    rubric["properties"]["items"] = {**rubric["properties"]["items"], "minItems": 1, "items": _schema(RUBRIC_ITEM)}
    rubric["properties"]["gates"]["anyOf"][0] = {"type": "array", "items": _schema(RUBRIC_GATE)}
    rubric["properties"]["groups"]["anyOf"][0] = {
        "type": "object",
        "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1},
    }
    return rubric


def _instructions() -> dict[str, Any]:
    """An `expected` of `instructions`: own form, or IFEval's lists."""
    kinds = []
    for kind in TYPES.values():
        told = {key.name: _property(key) for key in kind.keys}
        kinds.append(
            {
                "type": "object",
                "description": kind.asks,
                "properties": {"type": {"const": kind.name}, **told},
                "required": ["type", *kind.table.required],
                "additionalProperties": False,
            }
        )
    ids = {"type": "array", "minItems": 1, "items": {"enum": list(TYPES)}}
    lists = {"instruction_id_list": ids, "kwargs": {"type": "array", "items": {"type": "object"}}}
    return {
        "anyOf": [
            {
                "type": "object",
                "properties": {"instructions": {"type": "array", "minItems": 1, "items": {"anyOf": kinds}}},
                "required": ["instructions"],
            },
            {"type": "object", "properties": lists, "required": list(lists)},
        ]
    }


def schemas() -> dict[str, dict[str, Any]]:
    """A JSON Schema (2020-12) per kind of file: `domain`, `level`, `test`, `dataset`, `evaluator`, `tool`.

    Evaluator and tool files may hold one object or a list of them.
    """
    test = _schema(TEST)
    test["required"] = [name for name in test["required"] if name != "prompt"]
    test["anyOf"] = [{"required": ["prompt"]}, {"required": ["template"]}]  # a template may make the prompt
    tool = _tool()
    test["properties"]["simulated_user"]["anyOf"][0] = _schema(USER)
    test["properties"]["tools"]["anyOf"][0] = {"type": "array", "items": tool}
    test["allOf"] = [
        {
            "if": {"properties": {"evaluator_id": {"const": name}}, "required": ["evaluator_id"]},
            "then": {"properties": {"expected": expected}},
        }
        for name, expected in (("rubric", _rubric()), ("instructions", _instructions()))
    ]
    evaluator = _schema(EVALUATOR)
    bodies = {
        "domain": _schema(DOMAIN),
        "level": _schema(LEVEL),
        "test": test,
        "dataset": _schema(DATASET),
        "evaluator": {"anyOf": [evaluator, {"type": "array", "items": evaluator}]},
        "tool": {"anyOf": [tool, {"type": "array", "items": tool}]},
    }
    return {name: {"$schema": _DRAFT, "title": f"modex {name}", **body} for name, body in bodies.items()}
