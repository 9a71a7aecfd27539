from __future__ import annotations

from tests.core.evaluators.instructions.conftest import followed, found
from tests.rows import each_row


def test_words_are_runs_of_letters_digits_and_underscores() -> None:
    text = "It's 3.5 well-known snake_case."
    assert found("length_constraints:number_words", text, num_words=7).words == "7 words, at least 7 asked"
    assert not followed("length_constraints:number_words", text, num_words=7, relation="less than")


def test_sentences_are_counted() -> None:
    text = "Dr. Who came. He left! Did he?"
    assert found("length_constraints:number_sentences", text, num_sentences=3).words == "3 sentences, at least 3 asked"
    assert followed("length_constraints:number_sentences", text, num_sentences=4, relation="less than")


@each_row(
    ("text", "words"),
    [
        ("one\n***\ntwo", "2 paragraphs, exactly 2 asked"),
        ("***\none\n***\ntwo\n***", "2 paragraphs, exactly 2 asked"),
        ("one", "1 paragraph, exactly 2 asked"),
        ("one\n\ntwo", "1 paragraph, exactly 2 asked"),
        ("one\n***\n \n***\ntwo", "an empty paragraph between two `***`"),
        ("one *** two *** three", "3 paragraphs, exactly 2 asked"),
    ],
)
def test_paragraphs_stand_between_stars(text: str, words: str) -> None:
    verdict = found("length_constraints:number_paragraphs", text, num_paragraphs=2)
    assert verdict.words == words
    assert verdict.followed is words.startswith("2 ")


_FIRST = {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "President"}


@each_row(
    ("text", "right"),
    [
        ("One.\n\npresident, he was.", True),
        ('One.\n\n"President" he was.', True),
        ("One.\n\n'President' he was.", True),
        ("One.\n\nPresident's day.", True),
        ("One.\n\nPresidents are.", False),
        ("One.\n\nThe president.", False),
        ("One.\n\nPresident.\n\nThree.", False),
        ("One. President.", False),
        ("One.\n\n\n\nPresident.", False),
        ("\n\nPresident.\n\nTwo.", True),
    ],
)
def test_the_nth_paragraph_begins_with_the_word(text: str, right: bool) -> None:
    assert followed("length_constraints:nth_paragraph_first_word", text, **_FIRST) is right


def test_how_the_nth_paragraph_begins_is_said() -> None:
    assert found("length_constraints:nth_paragraph_first_word", "One.\n\nThe end.", **_FIRST).words == (
        "2 paragraphs, exactly 2 asked; paragraph 2 begins with 'the', 'President' asked"
    )
    assert found("length_constraints:nth_paragraph_first_word", "One.", **_FIRST).words == (
        "1 paragraph, exactly 2 asked; there is no paragraph 2"
    )
