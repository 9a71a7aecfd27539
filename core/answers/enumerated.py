"""A gold that lists three items or more, against what a response enumerates: the order is free unless it is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from modex.core.answers.comparison import compare_whole, compared
from modex.core.answers.found import Extracted
from modex.core.answers.free_text import TextVerdict
from modex.core.answers.kinds import ExpectedAnswer
from modex.core.answers.locate import asserts
from modex.core.answers.text.text import comparable, strip_wrapping
from modex.core.foundation.lazy_regex import deferred

_ASKS_ORDER = deferred(
    r"\border(?:ed|ing)?\b|\bsort\w*|\brank\w*|\bchronolog|\balphabet|\barrang|\bsequence|\b(?:as|de)scending\b"
    r"|\brespective|\bstep|\bfirst\b.{1,200}\b(?:then|second|last)\b|\bfrom (?:the )?\w{2,12}(?:est|most|st|er)\b.{0,40}\bto\b"
    r"|\bfrom (?:most|least|top|bottom|left|right|north|south|east|west|inner|outer|start|beginning)\b",
    re.IGNORECASE | re.DOTALL,
)
_GOLD_SPLIT = deferred(r"[,;]\s*(?:(?:and|&)\s)?|(?<!\s)\s+(?:and|&)(?=\s)")
_SPLIT = deferred(r"[,;]\s*(?:(?:and|or|&)\s)?|(?<!\s)\s+(?:and|&)(?=\s)")
_BULLET = deferred(r"[ \t]*(?:[-*•+]|\(?\d{1,2}[.)])[ \t]+(?P<item>[^\n]+)")
_BOLD = deferred(r"(?:\*\*|__)(?P<bold>[^*_\n]+)(?:\*\*|__)")
_REMARK = deferred(r"(?:[:(–—]|\s-\s).*", re.DOTALL)
_LEAD = deferred(
    r"(?:.*?[\s:])?(?:are|is|be|were|was|includes?|including|contains?|comprises?|namely|:)[\s*_:\"“]+", re.IGNORECASE
)
_TAIL = deferred(r"\s(?:are|is|were|was|make|form|constitute)\b.*", re.IGNORECASE | re.DOTALL)
_SAYS_FIRST = deferred(r"(?:sure|yes|well|of course|certainly|answer)\W*", re.IGNORECASE)
_SENTENCE = deferred(r"[^.!?\n]+")
_MOST_WORDS = 3
"""Words of an item of a gold, and of what a text adds to its list as one more."""
_FEWEST = 3
"""Items of a list: two by a comma may be a name and its place."""
_LONGEST_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class _Listed:
    """What a response enumerates, and where."""

    items: tuple[str, ...]
    start: int
    end: int


def judge_list(response: str, expected: ExpectedAnswer, prompt: str) -> TextVerdict | None:
    """The verdict on a list: right where the response enumerates its items and no other, wrong where it adds some.

    Parts may stand on a line each. None else where the gold is no list of three items or more,
    and where the response enumerates anything else: other rules read it.
    """
    if not prompt.strip() or expected.as_written or expected.exact or len(response) > _LONGEST_CHARS:
        return None
    if expected.parts and (lined := _judge_lines(response, expected, prompt)) is not None:
        return lined
    wanted = [items for items in _golds(expected) if len(items) >= _FEWEST]
    if not wanted:
        return None
    ordered = expected.ordered if expected.parts else _ASKS_ORDER.search(prompt) is not None
    added: TextVerdict | None = None
    for listed in _enumerated(response):
        if not asserts(response, listed.start, listed.end, prompt):
            continue
        for gold in wanted:
            if _same(listed.items, gold, expected, ordered=ordered):
                return _verdict(True, listed, expected, response, "equal")
            if set(gold) < set(listed.items) and (expected.parts or _is_closed(expected)):
                why = f"{len(listed.items)} items where {len(gold)} are expected"
                added = _verdict(False, listed, expected, response, why)
    return added


def _judge_lines(response: str, expected: ExpectedAnswer, prompt: str) -> TextVerdict | None:
    """The verdict on a response whose lines are the items, one each, behind a line with a colon if there is one.

    It is right with the parts in their order, wrong with the same ones in another; of other lines the other rules judge.
    """
    lines = [match for match in re.finditer(r"[^\n]+", response) if match[0].strip()]
    if len(lines) == len(expected.parts) + 1 and lines[0][0].rstrip().endswith(":"):
        del lines[0]
    if not 1 < len(lines) == len(expected.parts) or not asserts(response, lines[0].start(), lines[-1].end(), prompt):
        return None
    items = tuple(_unmarked(line[0]) for line in lines)
    marked = _BULLET.match(lines[0][0])
    begin = lines[0].start() + (marked.start("item") if marked is not None else 0)
    listed = _Listed(items, begin, lines[-1].end())
    gold = tuple(part.golds[0] for part in expected.parts)
    if _same(items, gold, expected, ordered=expected.ordered):
        return _verdict(True, listed, expected, response, "equal")
    in_other_order = expected.ordered and _same(items, gold, expected, ordered=False)
    return _verdict(False, listed, expected, response, "an item differs") if in_other_order else None


def _unmarked(line: str) -> str:
    marked = _BULLET.match(line)
    return strip_wrapping(marked["item"] if marked is not None else line.strip())


def _golds(expected: ExpectedAnswer) -> Iterator[tuple[str, ...]]:
    if expected.parts:
        yield tuple(_plain(part.golds[0]) for part in expected.parts)
    elif expected.type == "exact_match":
        for gold in expected.golds:
            items = tuple(_plain(item) for item in _GOLD_SPLIT.split(gold.strip().rstrip(".")))
            if all(_is_item(item) for item in items):
                yield items


def _is_item(item: str) -> bool:
    return 1 <= len(item.split()) <= _MOST_WORDS and not any(char.isdigit() for char in item)


def _is_closed(expected: ExpectedAnswer) -> bool:
    """Whether a text lists things rather than says where something is (`Salem, Oregon, USA`): small letters, or an `and`."""
    return all(gold.islower() or re.search(r"\s(?:and|&)\s", gold) is not None for gold in expected.golds)


def _same(items: Sequence[str], gold: Sequence[str], expected: ExpectedAnswer, *, ordered: bool) -> bool:
    if len(items) != len(gold):
        return False
    if expected.parts:
        rest = list(items)
        for at, part in enumerate(expected.parts):
            found = next(
                (one for one in ([rest[0]] if ordered else rest) if compare_whole(one, part)[0] or one == gold[at]),
                None,
            )
            if found is None:
                return False
            rest.remove(found)
        return True
    return list(items) == list(gold) if ordered else sorted(items) == sorted(gold)


def _enumerated(text: str) -> Iterator[_Listed]:
    """The lists of a text: its bullets, else the items of each sentence that lists some."""
    bullets = [match for line in re.finditer(r"[^\n]+", text) if (match := _BULLET.match(text, *line.span()))]
    if len(bullets) >= _FEWEST:
        items = tuple(_plain(_bullet(match["item"])) for match in bullets)
        yield _Listed(items, bullets[0].start("item"), bullets[-1].end("item"))
        return
    for sentence in _SENTENCE.finditer(text):
        if (listed := _in_sentence(sentence[0], sentence.start())) is not None:
            yield listed


def _bullet(item: str) -> str:
    bold = _BOLD.match(item)
    return bold["bold"] if bold is not None else _REMARK.sub("", item)


def _in_sentence(sentence: str, base: int) -> _Listed | None:
    lead = _LEAD.match(sentence)
    begin = lead.end() if lead is not None and _SPLIT.search(sentence, lead.end()) and "," not in lead[0] else 0
    pieces = _SPLIT.split(sentence[begin:])
    if not begin:
        while pieces and _SAYS_FIRST.fullmatch(pieces[0].strip() or "-"):
            begin = sentence.index(pieces[1], begin + len(pieces[0])) if len(pieces) > 1 else begin
            pieces = pieces[1:]
        if pieces:
            pieces[-1] = _TAIL.sub("", pieces[-1])
    items: list[str] = []
    for piece in pieces:
        plain = _plain(piece)
        if not 1 <= len(plain.split()) <= _MOST_WORDS:
            break
        items.append(plain)
    start = base + begin
    return _Listed(tuple(items), start, base + len(sentence.rstrip())) if len(items) >= _FEWEST else None


def _plain(item: str) -> str:
    return comparable(re.sub(r"^(?:the|an?)\s+", "", item.strip(" \t*_`\"'“”.:[]{}()"), flags=re.IGNORECASE))


def _verdict(right: bool, listed: _Listed, expected: ExpectedAnswer, response: str, why: str) -> TextVerdict:
    answer = response[listed.start : listed.end]
    extracted = Extracted("found", (listed.start, listed.end), source="asserted" if right else "last_line")
    return TextVerdict(right, answer, compared(expected, answer, {"why": why}), extracted)
