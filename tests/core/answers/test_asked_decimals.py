"""How many decimals a question asks for, and what that does to an answer."""

from __future__ import annotations

import pytest

from modex.core.answers.asked import asked_answer
from modex.core.answers.asked_decimals import asked_decimals
from modex.core.answers.comparison import compare
from tests.rows import each_row


@each_row(
    ("prompt", "asked"),
    [
        ("Round to two decimals.", 2), ("Give 3 decimal places.", 3), ("to 2 d.p.", 2), ("with one decimal", 1),
        ("two digits after the decimal point", 2), ("to the nearest hundredth", 2), ("to the nearest tenth", 1),
        ("pembulatan 1 desimal", 1), ("bulatkan ke 2 angka di belakang koma", 2), ("dua desimal", 2), ("2 angka desimal", 2),
        ("auf zwei Nachkommastellen", 2), ("drei Stellen nach dem Komma", 3), ("deux chiffres après la virgule", 2),
        ("à deux décimales", 2), ("con dos decimales", 2), ("con due decimali", 2), ("duas casas decimais", 2),
        ("format: 'BMI: X.XX'", 2), ("保留两位小数", 2), ("小数点后3位", 3), ("小数第2位", 2), ("Round to four decimals", 4),
        ("five decimals", 5), ("six decimals", 6),
        ("at least two decimals", None), ("mindestens zwei Nachkommastellen", None), ("up to 3 decimals", None),
        ("two decimals for the mean, three decimals for the rest", None), ("How many are there?", None), ("", None),
        ("12 decimals", None), ("1.2 decimals", None), ("two decimal-coded digits", None), ("two tenths", None),
    ],
)  # fmt: skip
def test_a_question_asks_for_so_many(prompt: str, asked: int | None) -> None:
    assert asked_decimals(prompt) == asked


def test_only_the_end_of_a_long_prompt_is_read() -> None:
    assert asked_decimals("Round to two decimals." + " x" * 2000) is None
    assert asked_decimals("Round to two decimals." + " x" * 1900) == 2


@pytest.mark.parametrize(
    ("answer", "tolerance", "right"),
    [
        ("28,59", 0.01, True), ("28,594", 0.01, False), ("28,6", 0.01, False), ("28,60", 0.01, True), ("28,590", 0.01, True),
        ("28,594", 0.02, True), ("28,594", 0.001, False),
    ],
)  # fmt: skip
def test_two_decimals_asked_means_two_but_where_the_tolerance_is_wider(
    answer: str, tolerance: float, right: bool
) -> None:
    gold = {"type": "numeric", "value": 28.59, "locale": "id", "tolerance": tolerance}
    assert compare(answer, asked_answer(gold, None, "Hitung, 2 angka di belakang koma."))[0] is right
    assert compare(answer, asked_answer(gold, None, "Hitung."))[0] is (
        tolerance > 0.001 or answer in ("28,59", "28,590")
    )


@pytest.mark.parametrize(
    ("prompt", "answer", "right"),
    [
        ("tinggi 1.75 meter", "22.867", True), ("tinggi 1.75 meter", "22,86", True), ("tinggi 175 cm", "22.867", False),
        ("Rp 10.000.000 dan 1.75 meter", "22.867", False), ("pukul 07.30", "22.867", False), ("tinggi 1.7", "22.8", True),
    ],
)  # fmt: skip
def test_a_question_with_points_lets_an_answer_have_one(prompt: str, answer: str, right: bool) -> None:
    """Where a comma separates decimals, `22.867` is 22867, unless the question writes its own decimals with points."""
    gold = {"type": "numeric", "value": 22.86, "locale": "id", "tolerance": 0.1}
    verdict, part = compare(answer, asked_answer(gold, None, prompt))
    assert (verdict, part.aliases) == (right, ())
