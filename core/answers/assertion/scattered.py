"""A gold that a sentence has in parts: its words in another order, most of them, or the one that it is about."""

from __future__ import annotations

from collections.abc import Iterator

from modex.core.answers.assertion.golds import QUALIFIERS, Gold, surname_of
from modex.core.answers.assertion.indexed import Indexed, Place, place_of
from modex.core.answers.assertion.items import Item
from modex.core.answers.assertion.nearby import PARTICLES, beside_another_name, is_opposed, tells_half
from modex.core.answers.assertion.tokens import word_set
from modex.core.answers.assertion.wordforms import related
from modex.core.foundation.lazy_regex import deferred

_SHARE = 0.6
"""The share of a gold's words, less what the question says, that a sentence must have."""
_HALF = 0.5
_LIST = deferred(r"[^,;]{1,80}[,;][^,;]{1,80}[,;]\s*\S|;|→|->")
"""A gold that lists three or more: its order counts."""
_AND = word_set("and und et y dan &")
_BARE = 6
"""Words of an answer that is nothing but the answer."""


def bare(gold: Gold, text: Indexed) -> Iterator[Place]:
    """An answer of a few words that is a part of the gold and holds what it is about."""
    content = [at for at, item in enumerate(text.items) if not item.small] if len(text.items) <= _BARE else []
    if not 1 <= len(content) < len(gold.content) or gold.head is None or _LIST.search(gold.text):
        return
    keys = {item.key for item in gold.content}
    own = {text.items[at].key for at in content} - text.asked
    if not own or not own <= keys or gold.head.key not in own:
        return
    left = {item.word for item in gold.content if item.key not in own}
    if left & QUALIFIERS or gold.head.key[:1] == "#" or (gold.head.word in QUALIFIERS):
        return
    yield place_of(gold, text, content[0], content[-1] + 1, "head")


def scattered(gold: Gold, text: Indexed) -> Iterator[Place]:
    """All its content words, or most of those that the question does not say, in one sentence."""
    needed = [item for item in gold.content if item.key not in text.asked and item.key not in text.meant]
    if gold.name:  # an initial is no part of a name by which it is known
        needed = [item for item in needed if len(item.word) > 1 or not item.word.isalpha()] or needed
    if not needed or (len(gold.content) == 1):
        return
    ordered, sequence = _LIST.search(gold.text) is not None, _is_sequence(gold)
    must = [item for item in needed if item.key[:1] == "#"]
    if gold.name and (surname := surname_of(gold)[0]) in needed:
        must.append(surname)
    sides = _sides(gold)
    own_side = {item.key for item in needed if gold.comma is not None and item.end <= gold.comma}
    keys = {item.key for item in needed}
    seen: set[tuple[int, int]] = set()
    for item in needed:
        for at in text.at(item.key):
            low, high = text.sentence(at)
            if (low, high) in seen:
                continue
            seen.add((low, high))
            inside = [index for index in range(low, high) if text.items[index].key in keys]
            found = {text.items[index].key for index in inside}
            if len(found) < len(keys):
                extra = _related(needed, found, text, low, high)
                found |= {item.key for item, _ in extra}
                inside = sorted([*inside, *(index for _, index in extra)])
            if any(item.key not in found for item in must):
                continue
            if any(side.isdisjoint(found | text.asked) for side in sides):
                continue
            if "," in gold.text and len(found) < len(keys) and gold.content[0].key not in found | text.asked:
                continue
            if own_side and own_side.isdisjoint(found):
                continue
            if ordered and not _in_order(gold, text, low, high):
                continue
            # The same words alone in another order are another answer; in a sentence they are a way to say it.
            alone = inside[-1] - inside[0] + 1 == len(inside) == len(gold.content)
            if sequence and alone and not _in_order(gold, text, inside[0], inside[-1] + 1):
                continue
            missing = [item for item in needed if item.key not in found]
            if len(found) < _HALF * len(keys) or (missing and is_opposed(missing, text.items[low:high])):
                continue
            if _of_another_given(gold, found, inside, text):
                continue
            if len(found) >= _SHARE * len(keys) or tells_half(gold, found, missing, inside, text):
                rule = "words" if len(found) == len(keys) else "part"
                yield place_of(gold, text, inside[0], inside[-1] + 1, rule)


def _of_another_given(gold: Gold, found: set[str], inside: list[int], text: Indexed) -> bool:
    """Whether a surname whose given name is missing has another one before it: `Theo van Gogh` for `Vincent van Gogh`."""
    surname, given = surname_of(gold)
    own = [item for item in given if item.word not in PARTICLES]
    if not own or any(item.key in found for item in own):
        return False
    particles = {item.word for item in gold.items} & PARTICLES
    at = next((index for index in inside if text.items[index].key == surname.key), None)
    return at is not None and bool(particles) and beside_another_name(at, text, particles)


def _sides(gold: Gold) -> list[set[str]]:
    """The keys on each side of an `and` or a comma: none of them may be left out whole."""
    sides: list[set[str]] = [set()]
    joins = sum(item.word in _AND for item in gold.items)
    if not joins:
        return []
    for item in gold.items:
        if item.word in _AND:
            sides.append(set())
        elif not item.small:
            sides[-1].add(item.key)
    return [side for side in sides if side]


def _in_order(gold: Gold, text: Indexed, low: int, high: int) -> bool:
    """Whether a list's words stand in the sentence one after another, each of them."""
    at = low
    for item in gold.content:
        while at < high and text.items[at].key != item.key:
            at += 1
        if at == high:
            return False
        at += 1
    return True


def _related(needed: list[Item], found: set[str], text: Indexed, low: int, high: int) -> list[tuple[Item, int]]:
    """Words of a gold that stand in the sentence in another form (`Indian`, `India`), beside others that stand as they are."""
    extra = []
    for item in needed:
        if item.key in found or item.key[:1] in "#@" or len(item.word) < 4:
            continue
        near = (at for at in text.beginning(item.word[:3]) if low <= at < high)
        if (at := next((at for at in near if related(item.word, text.items[at].word)), None)) is not None:
            extra.append((item, at))
    return extra


def _is_sequence(gold: Gold) -> bool:
    """Whether a gold is three words or more in small letters and nothing that joins them: `pear lemon olive`."""
    return len(gold.items) >= 3 and not any(item.small or item.capital or item.key[:1] == "#" for item in gold.items)
