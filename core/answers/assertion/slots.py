"""Which answers a text puts where its question asks for one.

`Venus. It lies closer to the Sun than Mars.` answers Venus; `Schiller wrote it, a friend of Goethe` answers Schiller.
An answer is a clause that says the question's own words and one thing more, or the first clause where it is that thing alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache

from modex.core.answers.assertion.denials import NEGATORS
from modex.core.answers.assertion.indexed import Clause, Filler, Indexed, is_year
from modex.core.answers.assertion.items import Item
from modex.core.answers.assertion.reading import Sentence
from modex.core.answers.assertion.tokens import word_set
from modex.core.answers.assertion.verbs import CLASSES
from modex.core.foundation.lazy_regex import deferred

_FIRST_SENTENCES = 3
"""Sentences from the beginning in which an answer to the question is looked for."""
SENTENCE_WORDS = 120
"""Words of a sentence that are looked at."""
_LONGEST_ANSWER = 6
_BREAKS = deferred(r"[,;:()\[\]—–\n\"“”]|\s-\s")
LINKS = word_set("of the de da di do del della van von der den du la le el bin al ibn")
"""Small words within a name."""
_TURNING = word_set("""
    but while whereas whilst though although because since when where after before as like than unlike whose
    während obwohl weil mientras aunque porque tandis alors pendant mentre sebbene enquanto embora sedangkan sementara
""")
"""Words that begin a clause without a comma before them."""
_GLUE = word_set("""
    would will could should must may might can been being be i think believe guess say answer answers correct right final
    actually really probably likely certainly definitely originally officially first of course currently now then also simply
    lies lie located situated found called named known considered refers there here indeed well so therefore thus
    war wird wurde wurden heißt lautet liegt antwort est était se trouve fue era está llama était stato era fu foi
    oleh itu adalah ialah yaitu jawaban jawabannya
""")
"""Words that make no other answer of a clause."""
WHERE_ASKED = deferred(r"\W*(?:so |and )?(?:where|wo|dónde|donde|où|dove|onde|di mana)\b", re.IGNORECASE)
_PLACED = word_set("in at on from to near of through by the a an en à dans a di em no na im am aus")
_FINITE = word_set("is was are were has had have did does do will would can could")
_AGENTS = ("er", "or", "ist", "ress", "ion")
_NEGATORS = word_set("not no never neither nor nicht kein keine nie pas jamais non não nunca bukan tidak") | NEGATORS
_LATER = word_set("#2 #3 #4 #5 next")


def clauses_of(sentence: Sentence, text: Indexed) -> list[Clause]:
    """A sentence cut at its punctuation and at the words that turn it."""
    kept = text.clauses.get(sentence.start)
    if kept is None:
        kept = text.clauses[sentence.start] = list(_cut(sentence, text))
    return kept


def _cut(sentence: Sentence, text: Indexed) -> Iterator[Clause]:
    items, whole = text.items, text.reading.text
    first, last = bisect_left(text.starts, sentence.start), bisect_left(text.starts, sentence.end)
    low, opens = first, ""
    for at in range(first + 1, min(last, first + SENTENCE_WORDS)):
        gap = whole[items[at - 1].end : items[at].start]
        broken = len(gap) > 1 and _BREAKS.search(gap) is not None and not _within_date(items[at - 1], items[at], gap)
        if broken or items[at].word in _TURNING:
            yield Clause(low, at, opens)
            low, opens = at, gap
    if low < last:
        yield Clause(low, last, opens)


def _within_date(before: Item, after: Item, gap: str) -> bool:
    return gap.strip() == "," and before.key[:1] in "#@" and after.key[:1] == "#" and len(after.word) == 4


def fillers(own: Sentence, text: Indexed) -> list[tuple[Sentence, Filler]]:
    """The answers that the first sentences give, and those of the gold's own."""
    begins = max(0, bisect_right(text.reading.starts, text.items[0].start) - 1)
    sentences = list(text.reading.sentences[begins : begins + _FIRST_SENTENCES])
    if all(one.start != own.start for one in sentences):
        sentences.append(own)
    found = []
    for one in sentences:
        if one.start not in text.fillers:
            text.fillers[one.start] = list(_fillers_of(one, text))
        found += [(one, filler) for filler in text.fillers[one.start]]
    return found


def _fillers_of(sentence: Sentence, text: Indexed) -> Iterator[Filler]:
    clauses = clauses_of(sentence, text)
    for number, clause in enumerate(clauses):
        run = _only_run(clause, text)
        if run is None:
            run = _only_time(clause, text)
        if run is None or _is_title(clause, run, clauses[number + 1 : number + 2], text):
            continue
        covered = coverage(clause, *run, text)
        if not covered and clause.low > 0:
            continue
        verb = any(_class_asked(text.items[at], text) for at in range(clause.low, clause.high))
        high = run[1]
        for after in clauses[number + 1 :] if high == clause.high else ():
            if not _listed(after, text):
                break
            high = after.high
        yield Filler(run[0], high, clause, covered, verb)


