"""How fluency is put together."""

from __future__ import annotations

import pytest

from modex.core.answers.text.text import words
from modex.core.evaluators.text.fluency import _foreign, _form, _length, _prose, detect_language, measure_fluency
from tests.rows import each_row

TEN = "Please drink some water and rest at home this week."


@each_row(
    ("minimum", "maximum", "length"),
    [(None, None, 1.0), (20, None, 0.5), (None, 8, 0.75), (None, 5, 0.0), (10, 10, 1.0)],
)
def test_fluency_is_the_mean_of_form_and_of_how_near_the_length_is(
    minimum: int | None, maximum: int | None, length: float
) -> None:
    found = measure_fluency(TEN, "en", minimum, maximum)
    assert (found.form, found.length) == (1.0, length)
    assert found.score == pytest.approx((1 + length) / 2)


@each_row(
    ("count", "minimum", "maximum", "length"),
    [
        (5, 5, 10, 1.0),
        (10, 5, 10, 1.0),
        (4, 5, 10, 0.8),
        (11, 5, 10, 0.9),
        (19, None, 10, 0.1),
        (20, None, 10, 0.0),
        (30, None, 10, 0.0),
        (3, None, None, 1.0),
        (1, 4, None, 0.25),
    ],
)
def test_the_length_counts_in_proportion_to_how_far_it_is_off(
    count: int, minimum: int | None, maximum: int | None, length: float
) -> None:
    assert _length(count, minimum, maximum) == pytest.approx(length)


@each_row(
    ("prose", "form"),
    [
        ("a b c d e f g h", 1.0),
        ("a a a a a a a", 1.0),  # too few words for their variety to count
        ("a b a b a b a b", 0.7),
        ("a b c a b a b a", 1.0),  # 3 of 8 are .375
        ("a a a a a a a a a a", 0.4),
        ("a b a a a a a a a a", 0.7),  # .2 exactly
        ("a b c d a a a a a a a a a a", 0.7),
        ("ab 12", 0.8),
        ("abc 12", 1.0),
        ("ab 123", 0.8),
        ("ab 1234", 0.5),
        (" ".join("abcdefghij"[n % 10] * (n // 10 + 1) for n in range(60)), 1.0),
        (" ".join("abcdefghij"[n % 10] * (n // 10 + 1) for n in range(61)), 0.85),
        (" ".join("abcdefghij"[n % 10] * (n // 10 + 1) for n in range(120)), 0.85),
        (" ".join("abcdefghij"[n % 10] * (n // 10 + 1) for n in range(121)), 0.7),
        (" ".join("abcdefghij"[n % 10] * (n // 10 + 1) + "." * (n == 60) for n in range(121)), 0.85),
        ("1 " * 200, 0.0),
    ],
)
def test_what_speaks_against_sentences(prose: str, form: float) -> None:
    assert _form(prose, words(prose)) == pytest.approx(form)


def test_the_variety_is_that_of_the_first_400_words() -> None:
    prose = "aaa. " * 400 + " ".join(f"w{'x' * number}." for number in range(300))
    assert _form(prose, words(prose)) == pytest.approx(0.4)


@each_row(
    ("scores", "language", "foreign"),
    [
        ({"en": 0.3, "de": 0.1}, "de", False),
        ({"en": 0.41, "de": 0.1}, "de", True),
        ({"en": 0.4, "de": 0.1}, "de", False),
        ({"en": 0.3}, "de", True),
        ({"en": 0.29}, "de", False),
        ({"en": 0.9}, "en-GB", False),
        ({"ms": 0.9}, "id", False),
        ({"da": 0.9}, "nb_NO", False),
        ({"de": 0.9}, "nl", True),
        ({"gl": 0.9}, "pt-BR", False),
        ({"wuu": 0.9}, "ZH", False),
        ({"ms": 0.05, "id": 0.05, "en": 0.41}, "id", True),
        ({"ms": 0.05, "id": 0.06, "en": 0.41}, "id", False),
    ],
)
def test_another_language_is_likely_where_it_is_four_times_as_likely(
    scores: dict[str, float], language: str, foreign: bool
) -> None:
    assert _foreign(scores, language) is foreign


def test_code_addresses_and_markup_belong_to_no_language() -> None:
    assert _prose("a ```x\ny``` b `c` https://d.example/e **f** # g ```open").split() == ["a", "b", "f", "g"]


@each_row(
    ("text", "language", "score", "right"),
    [
        (TEN, "en", 1.0, 1.0),
        (TEN, "de", 0.0, 0.0),
        ("Hi there, friend", "de", 1.0, 1.0),  # too short to say
        ("```code```", "en", 0.0, 0.0),
        ("", None, 0.0, 0.0),
    ],
)
def test_the_wrong_language_gives_nothing_and_doubt_is_a_benefit(
    text: str, language: str | None, score: float, right: float
) -> None:
    found = measure_fluency(text, language)
    assert (found.score, found.language) == (score, right)


@each_row(("text", "told"), [("x" * 19, False), ("This is some text...", True), ("今日はい", True), ("今日は", False)])
def test_a_language_is_told_from_twenty_characters_on_or_four_of_an_eastern_script(text: str, told: bool) -> None:
    assert (detect_language(text)[0] is not None) is told
