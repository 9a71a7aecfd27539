"""What a text does with a gold at a place: whether it asserts it there, or turns to another answer."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from modex.core.answers.assertion import cues
from modex.core.answers.assertion.comparatives import says_opposite, says_opposite_of_another
from modex.core.answers.assertion.indexed import Indexed, Place
from modex.core.answers.assertion.items import Item
from modex.core.answers.assertion.mentions import only_mentioned
from modex.core.answers.assertion.reading import Standing
from modex.core.foundation.lazy_regex import deferred

BESIDE = "only beside another answer"
"""The rule by which a gold is mentioned and another answer given."""
OF_THEIRS = "somebody of theirs"
"""The rule by which somebody else is given who belongs to the gold."""


def standing_of(place: Place, text: Indexed) -> Standing:
    """What the text does with the gold: its stance there, unless the sentence turns to something else."""
    reading = text.reading
    standing = reading.stance(place.start, place.end)
    if not standing.asserted:
        return standing
    if reading.takes_back(place.end):
        return Standing("denied", "called wrong")
    low = bisect_left(text.starts, place.start)
    high = min(max(bisect_left(text.starts, place.end), low + 1), len(text.items))
    if text.items and (other := _told_otherwise(place, text, high)) is not None:
        return other
    sentence = reading.sentence_at(place.start)
    if _only_asked(text, low, high) and not says_opposite_of_another(
        reading.text, sentence.start, place.start, reading.asks
    ):
        return Standing("echoed", "only the question's own words")
    if only_mentioned(place, text):
        return Standing("reported", BESIDE)
    if _refused_before(place, text):
        return Standing("refused", "refusal")
    if _set_aside(place, text):
        return Standing("reported", "set aside for another")
    if _offered_with_another(place, text, low, high):
        return Standing("doubted", "offered with another")
    return standing


def _told_otherwise(place: Place, text: Indexed, high: int) -> Standing | None:
    """What the sentence tells of the gold instead of giving it: what never was or would be, an end of a span, who lost."""
    reading, whole = text.reading, text.reading.text
    sentence = reading.sentence_at(place.start)
    if not reading.negative and cues.NEVER_AFTER.match(whole, place.end):
        return Standing("denied", "never")
    if place.rule in _IN_PIECES and not reading.negative:
        last = text.items[high - 1]
        if reading.stance(last.start, last.end).stance == "denied":
            return Standing("denied", "negation")
    would = cues.COUNTERFACTUAL.match(whole, sentence.start)
    if would is not None:
        comma = whole.find(",", sentence.start, sentence.end)
        then = cues.WOULD.search(whole, would.end(), sentence.end)
        if place.start < (comma if comma >= 0 else then.start() if then else 0):
            return Standing("reported", "counterfactual")
    before = max(sentence.start, place.start - 60)
    if text.items[high - 1].key[:1] in "#@" and _one_end(place, text, before):
        return Standing("doubted", "one end of a span")
    question = reading.asks
    if (
        cues.BEATEN.search(whole, before, place.start)
        and cues.WON_ASKED.search(question)
        and not cues.LOST_ASKED.search(question)
    ):
        return Standing("reported", "the one that lost")
    if _whose_kin(place, text, high, question):
        return Standing("reported", OF_THEIRS)
    if says_opposite(whole, place.end, sentence.end, question):
        return Standing("reported", "the other side of a comparison")
    if _only_compared(place, text, question):
        return Standing("reported", "compared with another")
    if _listed_with_more(place, text):
        return Standing("doubted", "listed with more")
    return None


_KIN = (
    r"(?:sister|brother|mother|father|wife|husband|son|daughter|cousin|uncle|aunt|niece|nephew|friend|rival|teacher|pupil|student"
    r"|assistant|colleague|successor|predecessor|neighbou?r|contemporary|mentor|partner)s?"
)
_KIN_BEHIND = deferred(
    rf"(?:['’]s?)?\s(?:(?:younger|older|elder|twin|late|only|former|own|close|best|great)\s){{0,2}}{_KIN}(?![^\W_])",
    re.IGNORECASE,
)
_GENITIVE = deferred(r"['’]s?$")
_KIN_OF = deferred(rf"(?<![^\W_]){_KIN}\sof\s[\"'*_]{{0,3}}$", re.IGNORECASE)
_KIN_ASKED = deferred(rf"(?<![^\W_]){_KIN}(?![^\W_])", re.IGNORECASE)
_COMPARED_WITH = deferred(
    r"(?<![^\W_])(?:before|after|ahead of|prior to|earlier than|later than|behind)\s(?:the\s)?[\"'*_]{0,3}$",
    re.IGNORECASE,
)
_ORDER_ASKED = deferred(
    r"\b(?:before|after|ahead|prior|behind|follow\w*|succe\w+|precede\w*|second|next|previous|last)\b", re.IGNORECASE
)


def _whose_kin(place: Place, text: Indexed, high: int, question: str) -> bool:
    """Whether a gold is the one whose sister or friend is meant: `Jane Austen's sister`, `the sister of Jane Austen wrote it`."""
    whole = text.reading.text
    if _KIN_OF.search(whole, max(0, place.start - 40), place.start) is not None:
        return _KIN_ASKED.search(question) is None
    ends = text.items[high - 1].end
    owned = _GENITIVE.search(whole, place.start, ends) is not None or whole[ends : ends + 1] in ("'", "’")
    behind = _KIN_BEHIND.match(whole, ends) if owned else None
    return behind is not None and _KIN_ASKED.search(question) is None


def _only_compared(place: Place, text: Indexed, question: str) -> bool:
    """Whether a sentence about somebody else puts it before or after the gold: `Gagarin walked there before Armstrong`."""
    whole, sentence = text.reading.text, text.reading.sentence_at(place.start)
    if _COMPARED_WITH.search(whole, max(sentence.start, place.start - 40), place.start) is None:
        return False
    low = bisect_left(text.starts, sentence.start)
    subject = text.items[low]
    named = subject.capital and not subject.small and subject.key not in text.asked
    if not named or not text.items[bisect_left(text.starts, place.start)].capital:
        return False
    return text.covered(sentence.start, place.start) >= 1 and _ORDER_ASKED.search(question) is None


_IN_PIECES = frozenset(("words", "part"))
_NEAR_WORDS = 4
"""Words beside one end of a span within which the other end stands."""
_RANGE = deferred(r"\d\s?[-–—/]\s?\d|\b(?:between|to|until|through)\b")
_ENUMERATES = deferred(r"[^,]{1,80},[^,]{1,80},\s*\S")
_MORE = deferred(r"[\"'*_]{0,3}\s?(?:,\s?(?:and|&|und|et|y|dan)?|\s(?:and|&|und|et|y|dan))\s[\"'*_]{0,3}(?=\w)")


def _one_end(place: Place, text: Indexed, before: int) -> bool:
    whole = text.reading.text
    low, high = bisect_left(text.starts, place.start), bisect_left(text.starts, place.end)
    beside = [*text.items[max(0, low - _NEAR_WORDS) : low], *text.items[high : high + _NEAR_WORDS]]
    if any(item.key[:1] == "#" and item.key in text.wanted for item in beside):
        return False
    if _RANGE.search(place.gold) is not None:
        return False
    if cues.BETWEEN.search(whole, before, place.start):
        return True
    return cues.BETWEEN_OPEN.search(whole, before, place.start) is not None and "and" not in place.gold.split()


def _listed_with_more(place: Place, text: Indexed) -> bool:
    """Whether one more stands at the end of the gold's list: `red, green, blue and yellow`."""
    if _ENUMERATES.match(place.gold) is None:
        return False
    after = _MORE.match(text.reading.text, place.end)
    at = bisect_left(text.starts, after.end()) if after is not None else len(text.items)
    if at >= len(text.items):
        return False
    more = text.items[at]
    return not more.small and more.key not in text.wanted


