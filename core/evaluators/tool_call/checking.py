"""Whether the golds of a tool test could be met at all: names that are offered, arguments that the schemas allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from modex.core.evaluators.tool_call.expectations import ExpectedCall
from modex.core.jsonvalues.matching import is_comparator
from modex.core.jsonvalues.schemas import SchemaPlace
from modex.core.suite.definitions import ToolDefinition


def call_faults(call: ExpectedCall, tools: Mapping[str, ToolDefinition]) -> Iterator[str]:
    """What is wrong with one expected call."""
    tool = tools.get(call.name)
    if tool is None:
        offered = ", ".join(sorted(tools)) or "none"
        yield f"expects a call of '{call.name}', which the test does not offer; there are: {offered}"
        return
    if call.args is None:
        return
    whole = SchemaPlace.whole(tool.parameters)
    for name in tool.parameters.get("required") or ():
        if name not in call.args and not call.partial:
            yield f"expects {call.name} without '{name}', which its schema requires; add it"
    for name, value in call.args.items():
        schema = whole.below(name, None)
        if schema is None:
            if not whole.allows(name):
                yield f"expects {call.name} with '{name}', which its schema does not have; leave it out"
            continue
        for literal in _literals(value):
            if name in call.omittable and literal in ("", None):
                continue
            yield from (f"expects {call.name} with {fault}" for fault in schema.faults(name, literal))


def _literals(value: Any) -> Iterator[Any]:
    """The values that a gold argument stands for; none for comparators that stand for many."""
    if not is_comparator(value):
        if not _has_comparator(value):
            yield value
        return
    if "$any_of" in value:
        for choice in value["$any_of"]:
            yield from _literals(choice)
    elif "$approx" in value:
        yield value["$approx"]


def _has_comparator(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_has_comparator, value))
    return is_comparator(value) or (isinstance(value, dict) and any(map(_has_comparator, value.values())))
