"""A yes-or-no question said again as a statement: `Is the lake deep?`, `The lake is not deep` says no.

A statement counts where it has the question's words, or a pronoun for its subject, and nothing that limits what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from modex.core.answers.assertion import cues
from modex.core.answers.assertion.comparatives import compares_otherwise
from modex.core.answers.assertion.items import Item, items_of
from modex.core.answers.assertion.reading import read_text
from modex.core.answers.assertion.tokens import word_set
from modex.core.answers.assertion.verbs import CLASSES
from modex.core.foundation.lazy_regex import deferred

_READ_CHARS = 2000
_MOST_SENTENCES = 12
_LONGEST_CHARS = 400
_AUXILIARY = (
    r"is|are|was|were|am|do|does|did|can|could|will|would|has|have|had|should|must"
    r"|ist|sind|war|waren|hat|haben|kann|können|wird|est-ce que|est|sont|peut|es|son|está|están|fue|puede|ha|è|sono|può"
    r"|é|são|pode|apakah|adakah"
)
_HEAD = deferred(
    rf"\W*(?:(?:so|and|but|well|now|hey|please|yes or no|true or false)\W{{1,3}})*"
    rf"(?P<head>{_AUXILIARY})(?P<contracted>n['’]t)?(?![^\W_])",
    re.IGNORECASE,
)
_CLAIM = deferred(r"\W*(?:true or false|richtig oder falsch|vrai ou faux|verdadero o falso)\W{1,3}", re.IGNORECASE)
"""What comes before a claim that is to be judged."""
_EITHER = deferred(
    r"(?<![^\W_])(?:yes or no|true or false|or not|ja oder nein|oui ou non|sí o no)(?![^\W_])", re.IGNORECASE
)
_OR = deferred(r"(?<![^\W_])(?:or|oder|ou|atau|oppure)(?![^\W_])", re.IGNORECASE)
_THAT = deferred(
    r"\W*(?:it(?:['’]s)?|is it|that|this)?\s?(?:is|was|isn['’]t|wasn['’]t)?\s?(?P<not>not\s)?(?:also\s|simply\s|just\s|indeed\s)?"
    r"(?:(?:a|an|the)\s)?(?:(?:common|popular|widespread|old)\s)?"
    r"(?:(?P<true>true|correct|right|case|fact|clear)|(?P<false>false|untrue|wrong|incorrect|myth|misconception|fallacy))"
    r"\s(?:to say |to think |to believe )?that\s",
    re.IGNORECASE,
)
"""`it is false that …`; its own `n't` is counted apart."""
_CLAUSES = deferred(
    r"[,;:()\n—–]|(?<![^\W_])(?:but|although|though|because|since|whereas|while|so that|and|aber|weil|obwohl|mais|car|pero|porque"
    r"|ma|perché|mas|tetapi|karena)(?![^\W_])",
    re.IGNORECASE,
)
_NEGATORS = word_set("""
    not never no none neither nor nobody nothing nowhere hardly scarcely barely cannot unable fails failed fail
    nicht kein keine keinen keiner keines nie niemals pas jamais aucun aucune non nunca jamás ningún ninguna mai nessuna nessun
    não nenhum tidak bukan bukanlah nao jamas ningun
""")
_LIMITS = word_set("""
    if unless whether may might could maybe perhaps possibly probably partly partially sometimes some almost nearly once formerly
    only just merely necessarily always entirely completely fully exactly every all most many would should unlike except without
    supposedly allegedly theoretically wenn vielleicht manchmal nur si peut-être parfois seulement quizás solo forse talvez jika
    until before anymore still yet both either
