"""A small ranked text search: BM25 over words, Unicode-folded, with plurals and case ignored."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"\w+(?:[.'-]\w+)*")
_STOP = re.compile(r"an?|the|o[fn]|in|to|and|is|was|for|by|at|what|which|how")
K1 = 1.2
B = 0.75
MAX_QUERY_WORDS = 64


def words(text: str) -> list[str]:
    """The words that count in `text`, folded."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [_stem(word) for word in _WORD.findall(folded) if not _STOP.fullmatch(word)]


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@dataclass(frozen=True, slots=True)
class Hit:
    """A found document: its place in the index's documents and its BM25 score."""

    position: int
    score: float


class TextIndex:
    """An index over a fixed sequence of documents (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009)."""

    def __init__(self, documents: Sequence[str]) -> None:
        self._counts = [Counter(words(document)) for document in documents]
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._mean = sum(self._lengths) / max(1, len(self._lengths)) or 1.0
        self._frequency = Counter(word for counts in self._counts for word in counts)

    def search(self, query: str) -> list[Hit]:
        """Every document that shares a word with `query`, best first; ties in the documents' order."""
        wanted = list(dict.fromkeys(words(query)))[:MAX_QUERY_WORDS]
        hits = [Hit(position, self._score(position, wanted)) for position in range(len(self._counts))]
        return sorted((hit for hit in hits if hit.score > 0), key=lambda hit: (-hit.score, hit.position))

    def _score(self, position: int, wanted: list[str]) -> float:
        counts, total = self._counts[position], 0.0
        norm = K1 * (1 - B + B * self._lengths[position] / self._mean)
        for word in wanted:
            count = counts.get(word, 0)
            if count:
                rarity = math.log(1 + (len(self._counts) - self._frequency[word] + 0.5) / (self._frequency[word] + 0.5))
                total += rarity * count * (K1 + 1) / (count + norm)
        return total
