"""A free-text gold against a whole response: does the response assert it? No model is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from modex.core.answers.assertion import (
    Place,
    Reading,
    Sentence,
    Stance,
    find_assertion,
    read_text,
    restates,
)
from modex.core.answers.assertion.figures import counted_in, is_offered_with_another
from modex.core.answers.assertion.golds import gold_forms
from modex.core.answers.comparison import compare, compared
from modex.core.answers.final_answer import FinalAnswer, find_final_answer
from modex.core.answers.forms import asks_for_inflection
from modex.core.answers.found import Compared, Extracted
from modex.core.answers.kinds import ExpectedAnswer
from modex.core.answers.numbers.spans import number_spans, word_spans
from modex.core.answers.set_aside import is_set_aside
from modex.core.answers.text.text import comparable
from modex.core.foundation.lazy_regex import deferred

_WHY_NOT: dict[Stance, str] = {
    "denied": "the response denies it",
    "corrected": "the response takes it back",
    "doubted": "the response offers it in doubt or with another answer",
    "asked": "the response only asks about it",
    "echoed": "only the question's own words are said again",
    "reported": "the response names it only to set it aside",
    "refused": "the response declines to answer",
    "foreign": "it belongs to another question that the response begins itself",
}
_HOW = {
    "phrase": "equal",
    "name": "the same name, by its parts",
    "date": "the same date",
    "initials": "the initials of the same name",
    "words": "the gold's words in other order",
    "part": "most of the gold's words",
    "head": "the gold's main part",
    "quantity": "the same quantity in another unit",
    "year": "the year of the gold's date",
    "ending": "the gold with another ending",
    "surname": "the surname alone, where the question leaves no other",
    "misspelled": "the gold with a slip of the pen",
}
_WHEN = deferred(
    r"\b(?:when|years?|dates?|decades?|century|since|wann|jahr|quand|année|cuándo|cuando|año|quando|anno|ano|kapan|tahun)\b"
    r"|何年|いつ|哪年|哪一年|什么时候",
    re.IGNORECASE,
)
_CALCULATES = deferred(r"[=×÷*√^]|\d\s*[+/−-]\s*\d")
_GOES_ON = deferred(
    r";|\b(?:so|then|thus|therefore|hence|leaving|leaves|now|but|jadi|also|donc|así que|quindi)\b", re.IGNORECASE
)
"""Where a sentence goes on from a step to what follows from it."""
_MOST_SENTENCES = 4
_BARE_CHARS = 200
"""Characters by which a whole answer may be longer than twice its longest gold."""
_YEAR = deferred(r"(?:1\d|20)\d\d")


@dataclass(frozen=True, slots=True)
class TextVerdict:
    """Whether a response asserts a gold, the words that were compared, and the two parts of the verdict."""

    right: bool
    answer: str
    compared: Compared
    extracted: Extracted


def is_free_text(expected: ExpectedAnswer, prompt: str = "") -> bool:
    """Whether the gold is looked for in what a response asserts: a text, or a year where the question asks for a time."""
    if expected.parts or expected.exact:
        return False
    if expected.type == "exact_match":
        return True
    return (
        expected.type == "numeric"
        and not expected.tolerance
        and all(_YEAR.fullmatch(gold) for gold in golds_of(expected))
        and _WHEN.search(prompt[-4000:]) is not None
    )


def golds_of(expected: ExpectedAnswer) -> tuple[str, ...]:
    """The value and everything else that is right."""
    return (*expected.golds, *(gold for other in expected.others for gold in other.golds))


def judge_text(response: str, expected: ExpectedAnswer, prompt: str = "") -> TextVerdict:
    """Whether `response` asserts a gold; what it marks as its final answer is read alone."""
    reading = read_text(response, prompt)
    marked = find_final_answer(response[: reading.cut])
    if marked is None:
        why = {"why": "the response gives no answer"}
        return TextVerdict(False, "", compared(expected, None, why), Extracted("no_answer"))
    golds = golds_of(expected)
    whole, part = compare(
        marked.text[: _BARE_CHARS + 2 * max(map(len, golds))], expected
    )  # a longer text is no bare answer
    if whole and _holds(reading, marked):
        return TextVerdict(True, marked.text, part, _found(marked.start, marked.start + len(marked.text), marked.how))
    within = None
    if marked.how != "last_line":  # what follows the first sentence of a marked answer explains it
        within = (marked.start, min(reading.sentence_at(marked.start).end, marked.start + len(marked.text)))
    found = find_assertion(reading, golds, within)
    other_form = (
        found.place is not None
        and asks_for_inflection(prompt)
        and comparable(response[found.place.start : found.place.end]) not in map(comparable, golds)
    )
    if found.place is None or other_form:
        return TextVerdict(
            False, marked.text, part, _found(marked.start, marked.start + len(marked.text), marked.how)
        )  # fmt: skip
    return _verdict(found.asserted, found.place, found.stance, expected, response)


def refuses(verdict: TextVerdict) -> bool:
    """Whether the response names a gold and does not give it as its answer."""
    return not verdict.right and verdict.extracted.source in _WHY_NOT


def judge_stated_number(
    response: str, expected: ExpectedAnswer, prompt: str, own: int | None = None
) -> TextVerdict | None:
    """A number that the sentence states which says the question again as a statement; None where none does.

    `How many players has a team?`, `A football team has eleven players on the field.` Such a sentence holds most of the
    question's words and no calculation, and does not go on (`12 at first, so now 17`) to the number that the rules read at
    `own`.
    """
    if expected.tolerance or expected.rel_tolerance or expected.unit:
        return None
    reading = read_text(response, prompt)
    golds = golds_of(expected)
    for sentence in reading.sentences[:_MOST_SENTENCES]:
        if _CALCULATES.search(response, sentence.start, sentence.end) or not restates(reading, sentence):
            continue
        found = find_assertion(reading, golds, (sentence.start, sentence.end))
        if found.asserted and found.place is not None and found.place.rule == "phrase":
            if own is not None and _GOES_ON.search(response, found.place.end, min(own, sentence.end)):
                continue
            if (
                own is not None
                and sentence.start <= own < found.place.start
                and _after_another(response, own, found.place, expected.locale)
            ):
                return None
            if _is_open(response, sentence, found.place, expected.locale):
                return None
            if own is not None and _counts_another(response, own, found.place, prompt):
                return None
            return _verdict(True, found.place, "asserted", expected, response)
    return None


def _after_another(response: str, own: int, place: Place, locale: str) -> bool:
    """Whether the sentence gives the number at `own`, and sets the later one at `place` aside."""
    first = next(number_spans(response[own : place.start], locale), None)
    return first is not None and is_set_aside(response, own + first[1], place.start, place.end)


def _counts_another(response: str, own: int, place: Place, prompt: str) -> bool:
    """Whether the number at `own` counts what is asked, and the later one at `place` does not: `12 apples and 3 pears`."""
    counted = counted_in(prompt)
    if counted is None or counted.match(response, place.end) or own >= place.start:
        return False
    number = response[own : place.start].partition(" ")[0]
    return counted.match(response, own + len(number)) is not None


def _is_open(response: str, sentence: Sentence, place: Place, locale: str) -> bool:
    """Whether the number at a place is offered with another (`3 to 7`, `7 or 8`)."""
    piece = response[sentence.start : sentence.end]
    spans = list(number_spans(piece, locale)) or list(word_spans(piece, locale))
    own = next((span for span in spans if span[0] + sentence.start <= place.start < span[1] + sentence.start), None)
    return own is not None and is_offered_with_another(piece, own, spans)


def judge_quantity(response: str, expected: ExpectedAnswer, prompt: str, own: int | None) -> TextVerdict | None:
    """The gold's quantity in another unit, or beside itself in one; None where no sentence states it.

    `228 minutes`: `The film lasts 3 hours and 48 minutes`. It counts in the sentence of the number that the rules found at `own`,
    or anywhere where they found none. A test that names its unit takes no other.
    """
    if expected.tolerance or expected.rel_tolerance or expected.unit:
        return None
    golds = [gold for gold in golds_of(expected) if any(form.quantity for form in gold_forms(gold))]
    if not golds:
        return None
    reading = read_text(response, prompt)
    within = None
    if own is not None:
        sentence = reading.sentence_at(own)
        within = (sentence.start, sentence.end)
    found = find_assertion(reading, golds, within)
    if found.asserted and found.place is not None and found.place.rule in ("phrase", "quantity"):
        return _verdict(True, found.place, "asserted", expected, response)
    return None


def _verdict(right: bool, place: Place, stance: Stance, expected: ExpectedAnswer, response: str) -> TextVerdict:
    answer = response[place.start : place.end]
    why = _HOW.get(place.rule, place.rule) if right else _WHY_NOT.get(stance, stance)
    facts = {"why": why, "matched": place.gold}
    return TextVerdict(
        right,
        answer,
        compared(expected, answer, facts),
        _found(place.start, place.end, "asserted" if right else stance),
    )


def _holds(reading: Reading, marked: FinalAnswer) -> bool:
    """Whether the text does not take back a whole answer that equals the gold."""
    return reading.stance(marked.start, marked.start + len(marked.text)).stance not in ("corrected", "denied", "asked")


def _found(start: int, end: int, source: str) -> Extracted:
    return Extracted("found", (start, end), source=source)
