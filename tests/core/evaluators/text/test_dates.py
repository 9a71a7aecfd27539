from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluators.text.dates import AmbiguousDateError, dates_in, read_date
from core.evaluators.text.times import same_time


@pytest.mark.parametrize(
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
