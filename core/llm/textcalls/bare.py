"""Calls without any mark: JSON, a dictionary or Python that is all there is, or all that an introduction leads to.

Without a mark only the names on offer tell a call from an answer, so every one must be among them, with arguments in an
object, nothing may follow, and what stands before must not speak of an example. A tool's own schema is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from modex.core.llm.textcalls.readers import (
    ARGUMENTS,
    BESIDE,
    NAMES,
    Found,
    Offered,
    json_values,
    python_calls,
    read_json,
)
from modex.core.llm.textcalls.shown import speaks_of_example
from modex.core.llm.textcalls.values import as_json, from_json

_OWN_FENCES = ("tool_code", "tool_call", "tool_calls", "function_call")
"""What a fence of calls is called, and of nothing else."""
_FENCES = ("", "json", "python", "py")
_FENCE = re.compile(r"^[ \t]*```[ \t]*(\w*)[ \t]*\n(.*?)(?:^[ \t]*```[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_OPENING = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
_LISTED = ("tool_calls", "calls")
_WRAPPED = ("function", "function_call", "tool_call")


def bare_calls(text: str, offered: Offered) -> tuple[list[Found], str] | None:
    """The calls, and the text before and around them; None where there are none."""
    fences = list(_FENCE.finditer(text))
    own = [fence for fence in fences if fence[1] in _OWN_FENCES]
    if own:
        found = _of_all([fence[2] for fence in own], offered)
        return None if found is None else (found, _without(text, own))
    if fences:
        before, behind = text[: fences[0].start()], text[fences[-1].end() :]
        if any(fence[1] not in _FENCES for fence in fences) or behind.strip() or speaks_of_example(before):
            return None
        found = _of_all([fence[2] for fence in fences], offered)
        return None if found is None else (found, _without(text, fences))
    return _tail(text, offered)


def _tail(text: str, offered: Offered) -> tuple[list[Found], str] | None:
    """The calls that a text ends with, from the first line on that opens a bracket; or that all of its lines are."""
    opening = _OPENING.search(text)
    if opening is not None and not speaks_of_example(text[: opening.start()]):
        found = _of_all([text[opening.start() :]], offered)
        if found is not None:
            return found, text[: opening.start()].strip()
    found = _of_all([text], offered)
    return None if found is None else (found, "")


def _of_all(sources: Iterable[str], offered: Offered) -> list[Found] | None:
    """The calls of each source; None where one of them holds anything else."""
    calls: list[Found] = []
    for source in sources:
        found = _of(source.strip(), offered)
        if not found:
            return None
        calls += found
    return calls


def _of(source: str, offered: Offered) -> list[Found]:
    try:
        values = json_values(source)
    except ValueError:
        return _python(source, offered)
    items = [item for value in values for item in (value if isinstance(value, list) else [value])]
    if items and all(_is_call(item, offered) for item in items):
        return [found for item in items for found in read_json(as_json(item), offered)]
    return []


def _python(source: str, offered: Offered) -> list[Found]:
    try:
        found = python_calls(source, offered)
    except ValueError:
        return []
    return found if all(name in offered for name, _ in found) else []


def _is_call(item: Any, offered: Offered) -> bool:
    if not isinstance(item, Mapping):
        return False
    for key in _LISTED:
        if isinstance(item.get(key), list) and len(item) == 1:
            return bool(item[key]) and all(_is_call(one, offered) for one in item[key])
    for key in _WRAPPED:
        if isinstance(item.get(key), Mapping):
            return set(item) <= {key, *BESIDE} and _is_call(item[key], offered)
    name = next((key for key in NAMES if isinstance(item.get(key), str)), "")
    arguments = next((key for key in ARGUMENTS if key in item), "")
    return (
        bool(name and arguments)
        and item[name] in offered
        and _is_object(item[arguments])
        and not _is_schema(item[arguments], offered[item[name]])
        and set(item) <= {name, arguments, *BESIDE}
    )


def _is_schema(arguments: Any, asked: Mapping[str, Any]) -> bool:
    """Whether the arguments are a schema, as a tool is described by, though the tool asks for none."""
    if not isinstance(arguments, Mapping) or arguments.get("type") != "object":
        return False
    return isinstance(arguments.get("properties"), Mapping) and "properties" not in (asked.get("properties") or {})


def _is_object(arguments: Any) -> bool:
    if isinstance(arguments, str):
        try:
            arguments = from_json(arguments)
        except ValueError:
            return False
    return isinstance(arguments, Mapping)


def _without(text: str, pieces: Iterable[re.Match[str]]) -> str:
    kept, position = [], 0
    for piece in pieces:
        kept.append(text[position : piece.start()])
        position = piece.end()
    return "".join([*kept, text[position:]]).strip()
