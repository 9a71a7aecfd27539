"""A gold that a text has in part or nearly: a bare surname, a misspelled name, words that lost their blanks, its main word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from modex.core.answers.assertion.golds import Gold, surname_of
from modex.core.answers.assertion.indexed import Indexed, Place, place_of
from modex.core.answers.assertion.items import Item
from modex.core.answers.assertion.tokens import word_set
from modex.core.answers.assertion.wordforms import misspelled, same_given_name
from modex.core.foundation.lazy_regex import deferred

_PERSON_ASKED = deferred(
    r"\b(?:who|whom|whose|by who|wer|wen|wem|wessen|qui|quién|quien|quiénes|chi|quem|siapa|kto|kdo|vem|hvem|kuka|kim"
    r"|кто|кем|кого|хто|"
    r"(?:which|what) (?:\w+ ){0,3}?(?:actor|actress|author|writer|singer|composer|artist|painter|president|scientist|player"
    r"|king|queen|poet|inventor|director|physicist|chemist|philosopher|explorer|general|politician|person|man|woman))\b|谁|誰",
    re.IGNORECASE,
)
_FULL_ASKED = deferred(
    r"\b(?:full|first|given|middle|christian|real|birth|forename|maiden|vor|vollständige\w*)"
    r"[ -]?(?:names?|namen)\b|\b(?:vorname|prénom|forename|nom complet|nom[eb]r?e? completo|nombre de pila)\b",
    re.IGNORECASE,
)
"""Questions that a surname alone does not answer."""
_KIN = deferred(
    r"\b(?:brothers?|sisters?|siblings?|famil(?:y|ies)|sons?|daughters?|fathers?|mothers?|parents?|wife|wives|husbands?"
    r"|twins?|cousins?|namesakes?|dynasty|elder|younger|junior|senior|uncle|aunt|nephew|niece|grand\w+)\b",
    re.IGNORECASE,
)
"""Questions about people who share a name."""
_TITLES = word_set("""
    sir dr mr mrs ms miss lord lady king queen saint st prince princess president professor prof captain pope dame general
    senator governor minister judge justice colonel coach chancellor herr frau monsieur señor
""")
_AFTER_GLUE = deferred(
    r"(?:of|in|on|at|by|to|and|or|is|was|are|were|for|as|from|with|who|which|that|after|before)?(?:\d{0,2}(?![^\W_])|(?<=[a-z])(?=[A-Z]))",
)
_BEFORE_GLUE = deferred(
    r"(?<![^\W_])(?:the|a|an|of|in|on|at|by|to|and|or|is|was|are|were|for|as|from|with|called|actor|actress|named)$",
    re.IGNORECASE,
)
_BEFORE_SMALL = deferred(r"(?<![^\W_])(?:the|of|was|are|with|from|called|named)$", re.IGNORECASE)
"""What may be run together with a word in small letters and makes no other word of it."""
_BEFORE_SINGLE = deferred(r"(?<![^\W_])(?:is|was|called|named)$", re.IGNORECASE)
_NOTE_BEHIND = deferred(r"\d{1,2}(?![^\W_])")
"""The mark of a footnote right behind a word: that the text lost its blanks, and the word ends here."""
_GLUE_CHARS = 9
_MOST_PLACES = 8
_LISTED = deferred(r"[,;/&]|\b(?:and|or|und|oder|et|ou|y|o|dan|atau)\b", re.IGNORECASE)


def surnames(gold: Gold, text: Indexed) -> Iterator[Place]:
    """A surname alone, where the question asks for a person and leaves no other of that name.

    Refused where the question asks for a full or first name, names kin or namesakes or the surname itself, or where another
    name stands before or behind it (`Heinrich Röntgen`, `Jackson County`).
    """
    question = text.reading.question[-4000:]
    if _PERSON_ASKED.search(question) is None or _FULL_ASKED.search(question) or _KIN.search(question):
        return
    surname, given = surname_of(gold)
    if len(surname.word) < 4 or surname.key in text.asked or surname.key[:1] == "#" or not given:
        return
    particles = {item.word for item in gold.items if item.small}
    if not particles <= PARTICLES:  # `Duke of Wellington`: no surname is known
        return
    if any(same_given_name(part.word, item.word) for part in given for item in text.question if item.capital):
        return
    for at in text.at(surname.key):
        if text.items[at].capital and not beside_another_name(at, text, particles):
            yield place_of(gold, text, at, at + 1, "surname")
            return
    if "da" not in particles or len(given) != 1 or len(given[0].word) < 4:
        return
    for at in text.at(given[0].key):  # `da Vinci` says where Leonardo is from
        if text.items[at].capital and not beside_another_name(at, text):
            yield place_of(gold, text, at, at + 1, "surname")
            return


PARTICLES = word_set("de da di do del della dos das du van von der den ter ten la le el al bin ibn y e")
"""Small words within a person's name, whose last word is still a surname."""


