"""Scale words by the language they stand in."""

from __future__ import annotations

from modex.core.answers.numbers.scales import language_of, scale_of
from tests.rows import each_row


@each_row(
    ("word", "locale", "factor"),
    [
        ("k", "de", 10**3),
        ("M", "en", 10**6),
        ("M", "id", 10**9),
        ("m", "en", None),
        ("B", "en", 10**9),
        ("T", "id", 10**12),
        ("-", "en", None),
        ("hundred", "en", 100),
        ("dozen", "nl", 12),
        ("lusin", "id", 12),
        ("Dutzend", "de-AT", 12),
        ("ratus", "id", 100),
        ("mrd", "en", 10**9),
        ("Billion", "en", 10**9),
        ("Billion", "hi", 10**9),
        ("Billion", "de", 10**12),
        ("Billion", "id", None),
        ("lakh", "hi", 10**5),
        ("lakhs", "zh", 10**5),
        ("crore", "it", 10**7),
        ("crores", "ja", 10**7),
        ("millones", "en", 10**6),
        ("mila", "it", 1000),
        ("mila", "en", None),
    ],
)
def test_the_factor_of_a_scale_word(word: str, locale: str, factor: int | None) -> None:
    assert scale_of(word, locale) == factor


def test_eastern_scales_are_powers_of_ten() -> None:
    assert [scale_of(word, "ja") for word in "十百千万億兆"] == [10, 100, 10**3, 10**4, 10**8, 10**12]
    assert [scale_of(word, "zh") for word in "十百千万萬亿億"] == [10, 100, 10**3, 10**4, 10**4, 10**8, 10**8]


@each_row(("locale", "language"), [("de-CH", "de"), ("pt_BR", "pt"), ("zh-Hant-TW", "zh"), ("EN", "en")])
def test_the_language_of_a_locale_is_its_first_part(locale: str, language: str) -> None:
    assert language_of(locale) == language
