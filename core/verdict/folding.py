"""How a long value is shortened for reading, the same in every output."""

from __future__ import annotations

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
