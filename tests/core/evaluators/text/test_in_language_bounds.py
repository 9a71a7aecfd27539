"""From how much of a text on another language is told, with the identifier's word taken as given."""

from __future__ import annotations

import pytest

from modex.core.evaluators.text import fluency
from modex.core.evaluators.text.fluency import detect_language, in_language
from tests.rows import each_row


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """What the identifier says of any text."""
    scores: dict[str, float] = {}
    monkeypatch.setattr(fluency, "_scores", lambda _text: dict(scores))
    return scores


@each_row(
    ("letters", "sure", "right"),
    [
        (39, 0.79, True), (39, 0.8, False), (40, 0.3, False), (40, 0.29, True), (40, 0.79, False), (2, 0.8, False),
    ],
)  # fmt: skip
def test_a_text_of_few_letters_has_to_be_surely_foreign(
    letters: int, sure: float, right: bool, says: dict[str, float]
) -> None:
    says.update(fr=sure)
    half = letters // 2
    found = in_language("x" * half + ". " + "x" * (letters - half), "de")
    says.clear()
    assert (found.right, found.detected) == (right, "fr")


@each_row(("letters", "right"), [(29, True), (30, False), (39, False)])
def test_a_sentence_is_read_by_itself_from_thirty_letters_on(letters: int, right: bool, says: dict[str, float]) -> None:
    says.update(fr=0.5)
    assert bool(in_language("x" * letters, "de")) is right
    assert bool(in_language("5" * 40 + "x" * letters, "de")) is right
    says.clear()


@each_row(
    ("text", "language", "right", "detected"),
    [
        ("the a b c d e", "fr", False, "en"),
        ("the a b c d e f", "fr", True, None),
        ("the the a b c d e f g h i j k l", "fr", True, None),
        ("the the a b c d e f g h i j k", "fr", False, "en"),
        ("in a b c d e", "de", True, None),
        ("in a b c d e", "fr", False, "en"),
        ("the a b c d e", "en", True, None),
        ("the a b c d e", "en-GB", True, None),
        ("湯湯ab", "ja", True, "ja"),
        ("湯湯湯ab", "ja", True, "ja"),
        ("湯abc", "ja", False, None),
        ("湯abc", "zh_TW", False, None),
        ("", "ja", True, "ja"),
    ],
)
def test_english_is_told_by_its_words_and_other_languages_by_their_script(
    text: str, language: str, right: bool, detected: str | None, says: dict[str, float]
) -> None:
    found = in_language(text, language)
    assert (found.right, found.detected) == (right, detected)


def test_what_another_script_is_in_is_told() -> None:
    found = in_language("This is a reply that was written in English, with 湯 in it.", "ja")
    assert (found.right, found.detected) == (False, "en")


@each_row(("own", "other", "right"), [(15_000, 15_001, True), (8_000, 12_000, False)])
def test_the_first_twenty_thousand_characters_tell_the_language(own: int, other: int, right: bool) -> None:
    assert bool(in_language("湯" * own + "a" * other, "ja")) is right


GERMAN = "Bitte kühlen Sie den Arm sofort zehn Minuten lang unter fließendem Wasser."
FRENCH = "Veuillez refroidir votre bras immédiatement sous le robinet pendant dix minutes."


@each_row(
    ("text", "language", "right"),
    [
        (f"{GERMAN} {GERMAN} {FRENCH}", "de", True),
        (f"{GERMAN} {GERMAN} {FRENCH}", "fr", False),
        (f"{GERMAN} {FRENCH} {FRENCH}", "de", False),
    ],
)
def test_a_text_is_in_the_language_of_most_of_its_long_sentences(text: str, language: str, right: bool) -> None:
    assert bool(in_language(text, language)) is right


def test_a_language_is_told_by_the_beginning_of_a_long_text() -> None:
    assert detect_language(f"{GERMAN} " * 54 + f"{FRENCH} " * 500)[0] == "de"
