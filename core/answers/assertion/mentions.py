"""Whether a gold is only mentioned beside another answer: compared with it, in its apposition, the subject of another clause."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from modex.core.answers.assertion.golds import TITLES, Gold, gold_forms, surname_of
from modex.core.answers.assertion.indexed import Clause, Filler, Indexed, Place, agree, is_year
from modex.core.answers.assertion.reading import Sentence
from modex.core.answers.assertion.slots import (
    LINKS,
    SENTENCE_WORDS,
    WHERE_ASKED,
    clauses_of,
    coverage,
    fillers,
    is_asked,
    is_glue,
    is_verb,
)
from modex.core.answers.assertion.tokens import word_set
from modex.core.answers.assertion.wordforms import misspelled, related, same_given_name
from modex.core.foundation.lazy_regex import deferred

_LONGEST_WORDS = 2
"""Words of content of an answer that is no name and no number."""
_NO_ANSWERS = word_set("""
    yes no sure sorry hello hi hey okay ok well however unfortunately according based note answer question please great thanks
    thank today ja nein oui non sí si historians scientists experts some many most several both all
""")
"""Words that begin a text and answer nothing."""
_OTHERWISE = deferred(
    r"(?:known|called|named|titled|entitled|nicknamed|dubbed|aka|a\.k\.a\.|i\.e\.|viz\.?|namely|formerly|born|née|nee|real name"
    r"|birth name|full name|stage name|pen name|short for|abbreviated|specifically|especially|particularly|including|such as"
    r"|include|includes|consist(?:s|ing)? of|meaning|means|or|alias|also|like|for example|e\.g\.|genannt|appelée?"
    r"|(?:played|portrayed|performed|sung|written|directed|voiced|sponsored|owned|run) by"
    r"|(?:part|city|town|capital|state|province|region|district|county|suburb|village|island|port|kind|type|form|species|member"
    r"|album|season|episode|series|novel|book|film|movie)\s(?:of|in|from))"
    r"(?:\s(?:as|to|from|in|of|is|was))?(?:\s(?:the|a|an))?[\s\"'“‘*_(]{1,4}$",
    re.IGNORECASE,
)
"""What makes a gold another name of the answer, or what the answer is a part of."""
_WITHIN = deferred(
    r"(?<![^\W_])(?:in|within|inside|throughout|across)(?:\s(?:the|a|an))?[\s\"'“‘*_(]{1,4}$", re.IGNORECASE
)
"""What makes a gold the place that the answer lies in."""
_TURNS_BACK = deferred(
    r"[\s\"'*_(#>-]{0,6}(?:but|however|actually|in fact|rather|instead|therefore|thus|so|hence"
    r"|another|other|also|correction|final|answer)(?![^\W_])",
    re.IGNORECASE,
)
_CONCEDING = word_set(
    "while whereas whilst though although während wohingegen mientras tandis mentre enquanto sedangkan"
)
_LIST_MARK = deferred(r"[ \t>]{0,6}(?:[-*•]|\(?\d{1,2}[.)])[ \t]")


@dataclass(frozen=True, slots=True)
class _Mention:
    """A gold at a place: its items as a range, its sentence and clause, and how much of the question that clause says."""

    gold: Gold
    low: int
    high: int
    sentence: Sentence
    clause: Clause
    covered: int


def only_mentioned(place: Place, text: Indexed) -> bool:
    """Whether the text gives another answer to the question, and the place is only beside that."""
    if not text.items or not text.asked:
        return False
    low = bisect_left(text.starts, place.start)
    high = max(bisect_left(text.starts, place.end), low + 1)
    own = text.reading.sentence_at(place.start)
    within = [clause for clause in clauses_of(own, text) if clause.low < high and low < clause.high]
    if not within:
        return False
    clause = Clause(within[0].low, within[-1].high, within[0].opens)
    if place.rule == "quantity" or not any(item.start < place.end for item in text.items[low:high]):
        return False  # nothing that tells is known of a gold that is an article (`a`)
    if _conceded(clause, own, text):
        return True
    if _fills(low, high, clause, text) or _another_name(place, clause, low, high, text):
        return False
    mention = _Mention(gold_forms(place.gold)[0], low, high, own, clause, coverage(clause, low, high, text))
    return any(_excludes(filler, sentence, mention, text) for sentence, filler in fillers(own, text))


def _conceded(clause: Clause, sentence: Sentence, text: Indexed) -> bool:
    """Whether a clause only sets something against what its sentence said before of the question: `…, whereas Mars is small`."""
    if text.items[clause.low].word not in _CONCEDING:
        return False
    first = bisect_left(text.starts, sentence.start)
    before = Clause(first, clause.low, "")
    return first < clause.low and coverage(before, 0, 0, text) > coverage(clause, 0, 0, text)


def _excludes(filler: Filler, sentence: Sentence, gold: _Mention, text: Indexed) -> bool:
    """Whether an answer stands before the gold and what is said of the gold does not say the question again."""
    if filler.low < gold.high and gold.low < filler.high:
        return False
    foreign = sentence.start < gold.sentence.start and _of_another(gold, text)
    again = not foreign and (gold.covered >= filler.covered > 0 or 2 * gold.covered > len(text.asked))
    if sentence.start > gold.sentence.start:
        return False
    if sentence.start < gold.sentence.start:
        if again or _stands_by_itself(gold, text):
            return False
    elif gold.low < filler.high:
        if gold.covered or not filler.verb:
            return False
    elif not filler.covered and gold.clause.low > filler.clause.high and WHERE_ASKED.match(text.reading.question):
        return False  # `X, the man asked about, went to Y`
    elif (
        ":" in text.reading.text[text.items[filler.high - 1].end : text.items[gold.low].start]
        or again
        or _coordinate(gold.low, gold.high, gold.clause, text)
    ):
        return False
    return _is_other(filler, gold.gold, text, foreign=foreign) and _held(filler, text)


def _of_another(gold: _Mention, text: Indexed) -> bool:
    """Whether the gold's clause says the question's verb of something that the question does not name: `Austen wrote Emma`."""
    clause = gold.clause
    if clause.high - clause.low > _SHORT_CLAUSE_WORDS or not gold.covered:
        return False
    begins = bisect_left(text.starts, gold.sentence.start)
    rest = [text.items[at] for at in range(clause.low, clause.high) if not gold.low <= at < gold.high]
    named = {item.key for item in text.question[1:] if item.capital and not item.small}
    if any(item.key in named or item.word in _POINTING for item in rest):
        return False
    return any(
        item.capital
        and item.start != text.items[begins].start
        and not is_glue(item)
        and item.key not in text.asked
        and item.key not in text.wanted
        and item.key[:1] not in "#@"
        for item in rest
    )


_SHORT_CLAUSE_WORDS = 12
_POINTING = word_set("it this that he she they them")


def _stands_by_itself(gold: _Mention, text: Indexed) -> bool:
    """Whether the gold's sentence is a line of its own, an item of a list, or turns back to the question."""
    own = gold.sentence
    return (
        _listed_line(own, text)
        or _alone(own, gold.low, gold.high, text)
        or _TURNS_BACK.match(text.reading.text, own.start) is not None
    )


