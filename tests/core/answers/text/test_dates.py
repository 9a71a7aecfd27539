from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.text.dates import AmbiguousDateError, dates_in, read_date, same_date
from modex.core.answers.text.times import same_time
from tests.core.answers.tables import differing
from tests.rows import each_row


@each_row(
    "text",
    [
        "1986-04-26",
        "26 April 1986",
        "April 26, 1986",
        "26.04.1986",
        "Saturday, 26 April 1986",
        "1986年4月26日",
        "26 avril 1986",
    ],
)
def test_a_day_in_its_usual_forms(text: str) -> None:
    assert read_date(text) == datetime.date(1986, 4, 26)


def test_figures_in_doubtful_order_need_a_locale() -> None:
    with pytest.raises(AmbiguousDateError, match="locale"):
        read_date("04/05/2024")
    assert read_date("04/05/2024", "en-US") == datetime.date(2024, 4, 5)
    assert read_date("04.05.2024", "de") == datetime.date(2024, 5, 4)


@given(st.dates(datetime.date(1000, 1, 1)))
def test_dates_round_trip(day: datetime.date) -> None:
    for text in (day.isoformat(), f"{day.day} {day:%B} {day.year}", f"{day:%B} {day.day}, {day.year}"):
        assert read_date(text) == day
    assert dates_in(f"It was {day.isoformat()}, then.") == [(7, 17, day)]


@given(st.text(max_size=40))
def test_no_text_raises_but_for_doubt(text: str) -> None:
    read_date(text, "de")
    dates_in(text)


def test_times_of_day() -> None:
    assert same_time("19:00", "7:00 PM")
    assert same_time("19:00", "19.00 WIB")
    assert not same_time("19:00 WIB", "19:00 UTC")
    assert not same_time("19.50", "19:50")


@each_row(
    "months",
    [
        "January February March April May June July August September October November December",
        "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec",
        "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember",
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "ene. feb. mrt. apr. mei jun. jul. agt. sep. okt. nov. des.",
        "jan. feb. mär. apr. mai jun. jul. agu. sept. okt. nov. dic.",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    ],
)
def test_the_months_of_a_year(months: str) -> None:
    read = [read_date(f"7 {month} 2021") for month in months.split()]
    assert read == [datetime.date(2021, number, 7) for number in range(1, 13)]


@each_row(
    ("text", "iso"),
    [
        ("2020-03-01T00:00:00Z", "2020-03-01"),
        ("2020/3/1", "2020-03-01"),
        ("2020년 3월 1일", "2020-03-01"),
        ("2020, March 1", "2020-03-01"),
        ("1er mars 2020", "2020-03-01"),
        ("1º de março de 2020", "2020-03-01"),
        ("the 1st of March, 2020", "2020-03-01"),
        ("March the 1st, 2020", "2020-03-01"),
        ("Mon, 1 Mar 2021", "2021-03-01"),
        ("Senin, 1 Maret 2021", "2021-03-01"),
        ("The date is 1 March 2021", "2021-03-01"),
        ("on March 1, 2021.", "2021-03-01"),
        ("**1 March 2021**", "2021-03-01"),
        ("5/5/2024", "2024-05-05"),
        ("12/12/2024", "2024-12-12"),
        ("13/12/2024", "2024-12-13"),
        ("12/13/2024", "2024-12-13"),
        ("13/13/2024", None),
        ("31 April 2020", None),
        ("29 February 2024", "2024-02-29"),
        ("29 February 2023", None),
        ("2020-13-01", None),
        ("26 Foo 1986", None),
        ("April 1986", None),
        ("today", None),
    ],
)
def test_a_day_is_one_of_the_calendar(text: str, iso: str | None) -> None:
    assert read_date(text) == (None if iso is None else datetime.date.fromisoformat(iso))


@each_row(
    ("locale", "month"),
    [("en", 4), ("en-US", 4), ("en_PH", 4), ("EN-BZ", 4), ("en-GB", 5), ("en-USX", 5), ("de", 5), ("xen", 5)],
)
def test_the_locale_says_which_figure_is_the_month(locale: str, month: int) -> None:
    day = datetime.date(2024, month, 9 - month)
    assert read_date("04/05/2024", locale) == day
    assert [found for _, _, found in dates_in("on 04/05/2024", locale)] == [day]
    assert same_date(day.isoformat(), "04/05/2024", locale)
    assert same_date("04/05/2024", day.isoformat(), locale)


@each_row(
    ("gold", "answer", "same"),
    [
        ("July 4", "4th of July", True),
        ("July 4", "July 5", False),
        ("July 4", "4 July 2020", False),
        ("July 31", "31 July", True),
        ("July 32", "July 32", False),
        ("April 1986", "1986-04", True),
        ("April of 1986", "April, 1986", True),
        ("April 1986", "April 1987", False),
        ("April 1986", "May 1986", False),
        ("1986-12", "December 1986", True),
        ("1986-13", "1986-13", False),
        ("1986-00", "1986-00", False),
        ("on July 4", "July 4", True),
        ("April", "April", False),
        ("1986", "1986", False),
        ("04/05/2024", "2024-05-04", False),
        ("2024-05-04", "04/05/2024", False),
        ("2024-05-04", "4 May 2024", True),
        ("2024-05-04", "May 2024", False),
    ],
)
def test_what_a_date_leaves_out_an_answer_leaves_out_too(gold: str, answer: str, same: bool) -> None:
    assert same_date(gold, answer) is same


