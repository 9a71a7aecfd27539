"""simple-evals' rules for questions with four options: the letter behind "Answer:", for MMLU in any language that it knows.

Chat models' figures for MMLU and GPQA are mostly made so; base models' for MMLU are made by likelihood.
"""

from __future__ import annotations

import re
from functools import cache

from modex.core.evaluators.official.rule import OfficialRule, first_group, is_text
from modex.core.foundation.lazy_regex import deferred

_GPQA = deferred(r"(?i)answer[ \t]*+:[ \t]*+\$?([A-D])\$?")
_MARKUP = (
    "**", "$\\boxed{", "}$", "\\$", "$\\text{", "$", "\\mathrm{", "\\{", "\\text", "\\(", "\\mathbf{", "{", "\\boxed",
)  # fmt: skip
"""What is left out of a response before its letter is looked for, one after the other."""
_LABELS = (
    "Answer :", "উত্তর :", "उत्तर :", "উত্তরঃ", "Antwort :", "답변 :", "정답 :", "답 :", "答案 ：", "答案 :", "答 ：", "答 :",
    "答复 ：", "答曰 ：", "الإجابة:", "الجواب:", "إجابة:", "الإجابة النهائية:", "الإجابة الصحيحة:", "الإجابة الصحيحة هي:",
    "الإجابة هي:", "الجواب النهائي:", "Respuesta :", "Risposta :", "答え :", "答え ：", "回答 :", "回答 ：", "解答 :",
    "Jawaban :", "Réponse :", "Resposta :", "Jibu :", "Idahun :", "Ìdáhùn :", "Idáhùn :",
    "Àmọ̀nà :", "Àdáhùn :", "Ànúgọ :", "Àṣàyàn :",
)  # fmt: skip
"""The labels in their order: the first that has a letter behind it decides. Blanks may stand where one stands before a colon."""
_LETTERS = {
    **dict(zip("أبجد", "ABCD", strict=True)), **dict(zip("অবডঢ", "ABCD", strict=True)),
    **dict(zip("ＡＢＣＤ", "ABCD", strict=True)),
}  # fmt: skip
"""Arabic, Bengali and wide letters, as there."""


@cache
def _labelled() -> tuple[re.Pattern[str], ...]:
    labels = (re.sub(" (?=[:：]$)", r"\\s*+", label) for label in _LABELS)
    return tuple(re.compile(rf"(?i){label}[ \t]*+([A-D]|[أ-د]|[অবডঢＡＢＣＤ])") for label in labels)


def read_mmlu(text: str) -> str | None:
    """The letter behind the first label that has one on its line, without Markdown and mathematics, as it is written."""
    for mark in _MARKUP:
        text = text.replace(mark, "")
    found = next((match[1] for label in _labelled() if (match := label.search(text)) is not None), None)
    return None if found is None else _LETTERS.get(found, found)


read_gpqa = first_group(_GPQA)
"""The letter behind the first "answer:" that has one on the same line, also in dollars, as it is written."""

MMLU = OfficialRule(
    "simple-evals' rule",
    read_mmlu,
    is_text,
    "The letter A to D behind the first `Answer:` with one on its line, in any case, but a small letter is wrong; stars, boxes"
    " and dollars are left out before, and the label may be in some twenty other languages. An answer without one is wrong."
    " MMLU's own figures, of base models, are made by likelihood.",
    "https://github.com/openai/simple-evals/blob/main/mmlu_eval.py",
)
GPQA = OfficialRule(
    "simple-evals' rule",
    read_gpqa,
    is_text,
    "The letter A to D behind the first `Answer:` with one on its line, in any case, but a small letter is wrong. An answer"
    " without one is wrong.",
    "https://github.com/openai/simple-evals/blob/main/gpqa_eval.py",
)
