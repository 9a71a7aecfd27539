"""What a JSON value is, in words of messages about files."""

from __future__ import annotations

from typing import Any


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text '{value[:40]}'" if value else "an empty text"
    return "a list" if isinstance(value, list) else "an object"
