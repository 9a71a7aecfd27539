"""Where a value first is not what was expected, in words: the leaf of a long argument, the line of a long text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from modex.core.jsonvalues.matching import MISSING, Differing, normalized
from modex.core.jsonvalues.texts import plain

_SHOWN = 200
_AROUND = 40
_FOLDS: dict[str, Callable[[str], str]] = {
    "": plain,
    "$ci": lambda text: plain(text).casefold(),
    "$bfcl": normalized,
    "$normalized": normalized,
}
"""How the lines of a text are told apart, by the comparator that it stands in."""


def place(found: Differing) -> str:
    """The way to the place, as `filters.date.from` and `items[2].sku`."""
    words = ""
    for step in found.path:
        words += f"[{step}]" if isinstance(step, int) else f".{step}" if words else str(step)
    return words


def say(found: Differing) -> str:
    """What was expected there, and what is there."""
    if found.expected is MISSING:
        return f"not expected, got {short(found.actual)}"
    if found.actual is MISSING:
        return f"missing, expected {short(found.expected)}"
    if isinstance(found.actual, str):
        wanted = found.expected
        if isinstance(wanted, dict) and "$any_of" in wanted and _is_long(found.actual):
            wanted = max(wanted["$any_of"], key=lambda choice: _shared(choice, found.actual))
        name, text = next(iter(wanted.items())) if isinstance(wanted, dict) and len(wanted) == 1 else ("", wanted)
        if isinstance(text, str) and name in _FOLDS and _is_long(text, found.actual):
            return _texts(text, found.actual, _FOLDS[name])
    return f"expected {short(found.expected)}, got {short(found.actual)}"


def short(value: Any) -> str:
    """A value on one line, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _shared(choice: Any, given: str) -> int:
    """How far a choice, or the text in its comparator, is the same as what is there."""
    text = next(iter(choice.values()), None) if isinstance(choice, dict) else choice
    return _first(text.casefold(), given.casefold()) if isinstance(text, str) else -1


def _is_long(*texts: str) -> bool:
    return any(len(repr(text)) > _SHOWN or "\n" in text for text in texts)


def _texts(wanted: str, given: str, fold: Callable[[str], str]) -> str:
    """The first line that differs, and of a long one what is around the first sign that does."""
    left, right = wanted.splitlines(), given.splitlines()
    at = _first(list(map(fold, left)), list(map(fold, right)))
    if at >= len(left) and at >= len(right):
        return f"expected the end {_cut(wanted, len(wanted))}, got {_cut(given, len(given))}"
    if at >= len(right):
        return f"ends before line {at + 1}, expected {_cut(left[at], 0)}"
    if at >= len(left):
        return f"line {at + 1} was not expected, got {_cut(right[at], 0)}"
    sign = _first(plain(left[at]).casefold(), plain(right[at]).casefold())
    where = f" (from character {sign + 1})" if _is_long(left[at], right[at]) else ""
    line = f"line {at + 1}{where}: " if max(len(left), len(right)) > 1 else f"{where} ".lstrip()
    return f"{line}expected {_cut(left[at], sign)}, got {_cut(right[at], sign)}"


def _first(left: Sequence[str], right: Sequence[str]) -> int:
    """The first position at which two rows differ."""
    shared = min(len(left), len(right))
    return next((number for number in range(shared) if left[number] != right[number]), shared)


def _cut(text: str, at: int) -> str:
    """A text around the sign at `at`."""
    if len(repr(text)) <= _SHOWN:
        return repr(text)
    start = max(0, min(at, len(text)) - _AROUND)
    end = start + 2 * _AROUND
    return f"{'…' if start else ''}{text[start:end]!r}{'…' if end < len(text) else ''}"
