"""The tools that a test is offered: of its domain, its level and its own, and without those that are not there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.foundation.errors import Problem
from modex.core.suite.definitions import ToolDefinition
from modex.core.suite.live_tools import LIVE_TOOLS
from modex.core.suite.positions import JsonPath, find_lines
from modex.core.suite.report import Source
from modex.core.suite.state import Loading
from modex.core.suite.suggest import did_you_mean

LEFT_OUT = "tools_left_out"
"""The key of a test's metadata that flags tools which it is offered and which are not there."""
_SHOWN = 5


def appends(loading: Loading, data: dict[str, Any]) -> bool:
    """Whether the tools that `data` names are added to those of the layers above."""
    mode = data.get("tool_ids_mode")
    return loading.tools_append if mode is None else mode == "append"


def together(
    ids: tuple[str, ...],
    tools: tuple[ToolDefinition, ...],
    more_ids: tuple[str, ...],
    more: tuple[ToolDefinition, ...],
) -> tuple[tuple[str, ...], tuple[ToolDefinition, ...]]:
    """The tools of a layer after those above it, each once."""
    known = {tool.id for tool in tools}
    return (*ids, *(one for one in more_ids if one not in ids)), (
        *tools,
        *(tool for tool in more if tool.id not in known),
    )


@dataclass(frozen=True, slots=True)
class Resolved:
    """What stands behind the ids of tools."""

    tools: tuple[ToolDefinition, ...]
    broken: list[str]
    """Why tools that are there cannot be used."""
    missing: dict[str, str]
    """The tools that are not there, by id, each with why and where."""


def resolve_tools(loading: Loading, source: Source, ids: tuple[str, ...] | list[str]) -> Resolved:
    """The tools behind `ids`; one that is a typo away from a known one is a mistake of `source`."""
    tools: list[ToolDefinition] = []
    broken: list[str] = []
    missing: dict[str, str] = {}
    unheard: dict[str, tuple[JsonPath, str]] = {}
    for number, name in enumerate(ids):
        tool = loading.suite.tools.get(name)
        if tool is not None:
            tools.append(tool)
        elif name in LIVE_TOOLS:
            tools.append(LIVE_TOOLS[name])
        elif name in loading.absent_tools:
            missing[name] = loading.absent_tools[name]
        elif name not in loading.broken_tools:
            place: JsonPath = ("tool_ids", number)
            hint = did_you_mean(name, loading.suite.tools)
            message = f"there is no tool '{name}'{hint or f'; define it in {tool_folder(loading)}/'}"
            if loading.is_typo(hint):
                source.add(place, message)
            else:
                unheard[name] = place, message
        elif loading.dialect is not None:
            missing[name] = loading.broken_tools[name]
        else:
            broken.append(loading.broken_tools[name])
    lines = find_lines(source.text, [place for place, _ in unheard.values()]) if source.line is None and unheard else {}
    for name, (place, message) in unheard.items():
        missing[name] = str(Problem(source.path, source.line or lines[place], message))
    return Resolved(tuple(tools), broken, missing)


def tool_folder(loading: Loading) -> str:
    """The folder that the suite's author knows for tools."""
    own = loading.dialect.tool_folders if loading.dialect is not None else ()
    return own[0] if own else "tool_mocks"


def _named_in(value: Any, names: Mapping[str, str]) -> set[str]:
    """Which of the names a gold says, as a text or as a key of it."""
    found: set[str] = set()
    stack = [value]
    while stack:
        here = stack.pop()
        if isinstance(here, str):
            found |= {here} & names.keys()
        elif isinstance(here, dict):
            found |= here.keys() & names.keys()
            stack.extend(here.values())
        elif isinstance(here, list):
            stack.extend(here)
    return found


def without_missing(
    loading: Loading, source: Source, expected: Any, missing: Mapping[str, str], broken: list[str]
) -> dict[str, Any]:
    """Leave the missing tools out of what a test is offered: what is kept of that with the test.

    Without a tool that its gold names a test cannot be passed: that is a lack, and one more reason in `broken`.
    """
    needed = sorted(_named_in(expected, missing))
    line = source.line_of(("expected",))
    for name in needed:
        why = f"the expected value needs the tool '{name}': {missing[name]}"
        loading.report.lack(source.path, line, why)
        broken.append(why)
    if needed:
        return {}
    shown = ", ".join(list(missing)[:_SHOWN]) + (f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else "")
    loading.report.note(source.path, line, f"offered without {shown}: {next(iter(missing.values()))}")
    return {LEFT_OUT: list(missing)}
