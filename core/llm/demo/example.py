"""A text that a pattern matches, for tests whose gold is a regular expression."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_CATEGORIES = {"CATEGORY_DIGIT": "7", "CATEGORY_WORD": "a", "CATEGORY_SPACE": " "}
_NEGATED = {"CATEGORY_NOT_DIGIT": "a", "CATEGORY_NOT_WORD": " ", "CATEGORY_NOT_SPACE": "a"}
_MAX_REPEAT = 50
_MAX_TEXT = 10_000


@dataclass(slots=True)
class _Known:
    """What a text is built with: what stands for `.*`, and the groups so far."""

    filler: str
    groups: dict[int, str] = field(default_factory=dict)


def example_of(pattern: str) -> str | None:
    """A short text that `pattern` matches, or None where none is found by plain construction (lookarounds and the like)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = parser.parse(pattern)
            texts = (_build(parsed, _Known(filler)) for filler in ("", " "))
            return next((text for text in texts if re.search(pattern, text)), None)
    except (re.error, RecursionError, OverflowError, ValueError):
        return None


def _build(parts: Iterable[tuple[Any, Any]], known: _Known) -> str:
    return "".join(_part(str(op), argument, known) for op, argument in parts)


def _part(op: str, argument: Any, known: _Known) -> str:
    if op == "LITERAL":
        return chr(argument)
    if op == "NOT_LITERAL":
        return "a" if argument != ord("a") else "b"
    if op == "ANY":
        return "a"
    if op == "IN":
        return _one_of(argument)
    if op == "BRANCH":
        return _build(argument[1][0], known)
    if op == "SUBPATTERN":
        text = _build(argument[3], known)
        if argument[0] is not None:
            known.groups[argument[0]] = text
        return text
    if op in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        least, _, repeated = argument
        if least == 0 and [str(part[0]) for part in repeated] == ["ANY"]:
            return known.filler
        if least == 0:
            return ""
        once = _build(repeated, known)
        if len(once) * min(least, _MAX_REPEAT) > _MAX_TEXT:
            raise OverflowError("the text grows too long")
        return "".join([once] * min(least, _MAX_REPEAT))
    if op == "GROUPREF":
        return known.groups.get(argument, "")
    if op == "ATOMIC_GROUP":
        return _build(argument, known)
    return ""


def _one_of(choices: list[tuple[Any, Any]]) -> str:
    op, argument = choices[0]
    if op is ops.NEGATE:
        return next((c for c in "a1 -Z" if not _in_class(c, choices[1:])), "~")
    if op is ops.RANGE:
        return chr(argument[0])
    if op is ops.CATEGORY:
        return {**_CATEGORIES, **_NEGATED}.get(str(argument), "a")
    return chr(argument)


def _in_class(character: str, choices: list[tuple[Any, Any]]) -> bool:
    for op, argument in choices:
        if op is ops.LITERAL and ord(character) == argument:
            return True
        if op is ops.RANGE and argument[0] <= ord(character) <= argument[1]:
            return True
        if op is ops.CATEGORY and _CATEGORIES.get(str(argument)) == character:
            return True
    return False
