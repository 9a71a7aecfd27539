"""Mock answers: the first entry whose `when` matches, with the call's own arguments written into it."""

from __future__ import annotations

import json
import re
import threading
import time
from dataclasses import replace
from typing import Any

from core.matching import matches
from core.suite.definitions import ToolDefinition
from core.tools.base import ToolResult, ToolSession
from core.tools.code_mocks import answer_by_code, language_of

MAX_LATENCY_S = 10.0
_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]{1,200}?)\s*\}\}")
_MISSING = object()
_STATE = "$state"
"""What the mocks of one sample share, in the session's state and among the arguments."""


def answer_mock(
    tool: ToolDefinition, arguments: dict[str, Any], session: ToolSession, stop: threading.Event | None = None
) -> ToolResult:
    """The mock's answer to one call.

    `$call` counts from 1 within the sample (`session.call_counts`, which already includes this call). What an entry `set`s
    every tool of the sample sees as `$state.name`, null before; placeholders in it are filled with the state as it is then.
    `latency_ms` is
    really waited for, at most 10 s, and a set `stop` ends the wait.
    """
    before = time.monotonic()
    call = max(1, session.call_counts.get(tool.name, 1))
    state: dict[str, Any] = session.state.setdefault(_STATE, {})
    known = {**arguments, _STATE: state}
    for entry in _entries(tool.mock):
        if _applies(entry.get("when"), known, call):
            _wait(entry.get("latency_ms"), stop)
            state.update(fill(entry.get("set") or {}, known))
            elapsed = round((time.monotonic() - before) * 1000)
            if language := language_of(entry):
                return replace(answer_by_code(language, str(entry[language]), arguments, state), duration_ms=elapsed)
            if entry.get("error") is not None:
                error = fill(entry["error"], known)
                return ToolResult(_text({"error": error}), is_error=True, duration_ms=elapsed)
            return ToolResult(_text(fill(entry.get("response"), known)), duration_ms=elapsed)
    given = json.dumps(arguments, ensure_ascii=False)[:500]
    return ToolResult(_text({"error": f"{tool.name} has no answer for the arguments {given}"}), is_error=True)


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
        if value is _MISSING and key.startswith(f"{_STATE}."):
            value = None
        if value is _MISSING or not matches(wanted, value):
            return False
    return True


def _look_up(path: str, arguments: dict[str, Any]) -> Any:
    value: Any = arguments
    for step in path.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isascii() and step.isdigit() and int(step[:9]) < len(value):
            value = value[int(step[:9])]
        else:
            return _MISSING
    return value


def _wait(latency_ms: Any, stop: threading.Event | None) -> None:
    if latency_ms:
        (stop or threading.Event()).wait(min(float(latency_ms) / 1000, MAX_LATENCY_S))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
