"""What stands denied, at the edges of how far it is looked back."""

from __future__ import annotations

import pytest

from core.evaluators.text.negation import is_denied


@pytest.mark.parametrize(
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