def _only_time(clause: Clause, text: Indexed) -> tuple[int, int] | None:
    """The one date or year of a clause that says the question's verb: `The ship sank on April 14, 1912`."""
    if not any(_class_asked(text.items[at], text) for at in range(clause.low, clause.high)):
        return None
    dates = [(low, high) for date, low, high in text.dated() if clause.low <= low and high <= clause.high and date.year]
    years = [at for at in range(clause.low, clause.high) if is_year(text.items[at])]
    if len(years) != 1:
        return None
    return dates[0] if dates else (years[0], years[0] + 1)


def _is_title(clause: Clause, run: tuple[int, int], after: list[Clause], text: Indexed) -> bool:
    """Whether what a clause says is the heading of what follows, or in quotation marks."""
    whole, items = text.reading.text, text.items
    follows = after[0].opens if after else ""
    if any(mark in clause.opens or mark in follows for mark in '"“”'):
        return True
    if whole[items[run[0]].start - 1 : items[run[0]].start] in ('"', "“", "'", "‘", "«"):
        return True
    return ":" in (after[0].opens if after else whole[items[clause.high - 1].end : items[clause.high - 1].end + 3])


def _listed(clause: Clause, text: Indexed) -> bool:
    """Whether a clause is one more name or number of a list."""
    if any(mark in clause.opens for mark in ";:(—–\n"):
        return False
    rest = text.items[clause.low : clause.high]
    return all(item.capital or item.key[:1] in "#@" or item.word in ("and", "or", "the", *LINKS) for item in rest)


def _only_run(clause: Clause, text: Indexed) -> tuple[int, int] | None:
    """The one thing that a clause says beside the question's words; None where it says none, or more than one."""
    items = text.items
    open_at = [at for at in range(clause.low, clause.high) if not is_glue(items[at]) and not is_asked(items[at], text)]
    if not 1 <= len(open_at) <= _LONGEST_ANSWER or any(items[at].word in _NEGATORS for at in open_at):
        return None
    low, high = open_at[0], open_at[-1] + 1
    for at in range(low, high):
        if at not in open_at and not (items[at].word in LINKS or (items[at].capital and not items[at].small)):
            return None
    first, last = low, high
    while low > clause.low and items[low - 1].capital and not is_glue(items[low - 1]) and _touch(low - 1, text):
        low -= 1
    while high < clause.high and items[high].capital and not is_glue(items[high]) and _touch(high - 1, text):
        high += 1
    if sum(not items[at].small for at in range(low, high)) > 2 * (last - first):
        return None  # `the Dewey Decimal Classification`, where the question has `Dewey Decimal`
    if (
        WHERE_ASKED.match(text.reading.question)
        and low > clause.low
        and items[low - 1].word not in _PLACED
        and _asks(clause, text)
    ):
        return None
    article = low > clause.low and items[low - 1].word in ("the", "a", "an", "der", "die", "das", "ein", "eine")
    if article and high < clause.high and is_asked(items[high], text) and not is_verb(items[high]):
        return None  # `the American writer`
    return low, high


def _asks(clause: Clause, text: Indexed) -> bool:
    """Whether a clause says a word of the question."""
    return any(is_asked(item, text) for item in text.items[clause.low : clause.high])


def _touch(at: int, text: Indexed) -> bool:
    return text.reading.text[text.items[at].end : text.items[at + 1].start].strip("*_ ") in ("", "-", ".")


def is_verb(item: Item) -> bool:
    """Whether a word is, by its form, the verb of a clause."""
    if item.word in _FINITE:
        return True
    return not item.capital and not item.word.endswith(_AGENTS) and (item.word in CLASSES or item.word.endswith("ed"))


def is_glue(item: Item) -> bool:
    """Whether a word neither answers nor asks anything."""
    return item.small or item.word in _GLUE


def is_asked(item: Item, text: Indexed) -> bool:
    """Whether a word is the question's, or a verb that stands for the question's."""
    return item.key in text.asked or item.key in text.meant or _class_asked(item, text)


def _class_asked(item: Item, text: Indexed) -> bool:
    classes = CLASSES.get(item.word)
    return classes is not None and not item.capital and not classes.isdisjoint(_verbs_of(text.question))


@lru_cache(maxsize=1024)
def _verbs_of(question: tuple[Item, ...]) -> frozenset[int]:
    return frozenset(number for item in question for number in CLASSES.get(item.word, ()))


def coverage(clause: Clause, low: int, high: int, text: Indexed) -> int:
    """How many of the question's words a clause says outside of what stands from `low` to before `high`."""
    stated: set[str | int] = set()
    for at in range(clause.low, clause.high):
        if low <= at < high:
            continue
        item = text.items[at]
        if item.key[:1] == "#" and at and text.items[at - 1].key in text.asked and _other_number(item, text):
            return 0  # `has atomic number 12`
        if item.key in text.asked:
            if at and text.items[at - 1].key in _LATER and text.items[at - 1].key not in text.asked:
                return 0  # `the second largest`
            stated.add(item.key)
        elif not item.capital and (found := CLASSES.get(item.word)) is not None:
            stated |= found & _verbs_of(text.question)
    return len(stated)


def _other_number(item: Item, text: Indexed) -> bool:
    """Whether a number is none of those that the question gives."""
    asked = {other.key for other in text.question if other.key[:1] == "#"}
    return bool(asked) and item.key not in asked and not is_year(item)
