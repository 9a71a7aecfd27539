"""simple-evals reads MMLU's and GPQA's letters behind the first "Answer:"."""

from __future__ import annotations

from modex.core.evaluators.official.letters import GPQA, MMLU, read_gpqa, read_mmlu
from tests.rows import each_row


@each_row(
    ("text", "mmlu", "gpqa"),
    [
        ("So it is.\n\nAnswer: C", "C", "C"),
        ("ANSWER : B", "B", "B"),
        ("Answer: $D$", "D", "D"),
        ("Answer: $A", "A", "A"),
        ("Answer:\nB", None, None),
        ("Answer: (B)", None, None),
        ("Answer: **B**", "B", None),
        ("Answer: E", None, None),
        ("Answer: c", "c", "c"),
        ("Answer: A is tempting.\nAnswer: B", "A", "A"),
        ("Answer: none\nanswer: D", "D", "D"),
        ("The answer is (B).", None, None),
        ("Answer: because", "b", "b"),
        ("**Answer:** $\\boxed{C}$", "C", None),
        ("Answer: \\(\\text{D}\\)", "D", None),
        ("Antwort: B", "B", None),
        ("答案：Ｃ", "C", None),
        ("উত্তরঃ ড", "C", None),
        ("الإجابة: ب", "B", None),
        ("Jawaban : A\nAnswer: D", "D", "D"),
        ("", None, None),
    ],
)
def test_a_letter_is_taken_behind_the_first_label(text: str, mmlu: str | None, gpqa: str | None) -> None:
    assert (read_mmlu(text), read_gpqa(text)) == (mmlu, gpqa)


@each_row(("read", "gold", "right"), [("C", "C", True), ("C", " C", True), ("c", "C", False), ("B", "C", False)])
def test_a_letter_is_compared_as_it_is_written(read: str, gold: str, right: bool) -> None:
    assert MMLU.right(read, gold) is GPQA.right(read, gold) is right
