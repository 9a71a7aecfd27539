"""What differs between two JSON objects: places, and what stands there now. Two states are the same where their changes are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

REMOVED: Mapping[str, bool] = {"$removed": True}
"""What stands for a place that is no longer there."""


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Every place of `after` that differs from `before`, by its JSON pointer (RFC 6901).

    It goes down where both sides are objects; a list is one value. What was taken away is `REMOVED`.
    """
    return dict(_changes(before, after, ""))


def _changes(before: Mapping[str, Any], after: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    for name in dict.fromkeys((*before, *after)):
        place = f"{above}/{name.replace('~', '~0').replace('/', '~1')}"
        if name not in after:
            yield place, dict(REMOVED)
        elif name not in before:
            yield place, after[name]
        elif isinstance(before[name], Mapping) and isinstance(after[name], Mapping):
            yield from _changes(before[name], after[name], place)
        elif before[name] != after[name]:
            yield place, after[name]


def first_difference(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> str | None:
    """The first place where two changes of the same state differ, in a sentence; None where they are equal."""
    for place in sorted({*wanted, *found}):
        if place not in found:
            return f"{place}: expected {_short(wanted[place])}, and it is as it was"
        if place not in wanted:
            return f"{place}: became {_short(found[place])}, which nothing asked for"
        if wanted[place] != found[place]:
            deeper = _deeper(wanted[place], found[place], place)
            return deeper or f"{place}: expected {_short(wanted[place])}, got {_short(found[place])}"
    return None


def _deeper(wanted: Any, found: Any, place: str) -> str | None:
    """The first difference within two objects."""
    if not isinstance(wanted, Mapping) or not isinstance(found, Mapping) or REMOVED in (wanted, found):
        return None
    inner = changes(wanted, found)
    for where, value in inner.items():
        return f"{place}{where}: expected {_short(_at(wanted, where))}, got {_short(value)}"
    return None


def _at(value: Any, pointer: str) -> Any:
    for name in pointer.split("/")[1:]:
        step = name.replace("~1", "/").replace("~0", "~")
        if not isinstance(value, Mapping) or step not in value:
            return dict(REMOVED)
        value = value[step]
    return value


def _short(value: Any) -> str:
    if value == REMOVED:
        return "nothing"
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
