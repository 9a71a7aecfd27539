"""A verdict in the `details` column: written as parts, read as parts, whoever wrote it and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from core.verdict.codec import part_as_json, part_from_json
from core.verdict.keyed import parts_of_keys
from core.verdict.parts import Extra, Part
from core.verdict.reasons import reason_of

_BESIDE = ("parts", "exchanges", "reason")
_P = TypeVar("_P", bound=Part)


def details_of(parts: Sequence[Part], details: Mapping[str, Any], reason: str = "") -> dict[str, Any]:
    """What is stored: the parts' JSON, a reason that the parts do not say, and whatever else an evaluator filled in."""
    stored = dict(details)
    if parts:
        stored["parts"] = [part_as_json(part) for part in parts]
    if reason:
        stored["reason"] = reason
    return stored


def parts_of(details: Mapping[str, Any] | None) -> tuple[Part, ...]:
    """The parts in a `details` column. Keys without a part of their own become one `Extra`, so that nothing vanishes.

    A column written before there were parts, or by an evaluator that fills keys only, is read by its keys.
    """
    if not details:
        return ()
    stored = details.get("parts")
    if not (isinstance(stored, list) and stored and all(isinstance(one, Mapping) and "kind" in one for one in stored)):
        return parts_of_keys(details)
    rest = {name: value for name, value in details.items() if name not in _BESIDE}
    return (*map(part_from_json, stored), *((Extra(rest),) if rest else ()))


def reason_in(details: Mapping[str, Any] | None, *, passed: bool) -> str:
    """One sentence why: the stored one, else what the parts say."""
    if not details:
        return ""
    stored = details.get("reason")
    return stored if isinstance(stored, str) and stored else reason_of(parts_of(details), passed=passed)


def find(parts: Iterable[Part], kind: type[_P]) -> _P | None:
    """The first part of a type."""
    return next((part for part in parts if isinstance(part, kind)), None)
