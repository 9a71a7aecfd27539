"""Filters as a person types them, the same in `--filter` and in every screen: conditions on fields, and words.

`level>=3`, `score<0.5`, `status:failed,error`, `name~sum`, `domain!=math`, `weight=2..4`; quotes keep spaces, and a quoted piece
is always a word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

from modex.core.foundation.errors import ConfigurationError

Operator = Literal["=", "!=", "~", ">", ">=", "<", "<=", "range", "in"]
_CONDITION = re.compile(r"\s*([^\s=!~<>]+(?: [^\s=!~<>]+)*)\s*(!=|>=|<=|==|=|~|>|<)\s*(.*?)\s*", re.DOTALL)
_NAMED = re.compile(r"\s*([A-Za-z_][\w.-]*):(?!//)\s*(\S.*?)\s*", re.DOTALL)
_RANGE = re.compile(r"(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?")
_PIECE = re.compile(r"""(?:[^\s"']|"[^"]*"|'[^']*'|["'](?=\S))+|["']""")
_ALTERNATIVE = re.compile(r"""\s*(?:"[^"]*"|'[^']*')\s*(?=,|$)|[^,]+""")
_ORDERED = re.compile(r"[+-]?\.?\d")
_BEGUN = re.compile(r"[A-Za-z_][\w.-]*(?:[:=~<>]|!=|>=|<=|==)")
MISSING = object()
"""What stands for a field that is not there."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One parsed condition."""

    field: str
    operator: Operator
    value: str
    low: float | None = None
    high: float | None = None

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The values that are as good as each other: those between the commas of `status:failed,error`, quotes hold commas."""
        if self.operator != "in":
            return (self.value,)
        return tuple(part for piece in _ALTERNATIVE.findall(self.value) if (part := piece.strip().strip("\"'")))

    @property
    def number(self) -> float | None:
        """The value as a number, where it is one."""
        return _number(self.value)

    def holds(self, found: Any) -> bool:
        """Whether the value `found` meets the condition; a missing one meets only `!=`. In a list, any element counts."""
        if isinstance(found, list | tuple):
            if self.operator == "!=":
                return all(self.holds(item) for item in found)
            return any(self.holds(item) for item in found)
        if found is MISSING:
            return self.operator == "!="
        if self.operator == "in":
            return any(_equal(found, value) for value in self.alternatives)
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


def parse_condition(text: str) -> Condition:
    """Parse `field=value`, `!=`, `~` (contains), `>`, `>=`, `<`, `<=`, alternatives `field:a,b`, or a range `field=2..4`.

    Raises:
        ConfigurationError: it is none of these.
    """
    match = _CONDITION.fullmatch(text)
    if match is None and (named := _NAMED.fullmatch(text)) is not None:
        return Condition(named[1], "in", named[2])
    if match is None:
        raise ConfigurationError(
            f"the filter '{text[:120]}' is not understood; write field=value, field!=value, field~part,"
            " field>=3, field:a,b or field=2..4"
        )
    field, sign, value = match.groups()
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return Condition(field, "!=" if sign == "!=" else _OPERATORS[sign], value[1:-1])
    bounds = _RANGE.fullmatch(value)
    if sign in ("=", "==") and bounds is not None and (bounds[1] or bounds[2]):
        low, high = (float(end) if end else None for end in bounds.groups())
        return Condition(field, "range", value, low, high)
    if sign in (">", ">=", "<", "<=") and not value:
        raise ConfigurationError(f"the filter '{text[:120]}' compares with nothing; write a number after '{sign}'")
    return Condition(field, _OPERATORS[sign], value)


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


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed into a filter: conditions that all hold, and the words left over."""

    conditions: tuple[Condition, ...] = ()
    text: str = ""
    problem: str = ""
    """What a person should know: a field that there is not, with those that are near."""

    def __bool__(self) -> bool:
        """Whether it asks for anything."""
        return bool(self.conditions or self.text)

    def names(self, name: str) -> bool:
        """Whether a condition is about this field."""
        return any(condition.field == name for condition in self.conditions)

    def values(self, name: str) -> tuple[str, ...]:
        """The alternatives given for `name` by `name:a,b` or `name=a`."""
        return tuple(
            value
            for condition in self.conditions
            if condition.field == name and condition.operator in ("in", "=")
            for value in condition.alternatives
        )

    def without(self, *names: str) -> tuple[Condition, ...]:
        """The conditions that `values` of these names does not say already."""
        return tuple(one for one in self.conditions if not (one.field in names and one.operator in ("in", "=")))

    def holds(self, fields: Mapping[str, Any], text: str) -> bool:
        """Whether something with these fields and this text fits."""
        return self.text.casefold() in text.casefold() and all(
            condition.holds(fields.get(condition.field, MISSING)) for condition in self.conditions
        )


def parse_query(typed: str, fields: Collection[str]) -> Query:
    """Read a filter; never an error: what is not finished yet is left out, what is no known field is a word and a `problem`."""
    conditions: list[Condition] = []
    words: list[str] = []
    problem = ""
    for piece in _PIECE.findall(typed):
        try:
            condition = None if piece[0] in "\"'" else parse_condition(piece)
        except ConfigurationError:
            condition = None
        if condition is None:
            if not (_BEGUN.fullmatch(piece) and _BEGUN.match(piece) and piece.rstrip(":=~<>!").lower() in fields):
                words.append(piece.strip("\"'"))
            continue
        name = condition.field if condition.field in fields else condition.field.lower()
        if name in fields:
            conditions.append(Condition(name, condition.operator, condition.value, condition.low, condition.high))
        else:
            words.append(piece)
            problem = unknown_field(condition.field, fields)
    return Query(tuple(conditions), " ".join(words), problem=problem)


def read_filters(typed: Collection[str], fields: Collection[str]) -> Query:
    """What filters of the command line ask for: those that all hold.

    Raises:
        ConfigurationError: a field that there is not is named, or one is compared with nothing, or with no number or date.
    """
    query = parse_query(" ".join(typed), fields)
    if query.problem:
        raise ConfigurationError(f"--filter: {query.problem}")
    for piece in _PIECE.findall(" ".join(typed)):
        name = piece.rstrip(":=~<>!")
        if name != piece and name.lower() in fields:
            raise ConfigurationError(f"--filter: '{piece}' has no value; write one behind it")
    for condition in query.conditions:
        if condition.operator in ("<", "<=", ">", ">=") and not _ORDERED.match(condition.value):
            raise ConfigurationError(
                f"--filter: '{condition.field}{condition.operator}{condition.value[:40]}' compares with no number or date;"
                " write one behind it"
            )
    return query


def unknown_field(name: str, fields: Collection[str]) -> str:
    """That there is no such field, with the nearest one, else with all."""
    near = get_close_matches(name.lower(), fields, n=1)
    return f"no field '{name[:40]}'" + (
        f"; did you mean {near[0]}?" if near else f"; there are {', '.join(sorted(fields))}"
    )
