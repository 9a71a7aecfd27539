"""A gold as the one text that a benchmark's rule compares with."""

from __future__ import annotations

from typing import Any

from modex.core.evaluators.official.rule import gold_text
from tests.rows import each_row


@each_row(
    ("expected", "text"),
    [
        ("C", "C"),
        (18, "18"),
        ({"type": "choice", "value": "C", "options": {}}, "C"),
        ({"type": "choice", "value": ["C"]}, "C"),
        (["C", "D"], None),
        (True, None),
        (None, None),
        ({"items": []}, None),
    ],
)
def test_only_one_gold_is_a_text(expected: Any, text: str | None) -> None:
    assert gold_text(expected) == text
