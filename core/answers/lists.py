"""Answers of several items: golds that ask for all parts, and lists written in one line with other separators."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from modex.core.answers.kinds import ExpectedAnswer
from modex.core.answers.numbers.reading import parse_number
from modex.core.answers.text.text import comparable, strip_wrapping

_MOST = 200
_ARROWS = r"\s*(?:→|->|=>|⇒|›|»)\s*"
_AND = r"\s*(?:,|;)?\s+(?:and|und|dan|et|y|e|en|or|&)\s+|\s*[,;、，；]\s*|\s*[,;]?\s*\n\s*"
_SEPARATORS = (_ARROWS, r"\s*\n\s*", r"\s*[;；]\s*", r"\s*[,，、]\s*", r"\s*\|\s*", _AND, r"\s+[-–—]\s+", r"\s+/\s+")
_MARKER = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+")


def compare_parts(
    answer: str, expected: ExpectedAnswer, equal: Callable[[str, ExpectedAnswer], bool]
) -> tuple[bool, str]:
    """Whether `answer` gives every part that is asked for and nothing else, in the gold's order if that is asked."""
    wanted = len(expected.parts)
    counts = set()
    for items in _readings(answer):
        counts.add(len(items))
        if len(items) == wanted and _matched(items, expected, equal):
            return True, "equal"
    if wanted not in counts:
        return False, f"{max(counts)} items where {wanted} are expected"
    return False, "an item differs"


def _matched(items: list[str], expected: ExpectedAnswer, equal: Callable[[str, ExpectedAnswer], bool]) -> bool:
    if expected.ordered:
        return all(equal(item, part) for item, part in zip(items, expected.parts, strict=True))
    rest = list(items)
    for part in expected.parts:
        found = next((index for index, item in enumerate(rest) if equal(item, part)), None)
        if found is None:
            return False
        del rest[found]
    return True


def _readings(text: str) -> Iterator[list[str]]:
    """The ways to take a text as a list: JSON, then by each separator; the text itself as its only item."""
    plain = strip_wrapping(text)
    yield [plain]
    bare = re.sub(r"^[\[({]\s*|(?<!\s)\s*+[\])}]$", "", plain) if plain[:1] in "[({" else plain
    try:
        parsed = json.loads(text.strip())
    except ValueError:
        parsed = None
    if isinstance(parsed, list) and all(isinstance(item, str | int | float) for item in parsed):
        yield [str(item) for item in parsed]
    for separator in _SEPARATORS:
        items = [_unmarked(item) for item in re.split(separator, bare)]
        items = [item for item in items if item]
        if 1 < len(items) <= _MOST:
            yield items
    numbered = re.split(r"(?:^|[\s,;])\(?\d{1,2}[.)]\s+", bare)
    if len(numbered) > 2 and not numbered[0].strip():
        yield [item.strip(" ,;") for item in numbered[1:]]


def _unmarked(item: str) -> str:
    return strip_wrapping(_MARKER.sub("", item)).strip("'\"")


def same_list(gold: str, answer: str, locale: str = "en") -> bool:
    """Whether a gold in one line (`pears, bananas`; `3; 4; 5`) is what the answer lists, item by item and in order.

    The separators may differ; numbers compare by value. A gold with one comma-grouped number is no list.
    """
    if not re.search(r"[,;]\s*\S", gold) or parse_number(gold, locale) is not None:
        return False
    separator = r"\s*[;；]\s*" if ";" in gold else r"\s*[,，]\s*(?:and\s+)?"
    wanted = [item for item in re.split(separator, gold.strip()) if item]
    if len(wanted) < 2:
        return False
    return any(
        len(items) == len(wanted)
        and all(_same_item(one, other, locale) for one, other in zip(wanted, items, strict=True))
        for items in _readings(answer)
    )


def _same_item(gold: str, answer: str, locale: str) -> bool:
    if comparable(gold, locale) == comparable(answer, locale):
        return True
    one, other = parse_number(gold, locale), parse_number(answer, locale)
    return one is not None and other is not None and one.value == other.value and one.unit == other.unit


def same_joined(gold: str, answer: str, locale: str = "en") -> bool:
    """Whether two texts of letters only differ in blanks and hyphens within them (`sea gull`, `seagull`)."""
    one, other = (re.sub(r"[\s-]+", "", comparable(text, locale)) for text in (gold, answer))
    return one == other and len(one) > 3 and one.isalpha()