def _held(filler: Filler, text: Indexed) -> bool:
    start, end = text.items[filler.low].start, text.items[filler.high - 1].end
    return text.reading.stance(start, end).asserted


def _listed_line(sentence: Sentence, text: Indexed) -> bool:
    """Whether a sentence is an item of a list."""
    line = text.reading.text.rfind("\n", text.low, sentence.start + 1) + 1
    return _LIST_MARK.match(text.reading.text, max(line, text.low)) is not None


def _alone(sentence: Sentence, low: int, high: int, text: Indexed) -> bool:
    """Whether a sentence or line has nothing but the gold."""
    first, last = bisect_left(text.starts, sentence.start), bisect_left(text.starts, sentence.end)
    return all(low <= at < high or is_glue(text.items[at]) for at in range(first, min(last, first + SENTENCE_WORDS)))


def _coordinate(low: int, high: int, clause: Clause, text: Indexed) -> bool:
    """Whether the gold stands beside the answer as another of a list or its apposition: `…, and Mars`, `Mars, a planet`."""
    if any(mark in clause.opens for mark in ";:(—–") or not clause.low <= low:
        return False
    lead = text.items[clause.low : low]
    if any(item.word not in ("and", "or", "the", "a", "an", "und", "et", "y", "dan", "plus") for item in lead):
        return False
    after = text.items[high : min(high + 2, clause.high)]
    if (
        len(after) == 2
        and after[0].word in ("the", "der", "die", "das", "le", "la", "el")
        and _MOST.search(after[1].word)
    ):
        return False  # `…, the Danube the second longest`
    return not any(is_verb(item) for item in after)


