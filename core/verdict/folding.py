"""How a value is written for reading, and shortened where it is long, the same in every output."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

LONGEST_VALUE = 4000
LONGEST_LINE = 300


def fold(text: str, limit: int = LONGEST_VALUE) -> str:
    """`text` with its middle left out beyond `limit` characters, and how much is left out said in its place."""
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 4
    return f"{text[:head]} … ({len(text) - head - tail:,} more characters) … {text[-tail:]}"


def fold_line(text: str, limit: int = LONGEST_LINE) -> str:
    """`text` on one line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def shown(value: Any) -> str:
    """A JSON value for reading: a text as it is, anything else as JSON; long ones folded."""
    if isinstance(value, str):
        return fold(value)
    if isinstance(value, Mapping) and isinstance(value.get("value"), str | int | float):
        also = value.get("aliases")
        rest = f" (also {', '.join(map(str, also))})" if isinstance(also, list) and also else ""
        return fold(f"{value['value']}{rest}")
    return fold(json.dumps(value, ensure_ascii=False, default=str))
