"""Does a text assert a gold or one of its aliases, where, and how is it written there?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from modex.core.answers.assertion.golds import gold_forms
from modex.core.answers.assertion.held import BESIDE, OF_THEIRS, standing_of
from modex.core.answers.assertion.indexed import Indexed, Place, question_of
from modex.core.answers.assertion.items import items_of
from modex.core.answers.assertion.literals import has_signs
from modex.core.answers.assertion.numerals import other_numeral
from modex.core.answers.assertion.placing import measures, places
from modex.core.answers.assertion.reading import Reading, Sentence, Stance, Standing, read_text
from modex.core.answers.assertion.tokens import word_set
from modex.core.foundation.lazy_regex import deferred

_SEVERAL_ASKED = deferred(r"\b(?:which|what|name|the) (?:two|three|four|five)\b|\bboth\b", re.IGNORECASE)
_QUESTION_WORDS = 14
"""Words of content above which a question is a problem, whose parts a step of its solution says again."""
_WHOLE = word_set("phrase name date")
"""Rules by which a whole gold stands in one place."""
_LONG_ANSWER_CHARS = 300
_MOST_BESIDE = 6
"""Words of content by which a bare answer may be longer than twice its longest gold, as names and numbers in words are."""


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
    text.wanted_words = {item.word for gold in golds for form in gold_forms(gold)[:1] for item in form.content}
    text.initials = {"".join(item.word[0] for item in form.content) for gold in golds for form in gold_forms(gold)[:1]}
    several = _SEVERAL_ASKED.search(reading.asks) is not None
    for written in golds:
        for form in gold_forms(written)[:1]:
            text.same.update(at for found in measures(form, text) for at in range(found.low, found.high))
        for number, gold in enumerate(gold_forms(written)):
            if not gold.whole and several:
                continue
            if number and (all(item.key in text.asked for item in gold.content) or text.asks_for_short(gold)):
                continue
            beside: set[int] = set()
            for place in places(gold, text):
                sentence = reading.sentence_at(place.start).start
                if other_numeral(gold, place, text) or (place.rule not in _WHOLE and sentence in beside):
                    continue
                standing = standing_of(place, text)
                if standing.asserted:
                    return Assertion(place, True, standing)
                if standing.rule in (BESIDE, OF_THEIRS):
                    beside.add(sentence)
                near = Assertion(place, False, standing)
    return near


def same_answer(answer: str, golds: Iterable[str]) -> str | None:
    """The first gold that a bare answer is, in another form and with nothing beside it (`May 14, 1998` for `14 May 1998`).

    A single word in small letters keeps its accents: they may be what is asked.
    """
    if len(answer) > _LONG_ANSWER_CHARS or has_signs(answer):
        return None
    golds = tuple(golds)
    items = items_of(answer)
    stated = {item.key for item in items}
    content = sum(not item.small for item in items)
    if content > _MOST_BESIDE + 2 * max((len(gold.split()) for gold in golds), default=0):
        return None
    reading = read_text(answer)
    for gold in golds:
        if (gold.islower() and len(gold.split()) == 1 and not gold.isascii()) or not any(map(str.isalpha, gold)):
            continue
        found = find_assertion(reading, [gold]).place
        if found is None or found.rule not in _WHOLE or gold.count(",") > 1:
            continue
        dated = gold_forms(gold)[0]
        if found.rule == "date" and not {item.key for item in dated.content if item.key[:1] in "#@"} <= stated:
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
    if not 2 <= len(asked) <= _QUESTION_WORDS:
        return False
    stated = {item.key for item in items_of(reading.text[sentence.start : sentence.end])}
    return len(stated & asked) >= max(2, share * len(asked))
