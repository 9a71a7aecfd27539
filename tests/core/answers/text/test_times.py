"""Times of day."""

from __future__ import annotations

from modex.core.answers.text.times import clock_of, read_time, same_clock, same_time, times_in
from tests.core.answers.tables import differing
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


_TIMES = r"""
19:00 => (1140, '')
19.00 WIB => (1140, 'WIB')
7:00 PM => (1140, '')
7 pm => (1140, '')
7:00 p.m. => (1140, '')
7pm => (1140, '')
12 am => (0, '')
12 pm => (720, '')
12:30 am => (30, '')
13 pm => None
0 am => None
19 Uhr => (1140, '')
19h30 => (1170, '')
19h => (1140, '')
24:00 => None
23:59 => (1439, '')
23:60 => None
19 => None
19:00:30 => (1140, '')
at 7:00 => (420, '')
pukul 19.00 => (1140, '')
19:00 (UTC) => (1140, 'UTC')
19:00 waktu Indonesia Barat => (1140, 'WIB')
7 o'clock => (420, '')
1900 hrs => None
7:5 => None
"""
_SAME = r"""
19:00|7 pm => True
19:00|7:00 PM => True
19:00|19.00 WIB => True
19:00 WIB|19:00 UTC => False
19:00 WIB|19:00 => True
19:00|18:00 => False
7:15|quarter past seven => True
7:15|a quarter past seven => True
7:15|at quarter past seven => True
19:15|quarter past seven => True
19:15|quarter past seven in the morning => False
7:45|quarter to eight => True
7:30|half past seven => True
7:30 am|half past seven in the evening => False
12:40|twenty to one => True
9:55|five to ten => True
7:25|twenty-five past seven => True
7:00|seven o'clock => True
7:00|seven o'clock at night => True
1:00|one o'clock at night => True
13:00|one o'clock at night => False
0:30|half past twelve at night => True
12:30|half past twelve in the afternoon => True
7:15|it is a long while past quarter past seven => False
3:2|3:2 => False
12:59|0:59 => False
13:00|1:00 => False
4:00|4 o'clock at night => True
17:00|5 o'clock at night => True
"""
_IN_TEXT = r"""
At 7:30 or half past ten p.m. => 3-8=450 11-29=1350
from 10:30 to 25:30 and 10:61 => 5-11=630
quarter past eight in the morning, five minutes before nine => 0-33=495 35-59=535?
12 o'clock at night, 11 o'clock at night, 3 o'clock in the afternoon => 0-19=0 21-40=1380 42-68=900
ten till 4 and twenty five after 2 => 0-10=230? 15-34=145?
3:4 13:2 1:234 =>
12:15 am 12:15 pm => 0-8=15 9-17=735
half twelve =>
"""
_CLOCKS = r"""
7:30 => (450, True)
07:30 => (450, False)
7.30 => (450, True)
19:30 => (1170, False)
12:59 => (779, True)
13:00 => (780, False)
0:59 => (59, False)
1:00 => (60, True)
7:30 am => (450, False)
7:30pm => (1170, False)
at 7:30 => None
7 => None
25:00 => None
"""


def said(text: str) -> str:
    return " ".join(f"{start}-{end}={minutes}{'' if known else '?'}" for start, end, minutes, known in times_in(text))


def test_a_time_of_day_is_read_in_digits_and_words() -> None:
    assert differing(_TIMES, lambda text: str(read_time(text))) == []
    assert differing(_IN_TEXT, said) == []
    assert differing(_CLOCKS, lambda text: str(clock_of(text))) == []


def test_two_times_are_the_same_minute_unless_half_or_zone_differ() -> None:
    assert differing(_SAME, lambda line: str(same_time(*line.split("|")))) == []