_MOST = deferred(r"est$|^(?:most|least|second|third|more|less|plus|más|più|mais)$|ste[rsn]?$")


def _fills(low: int, high: int, clause: Clause, text: Indexed) -> bool:
    """Whether the gold is itself the answer of its clause: nothing else stands there that the question does not say."""
    rest = [text.items[at] for at in range(clause.low, clause.high) if not low <= at < high]
    if any(not is_glue(item) and not is_asked(item, text) for item in rest):
        return False
    return clause.low == 0 or coverage(clause, low, high, text) > 0


def _another_name(place: Place, clause: Clause, low: int, high: int, text: Indexed) -> bool:
    """Whether the gold is called the answer's other name, or what it belongs to."""
    before = text.reading.text[max(text.low, place.start - 40) : place.start]
    timed = text.items[low].key[:1] in "#@"
    if _OTHERWISE.search(before) is not None or (not timed and _WITHIN.search(before) is not None):
        return True
    return "(" in clause.opens and clause.low == low and clause.high == high


def _is_other(filler: Filler, gold: Gold, text: Indexed, *, foreign: bool = False) -> bool:
    """Whether an answer is of the gold's kind and none of the golds; of a word, only where `foreign` says whose the gold is."""
    items = text.items[filler.low : filler.high]
    content = [item for item in items if not is_glue(item) and (not is_asked(item, text) or item.capital)]
    fresh = [
        item for item in content if item.key not in text.asked and item.word not in LINKS and item.word not in TITLES
    ]
    if not fresh or any(item.word in _NO_ANSWERS or (item.word.endswith("ly") and not item.capital) for item in fresh):
        return False
    if gold.date is not None or is_year(gold.content[0]):
        return _other_time(filler, gold, text)
    numbered = any(item.key[:1] in "#@" for item in fresh)
    if numbered != any(item.key[:1] == "#" for item in gold.content):
        return False
    if numbered:
        return not any(item.key in text.wanted for item in fresh if item.key[:1] == "#")
    named = gold.content[0].capital
    if named and not all(item.capital for item in fresh):
        return False
    if not named and (len(fresh) > _LONGEST_WORDS or (filler.covered and not foreign)):
        return False
    asked = [(item.word, other.word) for item in fresh for other in text.question]
    if any(
        misspelled(one, other) or related(one, other) for one, other in asked
    ):  # `Dritte wird Lea`, asked who is `Dritter`
        return False
    if filler.low == 0 and len(fresh) == 1 and fresh[0].word.endswith("ly"):
        return False
    own = [item for item in fresh if item.word not in text.wanted_words]
    if len(own) == len(fresh):
        return not (len(fresh) == 1 and fresh[0].word in text.initials)
    if not gold.name or not own:
        return False
    surname, given = surname_of(gold)  # `Percy Shelley` is not Mary Shelley
    kin = all(item.key == surname.key for item in fresh if item not in own)
    return kin and not any(item.word in TITLES or same_given_name(one.word, item.word) for one in given for item in own)


def _other_time(filler: Filler, gold: Gold, text: Indexed) -> bool:
    """Whether an answer is a date or a year, and not that of a gold."""
    golds = text.fuller or ([gold.date] if gold.date else [])
    dates = [date for date, low, high in text.dated() if filler.low < high and low < filler.high]
    if dates and golds:
        return not any(agree(date, other) for date in dates for other in golds)
    years = [item.key for item in text.items[filler.low : filler.high] if is_year(item)]
    return bool(years) and not any(year in text.wanted for year in years)
