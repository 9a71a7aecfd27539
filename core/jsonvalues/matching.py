"""Does a JSON value match what was expected? Equality that keeps types apart, and the comparators of mocks and tool calls."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from modex.core.jsonvalues.schemas import SchemaPlace
from modex.core.jsonvalues.texts import plain, same_by_bfcl, same_text

REL_TOLERANCE = 1e-9
_EXACT_FLOATS = 2**53
_REGEX_SECONDS = 0.5
_MAX_TEXT = 20_000
MISSING: Final = object()
"""Stands for a value that is not there."""
COMPARATORS = frozenset(["$ci", "$normalized", "$bfcl", "$regex", "$any_of", "$approx", "$any", "$object"])

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


@dataclass(frozen=True, slots=True)
class Differing:
    """The first place at which a value is not what was expected."""

    path: tuple[str | int, ...]
    """The keys and positions that lead there."""
    expected: Any
    """`MISSING` where nothing was expected."""
    actual: Any
    """`MISSING` where nothing is there."""


def matches(expected: Any, actual: Any, schema: SchemaPlace | None = None) -> bool:
    """Whether `actual` is what `expected` says: a value, or comparators at any depth.

    `true` is not 1, "5" is not 5, 5.0 is 5; floats may differ by 1e-9 of their size; texts by how their letters are put
    together (`same_text`). An object must have the same keys, but for those that, by the `schema` that holds there, say no
    more than leaving them out.
    """
    return difference(expected, actual, schema) is None


def difference(
    expected: Any, actual: Any, schema: SchemaPlace | None = None, path: tuple[str | int, ...] = ()
) -> Differing | None:
    """Where `actual` first is not what `expected` says, by the rules of `matches`; either may be `MISSING`.

    `schema` is that of the place, `path` what led to it.
    """
    if expected is MISSING or actual is MISSING:
        for value in schema.left_out() if schema else ():
            if matches(value if expected is MISSING else expected, value if actual is MISSING else actual, schema):
                return None
        return None if expected is actual else Differing(path, expected, actual)
    if is_comparator(expected):
        return _compared(expected, actual, schema, path)
    if isinstance(expected, dict) and isinstance(actual, dict):
        return _in_objects(expected, actual, frozenset(), schema, path)
    if isinstance(expected, list) and isinstance(actual, list):
        for number, (left, right) in enumerate(zip_longest(expected, actual, fillvalue=MISSING)):
            below = schema.item(number, actual) if schema else None
            found = difference(left, right, below, (*path, number))
            if found:
                return found
        return None
    return None if _same_leaf(expected, actual) else Differing(path, expected, actual)


def _same_leaf(expected: Any, actual: Any) -> bool:
    if isinstance(expected, bool) or expected is None:
        return expected is actual
    if _is_number(expected):
        return _is_number(actual) and same_number(expected, actual, 0.0)
    return isinstance(actual, str) and isinstance(expected, str) and same_text(expected, actual)


def _in_objects(
    expected: dict[str, Any],
    actual: dict[str, Any],
    optional: frozenset[str],
    schema: SchemaPlace | None,
    path: tuple[str | int, ...],
) -> Differing | None:
    """The first key whose value differs, those that are on one side alone last; `optional` ones may be left out."""
    shared = [name for name in expected if name in actual]
    for name in dict.fromkeys((*shared, *expected, *actual)):
        if name in optional and name not in actual:
            continue
        below = schema.below(name, actual) if schema else None
        found = difference(expected.get(name, MISSING), actual.get(name, MISSING), below, (*path, name))
        if found:
            return found
    return None


def _compared(
    comparator: dict[str, Any], actual: Any, schema: SchemaPlace | None, path: tuple[str | int, ...]
) -> Differing | None:
    if "$object" in comparator and isinstance(actual, dict):
        optional = frozenset(comparator.get("optional", ()))
        return _in_objects(comparator["$object"], actual, optional, schema, path)
    if "$any_of" in comparator:
        choices = comparator["$any_of"]
        if len(choices) == 1:
            return difference(choices[0], actual, schema, path)
        same = any(matches(choice, actual, schema) for choice in choices)
    else:
        same = _fits(comparator, actual)
    return None if same else Differing(path, comparator, actual)


def _fits(comparator: dict[str, Any], actual: Any) -> bool:
    """Whether a value that is no collection fits a comparator."""
    if "$any" in comparator:
        return bool(comparator["$any"])
    if "$approx" in comparator:
        wanted, tolerance = comparator["$approx"], comparator.get("tolerance")
        if not _is_number(actual):
            return False
        return same_number(wanted, actual, 0.01 * abs(wanted) if tolerance is None else tolerance)
    if not isinstance(actual, str) or "$object" in comparator:
        return False
    if "$ci" in comparator:
        return plain(actual).casefold() == plain(comparator["$ci"]).casefold()
    if "$normalized" in comparator:
        return normalized(actual) == normalized(comparator["$normalized"])
    if "$bfcl" in comparator:
        return same_by_bfcl(comparator["$bfcl"], actual)
    pattern = comparator["$regex"]
    return found(pattern, actual) or (plain(actual) != actual and found(pattern, plain(actual)))


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
