"""Where numbers stand in running text, each read by the strict reader."""

from __future__ import annotations

from collections.abc import Iterator

from modex.core.answers.numbers.reading import Number, parse_number
from modex.core.answers.numbers.words import may_begin, read_words
from modex.core.foundation.lazy_regex import deferred

_LETTER = r"[^\W\u3040-\u30ff\u4e00-\u9fff]"
"""A letter of a script with spaces: in Chinese and Japanese a number follows the word before it without one."""
_TOKEN = deferred(
    r"(?:(?<![\w.,)\]])(?:[-−–+]\s?|(?:minus|negative|negatif)\s))?(?:(?:US|R)?[$€£¥₹]\s?|Rp\.?\s?)?"
    rf"(?<![.,])(?<!{_LETTER})[-−]?"
    r"(?:\d+ \d+/\d+|\d+\s?/\s?\d+|\d*[½⅓⅔¼¾⅕⅛]|\\[dt]?frac\{-?\d+\}\{\d+\}"
    r"|\d(?:[\d.,'’]|\\,|\{,\}|[\u00a0\u202f\u2009 ](?=\d{3}(?!\d)))*(?:[eE][+-]?\d+|\s?(?:[x×]|\\times)\s?10\^\{?-?\d+\}?)?)"
    r"(?:\s?\\?%|\s(?:percent|thousand|million|billion|trillion|ribu|juta|miliar|Millionen|Milliarden|mille|mil|millones)\b"
    r"|[kKMB](?![A-Za-z])|[万億亿千])?"
)
_WORD = deferred(r"(?<![\w-])[^\W\d_]+")
_PRONOUNS = frozenset(
    ["one", "un", "une", "una", "uno", "ein", "eine", "einen", "eins", "satu", "half", "point", "a", "an"]
)
_WINDOW_CHARS = 200_000
_LONG_WORD_CHARS = 40
"""Characters of a word up to which it is worth remembering what it is."""


def number_spans(text: str, locale: str = "en") -> Iterator[tuple[int, int, Number]]:
    """Each number in `text` as (start, end, number), in order; only the last 200,000 characters are looked at."""
    for match in _TOKEN.finditer(text, max(0, len(text) - _WINDOW_CHARS)):
        token = match[0].rstrip(".,'’")
        number = parse_number(token, locale)
        if number is not None:
            yield match.start(), match.start() + len(token), number


def word_spans(text: str, locale: str = "en") -> Iterator[tuple[int, int, Number]]:
    """Each number in words in `text` (`seventeen`, `dua ribu`); a lone `one` is a pronoun and left out."""
    at = max(0, len(text) - _WINDOW_CHARS)
    while match := _WORD.search(text, at):
        if len(match[0]) <= _LONG_WORD_CHARS and not may_begin(match[0]):
            at = match.end()
            continue
        ahead = text[match.start() : match.start() + 200]
        found = read_words(ahead, locale)
        if found is None:
            at = match.end()
            continue
        end = match.start() + len(ahead) - len(found[1])
        if text[match.start() : end].casefold() not in _PRONOUNS:
            yield match.start(), end, Number(found[0])
        at = max(end, match.end())
