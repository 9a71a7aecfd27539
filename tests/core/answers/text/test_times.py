"""Times of day."""

from __future__ import annotations

from modex.core.answers.text.times import clock_of, read_time, same_clock, same_time, times_in
from tests.rows import each_row


@each_row(
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


@each_row(
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


@each_row(
    ("text", "minutes", "known"),
    [
        ("half past ten", 630, False),
        ("quarter to one", 765, False),
        ("quarter to two", 105, False),
        ("ten before 12", 710, False),
        ("twenty-five till nine", 515, False),
        ("five minutes after 3 o'clock", 185, False),
        ("twelve o'clock", 720, False),
        ("twelve o'clock in the afternoon", 720, True),
        ("twelve o'clock in the morning", 0, True),
        ("twelve o'clock at night", 0, True),
        ("quarter to one at night", 45, True),
        ("half past one at night", 90, True),
        ("two o'clock at night", 120, True),
        ("three o'clock at night", 180, True),
        ("half past four at night", 270, True),
        ("half past five at night", 1050, True),
        ("half past four in the evening", 990, True),
        ("quarter past eight in the morning", 495, True),
        ("half past ten P.M.", 1350, True),
        ("half past ten a.m.", 630, True),
        ("12:59", 779, True),
        ("13:00", 780, True),
        ("12:05 am", 5, True),
        ("8:15 in the evening", 1215, True),
        ("13:05 in the afternoon", 785, True),
        ("23:59", 1439, True),
    ],
)
def test_a_time_within_a_text_is_read_with_its_half_of_the_day(text: str, minutes: int, known: bool) -> None:
    said = f"At {text}, I think."
    assert list(times_in(said)) == [(3, 3 + len(text), minutes, known)]


@each_row("text", ["24:00", "12:60", "1:12:30", "half past thirteen", "one of ten", "some o'clock"])
def test_what_is_no_time_within_a_text_is_not_read(text: str) -> None:
    assert list(times_in(text)) == []


def test_every_time_of_a_text_is_read() -> None:
    said = "From 24:10, no: from 8:15 to half past nine, 13:00 or 23:59."
    assert [minutes for _, _, minutes, _ in times_in(said)] == [495, 570, 780, 1439]


@each_row(
    ("gold", "clock"),
    [
        ("8:15", (495, True)),
        (" 8.15 ", (495, True)),
        ("08:15", (495, False)),
        ("8:15 am", (495, False)),
        ("0:59", (59, False)),
        ("1:00", (60, True)),
        ("12:59", (779, True)),
        ("13:00", (780, False)),
        ("24:00", None),
        ("8:15 to 9:15", None),
        ("8 pm", None),
    ],
)
def test_a_gold_between_one_and_twelve_in_digits_leaves_its_half_open(
    gold: str, clock: tuple[int, bool] | None
) -> None:
    assert clock_of(gold) == clock


@each_row(
    ("minutes", "known", "gold", "same"),
    [
        (495, True, (495, False), True),
        (1215, True, (495, False), False),
        (1215, True, (495, True), True),
        (495, False, (1215, False), True),
        (496, False, (1215, True), False),
        (495, False, (855, True), False),
    ],
)
def test_the_other_half_of_the_day_will_do_only_where_a_half_is_open(
    minutes: int, known: bool, gold: tuple[int, bool], same: bool
) -> None:
    assert same_clock(minutes, known, gold) is same


@each_row(
    ("gold", "answer", "same"),
    [
        ("8:15", "quarter past eight", True),
        ("8:15", "at quarter past eight in the evening", True),
        ("08:15", "quarter past eight in the evening", False),
        ("8:15", "not quarter past eight", False),
        ("8:15", "quarter past nine", False),
        ("8:15", "quarter past eight or so, I would say", False),
    ],
)
def test_a_time_in_words_is_the_gold_where_nothing_else_is_said(gold: str, answer: str, same: bool) -> None:
    assert same_time(gold, answer) is same
