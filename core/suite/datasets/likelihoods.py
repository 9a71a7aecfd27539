"""How rows of benchmarks are asked by likelihood, as lm-eval asks them: the text before the options, and the options.

lm-eval's tasks: https://github.com/EleutherAI/lm-evaluation-harness/tree/main/lm_eval/tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from modex.core.suite.datasets.golds import options_of, with_lettered
from modex.core.suite.datasets.shapes import stemmed

FORM = "(likelihood)"
"""The column that holds such a form; no file has it."""


def lettered(question: str, options: Mapping[str, str]) -> dict[str, Any]:
    """As MMLU is asked: the options below the question by their letters, `Answer:`, and the letters to go on with."""
    asked = with_lettered(question.strip(), options, between="\n")
    return {"context": f"{asked}\nAnswer:", "options": {name: name for name in options}}


def preset_form(preset: str, row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The form of a row, as its file has it, of the benchmark with this preset; None where it is asked by letters, or lacks a
    column."""
    form = _FORMS.get(preset)
    try:
        return form(row) if form is not None else None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None


def _arc(row: Mapping[str, Any]) -> dict[str, Any]:
    row = stemmed(dict(row))
    options = options_of(row["choices"])
    if options is None:
        raise ValueError("no options")
    return {"context": f"Question: {row['question']}\nAnswer:", "options": options}


def _commonsenseqa(row: Mapping[str, Any]) -> dict[str, Any]:
    found = _arc(row)
    question = found["context"].removeprefix("Question: ").removesuffix("\nAnswer:")
    return lettered(f"Question: {question.strip()}", found["options"])


def _hellaswag(row: Mapping[str, Any]) -> dict[str, Any]:
    begin = f"{row['ctx_a']} {row['ctx_b'].capitalize()}" if "ctx_a" in row else row["ctx"]
    return {
        "context": _clean(f"{row['activity_label']}: {begin}"),
        "options": [_clean(one) for one in row["endings"]],
    }


def _winogrande(row: Mapping[str, Any]) -> dict[str, Any]:
    before, gap, behind = row["sentence"].partition("_")
    if not gap or not behind.strip():
        raise ValueError("no gap with words behind it")
    options = [str(row["option1"]), str(row["option2"])]
    return {"context": [f"{before}{one}" for one in options], "options": options, "continuation": behind.strip()}


def _boolq(row: Mapping[str, Any]) -> dict[str, Any]:
    question = row["question"].removesuffix("?")
    return {"context": f"{row['passage']}\nQuestion: {question}?\nAnswer:", "options": ["no", "yes"]}


def _clean(text: str) -> str:
    """HellaSwag's texts without the marks of where they were taken from."""
    return _without_brackets(text.strip().replace(" [title]", ". ")).replace("  ", " ")


def _without_brackets(text: str) -> str:
    """The text without each `[` up to the next `]` of its line, in one pass."""
    kept: list[str] = []
    place = 0
    while (begin := text.find("[", place)) >= 0 and (end := text.find("]", begin)) >= 0:
        line = text.find("\n", begin, end)
        kept.append(text[place : begin if line < 0 else line])
        place = end + 1 if line < 0 else line
    return "".join([*kept, text[place:]])


_FORMS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "arc": _arc,
    "commonsenseqa": _commonsenseqa,
    "hellaswag": _hellaswag,
    "winogrande": _winogrande,
    "boolq": _boolq,
}
