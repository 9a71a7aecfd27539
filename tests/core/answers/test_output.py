"""What a program prints, as an answer: in its case, its spacing, its lines."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.answers.asked import asked_answer
from modex.core.answers.asked_output import asks_for_output
from modex.core.answers.kinds import check_expected
from modex.core.answers.output import judge_output
from modex.core.answers.text.output import plain_output, same_output
from tests.rows import each_row

ID = "Apa output dari kode Python berikut?\n\n```python\nprint(x, y, 0)\n```"
EN = "What does this program print?\n\n```python\nprint(x)\n```"
LINES = "1\n2\n3"


@each_row(
    ("gold", "response", "right"),
    [
        ("True 41 0", "True 41 0", True), ("True 41 0", "true 41 0", False), ("True 41 0", "True  41 0", False),
        ("True 41 0", "`True 41 0`", True), ("True 41 0", "Outputnya adalah `True 41 0`.", True),
        ("True 41 0", "Output: True 41 0", True), ("True 41 0", "Output: true 41 0", False),
        ("True 41 0", "The program prints True 41 0.", True), ("True 41 0", "The program prints true 41 0.", False),
        ("True 41 0", "```\nTrue 41 0\n```", True), ("True 41 0", "```\ntrue 41 0\n```", False),
        ("True 41 0", "x is True.\n\n```python\nprint(True, 41, 0)\n```\n\nOutput:\n```\nTrue 41 0\n```\nbecause of x.", True),
        ("True 41 0", "```python\nprint('True 41 0')\n```\nOutput: False 41 0", False),
        ("True 41 0", "**Output:** `True 41 0`\n\nThe first value is a boolean.", True),
        ("True 41 0", "True 41 0 5", False), ("41 0", "True 41 0", False), ("True 41 0", "It does not print True 41 0.", False),
        ("True 41 0", "Output: True 41 0 (three values)", True), ("True 41 0", "Output: True 41 0 and 5", False),
        ("True 41 0", "At first I thought True 41 0, but that is wrong. The output is False 41 0.", False),
        ("True 41 0", "The answer is \\boxed{True 41 0}", True), ("True 41 0", "The answer is \\boxed{true 41 0}", False),
        ("True 41 0", "<answer>True 41 0</answer>", True), ("True 41 0", "", False), ("True 41 0", "I cannot run code.", False),
        (LINES, "1\n2\n3", True), (LINES, "1 2 3", False), (LINES, "Output:\n1\n2\n3", True), (LINES, "1\r\n2 \r\n3\r\n", True),
        (LINES, "Output:\n```\n1\n2\n3\n```", True), (LINES, "```text\n1\n2\n3\n4\n```", False), (LINES, "Output:\n1\n2", False),
        ("Halo, Budi!", "Hasilnya adalah Halo, Budi!", True), ("Halo, Budi!", "Maka jawabannya Halo, Budi!", True),
        ("Halo, Budi!", "Jadi, jawaban akhirnya adalah Halo, Budi!.", True), ("Halo, Budi!", "Halo, Budi", False),
        ("Halo, Budi!", "Awalnya saya kira Halo, Budi!, tetapi itu salah. Jawaban akhirnya adalah ungu.", False),
        ("A,B,D,A,C", "Outputnya adalah `A,B,D,A,C`.", True), ("A,B,D,A,C", "A, B, D, A, C", False),
        ("A,B,D,A,C", "Jawabannya bukan A,B,D,A,C, melainkan A,B.", False), ("abc", "ABC", False), ("abc", "\"abc\"", True),
        ("ab", "It prints abc.", False), ("3.5", "It prints 3.5.", True), ("0.5", "The result of -0.5 is odd", False),
    ],
)  # fmt: skip
def test_an_output_is_right_letter_for_letter(gold: str, response: str, right: bool) -> None:
    verdict = judge_output(response, asked_answer(gold, "exact_match", EN), EN)
    assert (verdict.right, bool(verdict.compared.why)) == (right, True)
    if right:
        start, end = verdict.extracted.span
        assert same_output(response[start:end], [gold]) is not None


def test_what_pass_2_points_to_counts_where_nothing_later_is_given() -> None:
    expected = asked_answer("x 1", "exact_match", EN)
    said = "First we see x 1 there, and then " + "nothing else happens. " * 40 + "Done."
    at = said.index("x 1")
    assert not judge_output(said, expected, EN).right
    assert judge_output(said, expected, EN, (at, at + 3)).right
    assert not judge_output(said + "\nOutput: y 2", expected, EN, (at, at + 3)).right
    assert not judge_output(said, expected, EN, (at, at + 7)).right


def test_the_reason_says_that_only_the_form_differs() -> None:
    expected = asked_answer("True 41 0", "exact_match", EN)
    assert judge_output("true 41 0", expected, EN).compared.why == "the output is in another case or spacing"
    assert judge_output("False", expected, EN).compared.why == "another output"
    assert judge_output("  ", expected, EN).compared.why == "the response is empty"


@each_row(
    ("prompt", "asks"),
    [
        (ID, True), (EN, True), ("What is the output of print('a')?", True), ("Apa yang dicetak oleh `f(3)`?", True),
        ("Tulis fungsi Go lalu tunjukkan output dari reverse(\"Indonesia\").", True), ("Was gibt print(3) aus?", True),
        ("¿Cuál es la salida?\n\n    x = 3;\n    echo (x)", True), ("Welche Ausgabe hat ```x```?", True),
        ("What is the output of this factory?", False), ("Who printed the first book?", False),
        ("```x = 3```\nHow many lines?", False),
        ("Does this code output an error? Answer yes or no.\n```python\nprint(1)\n```", False),
        ("Which sorting algorithm does the code that prints 1 use?\n```python\nprint(1)\n```", False),
        ("What type does this function return, and what does it print?\n```python\nprint(1)\n```", False),
        ("What is the output of print(1)?\nA) 1\nB) 2\nC) 3", False),
        ("Which option is what print(1) prints? A) 1 B) 2", False), ("What option shows the output of print(1)?", False),
        ("Pilihan mana yang menjadi output print(1)? A) 1 B) 2", False), ("Huruf yang mana output dari print(1)?", False),
        ("Which code that prints 1 is it?\n```python\nprint(1)\n```", False),
        ("What is the output?\n```python\nprint(1)\n```", True), ("Which line does print(1) print? Give its output.", True),
        ("Which country has the largest output of coal?", False), ("Property CSS apa yang mengubah warna?", False), ("", False),
    ],
)  # fmt: skip
def test_a_question_asks_for_an_output(prompt: str, asks: bool) -> None:
    assert asks_for_output(prompt) is asks


@each_row(
    ("expected", "prompt", "exact"),
    [
        ("True 41 0", EN, True), ("True 41 0", "Which values?", None), ({"value": "a b", "exact": False}, EN, False),
        ({"value": "a b", "exact": True}, "Which?", True), ({"value": "a b", "type": "text"}, EN, None),
        ({"value": ["a", "b"], "gold": "parts"}, EN, None), (41, EN, None),
    ],
)  # fmt: skip
def test_the_test_says_whether_its_gold_is_an_output_else_the_question(
    expected: Any, prompt: str, exact: bool | None
) -> None:
    assert asked_answer(expected, None, prompt).exact is exact


@pytest.mark.parametrize("expected", [{"value": "a", "exact": "yes"}, {"value": 3, "type": "numeric", "exact": True}])
def test_exact_is_true_or_false_and_belongs_to_texts(expected: Any) -> None:
    assert [message for message in check_expected(expected) if "`exact` is true or false" in message]
    assert list(check_expected({"value": "a", "exact": True})) == []


@each_row(
    ("text", "plain"),
    [("```python\na\n```", "a"), (" a \n b\t\n", "a\n b"), ("a\r\nb", "a\nb"), ("``` \na\n\n```", "a"), ("`a`", "`a`")],
)
def test_what_stands_around_the_whole_is_taken_off(text: str, plain: str) -> None:
    assert plain_output(text) == plain


@each_row(
    ("answer", "gold", "same"),
    [
        ("`a`", "a", True), ("**`a`**", "a", True), ("'a'", "a", True), ("'a'", "'a'", True), ("a.", "a", True),
        ("a..", "a.", False),
        ("a...", "a...", True), ("a.", "a.", True), ("a", "a.", False), ("**", "*", False), ("a b", "a  b", False),
    ],
)  # fmt: skip
def test_marks_may_stand_around_it(answer: str, gold: str, same: bool) -> None:
    assert (same_output(answer, [gold]) is not None) is same
