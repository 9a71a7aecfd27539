"""How rows of benchmarks are asked by likelihood: the forms of lm-eval's tasks."""

from __future__ import annotations

from typing import Any

from modex.core.suite.datasets.likelihoods import lettered, preset_form
from tests.rows import each_row

ROWS: list[tuple[str, dict[str, Any], dict[str, Any] | None]] = [
    (
        "arc",
        {"question": "Why?", "choices": {"label": ["1", "2"], "text": ["so", "not"]}, "answerKey": "1"},
        {"context": "Question: Why?\nAnswer:", "options": {"A": "so", "B": "not"}},
    ),
    (
        "arc",
        {"question": {"stem": "Why?", "choices": [{"label": "A", "text": "so"}, {"label": "B", "text": "not"}]}},
        {"context": "Question: Why?\nAnswer:", "options": {"A": "so", "B": "not"}},
    ),
    ("arc", {"question": "Why?", "choices": {"label": ["1"], "text": ["so"]}}, None),
    ("arc", {"question": "Why?"}, None),
    (
        "commonsenseqa",
        {"question": " Where? ", "choices": {"label": ["A", "B"], "text": ["here", "there"]}},
        {"context": "Question: Where?\nA. here\nB. there\nAnswer:", "options": {"A": "A", "B": "B"}},
    ),
    (
        "hellaswag",
        {"activity_label": "Baking", "ctx_a": "A man [x] mixes.", "ctx_b": "then he", "endings": [" [title] Eats.", "Goes  on."]},
        {"context": "Baking: A man mixes. Then he", "options": [" Eats.", "Goes on."]},
    ),
    (
        "winogrande",
        {"sentence": "The cup broke since _ was thin.", "option1": "the cup", "option2": "the table", "answer": "1"},
        {
            "context": ["The cup broke since the cup", "The cup broke since the table"],
            "options": ["the cup", "the table"],
            "continuation": "was thin.",
        },
    ),
    ("winogrande", {"sentence": "No gap.", "option1": "a", "option2": "b"}, None),
    ("winogrande", {"sentence": "Ends with _ ", "option1": "a", "option2": "b"}, None),
    (
        "boolq",
        {"passage": "It is.", "question": "is it", "answer": True},
        {"context": "It is.\nQuestion: is it?\nAnswer:", "options": ["no", "yes"]},
    ),
    ("boolq", {"passage": "It is.", "question": "is it?", "answer": True},
     {"context": "It is.\nQuestion: is it?\nAnswer:", "options": ["no", "yes"]}),
    ("mmlu", {"question": "x", "choices": ["a", "b"]}, None),
]  # fmt: skip


@each_row("row", ROWS, ids=lambda row: row[0])
def test_a_benchmark_is_asked_as_lm_eval_asks_it(row: tuple[str, dict[str, Any], dict[str, Any] | None]) -> None:
    preset, data, form = row
    assert preset_form(preset, data) == form


def test_without_a_form_of_its_own_letters_stand_below_the_question() -> None:
    assert lettered(" Which? ", {"A": "red", "B": "blue"}) == {
        "context": "Which?\nA. red\nB. blue\nAnswer:",
        "options": {"A": "A", "B": "B"},
    }


@each_row(
    "row",
    [("[a", "[a"), ("a[b[c]d]e", "ad]e"), ("[a\nb]c", "[a\nb]c"), ("[a\n[b]c", "[a\nc"), ("]a[]b", "]ab")],
    ids=str,
)
def test_brackets_go_with_what_they_hold_on_their_line(row: tuple[str, str]) -> None:
    text, left = row
    form = preset_form("hellaswag", {"activity_label": "X", "ctx": "y", "endings": [f"x{text}", "z"]})
    assert form is not None
    assert form["options"][0] == f"x{left}"
