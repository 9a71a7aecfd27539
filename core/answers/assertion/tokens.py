"""The words of a text with their places, folded for comparison; in scripts without spaces one token a character."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from modex.core.foundation.lazy_regex import deferred


def word_set(listed: str) -> frozenset[str]:
    """The words of a list written over several lines."""
    return frozenset(listed.split())


_UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_MARKS = "\u0300-\u036f\u0900-\u0963\u0981-\u0dff"
_TOKEN = deferred(
    rf"[{_UNSPACED}]"
    r"|\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+\.\d+(?![\d.])"
    rf"|(?:[A-Za-z0-9]++|[^\W_{_UNSPACED}]|[{_MARKS}])+(?:['’](?:[A-Za-z0-9]++|[^\W_{_UNSPACED}]|[{_MARKS}])+)*|[%€$£¥₹₱₽₩₦₺°&+]"
)
_ASCII_TOKEN = deferred(
    r"\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+\.\d+(?![\d.])|[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*|[%$&+]", re.ASCII
)
"""The same for a text of ASCII alone, in half the time."""
_LONGEST_CHARS = 200
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ß": "ss", "’": "'"}
)
_SIGNS = {
    "%": "percent",
    "€": "euro",
    "$": "dollar",
    "£": "pound",
    "¥": "yen",
    "₹": "rupee",
    "₱": "peso",
    "₽": "ruble",
    "₩": "won",
    "₦": "naira",
    "₺": "lira",
    "°": "degree",
    "&": "and",
    "+": "plus",
}


class Token(NamedTuple):
    """A word: folded, and its start and end in the text."""

    word: str
    start: int
    end: int


@lru_cache(maxsize=65536)
def fold_word(word: str) -> str:
    """Case, accents, ligatures and the English possessive folded away: `Röntgen's` is `rontgen`; `10,000` is `10000`."""
    if word in _SIGNS:
        return _SIGNS[word]
    if word[0].isdigit() and "," in word:
        return word.replace(",", "")
    if len(word) == 1 and not word.isascii():  # a character of a script without spaces: its marks make it another one
        return unicodedata.normalize("NFKC", word)
    decomposed = unicodedata.normalize("NFKD", word).casefold().translate(_LETTERS)
    plain = "".join(char for char in decomposed if not "\u0300" <= char <= "\u036f")
    plain = plain.removesuffix("'s").removesuffix("'")
    return plain.replace("'", "") or word


def tokens_of(text: str) -> list[Token]:
    """The words of `text` in order; a sign that is read aloud (`%`, `£`, `&`) is one too."""
    return [token_at(text, start, end) for start, end in spans_of(text)]


def spans_of(text: str) -> list[tuple[int, int]]:
    """Where the words of `text` stand."""
    return [match.span() for match in (_ASCII_TOKEN if text.isascii() else _TOKEN).finditer(text)]


def token_at(text: str, start: int, end: int) -> Token:
    """The word between two offsets, folded."""
    word = text[start : min(end, start + _LONGEST_CHARS)]
    if not (word.isascii() and word.islower() and word.isalpha()):
        word = fold_word(word)
    return Token(word, start, end)
