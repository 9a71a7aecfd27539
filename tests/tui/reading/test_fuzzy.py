"""Finding names by a few letters."""

from __future__ import annotations

from modex.tui.reading.fuzzy import fuzzy
from tests.rows import each_row


@each_row("typed", ["gpt5", "mini", "0142 gpt", "g5m", "", "GPT"])
def test_letters_in_their_order_are_found(typed: str) -> None:
    assert fuzzy(typed, "gpt-5-mini-0142  openai/gpt-5-mini") is not None


@each_row("typed", ["gpt6", "inim0", "zz"])
def test_other_letters_are_not(typed: str) -> None:
    assert fuzzy(typed, "gpt-5-mini") is None


@each_row(
    ("typed", "better", "worse"),
    [
        ("stop", "Stop the run", "Sort by the top of it"),
        ("mini", "openai/mini", "minority i"),
        ("ex", "export", "the next one"),
        ("sr", "stop run", "first"),
    ],
)
def test_whole_words_and_their_starts_come_first(typed: str, better: str, worse: str) -> None:
    first, second = fuzzy(typed, better), fuzzy(typed, worse)
    assert first is not None
    assert second is None or first > second
