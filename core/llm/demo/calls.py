"""Tool calls of the scripted model: those that `expected` asks for, or a typical mistake."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.llm.demo.ability import Dice
from modex.core.llm.demo.arguments import arguments_for, value_for
from modex.core.llm.demo.example import example_of


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """One call to make."""

    name: str
    arguments: dict[str, Any]


Turn = list[PlannedCall]
"""Calls made in one message."""
Schemas = Mapping[str, Mapping[str, Any]]
"""The parameters' JSON Schema of each tool offered, by name."""


def schemas_of(tools: Sequence[Mapping[str, Any]] | None) -> dict[str, Mapping[str, Any]]:
    """The schemas in the tools' definitions, each with what its tool's description says."""
    functions = [tool.get("function") or {} for tool in tools or ()]
    return {
        str(function.get("name")): {"description": function.get("description"), **(function.get("parameters") or {})}
        for function in functions
    }


def plan(expected: Any, schemas: Schemas, dice: Dice, *, right: bool, sample: Any = None) -> list[Turn]:
    """The turns of calls that answer a `tool_call` test (docs/evaluators.md), or nearly.

    The test's own `sample` calls (`metadata.sample_calls`), where it has some, are made one by one, failing ones too.
    """
    if not is_tool_test(expected):
        return []
    known = [call for call in sample if call.get("name") in schemas] if _objects(sample) else []
    turns = [[_planned(call["name"], call.get("args"), schemas)] for call in known] or _right_turns(expected, schemas)
    return turns if right else _with_mistake(turns, schemas, dice)


def is_tool_test(expected: Any) -> bool:
    """Whether `expected` is about tool calls."""
    if not isinstance(expected, dict):
        return False
    listed = any(_objects(expected.get(name)) for name in ("calls", "chain", "bfcl"))
    return (
        listed
        or isinstance(expected.get("tool"), str)
        or _names(expected.get("tools"))
        or isinstance(expected.get("state"), dict)
        or bool(expected.get("no_call"))
    )


def _objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _right_turns(expected: dict[str, Any], schemas: Schemas) -> list[Turn]:
    if expected.get("no_call"):
        return []
    if isinstance(expected.get("tool"), str):
        return [[_planned(expected["tool"], expected.get("args"), schemas)]]
    if _names(expected.get("tools")):
        return [[_planned(name, None, schemas) for name in expected["tools"]]] if expected["tools"] else []
    if _objects(expected.get("calls")):
        calls = [_planned(call.get("name"), call.get("args"), schemas) for call in expected["calls"]]
        if not calls:
            return []
        return [calls] if expected.get("order") != "strict" else [[call] for call in calls]
    if _objects(expected.get("chain")):
        return [[_planned(call.get("name"), call.get("args"), schemas)] for call in expected["chain"]]
    found: Turn = []
    for call in expected["bfcl"] if _objects(expected.get("bfcl")) else ():
        for name, allowed in call.items():
            choices = allowed if isinstance(allowed, Mapping) else {}
            arguments = {k: v[0] for k, v in choices.items() if isinstance(v, list) and v and "" not in v}
            found.append(PlannedCall(name, arguments))
    return [found] if found else []


def _planned(name: Any, arguments: Any, schemas: Schemas) -> PlannedCall:
    schema = schemas.get(str(name), {})
    if not isinstance(arguments, Mapping):
        return PlannedCall(str(name), arguments_for(schema))
    properties = schema.get("properties") or {}
    chosen = {key: _resolved(value, properties.get(key, {})) for key, value in arguments.items()}
    return PlannedCall(str(name), {**arguments_for(schema), **chosen})


def _resolved(value: Any, schema: Any) -> Any:
    """A value that satisfies a comparator such as `{"$any_of": […]}`; other values are taken as they are."""
    if isinstance(value, list):
        return [_resolved(item, {}) for item in value]
    if not isinstance(value, Mapping):
        return value
    for name in ("$ci", "$normalized", "$approx"):
        if name in value:
            return value[name]
    if "$any_of" in value:
        choices = value["$any_of"]
        return _resolved(choices[0], schema) if isinstance(choices, list) and choices else None
    if "$regex" in value:
        return example_of(str(value["$regex"])) or "text"
    if "$any" in value:
        return value_for(schema)
    return {key: _resolved(item, {}) for key, item in value.items()}


def _with_mistake(turns: list[Turn], schemas: Schemas, dice: Dice) -> list[Turn]:
    """Another tool, another argument, a call left out, or a call where none was wanted."""
    if not turns:
        names = sorted(schemas)
        chosen = names[dice.pick("tool", len(names))] if names else ""
        return [[PlannedCall(chosen, arguments_for(schemas[chosen]))]] if chosen else []
    first = turns[0][0]
    others = sorted(name for name in schemas if name != first.name)
    kind = dice.pick("mistake", 3)
    if kind == 0 and others:
        other = others[dice.pick("tool", len(others))]
        wrong = [PlannedCall(other, arguments_for(schemas[other]))]
        return [wrong, *turns[1:]]
    if kind == 1 and first.arguments:
        names = sorted(first.arguments)
        name = names[dice.pick("argument", len(names))]
        changed = {**first.arguments, name: _changed(first.arguments[name])}
        return [[PlannedCall(first.name, changed), *turns[0][1:]], *turns[1:]]
    shortened = turns[:-1] if len(turns) > 1 else [turns[0][:-1]]
    return [turn for turn in shortened if turn]


def _changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 7
    if isinstance(value, list):
        return value[1:] if value else ["other"]
    return f"{json.dumps(value) if isinstance(value, dict) else value} (old)"
