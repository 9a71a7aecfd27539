"""Where a text has a gold, the plainest rule first: as a phrase, a date, a name by its parts, a quantity, in other words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from modex.core.answers.assertion.golds import QUALIFIERS, TITLES, DateParts, Gold, surname_of
from modex.core.answers.assertion.indexed import Indexed, Place, agree, is_year, place_of
from modex.core.answers.assertion.items import Item
from modex.core.answers.assertion.literals import is_literal, literals
from modex.core.answers.assertion.nearby import glued, misspelled_names, misspelled_word, surnames
from modex.core.answers.assertion.quantities import Quantity, same_quantity
from modex.core.answers.assertion.scattered import bare, scattered
from modex.core.answers.assertion.tokens import word_set
from modex.core.answers.assertion.wordforms import demonym, derived, same_given_name, shortened
from modex.core.foundation.lazy_regex import deferred

_ABOUT_ASKED = deferred(
    r"\b(?:about|approximate(?:ly)?|roughly|around|estimated?|circa|environ|ungefähr|etwa|sekitar)\b", re.IGNORECASE
)
_DAY_ASKED = word_set("day date month tag datum jour mois dia mes giorno mese hari tanggal bulan")
_PEOPLE_ASKED = word_set("nationality nationalitat nationalite nacionalidad nazionalita nacionalidade kewarganegaraan")
_PHRASE_WORDS = 24
_LONG = 9
"""Letters from which a word with another ending is the same word whatever its first letter's case."""


def places(gold: Gold, text: Indexed) -> Iterator[Place]:
    """Where the text has the gold, the plainest rule first."""
    if is_literal(gold):
        yield from literals(gold, text)
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
    for found in measures(gold, text):
        yield place_of(gold, text, found.low, found.high, "quantity")
    if gold.name:
        yield from _names(gold, text)
        yield from misspelled_names(gold, text)
        yield from _initials(gold, text)
    yield from scattered(gold, text)
    if len(gold.content) == 1:
        yield from _other_endings(gold, text)
        yield from misspelled_word(gold.content[0], gold, text)
    else:
        yield from bare(gold, text)
    if gold.name:
        yield from surnames(gold, text)
    yield from glued(gold, text)


def measures(gold: Gold, text: Indexed) -> list[Quantity]:
    """The quantities of the text that are the gold's own, in any unit."""
    own = gold.quantity
    if own is None:
        return []
    about = _ABOUT_ASKED.search(text.reading.asks) is not None
    return [found for found in text.quantities() if same_quantity(own, found, about=about)]


def _other_date(year: Item, at: int, text: Indexed) -> bool:
    """Whether a year belongs to a day or month of its own that contradicts what other golds say of that year."""
    fuller = [date for date in text.fuller if date.year == int(year.key[1:])]
    here = next((found for found, low, high in text.dated() if low <= at < high), None) if fuller else None
    return here is not None and not any(agree(here, date) for date in fuller)


def _phrases(gold: Gold, text: Indexed) -> Iterator[Place]:
    """Its content words in a row, small words between them left out of account."""
    first = gold.content[0]
    for at in text.at(first.key):
        if len(gold.content) == 1 and not _stands_alone(first, at, text, whole=gold.whole):
            continue
        end = at + 1
        for item in gold.content[1:]:
            while (
                end < len(text.items)
                and text.items[end].key != item.key
                and (text.items[end].small or text.is_mark(end))
                and end - at < _PHRASE_WORDS
            ):
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
        return gold.capital == item.capital
    before = text.items[at - 1] if at else None
    beside = text.reading.text
    if gold.capital and item.capital and before is not None and before.capital and before.word in QUALIFIERS:
        return beside[before.end : item.start] not in (" ", "-")
    if not whole and before is not None and before.capital and not before.small and before.key not in text.asked:
        return beside[before.end : item.start] != " "
    after = text.items[at + 1] if at + 1 < len(text.items) else None
    if not gold.capital and item.capital and after is not None and after.capital and gold.word in QUALIFIERS:
        return beside[item.end : after.start] not in (" ", "-")
    return True


def _run_together(gold: Gold, text: Indexed) -> Iterator[Place]:
    """Written with other blanks or hyphens, or as its initials say: `Hi-Fi`, `U.S.`."""
    wanted = shortened(gold.joined)
    if len(wanted) < 3 or wanted.isdecimal() or (len(gold.items) == 1 and wanted in QUALIFIERS):
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
                if len(other.word) == 1 and _other_given(given[0].word, before, text):
                    break
                yield place_of(gold, text, before, at + 1, "name")
                break


def _other_given(given: str, at: int, text: Indexed) -> bool:
    """Whether another given name stands right before an initial: `Robert F. Kennedy` is not John F. Kennedy."""
    if not at or len(given) == 1:
        return False
    before, initial = text.items[at - 1], text.items[at]
    beside = text.reading.text[before.end : initial.start] in (" ", ". ")
    return beside and before.capital and before.word not in TITLES and not same_given_name(given, before.word)


def _initials(gold: Gold, text: Indexed) -> Iterator[Place]:
    """Its initials in capitals (`JFK`, `J.F.K.`), or the words whose initials it is; three letters at least."""
    if 3 <= len(gold.content) <= _MOST_INITIALS:
        wanted = "".join(item.word[0] for item in gold.content)
        found = text.joined(wanted)
        if found is not None and wanted not in text.asked and all(text.items[at].capital for at in range(*found)):
            start, end = text.items[found[0]].start, text.items[found[1] - 1].end
            if text.reading.text[start:end].isupper():
                yield place_of(gold, text, *found, "initials")


_MOST_INITIALS = 5


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
    if any(found.day and found.year is None and not agree(found, wanted) for found, _, _ in text.dated()):
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
