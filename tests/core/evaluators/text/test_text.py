from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluators.text.boolean import read_boolean
from core.evaluators.text.choice import read_choice
from core.evaluators.text.text import any_equal, comparable, contains_words, fold

COLOURS = {"A": "red", "B": "green", "C": "dark green"}


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("Tidak, ini tidak layak karena biaya", False),
        ("ya", True),
        ("Ja.", True),
        ("sí", True),
        ("Non", False),
        ("Нет", False),
        ("是", True),
        ("不是", False),
        ("**True**", True),
        ("not true", False),
        ("The answer is yes.", True),
        ("No, yes is wrong", False),
        ("true or false", None),
        ("it is not correct", False),
        ("No doubt: yes", True),
        ("It isn't false", True),
        ("Absolutely", True),
        ("Never", False),
        ("हाँ", True),
        ("Y", True),
        ("Yes and no", None),
        ("karena biaya", None),
        ("", None),
    ],
)
def test_yes_and_no_are_whole_words_in_many_languages(text: str, truth: bool | None) -> None:
    assert read_boolean(text) is truth


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("B", "B"),
        ("(b)", "B"),
        ("B.", "B"),
        ("b) green", "B"),
        ("Answer: B", "B"),
        ("The correct answer is (C).", "C"),
        ("green", "B"),
        ("dark green", "C"),
        (r"\boxed{B}", "B"),
        ("A red one", "A"),
        ("A or B", None),
        ("B) red", None),
        ("A) red, B) green", None),
        ("not B", None),
        ("Neither A nor B", None),
        ("D", None),
        ("", None),
    ],
)
def test_a_choice_is_one_letter_or_its_text(text: str, letter: str | None) -> None:
    assert read_choice(text, COLOURS) == letter


def test_texts_compare_without_case_articles_and_punctuation_but_whole() -> None:
    assert any_equal("The  Eiffel Tower.", ["eiffel tower"])
    assert any_equal("ﬁne “Straße”", ["FINE “STRASSE”"])
    assert not any_equal("New York", ["new"])
    assert comparable("-5") == "-5"
    assert contains_words("I live in New York.", "new york")
    assert not contains_words("a part of it", "art")


@given(st.text(max_size=80))
def test_folding_is_stable_and_reading_never_raises(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    comparable(text)
    read_boolean(text)
    read_choice(text, COLOURS)