""")
"""Words that make another statement of it, unless the question has them."""
_PRONOUNS = word_set(
    "it he she they this that these those there you we one es er sie il elle ils elles ce cela esto ello lui essi ele ela ini itu"
)
_FINITE = word_set(
    "is are was were am do does did can could will would has have had should must ist sind war hat kann est sont peut es son fue"
    " è e é"
)
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis")
_ONE_QUESTION_CHARS = 400
_ENDS = ".!\n"


@dataclass(frozen=True, slots=True)
class StatedTruth:
    """What a statement answers to the question, and where it stands."""

    truth: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Claim:
    """What is asked whether it is so: its words of content, and whether a statement of it without a denial says yes."""

    words: tuple[Item, ...]
    head: str
    truth: bool
    text: str


def stated_truth(response: str, prompt: str) -> StatedTruth | None:
    """The truth value that `response` gives by stating what `prompt` asks, or its opposite; None where it states not just one."""
    claim = _claim(prompt[-_READ_CHARS:])
    if claim is None:
        return None
    reading = read_text(response, prompt)
    found: list[StatedTruth] = []
    for sentence in reading.sentences[:_MOST_SENTENCES]:
        text = response[sentence.start : sentence.end]
        if sentence.start >= reading.cut or len(text) > _LONGEST_CHARS or text.rstrip(" *_\"')”").endswith("?"):
            continue
        if _REPORTED.search(text) is not None or cues.REFUSAL.search(text) is not None:
            continue
        stated = next((truth for clause in _clauses(text) if (truth := _stated(clause, claim)) is not None), None)
        if stated is not None:
            end = sentence.start + len(text.rstrip())
            found.append(StatedTruth(stated, sentence.start + len(text) - len(text.lstrip()), end))
    return found[0] if found and len({one.truth for one in found}) == 1 else None


_REPORTED = deferred(
    r"(?<![^\W_])(?:(?:some|many|most|several|other)\s(?:\w{1,20}\s){0,2}(?:say|think|believe|claim|assume|argue|thought|believed)"
    r"|people\s(?:\w{1,12}\s)?(?:say|think|believe|claim|assume)|(?:is|was|are|were)\s(?:often|commonly|widely|sometimes)?\s?"
    r"(?:said|claimed|thought|believed|assumed|rumou?red)|legend|i (?:used to|first)|viele (?:glauben|denken|meinen))(?![^\W_])",
    re.IGNORECASE,
)


def _claim(prompt: str) -> _Claim | None:
    """What a question of yes and no, or a claim to be judged, says."""
    if (judged := _CLAIM.match(prompt)) is not None and prompt[judged.end() :].strip():
        return _made(prompt[judged.end() :], "", judged=True)
    asked = list(_questions(prompt))
    asked = [question for question in asked if _HEAD.match(question) is not None] or asked[-1:]
    if not asked or (head := _HEAD.match(asked[-1])) is None:
        return None
    rest = _EITHER.sub(" ", asked[-1][head.end() :])
    return None if _OR.search(rest) else _made(rest, head["head"].casefold(), judged=False)


def _questions(prompt: str) -> Iterator[str]:
    """Each sentence that ends with a question mark; of a long one its end."""
    before = -1
    while (mark := prompt.find("?", before + 1)) >= 0:
        text = prompt[max(before + 1, mark - _ONE_QUESTION_CHARS) : mark].rstrip()
        if text and text[-1] not in ".!":
            yield text[1 + max(map(text.rfind, _ENDS)) :] + "?"
        before = mark


def _made(text: str, head: str, *, judged: bool) -> _Claim | None:
    truth = True
    if (that := _THAT.match(text)) is not None:
        truth, judged = (that["false"] is None) is (that["not"] is None), True
        text = text[that.end() :]
    items = items_of(text)
    denials = sum(_denies(item.word) for item in items)
    if denials and not judged:  # whether `Was it never found?` is answered by yes or by no is anybody's guess
        return None
    content = tuple(item for item in items if not item.small and not _aside(item) and not _denies(item.word))
    return _Claim(content, head, truth is not bool(denials % 2), text) if content else None


def _aside(item: Item) -> bool:
    """Whether a word only colours what is said: `botanically`, `indeed`."""
    coloured = ("indeed", "really", "true", "speaking", "even", "also", "ever", "fact")
    return (item.word.endswith("ly") and len(item.word) > 4 and not item.capital) or item.word in coloured


def _denies(word: str) -> bool:
    return word in _NEGATORS or (word.endswith("nt") and word[:-2] in _CONTRACTED)


_UNCONTRACTED = {"ca": "can", "wo": "will"}
_CONTRACTED = word_set("is are was were do does did ca could wo would has have had should must ai")


def _clauses(sentence: str) -> Iterator[str]:
    start = 0
    for match in _CLAUSES.finditer(sentence):
        yield sentence[start : match.start()]
        start = match.end()
    yield sentence[start:]


def _stated(clause: str, claim: _Claim) -> bool | None:
    """What a clause answers, where it states the claim or its opposite."""
    truth = claim.truth
    clause = clause.strip(" .!*_\"'“”")
    if (that := _THAT.match(clause)) is not None:
        denied = that["not"] is not None or "n't" in that[0].replace("’", "'")
        truth = truth if (that["false"] is None) is (not denied) else not truth
        clause = clause[that.end() :]
    items = items_of(clause)
    if not items or len(items) > 60:
        return None
    wanted = {item.key for item in claim.words}
    stated: set[str] = set()
    denials = 0
    for item in items:
        if _denies(item.word):
            denials += 1
        elif (key := _key_of(item, claim)) is not None:
            stated.add(key)
        elif (turned := _turned(item, claim)) is not None:
            stated.add(turned)
            denials += 1
        elif item.word in _LIMITS:
            return None
    if (compared := compares_otherwise(claim.text, clause)) is not None:
        stated |= {item.key for item in claim.words if item.word == compared[1]}
        denials += compared[0]
    if claim.head in _FINITE and _is_short(items, claim):
        return truth is not bool(denials % 2)
    if not _same_subject(items, claim) or not _covers(stated, wanted, items, claim):
        return None
    return truth is not bool(denials % 2)


def _is_short(items: list[Item], claim: _Claim) -> bool:
    """Whether a clause is a pronoun with the question's own verb: `It is not`, `They can`."""
    words = [item.word for item in items if not _denies(item.word)]
    denied = [item.word for item in items if _denies(item.word)]
    verb = [
        *words[1:],
        *(_UNCONTRACTED.get(word[:-2], word[:-2]) for word in denied if word.endswith("nt")),
        *("can" for word in denied if word == "cannot"),
    ]
    return 1 <= len(words) <= 2 and words[0] in _PRONOUNS - {"there", "one"} and verb == [claim.head]


