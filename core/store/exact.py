"""Text exactly as it came: what SQLite cannot hold in a TEXT column is escaped reversibly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

_MARK = "\ufdd0modex-escaped:"
"""A noncharacter followed by a name: no provider sends it by accident, and where one does, it is escaped too."""
_UNSAFE = re.compile(r"[\x00\ud800-\udfff\\]")
_NEEDS = re.compile(r"[\x00\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(\\|u[0-9a-f]{4})")


def encode_text(text: str) -> str:
    """Return `text` as SQLite can hold it: unchanged unless it has NUL, lone surrogates, or our own mark."""
    if text.isascii():
        if "\0" not in text:
            return text
    elif not _NEEDS.search(text) and not text.startswith(_MARK):
        return text
    return _MARK + _UNSAFE.sub(lambda m: "\\\\" if m[0] == "\\" else f"\\u{ord(m[0]):04x}", text)


def decode_text(stored: str) -> str:
    """Undo `encode_text`."""
    if not stored.startswith(_MARK):
        return stored
    return _ESCAPE.sub(lambda m: "\\" if m[1] == "\\" else chr(int(m[1][1:], 16)), stored[len(_MARK) :])


def _readable() -> Callable[[Any], str]:
    """What `JSONEncoder.encode` does for readable UTF-8, with C's encoder made once and not for each value.

    It looks for no circle, so that one ends as anything nested too deeply does: in a `RecursionError`.
    """
    plain = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return plain.encode
    encode = make(None, str, json.encoder.encode_basestring, None, ":", ",", False, False, True)
    return lambda value: "".join(encode(value, 0))


_READABLE = _readable()
_ASCII = json.JSONEncoder(separators=(",", ":"), default=str)
_EMPTY: dict[type, str] = {list: "[]", dict: "{}"}


def encode_json(value: Any) -> str:
    """Return `value` as JSON text that SQLite can hold: readable UTF-8, ASCII escapes where surrogates stand alone."""
    if not value and type(value) in _EMPTY:  # most of a planned sample's documents
        return _EMPTY[type(value)]
    text = _READABLE(value)
    # What is ASCII has no surrogates, and JSON escapes NUL.
    return text if text.isascii() or not _NEEDS.search(text) else _ASCII.encode(value)


_SCAN: Callable[[str, int], tuple[Any, int]] = vars(json.JSONDecoder())["scan_once"]
"""What `json.loads` ends in, after it has looked twice for blanks around the value; of short values that is most of its time."""


def decode_json(stored: str | None) -> Any:
    """Undo `encode_json`; NULL is None."""
    if stored is None:
        return None
    if type(stored) is not str:
        return json.loads(stored)
    try:
        value, end = _SCAN(stored, 0)
    except StopIteration:  # no value at the very beginning: `json.loads` knows of blanks, and what to say
        return json.loads(stored)
    return value if end == len(stored) else json.loads(stored)
