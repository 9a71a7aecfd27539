"""Does a JSON value match what was expected? Equality that keeps types apart, and the comparators of mocks and tool calls."""

from __future__ import annotations

import math
import unicodedata
from typing import Any

REL_TOLERANCE = 1e-9
_REGEX_SECONDS = 0.5
_MAX_TEXT = 20_000
COMPARATORS = frozenset(["$ci", "$normalized", "$regex", "$any_of", "$approx", "$any"])


def is_comparator(expected: Any) -> bool:
    """Whether `expected` is an object that names a comparator instead of a value."""
    return isinstance(expected, dict) and any(key in COMPARATORS for key in expected)


def comparator_fault(expected: Any) -> str | None:
    """What is wrong with the comparators in `expected`, at any depth, or None."""
    stack = [expected]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, dict):
            fault = _fault(value)
            if fault:
                return fault
            stack.extend(value.values())
    return None


def _fault(value: dict[str, Any]) -> str | None:
    named = [key for key in value if key.startswith("$")]
    if not named:
        return None
    name = named[0]
    if len(named) > 1 or name not in COMPARATORS:
        return f"{' and '.join(named)}: one comparator of {', '.join(sorted(COMPARATORS))} is expected"
    others = set(value) - {name} - ({"tolerance"} if name == "$approx" else set())
    if others:
        return f"{name} stands with {', '.join(sorted(others))}, which it does not know"
    operand = value[name]
    if name in ("$ci", "$normalized", "$regex") and not isinstance(operand, str):
        return f"{name} needs a text, not {operand!r}"
    if name == "$any_of" and not (isinstance(operand, list) and operand):
        return "$any_of needs a list with at least one value"
    if name == "$approx" and not (_is_number(operand) and _is_number(value.get("tolerance", 0))):
        return "$approx needs a number, and 'tolerance' too"
    return _pattern_fault(operand) if name == "$regex" else None


def _pattern_fault(pattern: str) -> str | None:
    import regex

    try:
        regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError) as error:
        return f"$regex does not compile: {error}"
    return None


def matches(expected: Any, actual: Any) -> bool:
    """Whether `actual` is what `expected` says: a value, or comparators at any depth.

    `true` is not 1, "5" is not 5, 5.0 is 5; floats may differ by 1e-9 of their size; an object must have the same keys.
    """
    if is_comparator(expected):
        return _compare(expected, actual)
    if isinstance(expected, dict):
        return (
            isinstance(actual, dict)
            and expected.keys() == actual.keys()
            and all(matches(value, actual[key]) for key, value in expected.items())
        )
    if isinstance(expected, list):
        return (
            isinstance(actual, list)
            and len(expected) == len(actual)
            and all(matches(left, right) for left, right in zip(expected, actual, strict=True))
        )
    if isinstance(expected, bool) or isinstance(actual, bool) or expected is None or actual is None:
        return expected is actual
    if _is_number(expected):
        return _is_number(actual) and _close(expected, actual, 0.0)
    return isinstance(actual, str) and isinstance(expected, str) and expected == actual


def _compare(comparator: dict[str, Any], actual: Any) -> bool:
    if "$any" in comparator:
        return bool(comparator["$any"])
    if "$any_of" in comparator:
        return any(matches(choice, actual) for choice in comparator["$any_of"])
    if "$approx" in comparator:
        wanted, tolerance = comparator["$approx"], comparator.get("tolerance")
        if not _is_number(actual):
            return False
        return _close(wanted, actual, 0.01 * abs(wanted) if tolerance is None else tolerance)
    if not isinstance(actual, str):
        return False
    if "$ci" in comparator:
        return bool(actual.casefold() == comparator["$ci"].casefold())
    if "$normalized" in comparator:
        return normalized(actual) == normalized(comparator["$normalized"])
    return found(comparator["$regex"], actual)


def normalized(text: str) -> str:
    """NFKC, case folded, without punctuation, single spaces."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() or c.isspace() else " " for c in plain).split())


def found(pattern: str, text: str) -> bool:
    """Whether `pattern` is found in `text`; one that runs out of time is not."""
    import regex

    try:
        return regex.search(pattern, text[:_MAX_TEXT], timeout=_REGEX_SECONDS) is not None
    except (TimeoutError, regex.error):
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _close(left: float, right: float, tolerance: float) -> bool:
    if left == right:
        return True
    if isinstance(left, int) and isinstance(right, int) and not tolerance:
        return False
    try:
        return math.isclose(left, right, rel_tol=REL_TOLERANCE, abs_tol=tolerance)
    except OverflowError:
        return False