def _only_asked(text: Indexed, low: int, high: int) -> bool:
    """Whether the place holds nothing but words of the question, between the same words as there."""
    place = [item for item in text.items[low:high] if not item.small]
    if not place or any(item.key not in text.asked for item in place):
        return False
    if _one_of_two(text, low, high):
        return False
    first, last = text.sentence(low)
    sentence = [item.key for item in text.items[first:last] if not item.small]
    asked = [item for item in text.question if not item.small]
    often = sum(item.key == place[0].key for item in asked)
    if all(key in text.asked for key in sentence) and len(sentence) > len(place):
        return sentence.count(place[0].key) <= often
    if sentence.count(place[0].key) > often and text.at(place[0].key)[often:]:
        return False
    around = (_neighbour(text.items, low, -1), _neighbour(text.items, high - 1, 1))
    for at, item in enumerate(asked):
        if item.key != place[0].key:
            continue
        there = (
            asked[at - 1].key if at else None,
            asked[at + len(place)].key if at + len(place) < len(asked) else None,
        )
        if any(one is not None and one == other for one, other in zip(around, there, strict=True)):
            return True
    return False


def _one_of_two(text: Indexed, low: int, high: int) -> bool:
    """Whether the question offers the place beside another with `or`, and the sentence does not put that other first."""
    asked = text.question
    first, _ = text.sentence(low)
    for at, item in enumerate(asked):
        if item.word not in ("or", "oder", "ou", "atau", "o"):
            continue
        left, right = _beside_or(asked, at, -1), _beside_or(asked, at, 1)
        sides = ((left - right or left, right - left), (right - left or right, left - right))
        own = {other.key for other in text.items[low:high] if not other.small}
        for mine, others in sides:
            if own & mine and not own & others:
                return not any(other.key in others for other in text.items[first:low])
    return False


