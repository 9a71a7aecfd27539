from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluators.numbers.reading import parse_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$18.00", "18"),
        ("18", "18"),
        ("18.", "18"),
        ("18...", "18"),
        ("18 (that is 9*2)", "18"),
        ("18,000", "18000"),
        ("18.000", "18"),
        ("1 234", "1234"),
        ("1\u00a0234", "1234"),
        ("1\u202f234", "1234"),
        (r"1\,234", "1234"),
        ("18{,}000", "18000"),
        ("−5", "-5"),
        ("-$5", "-5"),
        ("$-5", "-5"),
        ("1e-7", "1/10000000"),
        ("1.5 × 10^{-7}", "3/20000000"),
        ("10⁻⁷", "1/10000000"),
        ("½", "1/2"),
        ("1½", "3/2"),
        ("1 1/2", "3/2"),
        ("3/4", "3/4"),
        (r"-\frac{3}{4}", "-3/4"),
        ("50%", "50"),
        (r"\boxed{-5}", "-5"),
        (r"\boxed{8}, no wait, \boxed{7}", "7"),
        ("3.14", "157/50"),
        ("x = 5", "5"),
        ("**18**", "18"),
        ("$18$", "18"),
        ("18 kg", "18"),
        ("1.5 million", "1500000"),
        ("1,23,456", "123456"),
        ("９", "9"),
        ("Total: 18 eggs", "18"),
        ("5万", "50000"),
    ],
)
def test_a_number_is_read_by_value(text: str, value: str) -> None:
    number = parse_number(text)
    assert number is not None
    assert number.value == Fraction(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("18.000", "18000"),
        ("18,5", "37/2"),
        ("Rp 11.236.000", "11236000"),
        ("Rp11.236.000,00", "11236000"),
        ("1.000,5", "2001/2"),
        ("3.14", "157/50"),
        ("0.125", "1/8"),
        ("1,5 juta", "1500000"),
    ],
)
def test_a_comma_locale_decides_the_separators(text: str, value: str) -> None:
    number = parse_number(text, "id")
    assert number is not None
    assert number.value == Fraction(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "abc",
        "1,8",
        "12:30",
        "1-2",
        "18 or 19",
        "3/4/5",
        "1..2",
        "--5",
        "1/0",
        "5 - 3",
        "1.000,5",
        "12 34",
        "1e999999",
        "NaN",
        "∞",
        "5!",
        "18 is wrong",
        "9" * 5000,
        "7i",
        "2n",
        "2xy",
        "1/2 mv^2",
    ],
)
def test_what_is_not_one_number_is_none(text: str) -> None:
    assert parse_number(text) is None


def test_a_long_scale_billion_is_a_million_millions() -> None:
    number = parse_number("1,5 Billionen", "de")
    assert number is not None
    assert number.value == 1_500_000_000_000


def test_units_and_percent_are_told_apart_from_the_value() -> None:
    percent, weight = parse_number("50 %"), parse_number("5 kg")
    assert percent is not None
    assert percent.percent
    assert weight is not None
    assert weight.unit == "kg"


@given(st.integers(-(10**12), 10**12))
def test_grouped_integers_round_trip_in_both_locales(value: int) -> None:
    for locale, text in (
        ("en", f"{value:,}"),
        ("de", f"{value:,}".replace(",", ".")),
        ("fr", f"{value:,}".replace(",", " ")),
    ):
        number = parse_number(text, locale)
        assert number is not None
        assert number.value == value


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=4))
def test_decimals_round_trip(value: Decimal) -> None:
    number = parse_number(f"{value:f}")
    comma = parse_number(f"{value:f}".replace(".", ","), "de")
    assert number is not None
    assert comma is not None
    assert number.value == comma.value == Fraction(value)


@given(st.text(max_size=60), st.sampled_from(["en", "de", "ja", ""]))
def test_no_text_raises(text: str, locale: str) -> None:
    parse_number(text, locale)


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [
        ("1.5 × 10^2", Fraction(150), -1),
        ("1.5e-3", Fraction(3, 2000), 4),
        ("2e3", Fraction(2000), -3),
        ("1.50", Fraction(3, 2), 2),
    ],
)
def test_a_power_of_ten_moves_the_last_digit_that_is_known(text: str, value: Fraction, decimals: int) -> None:
    number = parse_number(text)
    assert number is not None
    assert (number.value, number.decimals) == (value, decimals)


@pytest.mark.parametrize(("text", "value"), [("twenty-one", 21), ("seven", 7), ("two thousand", 2000)])
def test_a_number_in_words_is_a_number(text: str, value: int) -> None:
    number = parse_number(text)
    assert number is not None
    assert number.value == value


def test_dollars_and_cents_are_known_to_the_cent() -> None:
    number = parse_number("5 dollars and 20 cents")
    assert number is not None
    assert (number.value, number.decimals, number.significant) == (Fraction(26, 5), 2, 3)
