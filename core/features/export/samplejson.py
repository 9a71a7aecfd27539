"""Samples as lines of JSON: what `json.dumps` writes of each as an object, a fifth of its cost where many have fields alike."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from json import encoder
from json.encoder import encode_basestring_ascii
from operator import itemgetter
from typing import Any

_ENCODER = json.JSONEncoder(ensure_ascii=True, default=str, check_circular=False)
_IN_C: Any = getattr(encoder, "c_make_encoder", None)
_WHOLE = _IN_C and _IN_C(
    None, str, encode_basestring_ascii, None, _ENCODER.key_separator, _ENCODER.item_separator, False, False, True
)
"""The encoder that `json` makes anew for each value; None where Python has none in C."""


def _any(value: Any) -> str:
    return "".join(_WHOLE(value, 0)) if _WHOLE is not None else _ENCODER.encode(value)


class SampleJson:
    """Writes the values of the same fields of many samples."""

    def __init__(self, names: Sequence[str]) -> None:
        """`names` are the fields', in the order of the values."""
        self._names = tuple(names)
        self._known: dict[tuple[type, ...], _Form] = {}
        """By the types of its values, how an object is written."""

    def line(self, values: Sequence[Any]) -> str:
        """The object that holds `values`, whatever JSON they are, as one line."""
        types = tuple(map(type, values))
        form = self._known.get(types)
        if form is None:
            form = self._known[types] = _Form(self._names, types)
        return form.line(values)


class _Form:
    """How objects are written whose values have these types: what does not differ is written once."""

    def __init__(self, names: Sequence[str], types: Sequence[type]) -> None:
        fields, differing = [], []
        for at, (name, kind) in enumerate(zip(names, types, strict=True)):
            place = "null" if kind is type(None) else "%s"
            fields.append(f"{_any(name).replace('%', '%%')}: {place}")
            if kind is not type(None):
                differing.append(at)
        self._template = "{" + ", ".join(fields) + "}"
        self._values: Callable[[Sequence[Any]], Sequence[Any]] = (
            itemgetter(*differing) if len(differing) > 1 else lambda values: [values[at] for at in differing]
        )
        self._written = [
            (at, _WRITTEN.get(types[source], _any)) for at, source in enumerate(differing) if types[source] is not int
        ]

    def line(self, values: Sequence[Any]) -> str:
        """One object."""
        texts = list(self._values(values))
        for at, write in self._written:
            texts[at] = write(texts[at])
        return self._template % tuple(texts)


def _list(value: list[Any]) -> str:
    return _any(value) if value else "[]"


def _object(value: dict[str, Any]) -> str:
    return _any(value) if value else "{}"


def _float(value: float) -> str:
    return repr(value) if math.isfinite(value) else _any(value)


def _bool(value: bool) -> str:
    return "true" if value else "false"


_WRITTEN: dict[type, Callable[[Any], str]] = {
    str: encode_basestring_ascii,
    list: _list,
    dict: _object,
    float: _float,
    bool: _bool,
}
