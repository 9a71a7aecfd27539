"""A verdict in the `details` column: written as parts, read as parts; what an evaluator wrote without parts is shown as it is.

A part is stored as its `kind` and the fields that differ from their defaults; what does not fit reads as `Extra`.

Written by hand because pydantic, which reads a verdict in 6 µs instead of 21 and writes it in 5 instead of 11, takes 58 ms of CPU
to build what it needs, for which the first verdict shown would wait (this takes 2), and writes other bytes: a whole number
becomes a float, and one that equals its default (`"weight": 1`) is lost.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar

from modex.core.verdict import parts as part_module
from modex.core.verdict.parts import PART_TYPES, Extra, Part
from modex.core.verdict.reasons import reason_of

_BESIDE = ("parts", "exchanges", "reason")
_OUTSIDE: Mapping[str, str] = {"instructions": "items"}
"""Parts whose field stands in the details under the part's own kind, where scripts read it."""
_SCALARS = frozenset((str, int, float, bool, type(None)))
_P = TypeVar("_P", bound=Part)
_KINDS: dict[str, type[Part]] = {kind.kind: kind for kind in PART_TYPES}
_Reader = Callable[[Any], Any]
_readers: dict[type, _Reader] = {}
_known_defaults: dict[type, tuple[tuple[str, Any], ...]] = {}


def details_of(parts: Sequence[Part], details: Mapping[str, Any], reason: str = "") -> dict[str, Any]:
    """What is stored: the parts' JSON, a reason that the parts do not say, and whatever else an evaluator filled in."""
    stored = dict(details)
    if parts:
        stored["parts"] = [part_as_json(part) for part in parts]
        for part in stored["parts"]:
            if (field := _OUTSIDE.get(part["kind"])) is not None:
                stored[part["kind"]] = part.pop(field, [])
    if reason:
        stored["reason"] = reason
    return stored


def parts_of(details: Mapping[str, Any] | None) -> tuple[Part, ...]:
    """The parts in a `details` column. What stands there without a part is one `Extra`, so that nothing vanishes."""
    if not details:
        return ()
    stored = details.get("parts")
    if not (isinstance(stored, list) and stored and all(isinstance(one, Mapping) and "kind" in one for one in stored)):
        rest = {name: value for name, value in details.items() if name not in _BESIDE or name == "parts"}
        return (Extra(rest),) if rest else ()
    rest = {name: value for name, value in details.items() if name not in _BESIDE}
    found = [
        {**one, field: rest.pop(one["kind"])}
        if (field := _OUTSIDE.get(str(one["kind"]))) is not None and one["kind"] in rest
        else one
        for one in stored
    ]
    return (*map(part_from_json, found), *((Extra(rest),) if rest else ()))


def found_parts(parts: Sequence[Part], details: Mapping[str, Any], reason: str = "") -> tuple[Part, ...]:
    """What `parts_of` reads of what `details_of` stores, without writing and reading it: every verdict needs it once."""
    if parts and all(type(part) in PART_TYPES for part in parts):
        rest = {name: value for name, value in details.items() if name not in _BESIDE}
        return (*parts, Extra(rest)) if rest else tuple(parts)
    return parts_of(details_of(parts, details, reason))


def reason_in(details: Mapping[str, Any] | None, *, passed: bool) -> str:
    """One sentence why: the stored one, else what the parts say."""
    if not details:
        return ""
    stored = details.get("reason")
    return stored if isinstance(stored, str) and stored else reason_of(parts_of(details), passed=passed)


def find(parts: Iterable[Part], kind: type[_P]) -> _P | None:
    """The first part of a type."""
    return next((part for part in parts if isinstance(part, kind)), None)


def part_as_json(part: Part) -> dict[str, Any]:
    """`{"kind": …}` and every field that differs from its default."""
    return {"kind": part.kind, **_fields_as_json(part)}


def part_from_json(document: Any) -> Part:
    """The part that `document` describes; `Extra` with all its facts where the kind is unknown or a field does not fit."""
    if not isinstance(document, Mapping):
        return Extra({"value": document})
    kind = _KINDS.get(str(document.get("kind")))
    if kind is not None:
        try:
            return typing.cast(Part, _reader_of(kind)(document))
        except (TypeError, ValueError):
            pass  # read as Extra below: whatever is stored is shown
    title = str(document.get("kind") or "")
    return Extra({str(name): value for name, value in document.items() if name != "kind"}, title)


def _fields_as_json(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, default in _defaults(type(value)):
        item = getattr(value, name)
        if item is default or (type(item) is type(default) and item == default):
            continue
        found[name] = _as_json(item)
    return found


def _as_json(value: Any) -> Any:
    if type(value) in _SCALARS:
        return value
    if isinstance(value, tuple | list):
        return [_as_json(item) for item in value]
    if is_dataclass(value):
        own = _fields_as_json(value)
        return {"kind": kind, **own} if (kind := getattr(value, "kind", None)) else own
    if isinstance(value, Mapping):
        return {str(name): _as_json(item) for name, item in value.items()}
    return value


def _defaults(kind: Any) -> tuple[tuple[str, Any], ...]:
    if kind not in _known_defaults:
        _known_defaults[kind] = tuple(
            (item.name, item.default_factory() if item.default_factory is not MISSING else item.default)
            for item in fields(kind)
        )
    return _known_defaults[kind]


def _reader_of(kind: Any) -> _Reader:
    """How a dataclass is read: every field by its type, unknown keys refused."""
    if kind in _readers:
        return _readers[kind]
    hints = typing.get_type_hints(kind, vars(part_module))
    names = [item.name for item in fields(kind)]
    readers: dict[str, _Reader] = {}

    def read(document: Any) -> Any:
        given = {name: value for name, value in _mapped(document).items() if name != "kind"}
        return kind(**{name: readers[name](value) if name in readers else value for name, value in given.items()})

    _readers[kind] = read
    readers.update((name, _reader(hints[name])) for name in names)
    return read


def _reader(hint: Any) -> _Reader:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return lambda value: value
    if hint == Part:
        return part_from_json
    if origin is tuple:
        item = _reader(arguments[0])
        return lambda value: tuple(item(one) for one in _listed(value))
    if origin in (typing.Union, types.UnionType):
        options = [_reader(option) for option in arguments if option is not type(None)]
        return lambda value: None if value is None and type(None) in arguments else _first(options, value)
    if origin is not None and issubclass(origin, Mapping):
        inner = _reader(arguments[1])
        return lambda value: {str(name): inner(one) for name, one in _mapped(value).items()}
    if is_dataclass(hint):
        return _reader_of(hint)
    return lambda value: _scalar(hint, value)


def _first(options: list[_Reader], value: Any) -> Any:
    for option in options:
        try:
            return option(value)
        except (TypeError, ValueError):
            continue
    raise TypeError(f"{value!r} has none of the types")


def _scalar(hint: type, value: Any) -> Any:
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise TypeError(f"{value!r} is no {hint.__name__}")
    return value


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"{value!r} is no list")
    return list(value)


def _mapped(value: Any) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{value!r} is no object")
    return value
