from __future__ import annotations

from modex.core.evaluators.instructions.language import language_of
from tests.core.evaluators.instructions.conftest import followed, found
from tests.rows import each_row

GERMAN = "Das Wetter im Norden des Landes ist heute nicht besonders gut, und morgen soll es regnen."
HINDI = "देश के उत्तर में आज मौसम बहुत अच्छा नहीं है और कल बारिश होने की संभावना है।"
ENGLISH = "The weather in the north of the country is not especially good today."


@each_row(
    ("text", "language"),
    [
        (ENGLISH, "en"),
        (ENGLISH.upper(), "en"),
        (GERMAN, "de"),
        (HINDI, "hi"),
        (f"{ENGLISH}\n{HINDI}\n{HINDI}\n{HINDI}", "hi"),
        (f"Here is the text:\n\n{GERMAN}", "de"),
        ("etchings", None),
        ("", None),
        ("12 + 3 = 15", None),
    ],
)
def test_the_language_is_that_of_most_letters(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert language_of(f"{ENGLISH}\n" * 300 + f"{GERMAN}\n" * 3000) == "en"


def test_an_answer_is_in_the_language_asked_for() -> None:
    kind = "language:response_language"
    assert found(kind, GERMAN, language="de").words == "in 'de', 'de' asked"
    assert followed(kind, GERMAN, language="de")
    assert followed(kind, GERMAN, language="de-AT")
    assert found(kind, ENGLISH, language="de").words == "in 'en', 'de' asked"
    assert not followed(kind, ENGLISH, language="de")


def test_where_nobody_can_tell_it_is_followed() -> None:
    assert found("language:response_language", "etchings", language="de").words == "too short to tell its language"
    assert followed("language:response_language", "etchings", language="de")


def test_a_short_text_counts_where_its_language_is_certain() -> None:
    assert not followed("language:response_language", "My answer is no.", language="kn")
