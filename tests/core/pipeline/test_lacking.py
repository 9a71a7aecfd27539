"""How verdicts that say nothing of their answer are told; that they are found is held by `tests/tui/commands/test_stages.py`."""

from __future__ import annotations

from modex.core.pipeline.lacking import lacking_words
from tests.rows import each_row


@each_row(
    ("found", "said"),
    [
        ({}, ""),
        ({1: "module heapq"}, "1 verdict failed for what the sandbox lacked, and not for the answer (module heapq 1)"),
        (
            {1: "a", 2: "b", 3: "b"},
            "3 verdicts failed for what the sandbox lacked, and not for the answer (b 2, a 1)",
        ),
        (
            dict(enumerate("abcdefg")),
            "7 verdicts failed for what the sandbox lacked, and not for the answer (a 1, b 1, c 1, d 1, e 1, 2 more)",
        ),
    ],
)
def test_how_many_and_of_what(found: dict[int, str], said: str) -> None:
    assert lacking_words(found) == said
