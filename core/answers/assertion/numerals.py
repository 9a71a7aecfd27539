"""The number of a name, which tells it from others that are called the same: `World War II`, `John Paul I`, `Downey Jr.`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from modex.core.answers.assertion.golds import Gold
from modex.core.answers.assertion.indexed import Indexed, Place
from modex.core.answers.assertion.items import Item
from modex.core.answers.assertion.tokens import word_set

_GENERATIONS = {"junior": "junior", "jr": "junior", "senior": "senior", "sr": "senior"}
_SPEAKS = word_set("am was think believe guess know have had would will can could suppose recall do did")
"""Words behind which a capital `I` speaks, and counts nothing."""
_BESIDE = frozenset([" ", ", "])


def other_numeral(gold: Gold, place: Place, text: Indexed) -> bool:
    """Whether the text has the gold's name there with another number than the gold's: `World War I` for `World War II`."""
    named = _numbered(gold.items)
    if named is None:
        return False
    word, own = named
    low, high = bisect_left(text.starts, place.start), bisect_left(text.starts, place.end)
    near = range(low, min(high + 1, len(text.items)))
    found = [_numeral(text.items, at + 1, text) for at in near if text.items[at].key == word.key]
    return any(one is not None and one != own and _is_generation(one) is _is_generation(own) for one in found)


def _numbered(items: Sequence[Item]) -> tuple[Item, str] | None:
    """The last word of a name and the number behind it."""
    if len(items) < 2 or (own := _value(items[-1])) is None:
        return None
    name = items[-3] if items[-2].word == "the" and len(items) > 2 else items[-2]
    return (name, own) if name.capital else None


def _numeral(items: Sequence[Item], at: int, text: Indexed) -> str | None:
    """The number right behind the word before `at`."""
    if at < len(items) and items[at].word == "the":
        at += 1
    if at >= len(items) or text.reading.text[items[at - 1].end : items[at].start] not in _BESIDE:
        return None
    if items[at].word == "i" and at + 1 < len(items) and items[at + 1].word in _SPEAKS:
        return None
    return _value(items[at])


def _value(item: Item) -> str | None:
    if item.word == "i" and item.capital:
        return "#1"
    counts = item.key[:1] == "#" and item.key[1:].isdecimal() and len(item.key) <= 3
    return item.key if counts else _GENERATIONS.get(item.key)


def _is_generation(value: str) -> bool:
    return value in _GENERATIONS
