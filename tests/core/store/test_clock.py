"""Moments as they are stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from modex.core.store.clock import now, parse, stamp


def test_a_moment_is_stored_in_utc_to_the_millisecond() -> None:
    assert stamp(0.0) == "1970-01-01T00:00:00.000Z"
    assert stamp(1_700_000_000.0625) == "2023-11-14T22:13:20.062Z"


def test_now_is_the_present_moment() -> None:
    before = datetime.now(UTC)
    assert before - timedelta(milliseconds=2) <= parse(now()) <= datetime.now(UTC)
