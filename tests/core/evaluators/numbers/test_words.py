from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluators.numbers.spans import number_spans, word_spans
from core.evaluators.numbers.words import read_words

_ONES = [
    "",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def english(value: int) -> str:
    """A number from 1 to 999,999,999 in words."""
    for scale, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= scale:
            rest = value % scale
            joint = " and " if name == "hundred" else " "
            return f"{english(value // scale)} {name}" + (joint + english(rest) if rest else "")
    if value < 20:
        return _ONES[value]
    return _TENS[value // 10] + (f"-{_ONES[value % 10]}" if value % 10 else "")


@given(st.integers(1, 999_999_999))
def test_english_numbers_round_trip(value: int) -> None:
    assert read_words(english(value)) == (Fraction(value), "")


def chinese(value: int) -> str:
    digits = "零一二三四五六七八九"
    out = ""
    for scale, name in ((10**4, "万"), (1000, "千"), (100, "百"), (10, "十")):
        if value >= scale:
            out += (chinese(value // scale) if scale == 10**4 else digits[value // scale]) + name
            value %= scale
    return out + (digits[value] if value else "")


@given(st.integers(1, 99_999_999))
def test_chinese_numerals_round_trip(value: int) -> None:
    assert read_words(chinese(value), "zh") == (Fraction(value), "")


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("dua ribu", "en", 2000),
        ("satu juta dua ratus ribu", "id", 1_200_000),
        ("zweitausenddreihunderteinundzwanzig", "de", 2321),
        ("quatre-vingt-dix-sept", "fr", 97),
        ("treinta y uno", "es", 31),
        ("1万2千", "ja", 12000),
        ("two and a half", "en", Fraction(5, 2)),
        ("three quarters", "en", Fraction(3, 4)),
        ("tiga koma lima", "id", Fraction(7, 2)),
    ],
)
def test_numbers_in_words_are_read(text: str, locale: str, value: Fraction) -> None:
    assert read_words(text, locale) == (Fraction(value), "")


@pytest.mark.parametrize(
    ("text", "locale"),
    [("once", "en"), ("elf", "en"), ("sept", "en"), ("apples", "en"), ("and five", "en"), ("", "en")],
)
def test_words_of_another_meaning_are_no_numbers(text: str, locale: str) -> None:
    assert read_words(text, locale) is None


def test_numbers_stand_in_running_text_by_digit_and_by_word() -> None:
    text = "Of seventeen hens, 3 laid minus 5 eggs."
    assert [number.value for _, _, number in number_spans(text)] == [3, -5]
    assert [number.value for _, _, number in word_spans(text)] == [17]


@given(st.text(max_size=60), st.sampled_from(["en", "id", "de", "es", "fr", "ja"]))
def test_no_text_raises(text: str, locale: str) -> None:
    read_words(text, locale)
    list(number_spans(text, locale))
    list(word_spans(text, locale))