def _key_of(item: Item, claim: _Claim) -> str | None:
    """The claim's word that an item is, in another form or as another verb for it."""
    for own in claim.words:
        if own.key == item.key:
            return own.key
        classes = CLASSES.get(item.word)
        if classes and not item.capital and not classes.isdisjoint(CLASSES.get(own.word, frozenset())):
            return own.key
    return None


def _turned(item: Item, claim: _Claim) -> str | None:
    """The claim's word that an item denies by a prefix, or the other way round: `invisible`."""
    for own in claim.words:
        short, long = sorted((own.word, item.word), key=len)
        if len(short) >= 4 and long.endswith(short) and long[: -len(short)] in _PREFIXES:
            return own.key
    return None


def _same_subject(items: list[Item], claim: _Claim) -> bool:
    """Whether what stands before the verb is the claim's own subject, or a pronoun."""
    for item in items:
        if item.word in _FINITE or _denies(item.word):
            return True
        known = item.small or item.word in _PRONOUNS or _aside(item)
        if not known and _key_of(item, claim) is None:
            return False
    return True


def _covers(stated: set[str], wanted: set[str], items: list[Item], claim: _Claim) -> bool:
    """Whether all of the claim is said; a pronoun may stand for its subject, and one word of four be left out after its first."""
    missing = wanted - stated
    if not missing:
        return True
    if items[0].word in _PRONOUNS and stated:
        return claim.words[-1].key in stated and len(stated) >= min(2, len(wanted) - 1)
    spare = {item.key for item in claim.words[1:-1]}
    return len(wanted) >= 4 and len(missing) == 1 and missing <= spare
