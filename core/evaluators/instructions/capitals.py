"""Capital letters: an answer all in them, or in none, and how many of its words are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from modex.core.evaluators.instructions.found import Compliance, counted, short
from modex.core.evaluators.instructions.language import language_of
from modex.core.foundation.lazy_regex import deferred

_APART = deferred(r"[\s\[\](){}<>*;@#$%&?!\"“”‘„«»`]+|[:,](?!\d)|\.{2,}|--")
"""What stands between two words; `-`, `/`, `_` and a single point or apostrophe stand within one."""
_CLITIC = deferred(r"(?<=.)(?:n't\b|'(?:s|m|d|ll|re|ve)\b)", re.IGNORECASE)
"""What stands as a word of its own behind another."""


def capital_words(text: str, given: Mapping[str, Any]) -> Compliance:
    """So many words whose letters are all capitals: `NASA`, `A`, `WELL-KNOWN`, `3D`."""
    number = sum(word.isupper() for word in words_of(text))
    return counted(number, "word in capitals", given["capital_frequency"], given.get("capital_relation"),
                   many="words in capitals")  # fmt: skip


def all_capitals(text: str, given: Mapping[str, Any]) -> Compliance:
    """English in capitals only."""
    del given
    if text.isupper():
        return _english(text, "all letters are capitals")
    small = next((word for word in text.split() if any(map(str.islower, word))), "")
    return Compliance(False, f"{short(small)} is not in capitals" if small else "no letters")


def all_small(text: str, given: Mapping[str, Any]) -> Compliance:
    """English without a capital."""
    del given
    if text.islower():
        return _english(text, "no letter is a capital")
    capital = next((word for word in text.split() if any(map(str.isupper, word))), "")
    return Compliance(False, f"{short(capital)} has a capital" if capital else "no letters")


def words_of(text: str) -> Iterator[str]:
    """Words as the Penn Treebank cuts them, as far as capitals go: `DON'T` is `DO` and `N'T`, `I'M` is `I` and `'M`."""
    for piece in _APART.split(text):
        at = 0
        for clitic in _CLITIC.finditer(piece):
            yield piece[at : clitic.start()]
            at = clitic.start()
        yield piece[at:]


def _english(text: str, words: str) -> Compliance:
    language = language_of(text)
    right = language in (None, "en")
    return Compliance(right, words if right else f"{words}, but it is in '{language}', English asked")
