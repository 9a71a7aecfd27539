"""What is told of a reply of PASS 2 that was not used."""

from __future__ import annotations

from modex.core.verdict import Extracted, fault_words, pass2_words
from tests.rows import each_row


@each_row(
    ("part", "words"),
    [
        (Extracted("found", offered="Rome"), ""),
        (Extracted("by_rules", fault="found_nothing"), "PASS 2 found nothing; the rules read the response"),
        (Extracted("no_answer", fault="found_nothing"), "PASS 2 found nothing; the rules find no answer"),
        (
            Extracted("by_rules", offered="Rome", fault="not_asserted", stance="denied"),
            "PASS 2 quoted 'Rome', which the response denies; the rules read the response",
        ),
        (
            Extracted("by_rules", offered="Rome", fault="not_asserted", stance="sung"),
            "PASS 2 quoted 'Rome', which the response does not assert; the rules read the response",
        ),
        (Extracted("by_rules", fault="too_late"), "PASS 2: too late; the rules read the response"),
    ],
)
def test_a_fault_is_told_with_what_stands_instead(part: Extracted, words: str) -> None:
    assert pass2_words(part) == words


@each_row("fault", ["not_in_response", "not_asserted", "contradicted"])
def test_a_quoted_text_is_shortened_to_eighty_characters(fault: str) -> None:
    assert f"'{'x' * 79}…'" in fault_words(Extracted("by_rules", offered="x" * 81, fault=fault))
    assert f"'{'x' * 80}'" in fault_words(Extracted("by_rules", offered="x" * 80, fault=fault))
