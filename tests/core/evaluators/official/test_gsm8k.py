"""GSM8K's own rule takes the number behind its mark."""

from __future__ import annotations

from modex.core.evaluators.official.gsm8k import RULE, read_number
from tests.rows import each_row


@each_row(
    ("text", "number"),
    [
        ("6 + 12 = 18\n#### 18", "18"),
        ("#### 1,234", "1234"),
        ("#### -3.5", "-3.5"),
        ("#### 5\n#### 6", "5"),
        ("He has 18.\nA: 18", "18"),
        ("Q: how many? A: 18", None),
        ("####18", None),
        ("The answer is 18.", None),
        ("", None),
    ],
)
def test_a_number_is_taken_behind_the_mark(text: str, number: str | None) -> None:
    assert read_number(text) == number


@each_row(
    ("read", "gold", "right"), [("1234", "1,234", True), ("18", "18", True), ("18.0", "18", False), ("8", "18", False)]
)
def test_numbers_are_compared_as_texts(read: str, gold: str, right: bool) -> None:
    assert RULE.right(read, gold) is right
