from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.text.boolean import read_boolean
from modex.core.answers.text.choice import read_choice
from modex.core.answers.text.text import (
    any_equal,
    comparable,
    contains_words,
    find_words,
    fold,
    strip_wrapping,
    word_spans,
    words,
)
from tests.rows import each_row

COLOURS = {"A": "red", "B": "green", "C": "dark green"}


@each_row(
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


@each_row(
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


@each_row(
    ("text", "inner"),
    [
        (" a1 ", "a1"),
        ("```python\na b\n```", "a b"),
        ("```\na\n\nb```", "a\n\nb"),
        (r"\boxed{a b}", "a b"),
        (r"$\fboxed {a}$", "a"),
        (r"\boxed{\text{a b}}", "a b"),
        (r"\mathrm{ x }", "x"),
        (r"\text{a}{b}", r"\text{a}{b}"),
        ("**a b**", "a b"),
        ("_`a b`_", "a b"),
        ("“a b”", "a b"),
        ("„a b“.", "a b"),
        ("'«a b»'", "a b"),
        ("a b.", "a b"),
        ("a b!?…", "a b"),
        (".5", ".5"),
        ("-5.", "-5"),
        (", a b", "a b"),
        ("¿a b?", "a b"),
        ("¡a b", "a b"),
        ("¡.a b", ".a b"),
        ("...", ""),
        ("<a@b.c>", "a@b.c"),
        ("<https://a.b>", "https://a.b"),
        ("<b>", "<b>"),
        ("*'a b.'*", "a b"),
        ("", ""),
    ],
)
def test_what_stands_around_the_whole_is_taken_off(text: str, inner: str) -> None:
    assert strip_wrapping(text) == inner


@each_row(
    ("text", "locale", "compared"),
    [
        ("The Beatles", "en", "beatles"),
        ("an apple", "en-US", "apple"),
        ("The", "en", "the"),
        ("der Hund", "de", "hund"),
        ("der Hund", "de_AT", "hund"),
        ("the Hund", "de", "the hund"),
        ("les amis", "fr", "amis"),
        ("the dog", "xx", "dog"),
        ("el perro", "es", "perro"),
        ("lo zio", "it", "zio"),
        ("os amigos", "pt", "amigos"),
        ("het huis", "nl", "huis"),
        ("...", "en", "..."),
        (" - ", "en", "-"),
        ("#x", "en", "#x"),
    ],
)
def test_a_text_compares_without_its_article(text: str, locale: str, compared: str) -> None:
    assert comparable(text, locale) == compared


@each_row(
    ("text", "found"),
    [
        ("It's a well-known re-run", ["it's", "a", "well-known", "re-run"]),
        ("-a- 'b' c_d 3.5", ["a", "b", "c", "d", "3", "5"]),
        ("今日はx", ["今", "日", "は", "x"]),
        ("हाँ ठीक", ["हाँ", "ठीक"]),
        ("Ｓtraße", ["strasse"]),
        ("…", []),
    ],
)
def test_the_words_of_a_text(text: str, found: list[str]) -> None:
    assert words(text) == found


@each_row(
    ("text", "phrase", "spans"),
    [
        ("York, new  York", "york", [(0, 4), (11, 15)]),
        ("New\n York", "new york", [(0, 9)]),
        ("part", "art", []),
        ("arty", "art", []),
        ("art", "art", [(0, 3)]),
        ("(art)", "(art)", [(0, 5)]),
        ("x(art)y", "(art)", [(1, 6)]),
        ("x日本y", "日本", [(1, 3)]),
        ("xあy", "あ", [(1, 2)]),
        ("ไทย", "ไ", [(0, 1)]),
        ("x日", "x日", [(0, 2)]),
        ("日本 art", "日 art", []),
        ("ax日", "x日", []),
        ("日xa", "日x", []),
        ("a", "", []),
        ("a", " ", []),
    ],
)
def test_a_phrase_stands_as_whole_words(text: str, phrase: str, spans: list[tuple[int, int]]) -> None:
    assert list(word_spans(text, phrase)) == spans
    assert find_words(text, phrase) == (spans[-1] if spans else None)
    assert contains_words(text, phrase) is bool(spans)


def test_the_first_of_the_accepted_texts_that_equals_is_named() -> None:
    assert any_equal("the Beatles.", ["Beatle", "Beatles", "the beatles"]) == "Beatles"
    assert any_equal("x", []) is None
    assert any_equal("der Hund", ["Hund"], "de") == "Hund"
    assert any_equal("der Hund", ["Hund"]) is None
