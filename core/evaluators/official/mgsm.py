"""simple-evals' rule for MGSM: the last number behind the last "Answer", in the question's language, is the gold's text."""

from __future__ import annotations

from modex.core.evaluators.official.rule import OfficialRule
from modex.core.foundation.lazy_regex import deferred

_NUMBER = deferred(r"\d++\.?\d*+")
_WORDS = (
    "Answer", "উত্তর", "Antwort", "Respuesta", "Réponse", "答え", "Ответ", "Jibu", "సమాధానం", "คำตอบ", "答案",
)  # fmt: skip
"""Answer in MGSM's languages: en, bn, de, es, fr, ja, ru, sw, te, th, zh."""


def read_number(text: str) -> str | None:
    """The last number behind the last of these words, without commas, and without a point at its end; None without one.

    There only the word of the question's language is looked for; here any, since the answer is asked for in English.
    """
    place = max((text.rfind(word) + len(word) for word in _WORDS if word in text), default=-1)
    *_, last = [None, *_NUMBER.finditer(text[place:].replace(",", ""))] if place >= 0 else [None]
    return last[0].rstrip(".") if last is not None else None


def _right(read: str, gold: str) -> bool:
    if "." in read:
        read = read.rstrip("0").rstrip(".")
    return read == gold.strip().replace(",", "")


RULE = OfficialRule(
    "simple-evals' rule",
    read_number,
    _right,
    "The last number behind the last `Answer` (or that word in the question's language), without commas and signs, compared as"
    " a text; zeros behind a point do not count. An answer without one is wrong.",
    "https://github.com/openai/simple-evals/blob/main/mgsm_eval.py",
)