def beside_another_name(at: int, text: Indexed, particles: Set[str] = frozenset()) -> bool:
    """Whether a name stands right before or behind the one at `at`, titles and its own `particles` aside."""
    whole = text.reading.text
    item = text.items[at]
    first = at
    while first and text.items[first - 1].word in particles:
        first -= 1
    if first < at:
        return (
            first > 0
            and text.items[first - 1].capital
            and whole[text.items[first - 1].end : text.items[first].start] == " "
        )
    if at:
        before = text.items[at - 1]
        if before.capital and before.word not in _TITLES and whole[before.end : item.start].strip() in ("", "-", "."):
            first, _ = text.sentence(at)
            return not (before.small and at - 1 == first)
    if at + 1 < len(text.items):
        after = text.items[at + 1]
        return after.capital and whole[item.end : after.start] in (" ", "-")
    return False


def misspelled_names(gold: Gold, text: Indexed) -> Iterator[Place]:
    """A name with one part misspelled and every other as it is: `Cindy Grecco` for `Cyndi Grecco`."""
    content = gold.content
    if not 2 <= len(content) <= 4:
        return
    for sure in range(len(content)):
        for at in text.at(content[sure].key):
            first = at - sure
            if first < 0 or first + len(content) > len(text.items):
                continue
            row = text.items[first : first + len(content)]
            if not all(item.capital for item in row):
                continue
            wrong = [(own, other) for own, other in zip(content, row, strict=True) if own.key != other.key]
            if len(wrong) == 1 and misspelled(wrong[0][0].word, wrong[0][1].word):
                yield place_of(gold, text, first, first + len(content), "misspelled")
                return


def misspelled_word(word: Item, gold: Gold, text: Indexed) -> Iterator[Place]:
    """A long name of one word with a letter too many, too few or wrong in its middle."""
    if len(word.word) < 7 or not word.capital or word.key in text.asked:
        return
    for at in text.beginning(word.word[:3]):
        item = text.items[at]
        if item.capital and item.key != word.key and misspelled(word.word, item.word) and item.key not in text.asked:
            yield place_of(gold, text, at, at + 1, "misspelled")
            return


def glued(gold: Gold, text: Indexed) -> Iterator[Place]:
    """Run together with the small words beside it, as text loses its blanks where bold ends: `calledthe pour pointof`."""
    first = next((at for at, item in enumerate(gold.items) if not item.small), 0)
    wanted = " ".join(item.word for item in gold.items[first:])
    single = " " not in wanted and not gold.content[0].capital
    if len(wanted) < (6 if single else 5) or not gold.whole:
        return
    whole = text.lowered()
    glue = _BEFORE_GLUE if gold.items[first].capital else _BEFORE_SINGLE if single else _BEFORE_SMALL
    at, looked = whole.find(wanted, text.low), 0
    while 0 <= at <= text.high - len(wanted) and looked < _MOST_PLACES:
        end = at + len(wanted)
        free = at == 0 or not whole[at - 1].isalnum()
        ends = end == len(whole) or not whole[end].isalnum()
        glue_before = free or glue.search(whole, max(0, at - _GLUE_CHARS), at)
        glue_after = ends or _AFTER_GLUE.match(text.reading.text, end)
        if single and (ends or not _NOTE_BEHIND.match(whole, end)):  # `islander` is no lander
            glue_after = None
        if not (free and ends) and glue_before and glue_after:
            yield Place(gold.text, at, end, "phrase")
            return
        at, looked = whole.find(wanted, at + 1), looked + 1