def test_dates_in_running_text_stand_in_their_order() -> None:
    text = "From May 2, 2001 to 1986-05-01, not 04/05/2024 nor 31 April 2020; 2020年3月1日."
    assert [(text[start:end], day.isoformat()) for start, end, day in dates_in(text)] == [
        ("May 2, 2001", "2001-05-02"),
        ("1986-05-01", "1986-05-01"),
        ("2020年3月1日", "2020-03-01"),
    ]


_DAYS = r"""
1986-04-26 => 1986-04-26
1986/4/26 => 1986-04-26
1986.04.26 => 1986-04-26
1986-04-26T00:00:00Z => 1986-04-26
1986-04-26T12:00 => -
1986年4月26日 => 1986-04-26
1986 年 4 月 26 => 1986-04-26
1986년 4월 26일 => 1986-04-26
26 April 1986 => 1986-04-26
26th of April, 1986 => 1986-04-26
26. April 1986 => 1986-04-26
26-Apr-1986 => 1986-04-26
the 26th of April 1986 => 1986-04-26
26 de abril de 1986 => 1986-04-26
26 avril 1986 => 1986-04-26
1er mai 1990 => 1990-05-01
1º de maio de 1990 => 1990-05-01
April 26, 1986 => 1986-04-26
April 26th 1986 => 1986-04-26
April the 26th, 1986 => 1986-04-26
Apr. 26, 1986 => 1986-04-26
1986, April 26 => 1986-04-26
1986 April 26th => 1986-04-26
26/04/1986 => 1986-04-26
04/26/1986 => 1986-04-26
26.04.1986 => 1986-04-26
4.5.1986 => 1986-05-04
4/5/1986 => ambiguous
5/5/1986 => 1986-05-05
13/13/1986 => -
31 April 1986 => -
29 February 2024 => 2024-02-29
29 February 2023 => -
0 May 1990 => -
26 Foo 1986 => -
Saturday, 26 April 1986 => 1986-04-26
Sat 26 April 1986 => 1986-04-26
Senin, 26 April 1986 => 1986-04-26
Montag, 26. April 1986 => 1986-04-26
on 26 April 1986 => 1986-04-26
On April 26, 1986. => 1986-04-26
am 26. April 1986 => 1986-04-26
le 26 avril 1986 => 1986-04-26
tanggal 26 April 1986 => 1986-04-26
the date is 26 April 1986 => 1986-04-26
it was on 26 April 1986 => -
26 märz 1986 => 1986-03-26
26 März 1986 => 1986-03-26
26 mai 1986 => 1986-05-26
26 Агу 1986 => -
26 апреля 1986 => 1986-04-26
April 1986 => -
26 April => -
26 / 04 / 1986 => 1986-04-26
26/04-1986 => -
26/04/86 => -
"""
_IN_LOCALE = r"""
4/5/1986|en-US => 1986-04-05
4/5/1986|en_US => 1986-04-05
4/5/1986|en-GB => 1986-05-04
4/5/1986|en => 1986-04-05
4/5/1986|de => 1986-05-04
4.5.1986|en-US => 1986-04-05
4.5.1986|de => 1986-05-04
13/5/1986|en-US => 1986-05-13
5/13/1986|de => 1986-05-13
4/5/1986|fr-CA => 1986-05-04
"""
_SAME = r"""
April 1986|April, 1986 => True
April 1986|1986-04 => True
April 1986|April of 1986 => True
April 1986|May 1986 => False
April 1986|April 1987 => False
April 1986|26 April 1986 => False
July 4|4 July => True
July 4|the 4th of July => True
July 4|July 4th => True
July 4|July 5 => False
July 4|June 4 => False
July 4|on July 4 => True
July 32|July 32 => False
July|July => False
26 April 1986|1986-04-26 => True
26 April 1986|April 1986 => False
4/5/1986|4/5/1986 => False
1986-13|1986-13 => False
1986-12|December 1986 => True
1986-0|1986-0 => False
May the 4th|4 May => True
"""
_IN_TEXT = r"""
From 1986-04-26 to 27 April 1986. => 5-15=1986-04-26 19-32=1986-04-27
It was April 26, 1986 (a Saturday), not 25.04.1986. => 7-21=1986-04-26 40-50=1986-04-25
On 4/5/1986 nothing. =>
1986年4月26日に => 0-10=1986-04-26
x =>
"""


def day(text: str, locale: str | None = None) -> str:
    try:
        return str(read_date(text, locale) or "-")
    except AmbiguousDateError:
        return "ambiguous"


def test_a_day_is_read_in_every_writing_and_in_none_that_names_no_day() -> None:
    assert differing(_DAYS, day) == []
    assert differing(_IN_LOCALE, lambda line: day(*line.split("|"))) == []


def test_parts_of_a_date_are_the_same_where_they_name_the_same() -> None:
    assert differing(_SAME, lambda line: str(same_date(*line.split("|")))) == []


def test_dates_stand_in_running_text() -> None:
    assert (
        differing(_IN_TEXT, lambda text: " ".join(f"{start}-{end}={one}" for start, end, one in dates_in(text))) == []
    )
