"""JSON as the suite takes it: strict, with numbers that exist, depth that is bounded, and no key given twice.

What JSON leaves open: names given twice, https://www.rfc-editor.org/rfc/rfc8259#section-4; numbers, #section-6.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

from modex.core.jsonvalues.jsonargs import too_deep
from modex.core.suite.files import FileFaultError
from modex.core.suite.positions import duplicate_keys

MAX_DEPTH = 100
"""Levels of lists and objects within each other that a suite file may have."""


class _DuplicateKeyError(Exception):
    """Some object has a key twice; the slow path says which."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _DuplicateKeyError
    return found


def _no_constant(name: str) -> float:
    raise FileFaultError(f"{name} is not JSON; write a number, or null")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise FileFaultError(f"the number {text[:20]} is too large; write it as a string")
    return value


_STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)
_SCAN: Callable[[str, int], tuple[Any, int]] = vars(_STRICT)["scan_once"]
_LAST_WINS = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)


def _strictly(text: str) -> Any:
    """What `_STRICT` makes of `text`; of a short row, `decode` takes as long to look for blanks around it as to read it."""
    try:
        value, end = _SCAN(text, 0)
    except StopIteration:
        return _STRICT.decode(text)
    return value if text[end:] in ("", "\n", "\r\n") else _STRICT.decode(text)


def parse_json(text: str) -> tuple[Any, list[tuple[str, int, int]]]:
    """Parse `text`; return the value and its duplicate keys as `(key, line, line of the first)`.

    Raises:
        FileFaultError: it is not JSON, holds NaN or Infinity, or nests too deeply; `line` says where.
    """
    try:
        try:
            value, duplicates = _strictly(text), []
        except _DuplicateKeyError:
            value, duplicates = _LAST_WINS.decode(text), duplicate_keys(text)
    except json.JSONDecodeError as error:
        error = _at_the_bracket(text, error)
        raise FileFaultError(_explain(text, error), error.lineno) from None
    except RecursionError:
        raise FileFaultError("nests too deeply to be a definition; make it flatter") from None
    except FileFaultError as fault:
        raise FileFaultError(fault.message, fault.line or _line_of_constant(text)) from None
    except ValueError:
        raise FileFaultError("holds a whole number with more than 4,300 digits; write it as a string") from None
    # Counting brackets is cheap and never finds fewer levels than there are.
    if text.count("[") + text.count("{") > MAX_DEPTH and too_deep(value, MAX_DEPTH):
        raise FileFaultError(f"nests deeper than {MAX_DEPTH} levels, too deeply to be a definition; make it flatter")
    return value, duplicates


def _at_the_bracket(text: str, error: json.JSONDecodeError) -> json.JSONDecodeError:
    """For a comma too many, the error at the bracket behind it, as before Python 3.13; later decoders name the comma."""
    closing = re.compile(r",\s*(?=[\]}])").match(text, error.pos)
    return json.JSONDecodeError(error.msg, text, closing.end()) if closing else error


def _explain(text: str, error: json.JSONDecodeError) -> str:
    """The decoder's message in plain words, with the column."""
    at = text[error.pos : error.pos + 1]
    before = text[: error.pos].rstrip()[-1:]
    if not text.strip():
        return "is empty; write a JSON object"
    if before == "," and at in "]}" and at:
        return f"is not valid JSON: a comma stands before '{at}' (column {error.colno}); remove it"
    if text.startswith("//", error.pos) or text.startswith("/*", error.pos):
        return f"is not valid JSON: comments are not allowed (column {error.colno}); remove it"
    if not at:
        return "is not valid JSON: it ends too early; close the bracket or the quote that is open"
    return f"is not valid JSON: {error.msg[:1].lower()}{error.msg[1:]} (column {error.colno}); correct it there"


def _line_of_constant(text: str) -> int:
    outside = re.compile(
        r'"[^"\\]*(?:\\.[^"\\]*)*"|(-?Infinity|NaN|(?<!\d)-?\d++(?:\.\d++)?[eE]\+?\d{3,}|(?<!\d)-?\d{309,}+\.\d+)'
    )
    for match in outside.finditer(text):
        if match.group(1) is not None:
            return text.count("\n", 0, match.start()) + 1
    return 0
