"""Times of day."""

from __future__ import annotations

import pytest

from core.evaluators.text.times import read_time, same_time


@pytest.mark.parametrize(
    ("text", "minutes", "zone"),
    [
        ("19:00", 1140, ""),
        ("0:15", 15, ""),
        ("23:59", 1439, ""),
        ("24:00", None, ""),
        ("23:60", None, ""),
        ("19:00:30", 1140, ""),
        ("7:05", 425, ""),
        ("7:5", None, ""),
        ("7", None, ""),
        ("noon", None, ""),
        ("12 am", 0, ""),
        ("12:30 a.m.", 30, ""),
        ("1 am", 60, ""),
        ("12 pm", 720, ""),
        ("11:59 p.m.", 1439, ""),
        ("0 am", None, ""),
        ("13 pm", None, ""),
        ("19 Uhr", 1140, ""),
        ("19h30", 1170, ""),
        ("19h", 1140, ""),
        ("pukul 19.00 wib", 1140, "WIB"),
        ("19:00 (UTC)", 1140, "UTC"),
        ("19:00 Jakarta time", 1140, "WIB"),
        ("19:00 waktu Indonesia Barat", 1140, "WIB"),
        ("**19:00**", 1140, ""),
    ],
)
def test_a_time_is_a_minute_of_the_day(text: str, minutes: int | None, zone: str) -> None:
    assert read_time(text) == (None if minutes is None else (minutes, zone))


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("19:00", "7 pm", True),
        ("19h00", "19:00", True),
        ("19:00", "19:01", False),
        ("19:00", "seven", False),
        ("25:00", "25:00", False),
        ("7 pm", "7 pm", False),
        ("19:000", "19:00", False),
        ("19:00 UTC", "19:00 utc", True),
        ("19:00 UTC", "19:00", True),
        ("19:00", "19:00 UTC", True),
        ("19:00 UTC", "19:00 WIB", False),
    ],
)
def test_times_are_the_same_by_the_minute_and_the_zone_where_both_name_one(gold: str, answer: str, same: bool) -> None:
    assert same_time(gold, answer) is same
