"""Does a text assert a gold or one of its aliases, where, and how is it written there?"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.deferred import deferred
from core.evaluators.answers.assertion import cues
from core.evaluators.answers.assertion.golds import DateParts, Gold, gold_forms, surname_of
from core.evaluators.answers.assertion.indexed import MOST_PLACES, Indexed, Place, is_year, place_of, question_of
from core.evaluators.answers.assertion.items import Item, items_of
from core.evaluators.answers.assertion.nearby import (
    glued,
    is_opposed,
    misspelled_names,
    misspelled_word,
    surnames,
    tells_half,
)
from core.evaluators.answers.assertion.quantities import Quantity, same_quantity
from core.evaluators.answers.assertion.reading import Reading, Sentence, Stance, Standing, read_text
from core.evaluators.answers.assertion.tokens import word_set
from core.evaluators.answers.assertion.wordforms import demonym, derived, related, same_given_name, shortened

_SHARE = 0.6
"""The share of a gold's words, less what the question says, that a sentence must have."""
_HALF = 0.5
_LITERAL = deferred(
    r"[@_\\<>={}\[\]#^~|√²³*]|://|\w/\w*\d|\d/\d|^\+?0\d|^\+\d|[A-Za-z]-?\d+-?[A-Za-z]|^[A-Za-z]{1,4}-\d|\d{9}|^\d+-\d[\d-]*\d{3}$"
    r"|^\d{4}-(?:0\d|1[0-2])(?:-\d\d)?$|^\d{1,2}[:.]\d\d(?:[:.]\d{2,4})?$"
)
"""Golds that are no words: they are looked for as they are written."""
_NUMBER = deferred(r"[-+−]?\d[\d.,]*")
_TRUTHS = frozenset(("True", "False", "None", "true", "false", "null", "nil"))
_BESIDE = 12
"""Characters beside a row of values that are looked at for a further value."""
_MORE_AFTER = deferred(r"[ \t,;|]{1,4}[-+−]?\d|[ \t]{1,4}(?:True|False|None|true|false|null|nil)\b")
_MORE_BEFORE = deferred(r"(?:\d|\b(?:True|False|None|true|false|null|nil))[ \t,;|]{1,4}[-+−]?$")
_LIST = deferred(r"[^,;]{1,80}[,;][^,;]{1,80}[,;]\s*\S|;|→|->")
"""A gold that lists three or more: its order counts."""
_QUALIFIERS = word_set("""
    new north south east west northern southern eastern western central northeast northwest southeast southwest
""")
"""Words before a name that make it another place."""
_SEVERAL_ASKED = deferred(r"\b(?:which|what|name|the) (?:two|three|four|five)\b|\bboth\b", re.IGNORECASE)
_ABOUT_ASKED = deferred(
    r"\b(?:about|approximate(?:ly)?|roughly|around|estimated?|circa|environ|ungefähr|etwa|sekitar)\b", re.IGNORECASE
)
_AND = word_set("and und et y dan &")
_DAY_ASKED = word_set("day date month tag datum jour mois dia mes giorno mese hari tanggal bulan")
_PEOPLE_ASKED = word_set("nationality nationalitat nationalite nacionalidad nazionalita nacionalidade kewarganegaraan")
_LONG_QUESTION = 14
"""Words of content above which a question is a problem, whose parts a step of its solution says again."""
_LONG = 9
"""Letters from which a word with another ending is the same word whatever its first letter's case."""
_BARE = 6
"""Words of an answer that is nothing but the answer."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """What `find_assertion` found: the place that is asserted, else the last one that is not, and why it is not."""

    place: Place | None = None
    asserted: bool = False
    standing: Standing | None = None

    @property
    def stance(self) -> Stance:
        """What the text does with the gold at the place."""
        return self.standing.stance if self.standing else "asserted"


def find_assertion(reading: Reading, golds: Iterable[str], within: tuple[int, int] | None = None) -> Assertion:
    """Look for the first of `golds` that the text asserts; `within` bounds where (a marked final answer)."""
    low, high = within or (0, len(reading.text))
    text = Indexed(reading, low, high)
    near: Assertion = Assertion()
    golds = tuple(golds)
    text.fuller = [form.date for gold in golds for form in gold_forms(gold) if form.date is not None and form.date.year]
    text.wanted = {item.key for gold in golds for form in gold_forms(gold)[:1] for item in form.content}
    several = _SEVERAL_ASKED.search(reading.question[-2000:]) is not None
    for written in golds:
        for form in gold_forms(written)[:1]:
            text.same.update(at for found in _measures(form, text) for at in range(found.low, found.high))
        for number, gold in enumerate(gold_forms(written)):
            if not gold.whole and several:
                continue
            if number and (all(item.key in text.asked for item in gold.content) or text.asks_for_short(gold)):
                continue
            for place in _places(gold, text):
                standing = _standing(place, text)
                if standing.asserted:
                    return Assertion(place, True, standing)
                near = Assertion(place, False, standing)
    return near


_SAME = word_set("phrase name date")
_LONG_ANSWER = 300


def same_answer(answer: str, golds: Iterable[str]) -> str | None:
    """The first gold that a bare answer is, in another form and with nothing beside it (`May 14, 1998` for `14 May 1998`).

    A single word in small letters keeps its accents: they may be what is asked.
    """
    if len(answer) > _LONG_ANSWER or _LITERAL.search(answer):
        return None
    reading = read_text(answer)
    said = {item.key for item in items_of(answer)}
    for gold in golds:
        if (gold.islower() and len(gold.split()) == 1 and not gold.isascii()) or not any(map(str.isalpha, gold)):
            continue
        found = find_assertion(reading, [gold]).place
        if found is None or found.rule not in _SAME or gold.count(",") > 1:
            continue
        dated = gold_forms(gold)[0]
        if found.rule == "date" and not {item.key for item in dated.content if item.key[:1] in "#@"} <= said:
            continue
        if not reading.stance(found.start, found.end).asserted:
            continue
        rest = items_of(f"{answer[: found.start]} , {answer[found.end :]}")
        if all(item.small for item in rest):
            return gold
    return None


def restates(reading: Reading, sentence: Sentence, share: float = 0.5) -> bool:
    """Whether a sentence says the question again as a statement: it holds `share` of its words, and two at least."""
    _, asked = question_of(reading.question)
    if not 2 <= len(asked) <= _LONG_QUESTION:
        return False
    said = {item.key for item in items_of(reading.text[sentence.start : sentence.end])}
    return len(said & asked) >= max(2, share * len(asked))


def _places(gold: Gold, text: Indexed) -> Iterator[Place]:
    """Where the text has the gold, the plainest rule first."""
    if _LITERAL.search(gold.text) or is_row(gold.text):
        yield from _literals(gold, text)
        return
    yield from _phrases(gold, text)
    if gold.date is not None:
        yield from _same_dates(gold, gold.date, text)
        yield from _its_year(gold, gold.date, text)
        return
    yield from _run_together(gold, text)
    if (
        not gold.items[0].word.isascii() and len(gold.items[0].word) == 1
    ):  # single characters of a script without spaces
        return
    for found in _measures(gold, text):
        yield place_of(gold, text, found.low, found.high, "quantity")
    if gold.name:
        yield from _names(gold, text)
        yield from misspelled_names(gold, text)
    yield from _scattered(gold, text)
    if len(gold.content) == 1:
        yield from _other_endings(gold, text)
        yield from misspelled_word(gold.content[0], gold, text)
    else:
        yield from _bare(gold, text)
    if gold.name:
        yield from surnames(gold, text)
    yield from glued(gold, text)


def _measures(gold: Gold, text: Indexed) -> list[Quantity]:
    """The quantities of the text that are the gold's own, in any unit."""
    own = gold.quantity
    if own is None:
        return []
    about = _ABOUT_ASKED.search(text.reading.question[-2000:]) is not None
    return [found for found in text.quantities() if same_quantity(own, found, about=about)]