def tells_half(gold: Gold, found: set[str], missing: list[Item], inside: list[int], text: Indexed) -> bool:
    """Whether half of a gold's words are enough: one of them is long, and nothing else stands where the rest would.

    Never of a proper name (`Ryder Cup`), nor beside another name.
    """
    if gold.name or _LISTED.search(gold.text):
        return False
    if any(item.capital and item is not gold.items[0] for item in missing):
        return False
    if not any(len(item.word) >= _TELLING for item in gold.content if item.key in found):
        return False
    lost = {item.key for item in missing}
    before, after = inside[0] - 1, inside[-1] + 1
    if before >= 0 and text.items[before].capital and not text.items[before].small:
        return False
    needed = [item.key for item in gold.content if item.key in lost or item.key in found]
    if needed[0] in lost and _stands_in(before, inside[0], text):
        return False
    return not (needed[-1] in lost and _stands_in(after, inside[-1], text))


def _stands_in(at: int, beside: int, text: Indexed) -> bool:
    """Whether a word of content that the question does not say stands at `at`, with only a blank between it and `beside`."""
    if not 0 <= at < len(text.items):
        return False
    item, other = text.items[at], text.items[beside]
    first, second = (item, other) if at < beside else (other, item)
    return not item.small and item.key not in text.asked and text.reading.text[first.end : second.start] in (" ", "-")


def is_opposed(missing: Sequence[Item], sentence: Sequence[Item]) -> bool:
    """Whether the sentence has the opposite of a word that it lacks: `white blood cells` for `red blood cells`."""
    stated = {item.word for item in sentence}
    for item in missing:
        if any(item.word in opposed and not stated.isdisjoint(opposed - {item.word}) for opposed in _OPPOSED):
            return True
        if any(_turned(item.word, other) for other in stated):
            return True
    return False


def _turned(one: str, other: str) -> bool:
    """Whether two words differ in a prefix that turns the meaning: `soluble`, `insoluble`; `diphosphate`, `triphosphate`."""
    short, long = sorted((one, other), key=len)
    if len(short) >= 4 and long.endswith(short) and long[: -len(short)] in _PREFIXES:
        return True
    return any(
        one.startswith(first) and any(other == second + one[len(first) :] for second in group - {first})
        for group in _EXCHANGED
        for first in group
        if len(one) >= len(first) + 4
    )


_TELLING = 6
"""Letters of a word that says something by itself."""
_PREFIXES = word_set("un non in im ir dis anti para sub semi pre post hypo hyper ultra infra super")
_EXCHANGED = (
    word_set("mono di bi tri tetra penta hexa hepta octa poly uni quadri multi"), word_set("hypo hyper"), word_set("inter intra"),
    word_set("endo exo ecto"), word_set("micro macro nano mega"), word_set("pre post"), word_set("pro anti"),
    word_set("over under"), word_set("in ex"), word_set("in out"), word_set("up down"), word_set("ab ad"), word_set("con di"),
)  # fmt: skip
"""Prefixes of which one takes the place of another."""
_OPPOSED_WORDS = """
    red white black blue green yellow orange purple pink brown grey gray gold golden silver / left right
    / north south east west northern southern eastern western / upper lower middle / top bottom / inner outer
    / internal external / front back rear / male female / man woman / men women / boy girl / mother father / brother sister
    / son daughter / husband wife / king queen / positive negative neutral / convergent divergent transform / maximum minimum
    / major minor / big small large little / long short / high low / hot cold warm cool / old new / young old / early late
    / public private / direct indirect / single double triple / primary secondary tertiary / anterior posterior
    / dorsal ventral / distal proximal / medial lateral / afferent efferent / arterial venous / ascending descending
    / active passive / liberal conservative / open closed / summer winter spring autumn fall / day night / sunrise sunset
    / morning evening afternoon noon midnight / odd even / import export / imports exports / increase decrease
    / increased decreased / rise fall / gain loss / birth death / buy sell / start end / beginning end / vowel consonant
    / atlantic pacific arctic indian / hard soft / wet dry / rich poor / solid liquid gas / federal state local
    / monday tuesday wednesday thursday friday saturday sunday / visible invisible / horizontal vertical diagonal
    / light dark / light heavy / thick thin / fast slow / strong weak / true false / best worst / first last
    / simple complex compound / plant animal / motor sensory / systolic diastolic / endothermic exothermic
"""
_OPPOSED = tuple(word_set(row) for row in _OPPOSED_WORDS.split("/"))
"""Words of which one excludes the others."""
