"""`--filter`: one condition on a test's fields, then on its metadata."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.errors import ConfigurationError
from core.suite.definitions import TestCase

Operator = Literal["=", "!=", "~", ">", ">=", "<", "<=", "range"]
_CONDITION = re.compile(r"\s*([^\s=!~<>]+(?: [^\s=!~<>]+)*)\s*(!=|>=|<=|==|=|~|>|<)\s*(.*?)\s*", re.DOTALL)
_RANGE = re.compile(r"(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?")
_MISSING = object()
_FIELDS: Mapping[str, Callable[[TestCase], Any]] = {
    "id": lambda test: test.test_id,
    "test_id": lambda test: test.test_id,
    "name": lambda test: test.name,
    "description": lambda test: test.description,
    "domain": lambda test: test.domain,
    "level": lambda test: test.level,
    "source": lambda test: test.source,
    "prompt": lambda test: test.prompt,
    "question": lambda test: test.prompt,
    "expected": lambda test: test.expected,
    "evaluator_id": lambda test: test.evaluator_id,
    "rollout": lambda test: test.rollout,
    "weight": lambda test: test.weight,
    "timeout_ms": lambda test: test.timeout_ms,
    "tool_ids": lambda test: test.tool_ids,
}


def dotted(value: Any, path: str) -> Any:
    """What `path` (`a.b.0`) finds in nested objects and lists; a key that itself holds the dots comes first.

    Returns `MISSING` where it finds nothing.
    """
    if isinstance(value, Mapping) and path in value:
        return value[path]
    for part in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(part, _MISSING)
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return _MISSING
        if value is _MISSING:
            return _MISSING
    return value


MISSING = _MISSING
"""What `dotted` returns where there is nothing."""


@dataclass(frozen=True, slots=True)
class Filter:
    """One parsed condition."""

    field: str
    operator: Operator
    value: str
    low: float | None = None
    high: float | None = None

    def matches(self, test: TestCase, row: Mapping[str, Any] | None = None) -> bool:
        """Whether `test` (or the dataset row it came from) meets the condition."""
        return self.holds(self._find(test, row))

    def _find(self, test: TestCase, row: Mapping[str, Any] | None) -> Any:
        getter = _FIELDS.get(self.field)
        if getter is not None:
            return getter(test)
        found = dotted(test.metadata, self.field)
        if found is _MISSING and row is not None:
            found = dotted(row, self.field)
        if found is _MISSING and self.field == "category":
            return test.domain
        return found

    def holds(self, found: Any) -> bool:
        """Whether the value `found` meets the condition; a missing one meets only `!=`. In a list, any element counts."""
        if isinstance(found, list | tuple):
            if self.operator == "!=":
                return all(self.holds(item) for item in found)
            return any(self.holds(item) for item in found)
        if found is _MISSING:
            return self.operator == "!="
        if self.operator in ("=", "!="):
            return _equal(found, self.value) == (self.operator == "=")
        if self.operator == "~":
            return self.value.casefold() in _text(found).casefold()
        return self._ordered(found)

    def _ordered(self, found: Any) -> bool:
        number = _number(found)
        if self.operator == "range":
            return (
                number is not None
                and (self.low is None or number >= self.low)
                and (self.high is None or number <= self.high)
            )
        limit = _number(self.value)
        if number is not None and limit is not None:
            return _compare(self.operator, number, limit)
        # Dates and version-like texts order as texts; a number against a text never matches.
        return isinstance(found, str) and limit is None and _compare(self.operator, found, self.value)


def _compare(operator: Operator, left: Any, right: Any) -> bool:
    if operator == ">":
        return bool(left > right)
    if operator == ">=":
        return bool(left >= right)
    return bool(left < right) if operator == "<" else bool(left <= right)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _text(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)


def _equal(found: Any, value: str) -> bool:
    left, right = _number(found), _number(value)
    if left is not None and right is not None:
        return left == right
    return _text(found).casefold() == value.casefold()


def parse_filter(text: str) -> Filter:
    """Parse `field=value`, `!=`, `~` (contains), `>`, `>=`, `<`, `<=`, or a range `field=2..4` (either end open).

    Raises:
        ConfigurationError: it is none of these.
    """
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise ConfigurationError(
            f"the filter '{text[:120]}' is not understood; write field=value, field!=value, field~part, field>=3 or field=2..4"
        )
    field, sign, value = match.groups()
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return Filter(field, "!=" if sign == "!=" else _OPERATORS[sign], value[1:-1])
    bounds = _RANGE.fullmatch(value)
    if sign in ("=", "==") and bounds is not None and (bounds[1] or bounds[2]):
        low, high = (float(end) if end else None for end in bounds.groups())
        return Filter(field, "range", value, low, high)
    if sign in (">", ">=", "<", "<=") and not value:
        raise ConfigurationError(f"the filter '{text[:120]}' compares with nothing; write a number after '{sign}'")
    return Filter(field, _OPERATORS[sign], value)


_OPERATORS: Mapping[str, Operator] = {
    "=": "=",
    "==": "=",
    "!=": "!=",
    "~": "~",
    ">": ">",
    ">=": ">=",
    "<": "<",
    "<=": "<=",
}
