"""Arguments as models write them in text → JSON values: by the tool's schema, as Python, with keys without quotes."""

from __future__ import annotations

import ast
import json
import string
from collections.abc import Mapping
from typing import Any

from modex.core.foundation.lazy_regex import deferred
from modex.core.jsonvalues.jsonargs import MAX_DEPTH, too_deep

_KEY = deferred(r"([{,]\s*)([A-Za-z_][\w.-]*)\s*:")
_HELD = deferred(r'"\x00(\d+)\x00"')
_MAX_PYTHON = 20_000
"""Characters of Python that are parsed: a call that writes more is no call."""
_MAX_BRACKETS = 400
"""Python's parser gives up, or the process, on more open brackets than it has stack for."""


def from_json(source: str) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: it is none, or nests too deeply to be walked and written again.
    """
    try:
        value = json.loads(source, strict=False)
    except RecursionError:
        raise ValueError("it nests too deeply") from None
    if too_deep(value):
        raise ValueError("it nests too deeply")
    return value


def as_json(value: Any) -> str:
    """The value as a call's `arguments` hold it."""
    return json.dumps(value, ensure_ascii=False)


def typed(text: str, schema: Any) -> Any:
    """The value that a parameter's bare text means where the schema asks for one: `12` is a text where a text is asked.

    Without a schema it is the JSON value that the text spells, else the text.
    """
    asked = schema.get("type") if isinstance(schema, Mapping) else None
    if asked == "string" or (isinstance(asked, list) and "string" in asked):
        return text
    for read in (from_json, _literal):
        try:
            return read(text.strip())
        except ValueError:
            continue
    return text


def keyed(source: str, quote: str) -> str:
    """Arguments like `{key:<|"|>text<|"|>,n:3}` as JSON, or as they are where they cannot be read; `quote` marks a text."""
    parts = source.split(quote)
    if len(parts) % 2 == 0:
        return source
    held = "".join(part if not number % 2 else f'"\x00{number}\x00"' for number, part in enumerate(parts))
    read = _HELD.sub(lambda found: as_json(parts[int(found[1])]), _KEY.sub(r'\1"\2":', held))
    try:
        from_json(read)
    except ValueError:
        return source
    return read


def _literal(source: str) -> Any:
    return from_python(parsed(source, "eval").body)


def parsed(source: str, mode: str) -> Any:
    """The syntax tree of a piece of Python.

    Raises:
        ValueError: it is none, or too long or too deep to be parsed.
    """
    if len(source) > _MAX_PYTHON or sum(map(source.count, "([{")) > _MAX_BRACKETS:
        raise ValueError("it is too long")
    try:
        return ast.parse(source, mode=mode)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError("it is no Python") from None


def from_python(node: ast.expr) -> Any:
    """The JSON value of a literal of Python; `true`, `false` and `null` are read too.

    Raises:
        ValueError: it is none.
    """
    return _value(node, 0)


_WORDS = {"true": True, "false": False, "null": None}


def _value(node: ast.expr | None, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise ValueError("it nests too deeply")
    match node:
        case ast.Constant(value=str() | bool() | int() | float() | None as value):
            return value
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return [_value(item, depth + 1) for item in items]
        case ast.Dict(keys=keys, values=values):
            return {
                str(_value(key, depth + 1)): _value(item, depth + 1) for key, item in zip(keys, values, strict=True)
            }
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=ast.Constant(value=int() | float() as number)):
            return -number if isinstance(sign, ast.USub) else number
        case ast.Name(id=name) if name in _WORDS:
            return _WORDS[name]
        case ast.JoinedStr(values=parts) if all(isinstance(part, ast.Constant) for part in parts):
            return "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
    raise ValueError("it is no literal")


def unfenced(source: str) -> str:
    """What stands in a fence of Markdown, where the text is one; else the text without space around it."""
    text = source.strip()
    if text.startswith("```"):
        text = text[3:].lstrip(string.ascii_letters + "_")
    return text.strip().removesuffix("```").rstrip()
