"""`"formula": "mentions"` of `keyword`: a text that speaks of the subject in sentences passes with half of the keywords.

score = 0.3 · relevance + 0.4 · correctness + 0.3 · fluency, as evonic reckons it. Relevance is 0.8 · the share of the keywords
and 0.2 · the length (20 words are enough); correctness is 0.9 where any keyword occurs, else 0.3; fluency is 0.4 · the form of
its sentences, 0.3 · how many there are (3 are enough) and 0.3 · the length (30 words are enough). A list without a sentence
has no form. A score below 0.8 is no pass, as there: it is held at 0.69.
"""

from __future__ import annotations

import re

from modex.core.answers.text.text import words
from modex.core.evaluators.text.fluency import measure_fluency

PASSES = 0.8
HELD = 0.69
"""What a score from the pass mark of every evaluator (0.7) up to `PASSES` becomes."""
_SENTENCE = re.compile(r"(?<=\w\w\w)[)\]\"'*_]{0,4}[.!?…。！？]{1,4}(?=\s|$|[\"'*_)])")
"""The end of one; shorter words before a full stop are titles and abbreviations (dr., No.)."""
_HIT, _MISS = 0.9, 0.3


_WORDS, _SENTENCES = 30, 3
"""As many are enough."""


def mention_shares(text: str, matched: int, wanted: int, language: str | None) -> dict[str, float]:
    """Relevance, correctness and fluency of `text`, in which `matched` of `wanted` keywords occur; each from 0 to 1."""
    count, sentences = _size(text)
    spoken = measure_fluency(text, language)
    form = spoken.language * spoken.form if sentences else 0.0
    return {
        "relevance": 0.8 * matched / max(wanted, 1) + 0.2 * min(count / 20, 1.0),
        "correctness": _HIT if matched else _MISS,
        "fluency": 0.4 * form + 0.3 * min(sentences / _SENTENCES, 1.0) + 0.3 * min(count / _WORDS, 1.0),
    }


def lacking(text: str, score: float) -> str:
    """What of its length and sentences holds a text below a pass, in words; empty where it passes or has enough of both."""
    count, sentences = _size(text)
    if score >= PASSES or (count >= _WORDS and sentences >= _SENTENCES):
        return ""
    said = [
        f"{number} {one if number == 1 else f'{one}s'}" for number, one in ((count, "word"), (sentences, "sentence"))
    ]
    return f"too few words or sentences to pass so: {said[0]} and {said[1]}, where {_WORDS} and {_SENTENCES} are enough"


def _size(text: str) -> tuple[int, int]:
    """Its words and its sentences."""
    return len(words(text)), len(_SENTENCE.findall(text))


def held(score: float) -> float:
    """The score on our scale, where 0.7 passes."""
    return score if score >= PASSES else min(score, HELD)
