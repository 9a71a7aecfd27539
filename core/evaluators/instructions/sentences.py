"""How many sentences a text has, by the marks that end them.

IFEval counts by Punkt (Kiss and Strunk 2006, https://aclanthology.org/J06-4003), whose tables of English were learned
from newspapers. Its rule is followed here with short lists of words instead: of each word the last `.`, `?` or `!` ends a
sentence where a blank or a closing mark follows and text comes behind. Not so the point of an abbreviation or an initial,
that of a number or a list's letter before a small letter, and dots, unless a word follows that often begins sentences. So
a numbered line is a sentence more (`1. Rest.` has two), as it is there.
"""

from __future__ import annotations

from collections.abc import Iterator

from modex.core.foundation.lazy_regex import deferred

_NEVER_LAST = frozenset(
    [
        "mr", "mrs", "ms", "messrs", "dr", "prof", "rev", "hon", "gen", "col", "sgt", "capt", "lt", "cmdr", "gov",
        "sen", "rep", "st", "ste", "mt", "ft", "e.g", "i.e", "vs", "v", "cf", "viz", "ca", "approx", "vol", "vols",
        "fig", "figs", "pp",
    ]
)  # fmt: skip
"""Abbreviations that no sentence ends with."""
_ABBREVIATIONS = frozenset(
    [
        "jr", "sr", "inc", "ltd", "co", "corp", "bros", "dept", "univ", "assn", "al", "jan", "feb", "mar", "apr",
        "jun", "jul", "aug", "sept", "sep", "oct", "nov", "dec", "mon", "tue", "tues", "wed", "thu", "thurs", "fri",
        "sat", "a.m", "p.m", "a.d", "b.c", "u.s", "u.k", "u.n", "u.s.a", "d.c", "n.y", "l.a", "ph.d", "m.d", "b.a",
        "m.a", "n.j", "r.i", "s.c", "n.c",
    ]
)  # fmt: skip
"""Those that may stand at a sentence's end."""
_BEGINNERS = frozenset(
    [
        "a", "an", "the", "this", "that", "these", "those", "i", "he", "she", "it", "we", "they", "you", "his", "her",
        "its", "our", "their", "my", "your", "there", "here", "but", "and", "or", "so", "yet", "if", "when", "while",
        "as", "although", "though", "since", "because", "after", "before", "in", "on", "at", "for", "to", "from",
        "by", "with", "of", "no", "not", "now", "then", "thus", "however", "also", "moreover", "what", "who", "why",
        "how", "where", "which", "let", "do", "did", "is", "are", "was", "were", "can", "could", "will", "would",
    ]
)  # fmt: skip
"""Words that often begin a sentence; they have a capital there."""
_MARKS = ".?!"
_FOLLOWS = "?!)\";}]*:@'({["
"""Marks that may stand right behind a sentence's end."""
_CLOSES = deferred(r"[\"')\]}]+")
_BESIDE = '()"`{[:;&#*@}],'
"""Marks that are no part of the word beside them."""


def sentences_in(text: str) -> int:
    """How many sentences `text` has; 0 where it is blank."""
    words = list(_words(text))
    if not words:
        return 0
    after = [word for _, word in words[1:]] + [""]
    return 1 + sum(_ends(word, behind, first) for (first, word), behind in zip(words, after, strict=True))


def _words(text: str) -> Iterator[tuple[bool, str]]:
    """What stands between blanks, and whether it begins its line."""
    for line in text.split("\n"):
        for number, word in enumerate(line.split()):
            yield not number, word


def _ends(word: str, after: str, first: bool) -> bool:
    """Whether a sentence ends within `word` or behind it, and something comes behind that."""
    at = next((at for at in range(len(word) - 1, -1, -1) if word[at] in _MARKS and _may_end(word, at, after)), None)
    if at is None:
        return False
    rest = word[at + 1 :]
    if not after and _CLOSES.fullmatch(rest):
        return False
    return word[at] != "." or not _goes_on(word[:at], rest or after, first)


def _may_end(word: str, at: int, after: str) -> bool:
    return word[at + 1] in _FOLLOWS if at + 1 < len(word) else after != ""


def _goes_on(before: str, after: str, first: bool) -> bool:
    """Whether the sentence goes on behind the point between the two; `first` tells that it is the first of its line."""
    token = before[max(map(before.rfind, _BESIDE)) + 1 :].lower()
    name = token.rpartition("-")[2]
    if name in _NEVER_LAST:
        return True
    begins = after[:1].isupper() and "".join(filter(str.isalpha, after)).lower() in _BEGINNERS
    if token.endswith(".") or name in _ABBREVIATIONS:
        return not begins
    marks = first and len(token) == 1 and not (len(after) == 2 and after.endswith("."))
    if token.isdecimal() or marks:
        return after[:1].islower()
    return len(token) == 1 and token.isalpha() and after[:1].isalpha() and not begins
