"""simple-evals reads MGSM's numbers behind the last "Answer" in any of its languages."""

from __future__ import annotations

from modex.core.evaluators.official.mgsm import RULE, read_number
from tests.rows import each_row


@each_row(
    ("text", "number"),
    [
        ("3 + 4 = 7\nAnswer: 7", "7"),
        ("Answer: 1,234", "1234"),
        ("Answer: 18 of 20", "20"),
        ("Answer: 7.", "7"),
        ("Answer: -7", "7"),
        ("Answer: 7.50", "7.50"),
        ("Answer: 1\nAnswer: 2", "2"),
        ("Antwort: 18 Äpfel", "18"),
        ("答案：18", "18"),
        ("คำตอบ: 18", "18"),
        ("Ответ: 18. Answer: 19", "19"),
        ("Answer: nothing", None),
        ("18", None),
        ("Answer", None),
    ],
)
def test_a_number_is_taken_behind_the_last_label(text: str, number: str | None) -> None:
    assert read_number(text) == number


@each_row(
    ("read", "gold", "right"),
    [
        ("18", "18", True),
        ("18.0", "18", True),
        ("18.50", "18.5", True),
        ("1234", "1,234", True),
        ("180", "18", False),
        ("19", "18", False),
    ],
)
def test_zeros_behind_a_point_do_not_count(read: str, gold: str, right: bool) -> None:
    assert RULE.right(read, gold) is right
