"""What stands beside an answer that was made elsewhere: errors, and figures also where CSV made texts of them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

_NO_ERROR = ("", "none", "null", "nan", "false")
"""Texts that tools write into a column of errors where there was none."""
COUNTS = {
    "prompt": ("prompt", "prompt_tokens", "input_tokens"),
    "completion": ("completion", "completion_tokens", "output_tokens"),
    "reasoning": ("reasoning", "reasoning_tokens"),
}
"""Our names of token counts, and those of OpenAI and Anthropic."""
_MOST_USD = 1e6


def error_of(row: Mapping[str, Any], response: str | None = None) -> str | None:
    """What a row says went wrong: in `error`, or in a whole API response in its column `response`; None where nothing did."""
    for value in (row.get("error"), _body(row.get(response) if response else None).get("error")):
        if isinstance(value, dict):
            message = value.get("message")
            if value:
                return message if isinstance(message, str) and message else json.dumps(value, ensure_ascii=False)
        elif isinstance(value, str):
            if value.strip().casefold() not in _NO_ERROR:
                return value
        elif value is True:
            return "an error"
        elif isinstance(value, list) and value:
            return json.dumps(value, ensure_ascii=False)
    return None


def _body(value: Any) -> Mapping[str, Any]:
    """A whole response, without the envelope of a batch."""
    if isinstance(value, dict):
        inner = value.get("body")
        return inner if isinstance(inner, dict) else value
    return {}


def figures_of(row: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """`cost_usd`, `usage` and `steps` of a row, read from texts where they are texts, and which of them cannot be read.

    What cannot be read is None.
    """
    found: dict[str, Any] = {}
    unread: list[str] = []
    for name, read in (("cost_usd", _cost), ("usage", _usage), ("steps", _steps)):
        if name not in row:
            continue
        try:
            found[name] = read(row[name])
        except (ValueError, TypeError, RecursionError, OverflowError):
            found[name] = None
            unread.append(name)
    return found, tuple(unread)


def _cost(value: Any) -> float | None:
    if isinstance(value, str):
        value = value.strip().removeprefix("$")
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        raise TypeError
    number = float(value)
    if not 0 <= number < _MOST_USD:
        raise ValueError
    return number


def _usage(value: Any) -> dict[str, int] | None:
    value = _parsed(value)
    if value is None:
        return None
    if not isinstance(value, dict):
        raise TypeError
    given = {ours: [value[name] for name in names if value.get(name) is not None] for ours, names in COUNTS.items()}
    return {ours: _count(counts[0]) for ours, counts in given.items() if counts}


def _count(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError
    number = float(value)
    if not math.isfinite(number) or number < 0 or not number.is_integer():
        raise ValueError
    return int(number)


def _steps(value: Any) -> Any:
    return _parsed(value)


def _parsed(value: Any) -> Any:
    """The value of a text of JSON, as columns of CSV and Parquet have it; None of an empty one."""
    if not isinstance(value, str):
        return value
    return json.loads(value) if value.strip() else None
