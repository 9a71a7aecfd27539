from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from modex.tui.look import format as fmt
from tests.rows import each_row

NOW = datetime(2026, 3, 5, 14, 30, tzinfo=UTC)


@each_row(
    ("seconds", "text"),
    [(0, "0:00"), (7.9, "0:07"), (134, "2:14"), (3723, "1:02:03"), (400_000, "4d 15h"), (-3, "0:00"), (None, "–")],
)
def test_elapsed_time_is_short(seconds: float | None, text: str) -> None:
    assert fmt.clock(seconds) == text


@each_row(("seconds", "text"), [(134, "2:14"), (1, "0:01"), (0.4, "–"), (-20, "–"), (None, "–")])
def test_an_estimate_that_has_run_out_is_none(seconds: float | None, text: str) -> None:
    assert fmt.remaining(seconds) == text


@each_row(
    ("seconds", "text"),
    [
        (0.2, "~1 s"),
        (59, "~59 s"),
        (61, "~1 min"),
        (5900, "~98 min"),
        (9000, "~2.5 h"),
        (359_000, "~99.7 h"),
        (1e7, "~days"),
    ],
)
def test_how_much_longer_is_no_clock_time_and_fits_its_column(seconds: float, text: str) -> None:
    assert fmt.roughly(seconds) == text
    assert len(f"99% {text}") <= 11


@each_row(("ms", "text"), [(0, "0.0 s"), (3420, "3.4 s"), (99_960, "1:39"), (None, "–")])
def test_how_long_a_test_took(ms: float | None, text: str) -> None:
    assert fmt.seconds(ms) == text


@each_row(
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


@each_row(
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


@each_row(
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


@each_row(
    ("said", "text"),
    [
        (fmt.clock(59), "0:59"),
        (fmt.clock(60), "1:00"),
        (fmt.clock(3599), "59:59"),
        (fmt.clock(3600), "1:00:00"),
        (fmt.clock(359_999), "99:59:59"),
        (fmt.clock(360_000), "4d 04h"),
        (fmt.remaining(0.99), "–"),
        (fmt.seconds(99_949), "99.9 s"),
        (fmt.seconds(99_950), "1:39"),
        (fmt.compact(999.4), "999"),
        (fmt.compact(999.5), "1.0k"),
        (fmt.compact(99_949), "99.9k"),
        (fmt.compact(99_951), "100k"),
        (fmt.compact(999_499), "999k"),
        (fmt.compact(999_500), "1.0M"),
        (fmt.compact(-4130), "-4.1k"),
        (fmt.compact(2.5e9), "2.5G"),
        (fmt.compact(None), "–"),
        (fmt.rate(9.94), "9.9"),
        (fmt.rate(9.95), "10"),
        (fmt.rate(4130), "4.1k"),
        (fmt.rate(None), "–"),
        (fmt.cost(999.994), "$999.99"),
        (fmt.cost(1000), "$1,000"),
        (fmt.cost(0.01), "$0.01"),
        (fmt.cost(0.0099), "$0.0099"),
        (fmt.cost(None, unpriced=True), "–"),
        (fmt.spread(0.4, 0.6), "10.0"),
        (fmt.spread(None, 0.6), ""),
        (fmt.spread(0.4, None), ""),
        (fmt.hundred(0.714, 1), "71.4"),
        (fmt.hundred(0.714), "71"),
        (fmt.hundred(None), "–"),
        (fmt.one(0.5), "0.50"),
        (fmt.one(None), "–"),
        (fmt.count(1204), "1,204"),
        (fmt.count(None), "–"),
        (fmt.least(0.5, None), "50.0"),
        (fmt.least(0.5, (0.4, 0.6)), "≥40.0"),
        (fmt.least(None, (0.4, 0.6), ">="), ">=40.0"),
        (fmt.passed("run", 3, 5), "3/5"),
        (fmt.passed("speed", 3, 5), "5 calls"),
    ],
)
def test_figures_at_the_edges_of_their_forms(said: str, text: str) -> None:
    assert said == text


@each_row(
    ("first", "rate", "thinking", "estimated", "figures"),
    [
        (None, None, None, True, []),
        (1234, 56.7, 8900, False, ["first token 1.23 s", "57 tok/s", "thinking 8.9 s"]),
        (1234, 56.7, None, True, ["first token 1.23 s", "~57 tok/s"]),
        (None, None, 100, False, ["thinking 0.1 s"]),
    ],
)
def test_how_fast_an_answer_came(
    first: float | None, rate: float | None, thinking: float | None, estimated: bool, figures: list[str]
) -> None:
    assert fmt.speed(first, rate, thinking, estimated=estimated) == figures


@each_row(
    ("ago", "text"),
    [
        (timedelta(0), "14:30"),
        (timedelta(hours=14, minutes=30), "00:00"),
        (timedelta(hours=14, minutes=31), "Wed 23:59"),
        (timedelta(days=6), "Fri 14:30"),
        (timedelta(days=7), "26 Feb"),
        (timedelta(days=63), "1 Jan"),
        (timedelta(days=64), "2025-12-31"),
        (timedelta(days=-1), "6 Mar"),
    ],
)
def test_how_long_ago_decides_how_a_moment_is_said(ago: timedelta, text: str) -> None:
    assert fmt.when((NOW - ago).isoformat(), NOW) == text


@each_row(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (12_350, "12.3 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
    ],
)
def test_the_size_of_a_file(size: int, text: str) -> None:
    assert fmt.attached({"name": "a", "media_type": "b", "size": size}) == f"a (b, {text})"
