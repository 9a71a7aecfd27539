"""A text as sentences, and its stance towards any piece of it: asserted, denied, corrected, doubted, asked, …"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from modex.core.answers.assertion import cues
from modex.core.answers.assertion.denials import ASKS_NOT, denied_elsewhere
from modex.core.answers.assertion.tokens import tokens_of, word_set
from modex.core.foundation.lazy_regex import deferred

Stance = Literal["asserted", "denied", "corrected", "doubted", "asked", "echoed", "reported", "refused", "foreign"]
"""`doubted` is hedged or offered with another, `echoed` taken from the question, `reported` said of others or conceded,
`foreign` within a question that the text begins itself."""
_BESIDE_CHARS = 160
"""Characters before and after a candidate that decide what is said of it."""
QUESTION_CHARS = 2000
"""Characters at the end of a prompt that are read as its question."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Where a sentence stands in its text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What a text does with a piece of it, and by which rule that is known."""

    stance: Stance
    rule: str

    @property
    def asserted(self) -> bool:
        """Whether the text gives the piece as what it holds."""
        return self.stance == "asserted"


@dataclass(frozen=True, slots=True)
class Reading:
    """A text split and classified; `stance` asks about a piece of it."""

    text: str
    question: str
    sentences: tuple[Sentence, ...]
    cut: int
    """Where the text begins a question of its own; its length where it does not."""
    corrections: tuple[int, ...]
    """Where the text takes back what it said before."""
    negative: bool = False
    """Whether the question asks what is not so; a denial is its answer then."""
    asked: frozenset[str] = frozenset()
    """The words of the question."""
    starts: tuple[int, ...] = field(default=(), repr=False)

    @property
    def asks(self) -> str:
        """The end of the prompt, where it asks."""
        return self.question[-QUESTION_CHARS:]

    def sentence_at(self, offset: int) -> Sentence:
        """The sentence that `offset` stands in; the whole text where there is none."""
        at = bisect_right(self.starts, offset) - 1
        return self.sentences[at] if 0 <= at < len(self.sentences) else Sentence(0, len(self.text))

    def stance(self, start: int, end: int) -> Standing:
        """What the text does with `text[start:end]`."""
        if start >= self.cut:
            return Standing("foreign", "another question")
        if any(end <= at for at in self.corrections):
            return Standing("corrected", "taken back")
        sentence = self.sentence_at(start)
        before = self.text[max(sentence.start, start - _BESIDE_CHARS) : start]
        after = self.text[end : min(max(sentence.end, end), end + _BESIDE_CHARS)]
        if (not self.negative or cues.IN_PLACE_OF.match(after)) and self._denied(before, after):
            return Standing("denied", "negation")
        if self.text[sentence.start : sentence.end].rstrip(" \t\n*_\"'”’)").endswith(("?", "？", "؟")):
            return Standing("asked", "question")
        if cues.REFUSAL.search(self.text, max(sentence.start, start - _BESIDE_CHARS), start):
            return Standing("refused", "refusal")
        if _begun(cues.UNCERTAIN, before) or cues.UNCERTAIN_AFTER.match(after):
            return Standing("doubted", "hedge")
        if _begun(cues.REPORTED, before) or cues.REPORTED_AFTER.match(after):
            return Standing("reported", "said of others")
        if cues.WITHDRAWN_AFTER.match(after):
            return Standing("corrected", "called wrong")
        return Standing("asserted", "assertion")

    def takes_back(self, end: int) -> bool:
        """Whether the text calls the piece that ends here wrong (`8 is wrong`, `8 is not the answer`)."""
        behind = _CLOSING.match(self.text, end)
        return cues.CALLED_WRONG.match(self.text, behind.end() if behind else end) is not None

    def _asks(self, negated: str) -> bool:
        """Whether a denial is the question's own: `landlocked, without a coast` where it asks what a land is without."""
        return bool(self.asked) and all(token.word in self.asked for token in tokens_of(negated))

    def _denied(self, before: str, after: str) -> bool:
        negated = cues.DENIED_BEFORE.search(before) or cues.OTHER_THAN_BEFORE.search(before)
        if negated is not None:
            return not self._asks(negated[0])
        if cues.DENIED_BEFORE_UNSPACED.search(before):
            return True
        if cues.DENIED_BEFORE_NO.search(before) and cues.PORTUGUESE.search(self.text[:2000]) is None:
            return True
        if cues.DENIED_AFTER.match(after) is not None or cues.DENIED_AFTER_UNSPACED.match(after) is not None:
            return True
        return denied_elsewhere(before, after)


