"""Finding names by a few of their letters, as they come to a person's mind."""

from __future__ import annotations

_START, _NEXT, _EARLY = 8, 5, 3
_LEAST = 3
"""Of a letter on average: letters scattered over a long sentence are no match."""


def fuzzy(typed: str, text: str) -> int | None:
    """How well `text` fits what was typed, higher is better; None where a word's letters are not in it, in their order.

    Words may come in any order. Letters that follow each other, and those at the start of a word, count most.
    """
    folded = text.casefold()
    total = 0
    for word in typed.casefold().split():
        score = _word(word, folded)
        if score is None:
            return None
        total += score
    return total


def _word(word: str, text: str) -> int | None:
    at = text.find(word)
    if at >= 0:
        starts = at == 0 or not text[at - 1].isalnum()
        return len(word) * (_NEXT + 1) + (_START * 2 if starts else 0) + (_EARLY if at == 0 else 0)
    score, place = 0, -1
    for letter in word:
        found = text.find(letter, place + 1)
        if found < 0:
            return None
        if found == place + 1 and place >= 0:
            score += _NEXT
        elif found == 0 or not text[found - 1].isalnum():
            score += _START
        place = found
    return score if score >= _LEAST * len(word) else None
