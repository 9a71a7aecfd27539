from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.text.dates import AmbiguousDateError, dates_in, read_date, same_date
from modex.core.answers.text.times import same_time
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