def is_row(gold: str) -> bool:
    """Whether a gold is a row of values, as a program prints them (`3 2`, `abbc 18`, `1 5 True`): no name, date or quantity.

    Each value counts, in its place.
    """
    words = gold.split()
    forms = gold_forms(gold)[:1]
    if len(words) < 2 or any(form.date is not None or form.quantity is not None for form in forms):
        return False
    if len(words) > 2 and any(word[:1].isupper() and word not in _TRUTHS for word in words):
        return False
    values = [_NUMBER.fullmatch(word) is not None or word in _TRUTHS for word in words]
    return sum(values) >= 2 or (values[-1] and not values[0])


def _is_sequence(gold: Gold) -> bool:
    """Whether a gold is three words or more in small letters and nothing that joins them: `pear lemon olive`."""
    return len(gold.items) >= 3 and not any(item.small or item.capital or item.key[:1] == "#" for item in gold.items)


def _other_date(year: Item, at: int, text: Indexed) -> bool:
    """Whether a year belongs to a day or month of its own that contradicts what other golds say of that year."""
    fuller = [date for date in text.fuller if date.year == int(year.key[1:])]
    here = next((found for found, low, high in text.dated() if low <= at < high), None) if fuller else None
    return here is not None and not any(_agree(here, date) for date in fuller)


