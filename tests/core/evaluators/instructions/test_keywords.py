from __future__ import annotations

from tests.core.evaluators.instructions.conftest import followed, found
from tests.rows import each_row


@each_row(
    ("text", "followed_"),
    [
        ("The Alphabet has 26 letters", True),
        ("alpha and ALPHABETICAL", True),
        ("alpha", False),
    ],
)
def test_keywords_stand_in_the_answer_in_any_case_within_words_too(text: str, followed_: bool) -> None:
    assert followed("keywords:existence", text, keywords=["alphabet", "A"]) is followed_


def test_missing_keywords_are_named() -> None:
    assert found("keywords:existence", "one", keywords=["one", "two", "three"]).words == "'two', 'three' missing"
    assert found("keywords:existence", "One", keywords=["one"]).words == "'one' found"


def test_a_keyword_is_a_text_and_no_pattern() -> None:
    assert not followed("keywords:existence", "abc", keywords=["a.c"])
    assert followed("keywords:forbidden_words", "abc", forbidden_words=["a.c"])
    assert found("keywords:frequency", "a.c abc", keyword="a.c", frequency=2).words == "1 time 'a.c', at least 2 asked"


def test_how_often_a_text_stands_in_it() -> None:
    assert followed("keywords:frequency", "Go, go, gopher", keyword="go", frequency=3, relation="exactly")
    assert not followed("keywords:frequency", "Go, go, gopher", keyword="go", frequency=3, relation="less than")
    assert followed("keywords:frequency", "go go go", keyword="go", frequency=3)


@each_row(
    ("text", "followed_"),
    [("a catalogue", True), ("a Cat!", False), ("cat", False), ("cats", True), ("", True)],
)
def test_forbidden_words_are_whole_words_in_any_case(text: str, followed_: bool) -> None:
    assert followed("keywords:forbidden_words", text, forbidden_words=["dog", "cat"]) is followed_


def test_forbidden_words_that_stand_in_it_are_named() -> None:
    assert found("keywords:forbidden_words", "cat", forbidden_words=["dog", "cat"]).words == "'cat' found, forbidden"
    assert found("keywords:forbidden_words", "c", forbidden_words=["cat"]).words == "none of the forbidden words"


def test_characters_are_counted_in_any_case_signs_too() -> None:
    assert (
        found("keywords:letter_frequency", "Aha", letter="a", let_frequency=2).words == "2 times 'a', at least 2 asked"
    )
    assert followed("keywords:letter_frequency", "#a #b", letter="#", let_frequency=2)
    assert not followed("keywords:letter_frequency", "#a #b", letter="#", let_frequency=3)
    assert followed("keywords:letter_frequency", "bb", letter="A", let_frequency=1, let_relation="less than")