def read_text(text: str, question: str = "") -> Reading:
    """Split `text`, and find where it corrects itself or begins a question that is not `question`."""
    asked = _asked_words(question)
    cut = _other_question(text, asked)
    sentences = tuple(_sentences(text))
    corrections = tuple(_corrections(text, cut))
    return Reading(
        text, question, sentences, cut, corrections,
        _asks_not(question[-QUESTION_CHARS:]), asked,
        tuple(sentence.start for sentence in sentences),
    )  # fmt: skip


@lru_cache(maxsize=16)
def _asked_words(question: str) -> frozenset[str]:
    """The words of a question, which may be a whole book and is read again with every answer."""
    return frozenset(token.word for token in tokens_of(question))


def _asks_not(question: str) -> bool:
    return _NEGATIVE.search(question) is not None or ASKS_NOT.search(question) is not None


_CLOSING = deferred(r"[\"'“”‘’«»*_)\]\s]{0,6}")
_NEGATIVE = deferred(
    r"\b(?:not|never|\w{2,8}n['’]t|except|nicht|kein\w{0,2}|n['’]\w{1,9} pas|ne \w{1,9} pas|non|não|tidak|bukan|kecuali)\b"
    r"|不是|没有|ない",
    re.IGNORECASE,
)
_ENDS = deferred(
    r"[.!?…。！？।؟\n](?:(?<=\n)|(?<=[。！？।؟])[」』”’)）]{0,4}"
    r"|(?<=[.!?…])(?<![.!?…][.!?…])[.!?…]*[\"'”’»*_)\]]{0,6}(?=\s|$))"
)
"""Begins with one set of characters, which the search then looks for alone."""
_ABBREVIATED = word_set("""
    mr mrs ms dr prof st sr jr vs no vol fig approx ca etc inc ltd co corp gen col sgt lt rev hon gov sen rep mt ft
    ir drs dra hj kh ing dipl jan feb mar apr jun jul aug sep sept oct nov dec eg ie al bzw usw nr bzgl dll dsb hr fr
""")
_LAST_WORD = re.compile(r"[^\W\d_]{1,6}$")


def _sentences(text: str) -> list[Sentence]:
    found: list[Sentence] = []
    start = 0
    for match in _ENDS.finditer(text):
        if match[0] == "." and _is_abbreviation(text, match.start(), match.end()):
            continue
        if match[0][0] in "?!…" and _goes_on(text, match.end()):
            continue
        if text[start : match.end()].strip():
            found.append(Sentence(start, match.end()))
        start = match.end()
    if text[start:].strip():
        found.append(Sentence(start, len(text)))
    return found


def _is_abbreviation(text: str, at: int, end: int) -> bool:
    """Whether a full stop belongs to the word before it: `Mr.`, `St.`, an initial, `U.S.`; not where the next word is small."""
    word = _LAST_WORD.search(text, max(0, at - 8), at)
    if word is None:
        return False
    known = word[0].casefold() in _ABBREVIATED
    initial = len(word[0]) == 1 and word[0].isupper() and word[0] != "I"
    return (known or initial) and bool(text[end : end + 3].strip())


def _goes_on(text: str, end: int) -> bool:
    """Whether a sentence goes on behind a quoted `?` or `!`: with a small letter."""
    rest = text[end : end + 3].lstrip(" \t")
    return bool(rest) and rest[0].islower()


def _corrections(text: str, cut: int) -> list[int]:
    """Where the text takes back what it said, unless it then says that it was right."""
    found = []
    done = 0
    for start in (0, *(mark.end() for mark in cues.BEFORE_CORRECTION.finditer(text, 0, cut))):
        if start < done or (match := cues.CORRECTION.match(text, start, cut)) is None:
            continue
        at = done = match.end()
        if not text[: match.start()].strip(" \t\n.,;:!?\"'*_(-—–") or cues.AFFIRMS_AGAIN.match(text, at):
            continue
        found.append(match.start())
    return found


def _other_question(text: str, asked: frozenset[str]) -> int:
    for match in cues.OTHER_QUESTION.finditer(text):
        line_end = text.find("\n", match.end())
        line = text[match.end() : len(text) if line_end < 0 else line_end]
        words = {token.word for token in tokens_of(line[:2000])}
        if not text[: match.start()].strip() or (words and words <= asked):
            continue
        return match.start()
    return len(text)


def _begun(pattern: re.Pattern[str], before: str) -> bool:
    """Whether a doubt or a report begins before the candidate and no turn ends it (`maybe 8`; not `maybe not, but 8`)."""
    last = None
    for match in pattern.finditer(before):
        last = match
    return last is not None and cues.BUT.search(before, last.end()) is None