def _beside_or(asked: Sequence[Item], at: int, step: int) -> set[str]:
    """The words of content that stand together on one side of an `or`, three at most."""
    keys: set[str] = set()
    at += step
    while 0 <= at < len(asked) and asked[at].small and step > 0:
        at += step
    while 0 <= at < len(asked) and not asked[at].small and len(keys) < 3:
        keys.add(asked[at].key)
        at += step
    return keys


def _neighbour(items: Sequence[Item], at: int, step: int) -> str | None:
    at += step
    while 0 <= at < len(items) and items[at].small:
        at += step
    return items[at].key if 0 <= at < len(items) else None


def _refused_before(place: Place, text: Indexed) -> bool:
    """Whether the sentence before declines to answer and the gold's own says little of what was asked."""
    reading = text.reading
    own = reading.sentence_at(place.start)
    if own.start == 0 or len(text.asked) < 2 or text.covered(own.start, own.end) > len(text.asked) / 3:
        return False
    before = reading.sentence_at(own.start - 1)
    if cues.REFUSAL.search(reading.text, before.start, min(before.end, before.start + 300)) is None:
        return False
    return cues.BUT.search(reading.text, own.start, place.start) is None


def _set_aside(place: Place, text: Indexed) -> bool:
    """Whether the sentence says more of what was asked elsewhere: `Lyon is big, but Paris is the capital`."""
    reading = text.reading
    sentence = reading.sentence_at(place.start)
    turn = next(
        (
            match
            for match in cues.TURN.finditer(reading.text, sentence.start, sentence.end)
            if match.start() >= place.end
        ),
        None,
    )
    if turn is not None:
        return text.covered(turn.end(), sentence.end) > text.covered(sentence.start, turn.start())
    head = reading.text[sentence.start : sentence.start + 40].lstrip(" \t\n*_#>-\"'“‘(")
    if cues.CONCEDED.match(head) is None:
        return False
    comma = reading.text.find(",", place.end, sentence.end)
    if comma < 0 or reading.text.find(",", sentence.start, place.start) >= 0:
        return False
    return text.covered(comma, sentence.end) >= text.covered(sentence.start, comma)


def _offered_with_another(place: Place, text: Indexed, low: int, high: int) -> bool:
    """Whether another answer stands beside it with `or`, of the same kind and not another form of it."""
    reading = text.reading
    own = {item.key for item in text.items[low:high]}
    if (match := cues.OR_AFTER.match(reading.text, place.end)) is not None:
        at = bisect_left(text.starts, match.end())
        return _other(text, at, low, own)
    sentence = reading.sentence_at(place.start)
    before = reading.text[max(sentence.start, place.start - 60) : place.start]
    if (found := cues.OR_BEFORE.search(before)) is not None:
        at = bisect_left(text.starts, place.start - len(before) + found.start()) - 1
        return at >= 0 and _other(text, at, low, own)
    return False


def _other(text: Indexed, at: int, place: int, own: set[str]) -> bool:
    """Whether the item beyond an `or` is an alternative: as much a name or a number as the gold, and none of its words."""
    while at < len(text.items) and text.items[at].small:
        at += 1
    if at >= len(text.items):
        return False
    item, gold = text.items[at], text.items[place]
    if (
        not item.word.isascii() and item.end - item.start == 1
    ):  # a script without spaces: one character says nothing alone
        return text.reading.text[item.start : item.start + 2] != text.reading.text[gold.start : gold.start + 2]
    excused = (
        item.key in text.asked and not own <= text.asked
    )  # the question names neither of two that it lets choose from
    if at in text.same or item.key in own or excused or item.key in text.wanted:
        return False
    return (item.key[:1] == "#") == (gold.key[:1] == "#") and item.capital == gold.capital
