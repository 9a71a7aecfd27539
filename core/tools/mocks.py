"""Mock answers: the first entry whose `when` matches, with the call's own arguments written into it."""

from __future__ import annotations

import copy
import json
import re
import threading
import time
from dataclasses import replace
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.jsonvalues.matching import matches
from modex.core.suite.definitions import ToolDefinition
from modex.core.tools.base import STATE, ToolResult, ToolSession
from modex.core.tools.code_mocks import answer_by_code, language_of

MAX_LATENCY_S = 10.0
_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]{1,200}?)\s*\}\}")
_ARGUMENT = re.compile(r"\[(\w{1,100})\]")
_MISSING = object()


def answer_mock(
    tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession, stop: threading.Event | None = None
) -> ToolResult:
    """The mock's answer to one call.

    `$call` counts from 1 within the sample (`session.call_counts`, which already includes this call). What an entry `set`s
    every tool of the sample sees as `$state.name`, null before; placeholders in it are filled with the state as it is then.
    A step `[argument]` of a path stands for the argument's value. `latency_ms` is really waited for, at most 10 s, and a set
    `stop` ends the wait.
    """
    before = time.monotonic()
    call = max(1, session.call_counts.get(tool.name, 1))
    state: dict[str, Any] = session.state.setdefault(STATE, {})
    known = {**arguments, STATE: state}
    for entry in _entries(tool.mock):
        if _applies(entry.get("when"), known, call):
            if latency_ms := entry.get("latency_ms"):
                session.rest(min(float(latency_ms) / 1000, MAX_LATENCY_S), stop)
            _put_all(state, entry.get("set") or {}, known)
            elapsed = round((time.monotonic() - before) * 1000)
            if language := language_of(entry):
                return replace(_by_code(tool, language, str(entry[language]), arguments, state), duration_ms=elapsed)
            if entry.get("error") is not None:
                error = fill(entry["error"], known)
                return ToolResult(_text({"error": error}), is_error=True, duration_ms=elapsed)
            return ToolResult(_text(fill(entry.get("response"), known)), duration_ms=elapsed)
    given = json.dumps(arguments, ensure_ascii=False)[:500]
    return ToolResult(_text({"error": f"{tool.name} has no answer for the arguments {given}"}), is_error=True)


def _by_code(
    tool: ToolDefinition, language: str, code: str, arguments: dict[str, Any], state: dict[str, Any]
) -> ToolResult:
    """What the entry's code answers; where it is broken, the file and line of its tool are named."""
    try:
        return answer_by_code(language, code, arguments, state)
    except ModelCallError as error:
        words = f"{tool.location}: the mock of the tool '{tool.name}' is broken: {error}; mend its {language}"
        raise ModelCallError(words, ErrorType.TOOL_UNAVAILABLE) from None


def fill(template: Any, arguments: dict[str, Any]) -> Any:
    """`template` with each `{{argument}}` (or `{{object.key}}`, `{{list.0}}`) replaced, at any depth.

    A string that is just one placeholder takes the argument's type. Unknown placeholders stay; what was put in is never
    read again.
    """
    if isinstance(template, dict):
        return {fill_text(key, arguments): fill(value, arguments) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(item, arguments) for item in template]
    if not isinstance(template, str):
        return template
    whole = _PLACEHOLDER.fullmatch(template)
    if whole is not None:
        value = _look_up(whole[1], arguments)
        return template if value is _MISSING else value
    return fill_text(template, arguments)


def fill_text(template: str, arguments: dict[str, Any]) -> str:
    """`fill` for a text that stays a text."""

    def value_of(match: re.Match[str]) -> str:
        value = _look_up(match[1], arguments)
        return match[0] if value is _MISSING else _text(value)

    return _PLACEHOLDER.sub(value_of, template)


def _entries(mock: Any) -> list[dict[str, Any]]:
    if isinstance(mock, list):
        return mock
    if isinstance(mock, dict) and ("response" in mock or "error" in mock or language_of(mock)):
        return [mock]
    return [{"response": mock}]


def _applies(when: Any, arguments: dict[str, Any], call: int) -> bool:
    if not when:
        return True
    for key, wanted in when.items():
        if key == "$call":
            if not matches(wanted, call):
                return False
            continue
        value = arguments[key] if key in arguments else _look_up(key, arguments)
        if value is _MISSING and key.startswith(f"{STATE}."):
            value = None
        if value is _MISSING or not matches(_wanted(key, wanted, arguments), value):
            return False
    return True


def _wanted(key: str, wanted: Any, arguments: dict[str, Any]) -> Any:
    """What the state must be: a text that is one placeholder stands for an argument, or another place of the state."""
    if not key.startswith(f"{STATE}.") or not isinstance(wanted, str):
        return wanted
    whole = _PLACEHOLDER.fullmatch(wanted)
    value = _look_up(whole[1], arguments) if whole is not None else _MISSING
    return wanted if value is _MISSING else value


def _look_up(path: str, arguments: dict[str, Any]) -> Any:
    value: Any = arguments
    for name in path.split("."):
        argument = _ARGUMENT.fullmatch(name)
        step = str(arguments.get(argument[1])) if argument else name
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isascii() and step.isdigit() and int(step[:9]) < len(value):
            value = value[int(step[:9])]
        else:
            return _MISSING
    return value


def _put_all(state: dict[str, Any], given: dict[str, Any], known: dict[str, Any]) -> None:
    """Set each path of `given`, all filled with the state as it was before; objects on the way are made."""
    filled = [(_steps(path, known), copy.deepcopy(fill(value, known))) for path, value in given.items()]
    for (*above, last), value in filled:
        place = state
        for step in above:
            if not isinstance(place.get(step), dict):
                place[step] = {}
            place = place[step]
        place[last] = value


def _steps(path: str, known: dict[str, Any]) -> list[str]:
    """The names on the way to a place of the state; a text with placeholders is one name, whatever is filled in."""
    if _PLACEHOLDER.search(path):
        return [fill_text(path, known)]
    found = ((step, _ARGUMENT.fullmatch(step)) for step in path.split("."))
    return [str(known.get(argument[1])) if argument else step for step, argument in found]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
