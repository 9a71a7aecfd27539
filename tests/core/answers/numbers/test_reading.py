from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.numbers.reading import (
    Number,
    boxes_together,
    joined_boxes,
    last_boxed,
    parse_number,
    to_fraction,
)
from tests.core.answers.tables import differing
from tests.rows import each_row


@each_row(
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


@each_row(
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


@each_row(
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


@each_row(
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


@each_row(("text", "value"), [("twenty-one", 21), ("seven", 7), ("two thousand", 2000)])
def test_a_number_in_words_is_a_number(text: str, value: int) -> None:
    number = parse_number(text)
    assert number is not None
    assert number.value == value


def test_dollars_and_cents_are_known_to_the_cent() -> None:
    number = parse_number("5 dollars and 20 cents")
    assert number is not None
    assert (number.value, number.decimals, number.significant) == (Fraction(26, 5), 2, 3)


@each_row(
    ("text", "locale", "number"),
    [
        ("0", "en", Number(Fraction(0), decimals=0, significant=0)),
        ("-07", "en", Number(Fraction(-7), decimals=0, significant=1)),
        ("+5", "en", Number(Fraction(5), decimals=0, significant=1)),
        ("½", "en", Number(Fraction(1, 2))),
        ("11½", "fr", Number(Fraction(23, 2))),
        ("1 1/2", "en", Number(Fraction(3, 2))),
        ("1 2/2", "en", None),
        ("1 1/0", "en", None),
        ("²", "en", None),
        ("½five", "en", None),
        ("$-5", "en", Number(Fraction(-5), "$", decimals=0, significant=1)),
        ("$5$", "en", Number(Fraction(5), decimals=0, significant=1)),
        ("$$", "en", None),
        ("$", "en", None),
        ("5€", "en", Number(Fraction(5), "€", decimals=0, significant=1)),
        ("€50 %", "en", None),
        ("USD 5", "en", Number(Fraction(5), "USD", decimals=0, significant=1)),
        ("18 dollars and 50 cents", "en", Number(Fraction(37, 2), "$", decimals=2, significant=4)),
        ("5%", "fr", Number(Fraction(5), "%", percent=True, decimals=0, significant=1)),
        ("5 percent", "en", Number(Fraction(5), "%", percent=True, decimals=0, significant=1)),
        ("5e5", "en", Number(Fraction(500_000), decimals=-5, significant=1)),
        ("10^6", "en", Number(Fraction(10**6))),
        ("10²", "en", Number(Fraction(100))),
        ("1e400", "en", Number(Fraction(10**400), decimals=-400, significant=1)),
        ("1e4000", "en", None),
        ("1,234", "en", Number(Fraction(1234), decimals=0, significant=4)),
        ("1,234.50", "en", Number(Fraction(2469, 2), decimals=2, significant=6)),
        ("1,23,456", "en", Number(Fraction(123_456), decimals=0, significant=6)),
        ("0,5", "en", None),
        ("1,23", "en", None),
        ("1,2345", "en", None),
        ("0,5", "de", Number(Fraction(1, 2), decimals=1, significant=1)),
        (",5", "fr", Number(Fraction(1, 2), decimals=1, significant=1)),
        (".5", "en", Number(Fraction(1, 2), decimals=1, significant=1)),
        ("1.5", "fr", Number(Fraction(3, 2), decimals=1, significant=2)),
        ("1.500", "de", Number(Fraction(1500), decimals=0, significant=4)),
        ("0.500", "de", Number(Fraction(1, 2), decimals=3, significant=3)),
        ("1.00,5", "de", None),
        ("1,", "fr", Number(Fraction(1), decimals=0, significant=1)),
        ("5 k", "en", Number(Fraction(5), "k", decimals=0, significant=1)),
        ("2k", "en", Number(Fraction(2000))),
        ("2.5 million", "en", Number(Fraction(2_500_000))),
        ("Rp5 M", "id", Number(Fraction(5 * 10**9), "Rp")),
        ("1万", "en", Number(Fraction(10_000))),
        ("5 m/s", "en", Number(Fraction(5), "m/s", decimals=0, significant=1)),
        ("5mC", "de", Number(Fraction(5), "mC", decimals=0, significant=1)),
        (
            "18 red ripe sweet round apples",
            "en",
            Number(Fraction(18), "red ripe sweet round apples", decimals=0, significant=2),
        ),
        ("18 red ripe sweet round apples here", "en", None),
        ("5n", "en", None),
        ("5th", "en", None),
        ("5!", "en", None),
        ("5 !", "en", Number(Fraction(5), decimals=0, significant=1)),
        ("~", "de", None),
        ("minus 5", "en", Number(Fraction(-5), decimals=0, significant=1)),
        ("about 5", "en", Number(Fraction(5), decimals=0, significant=1)),
        ("3+4=7", "en", Number(Fraction(7), decimals=0, significant=1)),
        (r"\boxed{\frac{1}{2}}}", "en", Number(Fraction(1, 2))),
        ("9" * 201, "en", Number(Fraction(int("9" * 201)), decimals=0, significant=201)),
        ("1" + "." + "9" * 198, "en", Number(Fraction("1." + "9" * 198), decimals=198, significant=199)),
        ("1" + "." + "9" * 199, "en", None),
    ],
)
def test_a_number_has_a_value_a_unit_and_the_digits_it_shows(text: str, locale: str, number: Number | None) -> None:
    assert parse_number(text, locale) == number


def test_the_unit_that_is_asked_for_is_no_scale() -> None:
    asked = parse_number("300K", "en", "K")
    assert asked is not None
    assert (asked.value, asked.unit) == (Fraction(300), "K")
    other = parse_number("300K", "en", "m")
    assert other is not None
    assert other.value == 300_000


@each_row(
    ("text", "content"),
    [
        (r"\boxed{a}\boxed{b}", "b"),
        (r"\boxed{a{b}c} d", "a{b}c"),
        (r"\boxed{a\boxed{b}}", "b"),
        (r"\fbox{a} \fboxed{c}", "c"),
        (r"\boxed{a} {b}", "a"),
        (r"\boxed{a} }", "a"),
        (r"\boxed{a \} b}", r"a \} b"),
        (r"\boxed{a", None),
        (r"\boxed 5", None),
        ("5", None),
    ],
)
def test_the_last_box_counts(text: str, content: str | None) -> None:
    assert last_boxed(text) == content


@each_row(
    ("value", "fraction"),
    [
        (3, 3),
        (0.1, Fraction(1, 10)),
        ("1.50", Fraction(3, 2)),
        (Decimal("0.25"), Fraction(1, 4)),
        (Fraction(1, 3), Fraction(1, 3)),
        ("1e400", 10**400),
        ("1e4000", None),
        ("x", None),
        (float("inf"), None),
        (float("nan"), None),
    ],
)
def test_a_value_of_json_is_exact(value: float | str | Decimal | Fraction, fraction: Fraction | None) -> None:
    assert to_fraction(value) == fraction


def test_what_is_per_nothing_is_no_number() -> None:
    assert parse_number("3/") is None
    assert parse_number("3 /") is None
    per_hour = parse_number("3/h")
    assert per_hour is not None
    assert per_hour.unit == "per h"


def test_a_percentage_is_a_percent_and_percentage_points_are_not() -> None:
    written = {text: parse_number(text) for text in ("28 percentage", "28 percentage points")}
    assert [found is not None and found.percent for found in written.values()] == [True, False]


_NUMBERS = r"""
5|en => 5 0/1
5.|en => 5 0/1
5!|en => -
"5"|en => 5 0/1
$5|en => 5 $ 0/1
-$5|en => -5 $ 0/1
$-5|en => -5 $ 0/1
5$|en => 5 $ 0/1
USD 5|en => 5 USD 0/1
5 USD|en => 5 USD 0/1
$5 USD|en => 5 $ 0/1
5 dollars and 20 cents|en => 26/5 $ 2/3
5 dollars and 120 cents|en => -
5%|en => 5 % percent 0/1
$5%|en => -
5 % off|en => -
1,234|en => 1234 0/4
1,23|en => -
1,234,567|en => 1234567 0/7
1,23,456|en => 123456 0/6
12,34,567|en => 1234567 0/7
1.234,5|de => 2469/2 1/5
1.234|de => 1234 0/4
1.23|de => 123/100 2/3
1,234.5|de => -
1 234|fr => 1234 0/4
1'234.5|de-CH => 2469/2 1/5
1,5|en => -
0,5|id => 1/2 1/1
1.5 million|en => 1500000 None/0
1.5M|en => 1500000 None/0
5 m|en => 5 m 0/1
5m|en => 5 m 0/1
5 k|en => 5 k 0/1
5k|en => 5000 None/0
2B|en => 2000000000 None/0
3 billion|de => 3000000000000 None/0
3 Milliarden|en => 3000000000 None/0
5 miliar|id => 5000000000 None/0
2 dozen|en => 24 None/0
5万|ja => 50000 None/0
1万2千|ja => 12000 None/0
3/4|en => 3/4 None/0
-3/4|en => -3/4 None/0
3/0|en => -
1 1/2|en => 3/2 None/0
1 3/2|en => -
1/2/3|en => -
½|en => 1/2 None/0
1½|en => 3/2 None/0
\frac{3}{4}|en => 3/4 None/0
\frac34|en => 3/4 None/0
\boxed{5}|en => 5 0/1
\text{5}|en => 5 0/1
10^6|en => 1000000 None/0
1.5e-7|en => 3/20000000 8/2
1.5 x 10^-7|en => 3/20000000 8/2
1.5 \times 10^{7}|en => 15000000 -6/2
10^500|en => -
2^3|en => -
x = 5|en => 5 0/1
Total: 5|en => 5 0/1
= 5|en => 5 0/1
≈ 5|en => 5 0/1
about 5|en => 5 0/1
3 + 4 = 7|en => 7 0/1
3 + 4|en => -
minus 5|en => -5 0/1
−5|en => -5 0/1
+5|en => 5 0/1
--5|en => -
5 apples|en => 5 apples 0/1
5 or 6|en => -
5 of 6|en => -
5 km/h|en => 5 km/h 0/1
5 km per hour|en => 5 km per hour 0/1
5 kg m|en => 5 kg m 0/1
5π|en => -
5x|en => -
5 x|en => -
5 x 6|en => -
12:30|en => -
5th|en => -
5-6|en => -
five|en => 5 None/0
minus five|en => -5 None/0
five and a half|en => 11/2 None/0
fifty %|en => 50 % percent None/0
300 K|en => 300 K 0/3
300K|en => 300000 None/0
٣|en => 3 0/1
５|en => 5 0/1
摄氏38度|zh => 38 °C 0/2
百分之38|zh => 38 % percent 0/2
5.-|de => 5 0/1
5,--|de => 5 0/1
5 (approx)|en => 5 0/1
5 (or 6)|en => -
5°|en => 5 ° 0/1
5 °C|en => 5 °C 0/1
5^\circ|en => 5 ° 0/1
5\%|en => 5 % percent 0/1
18{,}000|en => 18000 0/5
1\,234|en => 1234 0/4
{5}|en => -
a|en => -
|en => -
"""
"""A text and its locale: value, unit, decimals and significant digits."""
_BOXES = r"""
\boxed{1} => None None
\boxed{1} and \boxed{2} => 1, 2 (0, 23)
\boxed{1}, \boxed{2} => 1, 2 (0, 20)
\boxed{1}\n\boxed{2} => None None
\boxed{1} \boxed{1} => None None
\boxed{1} so \boxed{2} => None None
\boxed{\boxed{1}} => None None
\boxed{1},\n\boxed{2} => 1, 2 (0, 20)
\boxed{} \boxed{2} => None None
\boxed{1 \boxed{2} => None None
a \boxed{1} b \boxed{2} or \boxed{3} => 2, 3 (14, 36)
\fbox{1}\text{ and }\boxed{2} => None None
"""


def number(line: str) -> str:
    text, locale = line.rsplit("|", 1)
    found = parse_number(text, locale)
    if found is None:
        return "-"
    unit = f" {found.unit}" if found.unit else ""
    return f"{found.value}{unit}{' percent' if found.percent else ''} {found.decimals}/{found.significant}"


def test_a_text_is_one_number_or_none() -> None:
    assert differing(_NUMBERS, number) == []


def test_boxes_stand_together_with_only_commas_and_words_between() -> None:
    assert differing(_BOXES, lambda text: f"{joined_boxes(text)} {boxes_together(text)}") == []
