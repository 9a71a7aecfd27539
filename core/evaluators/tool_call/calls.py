"""The calls that a model made, and how well one of them fits one expectation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.evaluators.tool_call.expectations import ExpectedCall
from core.jsonargs import decode_arguments, schema_faults
from core.matching import matches
from core.store.sample import EvaluationSample
from core.suite.definitions import ToolDefinition

_MISSING = object()


@dataclass(frozen=True, slots=True)
class MadeCall:
    """One call of the transcript; `fault` says why its arguments cannot count (not JSON, unknown tool, schema)."""

    name: str
    args: dict[str, Any]
    raw: str
    fault: str | None = None

    def shown(self) -> dict[str, Any]:
        """As in `details`."""
        shown: dict[str, Any] = {"name": self.name, "args": self.args if self.args or not self.raw else self.raw[:2000]}
        return shown | ({"fault": self.fault} if self.fault else {})


@dataclass(frozen=True, slots=True)
class Fit:
    """One expectation against one call of the same name: the share of right arguments, and the wrong ones' reasons."""

    share: float
    wrong: dict[str, str] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        """Whether everything is right."""
        return not self.wrong


def made_calls(sample: EvaluationSample, tools: Mapping[str, ToolDefinition]) -> list[MadeCall]:
    """Every call in the transcript, in order, malformed ones too."""
    found = []
    for entry in sample.transcript:
        if entry.get("role") != "assistant":
            continue
        for call in entry.get("tool_calls") or ():
            found.append(_made(call, tools))
    return found


def _made(call: Mapping[str, Any], tools: Mapping[str, ToolDefinition]) -> MadeCall:
    name, raw = str(call.get("name") or ""), call.get("arguments")
    if isinstance(raw, dict):
        decoded: dict[str, Any] | str = raw
        raw = ""
    else:
        raw = str(raw or "")
        decoded = decode_arguments(raw)
    if isinstance(decoded, str):
        return MadeCall(name, {}, raw, decoded)
    tool = tools.get(name)
    if tool is None:
        return MadeCall(name, decoded, raw, f"unknown tool {name!r}" if tools else None)
    faults = schema_faults(decoded, tool.parameters)
    return MadeCall(name, decoded, raw, "; ".join(faults) or None)


def fit(expected: ExpectedCall, made: MadeCall, tool: ToolDefinition | None) -> Fit | None:
    """How `made` fits `expected`; None where it is another tool.

    An argument at its schema's default equals one left out; anything else that was not expected is wrong.
    """
    if expected.name != made.name:
        return None
    wrong: dict[str, str] = {"": made.fault} if made.fault else {}
    if expected.args is None:
        return Fit(0.0 if wrong else 1.0, wrong)
    properties = (tool.parameters.get("properties") or {}) if tool else {}
    names = sorted(set(expected.args) | set(made.args))
    right = 0
    for name in names:
        default = (
            properties.get(name, {}).get("default", _MISSING) if isinstance(properties.get(name), dict) else _MISSING
        )
        reason = _argument(expected, name, made.args.get(name, _MISSING), default)
        if reason is None:
            right += 1
        else:
            wrong[name] = reason
    share = right / len(names) if names else 1.0
    return Fit(min(share, 0.5) if made.fault else share, wrong)


def _argument(expected: ExpectedCall, name: str, actual: Any, default: Any) -> str | None:
    """Why the argument is wrong, or None."""
    args = expected.args or {}
    if name not in args:
        if default is not _MISSING and matches(default, actual):
            return None
        return f"not expected, got {_short(actual)}"
    wanted = args[name]
    if actual is _MISSING:
        if name in expected.omittable or (default is not _MISSING and matches(wanted, default)):
            return None
        return f"missing, expected {_short(wanted)}"
    return None if matches(wanted, actual) else f"expected {_short(wanted)}, got {_short(actual)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
