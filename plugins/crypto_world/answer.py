"""From a function over arguments to a tool: JSON out, the snapshot's date with it, and errors that help."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import wraps
from typing import Any, TypeVar

from modex import ToolHandler, ToolResult, ToolSession

from .snapshot import WorldError, world

Arguments = dict[str, Any]
Answer = dict[str, Any]
R = TypeVar("R")


def tool(function: Callable[[Arguments], Answer]) -> ToolHandler:
    """Make a handler of a function that answers with a JSON object or raises `WorldError`."""

    @wraps(function)
    def handle(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        del session
        before = time.monotonic()
        try:
            answer, failed = {"snapshot_date": world().today.isoformat(), **function(arguments)}, False
        except WorldError as error:
            answer, failed = {"error": str(error), "snapshot_date": world().today.isoformat()}, True
        content = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        return ToolResult(content, failed, round((time.monotonic() - before) * 1000))

    return handle


def text_of(arguments: Arguments, key: str) -> str:
    """A required, non-empty text argument.

    Raises:
        WorldError: it is missing or no text.
    """
    value = arguments.get(key)
    if not isinstance(value, str) or not value.strip():
        raise WorldError(f"{key} must be a non-empty text")
    return value.strip()


def number_of(arguments: Arguments, key: str, default: int, low: int, high: int) -> int:
    """A whole number within bounds.

    Raises:
        WorldError: it is no whole number or outside.
    """
    value = arguments.get(key, default)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise WorldError(f"{key} must be a whole number from {low} to {high}")
    return value


def choice_of(arguments: Arguments, key: str, default: str, choices: tuple[str, ...]) -> str:
    """One of several words.

    Raises:
        WorldError: it is none of them.
    """
    value = arguments.get(key, default)
    if value not in choices:
        raise WorldError(f"{key} must be one of {', '.join(choices)}")
    return str(value)


def day_of(arguments: Arguments, key: str, default: date) -> date:
    """A date argument, `YYYY-MM-DD`, within the series.

    Raises:
        WorldError: it is no date or outside the snapshot.
    """
    value = arguments.get(key)
    if value is None:
        return default
    try:
        day = date.fromisoformat(str(value))
    except ValueError:
        raise WorldError(f"{key} must be a date like 2026-06-30, not {str(value)[:40]!r}") from None
    world().index(day)
    return day


def moment_of(text: str) -> datetime:
    """A moment from `YYYY-MM-DD`, ISO 8601 (UTC where no zone is given) or Unix seconds.

    Raises:
        WorldError: the text is none of these.
    """
    try:
        if text.strip().lstrip("-").isdigit():
            return datetime.fromtimestamp(int(text), tz=UTC)
        moment = datetime.fromisoformat(text.strip())
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        raise WorldError(f"not a moment: {text[:40]!r}; use 2026-06-30, 2026-06-30T12:00:00Z or Unix seconds") from None


def moment_text(moment: datetime) -> str:
    """A moment as `2026-06-30T12:00:00Z`."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def span_of(arguments: Arguments, default_days: int) -> tuple[int, int]:
    """The first and last index of a period: `days` up to `end_date`, or `start_date` to `end_date`.

    Raises:
        WorldError: the dates are outside the snapshot or in the wrong order.
    """
    last = world().index(day_of(arguments, "end_date", world().today))
    if arguments.get("start_date") is not None:
        first = world().index(day_of(arguments, "start_date", world().today))
        if first > last:
            raise WorldError("start_date must not be after end_date")
        return first, last
    days = number_of(arguments, "days", default_days, 1, world().days)
    return max(0, last - days + 1), last


def page_of(rows: list[R], arguments: Arguments, default: int, most: int) -> tuple[list[R], dict[str, int]]:
    """One page of `rows` by `limit` and `offset`, and what says how much there is."""
    limit = number_of(arguments, "limit", default, 1, most)
    offset = number_of(arguments, "offset", 0, 0, 1_000_000)
    facts = {"total": len(rows), "offset": offset}
    if offset + limit < len(rows):
        facts["next_offset"] = offset + limit
    return rows[offset : offset + limit], facts


def percent_change(old: float, new: float) -> float:
    """The change from `old` to `new` in percent, rounded to two decimals."""
    return round((new / old - 1) * 100, 2) if old else 0.0
