"""Python values over a pipe: each type as it is, not only what JSON has. Runs on both sides, with the standard library alone.

JSON's own values stand for themselves, its arrays are lists; everything else is an object of one key that names the type.
What has no such form goes as its type's name and its `repr`, or as a number by which the other side can ask for it again.
"""

from __future__ import annotations

import math
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_DEPTH = 100
_MAX_SHOWN = 300
_MOST_CELLS = 200_000
_WHOLE_BITS = 13_000
"""Fewer than 4,000 decimal digits: Python refuses to read more than 4,300 (CVE-2020-10735)."""


class Opaque:
    """A value that stayed on the other side: only what it is and how it looks is known."""

    def __init__(self, type_name: str, text: str) -> None:
        self.type_name, self.text = type_name, text

    def __repr__(self) -> str:
        return self.text


def packed(value: Any, keep: Callable[[Any], Any] | None = None, depth: int = 0) -> Any:
    """`value` as JSON. `keep` gives the form of what has none; without it such a value goes as its type and `repr`."""
    if value is None or value is True or value is False or type(value) is str:
        return value
    if depth > MAX_DEPTH:
        return _other(value, keep)
    if isinstance(value, bool):  # pragma: no cover - bool cannot be subclassed
        return bool(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        whole = int(value)
        return whole if whole.bit_length() < _WHOLE_BITS else {"int": hex(whole)}
    if isinstance(value, float):
        number = float(value)
        return number if math.isfinite(number) else {"float": repr(number)}
    if isinstance(value, complex):
        return {"complex": [packed(value.real), packed(value.imag)]}
    if isinstance(value, bytes | bytearray):
        return {type(value).__name__ if type(value) is bytearray else "bytes": bytes(value).hex()}
    if isinstance(value, list):
        return [packed(one, keep, depth + 1) for one in value]
    for name, kind in (("tuple", tuple), ("set", set), ("frozenset", frozenset)):
        if isinstance(value, kind):
            return {name: [packed(one, keep, depth + 1) for one in value]}
    if isinstance(value, dict):
        return {"dict": [[packed(key, keep, depth + 1), packed(one, keep, depth + 1)] for key, one in value.items()]}
    return _number(value, keep)


def unpacked(form: Any, found: Callable[[Any], Any] | None = None) -> Any:
    """The value of a form.

    Raises:
        ValueError: it is none; `found` gives the value of what `keep` made.
    """
    if not isinstance(form, list | dict):
        return form
    if isinstance(form, list):
        return [unpacked(one, found) for one in form]
    if len(form) != 1:
        raise ValueError("a value of no known form")
    ((name, body),) = form.items()
    if name in _PLAIN:
        return _PLAIN[name](body)
    if name in _MANY:
        return _MANY[name](unpacked(one, found) for one in body)
    if name == "complex":
        return complex(unpacked(body[0]), unpacked(body[1]))
    if name == "dict":
        return {unpacked(key, found): unpacked(one, found) for key, one in body}
    if name in _TABLES:
        return _TABLES[name](body, found)
    if name == "other":
        return Opaque(str(body[0]), str(body[1]))
    if found is not None:
        return found(form)
    raise ValueError("a value of no known form")


def shown(value: Any) -> str:
    """Its `repr`, cut; what cannot be shown is its type's name."""
    try:
        text = repr(value)
    except Exception:  # a class may raise anything
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def _number(value: Any, keep: Callable[[Any], Any] | None) -> Any:
    """A number of another library (numpy's) as Python's own: it equals that number."""
    module = type(value).__module__.partition(".")[0]
    if module == "numpy" and getattr(value, "shape", None) == () and callable(getattr(value, "item", None)):
        plain = value.item()
        if isinstance(plain, bool | int | float | complex | str | bytes):
            return packed(plain)
    try:
        found = _table(value, keep) if module in ("numpy", "pandas") else None
    except Exception:  # a class of an answer may call itself so
        found = None
    return _other(value, keep) if found is None else found


def _table(value: Any, keep: Callable[[Any], Any] | None) -> dict[str, Any] | None:
    """An array of numpy, or a series, frame or index of pandas; None for what is none or is too large."""
    kind = type(value).__name__
    if kind not in ("ndarray", "Series", "DataFrame") and not kind.endswith("Index"):
        return None
    if int(value.size) > _MOST_CELLS:
        return None
    if kind == "ndarray":
        if value.dtype.kind not in "biufcUSO":
            return None
        return {"array": [value.dtype.str, [int(one) for one in value.shape], packed(value.tolist(), keep)]}
    if kind == "DataFrame":
        columns = [value.iloc[:, place].tolist() for place in range(value.shape[1])]
        return {"frame": [packed(one, keep) for one in (value.columns.tolist(), value.index.tolist(), columns)]}
    if kind == "Series":
        return {"series": [packed(one, keep) for one in (value.tolist(), value.index.tolist(), value.name)]}
    return packed(value.tolist(), keep)  # type: ignore[no-any-return]


def _library(name: str) -> Any:
    """A library within a box that shows packages; None elsewhere, where lists stand for its values."""
    if "/packages" not in sys.path:
        return None
    try:
        return __import__(name)
    except ImportError:
        return None


def _array(body: Any, found: Callable[[Any], Any] | None) -> Any:
    values, numpy = unpacked(body[2], found), _library("numpy")
    return values if numpy is None else numpy.array(values, dtype=str(body[0])).reshape([int(one) for one in body[1]])


def _series(body: Any, found: Callable[[Any], Any] | None) -> Any:
    values, index, name = (unpacked(one, found) for one in body)
    pandas = _library("pandas")
    return values if pandas is None else pandas.Series(values, index=index, name=name)


def _frame(body: Any, found: Callable[[Any], Any] | None) -> Any:
    columns, index, values = (unpacked(one, found) for one in body)
    pandas = _library("pandas")
    named = dict(zip(columns, values, strict=True))
    return named if pandas is None else pandas.DataFrame(named, index=index, columns=columns)


def _other(value: Any, keep: Callable[[Any], Any] | None) -> Any:
    return keep(value) if keep is not None else {"other": [type(value).__name__, shown(value)]}


_PLAIN: dict[str, Callable[[Any], Any]] = {
    "int": lambda body: int(body, 16),
    "float": float,
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
}
_TABLES: dict[str, Callable[[Any, Callable[[Any], Any] | None], Any]] = {
    "array": _array, "series": _series, "frame": _frame,
}  # fmt: skip
"""Values of numpy and pandas; where these are not, arrays and series are lists, and frames dicts of lists by column."""
_MANY: dict[str, Callable[[Any], Any]] = {"tuple": tuple, "set": set, "frozenset": frozenset}
