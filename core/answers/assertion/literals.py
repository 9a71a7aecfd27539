"""Golds that are no words but signs or rows of values: they are looked for as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from modex.core.answers.assertion.golds import Gold, gold_forms
from modex.core.answers.assertion.indexed import MOST_PLACES, Indexed, Place
from modex.core.answers.text.times import clock_of, same_clock, times_in
from modex.core.foundation.lazy_regex import deferred

_LITERAL = deferred(
    r"[@_\\<>={}\[\]#^~|√²³*]|://|\w/\w*\d|\d/\d|^\+?0\d|^\+\d|[A-Za-z]-?\d+-?[A-Za-z]|^[A-Za-z]{1,4}-\d|\d{9}|^\d+-\d[\d-]*\d{3}$"
    r"|^\d{4}-(?:0\d|1[0-2])(?:-\d\d)?$|^\d{1,2}[:.]\d\d(?:[:.]\d{2,4})?$"
)
"""Golds that are no words: they are looked for as they are written."""
_PRODUCT = deferred(r"[-−]?\d+[a-cknt-z]{1,2}")
_NUMBER = deferred(r"[-+−]?\d[\d.,]*")
_TRUTHS = frozenset(("True", "False", "None", "true", "false", "null", "nil"))
_BESIDE = 12
"""Characters beside a row of values that are looked at for a further value."""
_MORE_AFTER = deferred(r"[ \t,;|]{1,4}[-+−]?\d|[ \t]{1,4}(?:True|False|None|true|false|null|nil)\b")
_MORE_BEFORE = deferred(r"(?:\d|\b(?:True|False|None|true|false|null|nil))[ \t,;|]{1,4}[-+−]?$")


def has_signs(text: str) -> bool:
    """Whether a text is a formula, a code or an address rather than words."""
    return _LITERAL.search(text) is not None


def is_literal(gold: Gold) -> bool:
    """Whether a gold is looked for as it is written."""
    return has_signs(gold.text) or _PRODUCT.fullmatch(gold.text) is not None or is_row(gold.text)


def is_row(gold: str) -> bool:
    """Whether a gold is a row of values, as a program prints them (`3 2`, `abbc 18`, `1 5 True`): no name, date or quantity.

    Each value counts, in its place.
    """
    words = gold.split()
    forms = gold_forms(gold)[:1]
    if len(words) < 2 or any(form.date is not None or form.quantity is not None for form in forms):
        return False
    if len(words) > 2 and any(word[:1].isupper() and word not in _TRUTHS for word in words):
        return False
    values = [_NUMBER.fullmatch(word) is not None or word in _TRUTHS for word in words]
    return sum(values) >= 2 or (values[-1] and not values[0])


def literals(gold: Gold, text: Indexed) -> Iterator[Place]:
    """As it is written, but for case: addresses, codes, formulas, identifiers; a time of day in digits or words.

    No part of a larger formula, and no time from which another is counted.
    """
    clock = clock_of(gold.text)
    if clock is None:
        yield from _as_written(gold, text)
        return
    whole = text.reading.text
    for place in (*_as_written(gold, text), *_times(gold, clock, text)):
        if _COUNTED_FROM.search(whole, max(text.low, place.start - 40), place.start) is None:
            yield place


def _as_written(gold: Gold, text: Indexed) -> Iterator[Place]:
    wanted, whole = gold.text.strip().casefold(), text.reading.text
    folded = whole.casefold()
    if len(folded) != len(whole):  # a few letters change their number when folded
        folded = whole.lower() if len(whole.lower()) == len(whole) else whole
    formula = _FORMULA.search(gold.text) is not None or _PRODUCT.fullmatch(gold.text) is not None
    row = is_row(gold.text)
    at = folded.find(wanted, text.low)
    for _ in range(MOST_PLACES):
        if at < 0 or at + len(wanted) > text.high:
            return
        before, after = folded[at - 1 : at], folded[at + len(wanted) : at + len(wanted) + 1]
        within = (before.isalnum() and wanted[0].isalnum()) or (after.isalnum() and wanted[-1].isalnum())
        cut = formula and is_cut_out(folded, at, at + len(wanted))
        if not within and not cut and not (row and _goes_on(folded, at, at + len(wanted))):
            yield Place(gold.text, at, at + len(wanted), "phrase")
        at = folded.find(wanted, at + 1)


_COUNTED_FROM = deferred(
    r"\b(?:hours?|hrs?|minutes?|mins?|half an hour)\s(?:after|before|past|later than|earlier than|from)"
    r"\s(?:the\s)?[\"'*_(]{0,3}$",
    re.IGNORECASE,
)
"""Before a time from which another is counted: `an hour after 10:30`."""


def _times(gold: Gold, clock: tuple[int, bool], text: Indexed) -> Iterator[Place]:
    """The gold's time of day, in digits or words."""
    for start, end, minutes, known in times_in(text.reading.text[: text.high]):
        if start >= text.low and same_clock(minutes, known, clock):
            yield Place(gold.text, start, end, "phrase")


_FORMULA = deferred(r"\\(?:sqrt|[dt]?frac|pi)|√")
_TERM_BEFORE = deferred(
    r"(?:[\w)}\]²³√+/·×÷^−±-]|[\w)}]\s?\*|\\(?:pm|mp|cdot|times|div|sqrt\[\d\])|\\(?:[dt]?frac|sqrt)\s?\{)\s?$"
)
_LABELLED = deferred(r"(?:(?<![\w\\])[^\W\d_]{2,}\s{0,2}|(?<![^\n])[ \t]{0,8}[-*+]\s{1,2}|\s[–—]\s{1,2}|\*\*)$")
"""What ends before a formula and is no term of it: a word, a bullet, a dash between blanks, the mark of bold."""
_TERM_AFTER = deferred(
    r"\s?(?:[+/·×÷^²³!−±√]|\*(?=\s?[\d\\(a-z√])|-\s?[\d\\a-z(√]|\\(?:pm|mp|cdot|times|div|sqrt|[dt]?frac|pi)|\}\s?\{)|[\w({]"
)


def is_cut_out(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is a part of a larger formula: a sign, a factor or a term stands beside it."""
    before = text[max(0, start - _BESIDE) : start]
    after = _TERM_AFTER.match(text, end)
    if after is not None and not text.startswith("**", end):
        return True
    return _TERM_BEFORE.search(before) is not None and _LABELLED.search(before) is None


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether a further value stands beside a row of values, or a sign before it."""
    before = text[max(0, start - _BESIDE) : start]
    return (
        _MORE_AFTER.match(text, end) is not None
        or _MORE_BEFORE.search(before) is not None
        or before[-1:] in ("-", "−", ".")
    )
