"""Labels before an answer, for every type."""

from __future__ import annotations

from typing import Any

from modex.core.answers.comparison import compare
from modex.core.answers.kinds import expected_answer
from modex.core.answers.labels import without_label
from tests.rows import each_row

_LABELS = (
    "Answer: {}", "**Answer:** {}", "Final answer: {}", "The answer is {}", "Answer - {}", "Answer:\n{}", "**Answer: {}**",
    "Jawaban: {}", "Jawabannya: {}", "Jawaban akhir: {}", "Jawabannya adalah {}", "Jawab: {}", "Hasilnya = {}", "Output: {}",
    "Antwort: {}", "Die Antwort ist {}", "Réponse : {}", "Respuesta: {}", "Risposta: {}", "Resposta: {}", "答案：{}",
)  # fmt: skip


@each_row(
    ("gold", "answer"),
    [
        ({"type": "numeric", "value": 47}, "47"), ({"type": "exact_match", "value": "yes"}, "yes"), ("Ya", "Ya"),
        ({"type": "boolean", "value": True}, "yes"), ({"type": "choice", "value": "B"}, "B"),
        ({"type": "date", "value": "1986-04-26"}, "26 April 1986"), ({"type": "math", "value": "x^2"}, "x^2"),
        ({"type": "text", "value": "the cat sat on the mat"}, "the cat sat on the mat"),
        ({"type": "exact_match", "value": "True 41 0", "exact": True}, "True 41 0"),
        ({"type": "numeric", "value": [1, 2, 3], "gold": "parts"}, "1, 2, 3"),
    ],
)  # fmt: skip
def test_a_label_is_none_of_the_answer(gold: Any, answer: str) -> None:
    wrong = [label for label in _LABELS if not compare(label.format(answer), expected_answer(gold))[0]]
    assert wrong == []


@each_row(
    ("answer", "right"),
    [
        ("locker 47", True), ("Platform 47", True), ("Loker 47", True), ("Gleis 47", True), ("in room 47", True),
        ("No. 47", True), ("at gate number 47", True), ("locker #47", True),
        ("locker 48", False), ("not 47", False), ("about 4", False),
    ],
)  # fmt: skip
def test_a_number_may_say_what_it_counts(answer: str, right: bool) -> None:
    for kind in ("numeric", "exact_match", "math"):
        gold = "47" if kind != "numeric" else 47
        if answer.startswith(("in", "at", "No")) and kind != "math":
            continue
        assert compare(answer, expected_answer({"type": kind, "value": gold}))[0] is right, kind


@each_row(
    ("answer", "kind", "bare"),
    [
        ("A: 5", "math", "5"), ("A: 5", "choice", None), ("Answer: B", "choice", "B"), ("Wrong answer: 5", "math", None),
        ("locker 47", "boolean", None), ("number 1 questions", "numeric", None), ("Answer:", "math", None), ("5", "math", None),
        ("Answer 5", "math", None), ("**Answer: 5**", "math", "5"), ("__Answer: 5__", "math", "5"),
        ("Answers: 5", "math", None),
        ("The answer isn't 5", "math", None),
    ],
)  # fmt: skip
def test_what_is_left(answer: str, kind: str, bare: str | None) -> None:
    assert without_label(answer, kind) == bare


def test_a_gold_that_is_a_label_itself_is_compared_whole() -> None:
    gold = expected_answer({"type": "exact_match", "value": "Output: 5"})
    assert compare("Output: 5", gold)[0]
    assert not compare("Output: 6", gold)[0]
