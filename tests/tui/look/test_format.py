from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from tui.look import format as fmt

NOW = datetime(2026, 3, 5, 14, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (7.9, "0:07"), (134, "2:14"), (3723, "1:02:03"), (400_000, "4d 15h"), (-3, "0:00"), (None, "–")],
)
def test_elapsed_time_is_short(seconds: float | None, text: str) -> None:
    assert fmt.clock(seconds) == text


@pytest.mark.parametrize(("seconds", "text"), [(134, "2:14"), (1, "0:01"), (0.4, "–"), (-20, "–"), (None, "–")])
def test_an_estimate_that_has_run_out_is_none(seconds: float | None, text: str) -> None:
    assert fmt.remaining(seconds) == text


@pytest.mark.parametrize(("ms", "text"), [(0, "0.0 s"), (3420, "3.4 s"), (99_960, "1:39"), (None, "–")])
def test_how_long_a_test_took(ms: float | None, text: str) -> None:
    assert fmt.seconds(ms) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (4130, "4.1k"),
        (190_400, "190k"),
        (999_960, "1.0M"),
        (2.3e6, "2.3M"),
        (5e12, "5.0T"),
    ],
)
def test_large_counts_take_five_columns(number: float, text: str) -> None:
    assert fmt.compact(number) == text


@pytest.mark.parametrize(
    ("usd", "text"),
    [(0, "$0.00"), (0.0009, "$0.0009"), (0.08, "$0.08"), (12.3, "$12.30"), (1234.5, "$1,234"), (None, "–")],
)
def test_money(usd: float | None, text: str) -> None:
    assert fmt.cost(usd) == text


def test_money_says_where_some_calls_have_no_known_price() -> None:
    assert fmt.cost(0.5, unpriced=True) == "$0.50+"
    assert fmt.cost(0.0, unpriced=True) == "–"


def test_scores_are_out_of_a_hundred_with_half_the_interval() -> None:
    assert (fmt.hundred(0.714, 1), fmt.hundred(1.0), fmt.hundred(None)) == ("71.4", "100", "–")
    assert (fmt.spread(0.66, 0.764), fmt.spread(None, None)) == ("5.2", "")


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("2026-03-05T09:05:00.000Z", "09:05"),
        ("2026-03-02T09:05:00.000Z", "Mon 09:05"),
        ("2026-01-04T09:05:00.000Z", "4 Jan"),
        ("2025-11-03T09:05:00.000Z", "2025-11-03"),
        ("not a time", "–"),
        (None, "–"),
    ],
)
def test_when_something_began(stored: str | None, text: str) -> None:
    assert fmt.when(stored, NOW) == text


def test_times_are_shown_in_the_zone_of_the_one_who_looks() -> None:
    east = NOW.astimezone(timezone(timedelta(hours=9)))
    assert fmt.time_of_day("2026-03-05T14:02:31.000Z", east) == "23:02:31"
