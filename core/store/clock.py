"""Wall-clock time as stored: ISO 8601, UTC, milliseconds. Durations are never computed from it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """The present moment as stored."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse(stored: str) -> datetime:
    """A stored moment as an aware datetime."""
    return datetime.fromisoformat(stored)
