"""Does a JSON value match what was expected? Equality that keeps types apart, and the comparators of mocks and tool calls."""

from __future__ import annotations

import math
import re
import unicodedata
from fractions import Fraction
from typing import Any

REL_TOLERANCE = 1e-9
_EXACT_FLOATS = 2**53
_REGEX_SECONDS = 0.5
_MAX_TEXT = 20_000
COMPARATORS = frozenset(["$ci", "$normalized", "$bfcl", "$regex", "$any_of", "$approx", "$any", "$object"])
_BFCL_DROPPED = re.compile(r"[ ,./\-_*^]")
_NUMERAL = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?")


_BESIDE = {"$approx": frozenset(["tolerance"]), "$object": frozenset(["optional"])}
"""What may stand beside a comparator."""


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
    others = set(value) - {name} - _BESIDE.get(name, frozenset())
    if others:
        return f"{name} stands with {', '.join(sorted(others))}, which it does not know"
    operand = value[name]
    if name in ("$ci", "$normalized", "$bfcl", "$regex") and not isinstance(operand, str):
        return f"{name} needs a text, not {operand!r}"
    if name == "$any_of" and not (isinstance(operand, list) and operand):
        return "$any_of needs a list with at least one value"
    if name == "$object":
        optional = value.get("optional", [])
        if not isinstance(operand, dict) or not isinstance(optional, list) or not set(optional) <= set(operand):
            return "$object needs an object, and 'optional' a list of some of its keys"
    if name == "$approx" and not (_is_number(operand) and _is_number(value.get("tolerance", 0))):
        return "$approx needs a number, and 'tolerance' too"
    return _pattern_fault(operand) if name == "$regex" else None


def _pattern_fault(pattern: str) -> str | None:
    from modex.core.sandbox.patterns import PatternError, compile_pattern

    try:
        compile_pattern(pattern)
    except PatternError as error:
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
    if isinstance(expected, bool) or expected is None:
        return expected is actual
    if _is_number(expected):
        return _is_number(actual) and same_number(expected, actual, 0.0)
    return isinstance(actual, str) and isinstance(expected, str) and expected == actual


def _compare(comparator: dict[str, Any], actual: Any) -> bool:
    if "$any" in comparator:
        return bool(comparator["$any"])
    if "$any_of" in comparator:
        return any(matches(choice, actual) for choice in comparator["$any_of"])
    if "$object" in comparator:
        return _object(comparator["$object"], frozenset(comparator.get("optional", ())), actual)
    if "$approx" in comparator:
        wanted, tolerance = comparator["$approx"], comparator.get("tolerance")
        if not _is_number(actual):
            return False
        return same_number(wanted, actual, 0.01 * abs(wanted) if tolerance is None else tolerance)
    if not isinstance(actual, str):
        return False
    if "$ci" in comparator:
        return bool(actual.casefold() == comparator["$ci"].casefold())
    if "$normalized" in comparator:
        return normalized(actual) == normalized(comparator["$normalized"])
    if "$bfcl" in comparator:
        return same_by_bfcl(comparator["$bfcl"], actual)
    return found(comparator["$regex"], actual)


def _object(wanted: dict[str, Any], optional: frozenset[str], actual: Any) -> bool:
    """Whether `actual` has every key but the optional ones, no other, and the right value for each."""
    if not isinstance(actual, dict) or not set(actual) <= set(wanted) or not set(wanted) - optional <= set(actual):
        return False
    return all(matches(wanted[key], value) for key, value in actual.items())


def same_by_bfcl(wanted: str, actual: str) -> bool:
    """As BFCL's checker compares texts: without case, blanks and ` ,./-_*^`, either quote for the other.

    Two numerals are compared by value instead: dropping the signs would make -5 the same as 5, and 5.0 as 50.
    """
    left, right = wanted.strip(), actual.strip()
    if _NUMERAL.fullmatch(left) and _NUMERAL.fullmatch(right):
        return Fraction(left.replace(",", "")) == Fraction(right.replace(",", ""))
    return _bfcl_folded(left) == _bfcl_folded(right)


def _bfcl_folded(text: str) -> str:
    return _BFCL_DROPPED.sub("", text).lower().replace("'", '"')


def normalized(text: str) -> str:
    """NFKC, case folded, without punctuation, single spaces."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() or c.isspace() else " " for c in plain).split())


def found(pattern: str, text: str) -> bool:
    """Whether `pattern` is found in `text`; one that runs out of time is not."""
    from modex.core.sandbox.patterns import PatternError, compile_pattern

    try:
        return compile_pattern(pattern).search(text[:_MAX_TEXT], timeout=_REGEX_SECONDS) is not None
    except (TimeoutError, PatternError):
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def same_number(left: float, right: float, tolerance: float = 0.0, rel_tolerance: float = REL_TOLERANCE) -> bool:
    """Whether two numbers are the same: whole ones exactly, whatever their size, but for `tolerance`; others nearly."""
    if left == right:
        return True
    if _is_whole(left) and _is_whole(right):
        return abs(int(left) - int(right)) <= tolerance
    try:
        return math.isclose(left, right, rel_tol=rel_tolerance, abs_tol=tolerance)
    except OverflowError:
        return False


def _is_whole(value: float) -> bool:
    """Whether a number is whole; a float only where every whole number of its size is one."""
    return isinstance(value, int) or (value.is_integer() and abs(value) < _EXACT_FLOATS)
