"""What stands denied, at the edges of how far it is looked back."""

from __future__ import annotations

from modex.core.answers.text.negation import is_denied
from tests.rows import each_row


@each_row(
    ("text", "denied"),
    [
        ("do not drink any water", True),
        ("do not drink any cold water", False),
        ("you cannot drink water", True),
        ("if you cannot drink water", False),
        ("if so then you cannot drink water", True),
    ],
)
def test_a_negator_counts_two_words_before_and_a_condition_two_words_before_that(text: str, denied: bool) -> None:
    assert is_denied(text, text.index("water"), "en") is denied


@each_row(
    ("text", "language", "denied"),
    [
        ("no water", None, True),
        ("water", None, False),
        ("no, water", "en", False),
        ("no milk and water", "en", False),
        ("not only water", "en", False),
        ("no more water", "en", False),
        ("isn't water", "en", True),
        ("neither water", "de", True),
        ("kein water", "de-AT", True),
        ("kein water", "en", False),
        ("kein water", "fr", False),
        ("wenn kein water", "de", False),
        ("wenn kein water", "fr", False),
        ("pas d'water", "fr", True),
        ("si pas d'water", "fr", False),
        ("不喝water", "zh", True),
        ("不喝喝喝water", "zh", False),
        ("no " + "x" * 76 + " water", "en", True),
        ("no " + "x" * 79 + " water", "en", False),
    ],
)
def test_what_is_denied_in_a_language(text: str, language: str | None, denied: bool) -> None:
    assert is_denied(text, text.index("water"), language) is denied