def _agree(one: DateParts, other: DateParts) -> bool:
    pairs = ((one.day, other.day), (one.month, other.month), (one.year, other.year))
    return all(a is None or b is None or a == b for a, b in pairs)


def _literals(gold: Gold, text: Indexed) -> Iterator[Place]:
    """As it is written, but for case: addresses, codes, formulas, identifiers."""
    wanted, whole = gold.text.strip().casefold(), text.reading.text
    folded = whole.casefold()
    if len(folded) != len(whole):  # a few letters change their number when folded
        folded = whole.lower() if len(whole.lower()) == len(whole) else whole
    row = is_row(gold.text)
    at = folded.find(wanted, text.low)
    for _ in range(MOST_PLACES):
        if at < 0 or at + len(wanted) > text.high:
            return
        before, after = folded[at - 1 : at], folded[at + len(wanted) : at + len(wanted) + 1]
        within = (before.isalnum() and wanted[0].isalnum()) or (after.isalnum() and wanted[-1].isalnum())
        if not within and not (row and _goes_on(folded, at, at + len(wanted))):
            yield Place(gold.text, at, at + len(wanted), "phrase")
        at = folded.find(wanted, at + 1)


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether a further value stands beside a row of values, or a sign before it."""
    before = text[max(0, start - _BESIDE) : start]
    return (
        _MORE_AFTER.match(text, end) is not None
        or _MORE_BEFORE.search(before) is not None
        or before[-1:] in ("-", "−", ".")
    )


def _phrases(gold: Gold, text: Indexed) -> Iterator[Place]:
    """Its content words in a row, small words between them left out of account."""
    first = gold.content[0]
    for at in text.at(first.key):
        if len(gold.content) == 1 and not _stands_alone(first, at, text, whole=gold.whole):
            continue
        end = at + 1
        for item in gold.content[1:]:
            while end < len(text.items) and text.items[end].small and text.items[end].key != item.key and end - at < 24:
                end += 1
            if end >= len(text.items) or text.items[end].key != item.key:
                break
            end += 1
        else:
            single = len(gold.content) == 1
            if single and is_year(first) and _other_date(first, at, text):
                continue
            if not (
                single
                and gold.items[0].word in ("a", "an", "one")
                and at
                and text.items[at - 1].key[:1] == "#"
                and text.items[at - 1].key != "#1"
            ):
                yield place_of(gold, text, at, end, "phrase")


def _stands_alone(gold: Item, at: int, text: Indexed, *, whole: bool = True) -> bool:
    """Whether a gold of one word is a word of its own there: not `new` in `New York`, nor `Africa` in `South Africa`.

    One or two letters are found only as they are written; what is left of a longer gold has no other name before it.
    """
    item = text.items[at]
    if gold.word == "may" and gold.capital and not item.capital:
        return False
    if len(gold.word) <= 2 and gold.key[:1] != "#" and gold.word.isascii():
        return gold.capital == item.capital and gold.word == item.word
    before = text.items[at - 1] if at else None
    beside = text.reading.text
    if gold.capital and item.capital and before is not None and before.capital and before.word in _QUALIFIERS:
        return beside[before.end : item.start] not in (" ", "-")
    if not whole and before is not None and before.capital and not before.small and before.key not in text.asked:
        return beside[before.end : item.start] != " "
    after = text.items[at + 1] if at + 1 < len(text.items) else None
    if not gold.capital and item.capital and after is not None and after.capital and gold.word in _QUALIFIERS:
        return beside[item.end : after.start] not in (" ", "-")
    return True


def _run_together(gold: Gold, text: Indexed) -> Iterator[Place]:
    """Written with other blanks or hyphens, or as its initials say: `Hi-Fi`, `U.S.`."""
    wanted = shortened(gold.joined)
    if len(wanted) < 3 or wanted.isdecimal() or (len(gold.items) == 1 and wanted in _QUALIFIERS):
        return
    found = text.joined(wanted)
    if found is not None and not (
        found[1] - found[0] == 1 == len(gold.items) and text.items[found[0]].key == gold.items[0].key
    ):
        yield place_of(gold, text, *found, "phrase")


def _names(gold: Gold, text: Indexed) -> Iterator[Place]:
    """A name by its parts: the surname with a given name, an initial or a short form before it."""
    surname, given = surname_of(gold)
    if len(surname.word) < 2:
        return
    for at in text.at(surname.key):
        if not text.items[at].capital:
            continue
        for before in range(at - 1, max(at - 6, -1), -1):
            other = text.items[before]
            if not other.capital and not other.small:
                break
            if other.capital and any(same_given_name(part.word, other.word) for part in given):
                if surname.key in text.asked and other.key in text.asked:
                    break
                yield place_of(gold, text, before, at + 1, "name")
                break


def _same_dates(gold: Gold, wanted: DateParts, text: Indexed) -> Iterator[Place]:
    for found, low, high in text.dated():
        if found.month != wanted.month:
            continue
        if wanted.day and found.day and wanted.day != found.day:
            continue
        if wanted.year and found.year and wanted.year != found.year:
            continue
        if wanted.year and not found.year and not (wanted.day and found.day):
            continue
        if wanted.day and not wanted.year and not found.day:  # a month is no day
            continue
        yield place_of(gold, text, low, high, "date")


def _its_year(gold: Gold, wanted: DateParts, text: Indexed) -> Iterator[Place]:
    """The year alone, where the question asks for no day and it is the first year that the text gives."""
    if wanted.year is None or text.asked & _DAY_ASKED or any(found.year == wanted.year for found, _, _ in text.dated()):
        return
    if any(found.day and found.year is None and not _agree(found, wanted) for found, _, _ in text.dated()):
        return
    year = f"#{wanted.year}"
    first = next((at for at, item in enumerate(text.items) if is_year(item) and item.key not in text.asked), None)
    if first is not None and text.items[first].key == year:
        yield place_of(gold, text, first, first + 1, "year")


def _other_endings(gold: Gold, text: Indexed) -> Iterator[Place]:
    """One word with another ending; of a country, how its people are called where the question asks for that."""
    word = gold.content[0]
    if len(word.word) < 4 or not word.word.isascii():
        return
    people = word.capital and bool(text.asked & _PEOPLE_ASKED)
    for at in text.beginning(word.word[:3]):
        item = text.items[at]
        if item.key == word.key:
            continue
        # The gold is a people, and the text has the country.
        if word.capital and item.capital and demonym(item.word, word.word):
            yield place_of(gold, text, at, at + 1, "ending")
            continue
        same = (derived(word.word, item.word) or derived(word.key, item.key)) and (
            word.capital == item.capital
            or not word.capital
            or item.start == text.low
            or (len(word.word) >= _LONG and len(item.word) >= _LONG)
        )
        if same and word.capital and item.capital and demonym(word.word, item.word):
            same = False
        if same or (people and demonym(word.word, item.word)):
            yield place_of(gold, text, at, at + 1, "ending")


def _bare(gold: Gold, text: Indexed) -> Iterator[Place]:
    """An answer of a few words that is a part of the gold and holds what it is about."""
    content = [at for at, item in enumerate(text.items) if not item.small] if len(text.items) <= _BARE else []
    if not 1 <= len(content) < len(gold.content) or gold.head is None:
        return
    keys = {item.key for item in gold.content}
    own = {text.items[at].key for at in content} - text.asked
    if not own or not own <= keys or gold.head.key not in own:
        return
    left = {item.word for item in gold.content if item.key not in own}
    if left & _QUALIFIERS or gold.head.key[:1] == "#" or (gold.head.word in _QUALIFIERS):
        return
    yield place_of(gold, text, content[0], content[-1] + 1, "head")


def _scattered(gold: Gold, text: Indexed) -> Iterator[Place]:
    """All its content words, or most of those that the question does not say, in one sentence."""
    needed = [item for item in gold.content if item.key not in text.asked and item.key not in text.meant]
    if not needed or (len(gold.content) == 1):
        return
    ordered, sequence = _LIST.search(gold.text) is not None, _is_sequence(gold)
    must = [item for item in needed if item.key[:1] == "#"]
    if gold.name:
        must.append(surname_of(gold)[0])
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
            if 1 <= len(found) < len(keys) and len(keys) >= 2:
                extra = _related(needed, found, text, low, high)
                found |= {item.key for item, _ in extra}
                inside = sorted([*inside, *(index for _, index in extra)])
            if any(item.key not in found and item.key not in text.asked for item in must):
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
            if len(found) >= _SHARE * len(keys) or tells_half(gold, found, missing, inside, text):
                rule = "words" if len(found) == len(keys) else "part"
                yield place_of(gold, text, inside[0], inside[-1] + 1, rule)


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


def _standing(place: Place, text: Indexed) -> Standing:
    """What the text does with the gold: its stance there, unless the sentence turns to something else."""
    reading = text.reading
    standing = reading.stance(place.start, place.end)
    if not standing.asserted:
        return standing
    if reading.takes_back(place.end):
        return Standing("denied", "called wrong")
    low = bisect_left(text.starts, place.start)
    high = max(bisect_left(text.starts, place.end), low + 1)
    if _only_asked(text, low, high):
        return Standing("echoed", "only the question's own words")
    if _answered_before(place, text):
        return Standing("reported", "another answer is given first")
    if _refused_before(place, text):
        return Standing("refused", "refusal")
    if _set_aside(place, text):
        return Standing("reported", "set aside for another")
    if _offered_with_another(place, text, low, high):
        return Standing("doubted", "offered with another")
    return standing


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
    while 0 <= at < len(asked) and asked[at].small and not keys and step > 0:
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


def _answered_before(place: Place, text: Indexed) -> bool:
    """Whether the first sentence says the question again and ends with another name or number: `The capital is Sydney.`

    A later sentence that says as little as a third of the question then only mentions the gold.
    """
    reading = text.reading
    if len(text.asked) < 2 or len(reading.sentences) < 2 or not text.items:
        return False
    opening = reading.sentence_at(text.items[0].start)
    own = reading.sentence_at(place.start)
    if own.start <= opening.start or text.covered(own.start, own.end) > len(text.asked) / 3:
        return False
    if text.covered(opening.start, opening.end) < 0.6 * len(text.asked):
        return False
    low, high = bisect_left(text.starts, opening.start), bisect_left(text.starts, opening.end)
    new = [at for at in range(low, high) if not text.items[at].small and text.items[at].key not in text.asked]
    if not 1 <= len(new) <= 3 or new[-1] != high - 1 or new[-1] - new[0] > 4:
        return False
    gold = [text.items[at] for at in range(bisect_left(text.starts, place.start), bisect_left(text.starts, place.end))]
    if any(item.key in text.wanted for item in (text.items[at] for at in new)):
        return False
    return _kind(gold) != "word" and _kind(gold) == _kind([text.items[at] for at in new])


def _kind(items: list[Item]) -> str:
    """Whether words are a name, a number or anything else."""
    content = [item for item in items if not item.small]
    if any(item.key[:1] == "#" for item in content):
        return "number"
    return "name" if content and all(item.capital for item in content) else "word"


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
