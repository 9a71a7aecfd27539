"""MMLU-Pro's rule: a letter behind "answer is", else behind "Answer:", else the last capital that stands alone."""

from __future__ import annotations

from modex.core.evaluators.official.rule import OfficialRule, first_group, is_text
from modex.core.foundation.lazy_regex import deferred

_STATED = deferred(r"answer is \(?([A-J])\)?")
_LABELLED = deferred(r"(?=[aA]nswer:\s*+([A-J]))")
_ALONE = deferred(r"\b[A-J]\b")


read_first = first_group(_STATED)
"""The letter behind the first "answer is": the rule of the first published outputs (May 2024), and the first step now."""


def read_letter(text: str) -> str | None:
    """The letter by the three steps of the current script."""
    if (stated := read_first(text)) is not None:
        return stated
    if (labelled := _labelled(text)) is not None:
        return labelled
    *_, alone = [None, *_ALONE.finditer(text)]
    return alone[0] if alone is not None else None


def _labelled(text: str) -> str | None:
    """The letter behind the last label of the first line that has one with a letter, which may stand below it."""
    first = _LABELLED.search(text)
    if first is None:
        return None
    end = text.find("\n", first.start())
    of_line = [label[1] for label in _LABELLED.finditer(text, first.start()) if end < 0 or label.start() < end]
    return of_line[-1]


RULE = OfficialRule(
    "MMLU-Pro's rule",
    read_letter,
    is_text,
    "The letter behind the first `answer is`, else behind `Answer:`, else the last of the capitals A to J that stands alone."
    " Where there is none it draws an option by chance, which its published figures contain; here such an answer is wrong.",
    "https://github.com/TIGER-AI-Lab/MMLU-Pro/blob/main/compute_accuracy.py",
)
