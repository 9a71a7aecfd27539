"""What a gold says of itself: its value without working, and the type that its answers are compared by."""

from __future__ import annotations

import re
from typing import Any

from modex.core.answers.kinds import AnswerType
from modex.core.answers.numbers.reading import parse_number

COMPARISONS: dict[str, AnswerType] = {
    "exact": "exact_match",
    "number": "numeric",
    "choice": "choice",
    "boolean": "boolean",
    "math": "math",
    "date": "date",
}
"""The answer types by the names that `config.comparison` gives them."""


def bare_gold(expected: Any) -> Any:
    """A dataset's gold without the working that GSM8K writes before `####`; of a list, each item."""
    if isinstance(expected, list):
        return [bare_gold(item) for item in expected]
    if isinstance(expected, str) and "####" in expected and (match := _AFTER_WORKING.search(expected)):
        return match[1].strip()
    return expected


_AFTER_WORKING = re.compile(r"####\s*(\S[^\n]*)\s*$")
_LETTER = re.compile(r"\(?[A-J]\)?")
_DIGIT = re.compile(r"\d")
_FORMULA = re.compile(
    r"\$?(?:[\d.+\-*/^_{}()\[\]=, ]|(?<![A-Za-z\\])[a-z](?![A-Za-z])|\\(?:sqrt|d?frac|pi|cdot|times|left|right)(?![A-Za-z]))*"
    r"\\(?:sqrt|d?frac)(?![A-Za-z])(?:[\d.+\-*/^_{}()\[\]=, ]|(?<![A-Za-z\\])[a-z](?![A-Za-z])"
    r"|\\(?:sqrt|d?frac|pi|cdot|times|left|right)(?![A-Za-z]))*\$?"
)
_TRUTHS = frozenset(("yes", "no", "true", "false", "ya", "tidak", "ja", "nein", "oui", "non"))
"""Golds that are a yes or a no and can hardly be anything else."""
_IDENTIFIER = re.compile(r"0\d+|\+\d[\d ()-]{5,}|\d+-\d[\d-]*\d|\d{2,4}(?: \d{2,4}){2,}")
"""Strings of digits that name something and measure nothing: ids, phone numbers."""

_DATED = re.compile(
    r"\b(?:1\d|20)?\d0s\b|[$€£¥]\s?\d[\d.,]*\s?(?:m|mn|bn|k)\b|\b(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b|\bmay\b",
    re.IGNORECASE,
)
"""Decades, days of a month and sums with a scale letter: texts with a number in them, which words may say too."""


def answer_type(expected: Any, comparison: str | None = None) -> str | None:
    """By the comparison that is asked for, one of `COMPARISONS`, else by the gold: a number, one capital letter, yes or no, or
    a text.
    """
    if comparison is not None:
        return COMPARISONS.get(comparison)
    if isinstance(expected, dict) and (expected.get("type") or expected.get("options")):
        return expected.get("type") or "choice"
    value = bare_gold(expected.get("value") if isinstance(expected, dict) else expected)
    locale = expected.get("locale", "en") if isinstance(expected, dict) else "en"
    if not isinstance(value, list):
        return type_of(value, locale)
    kinds = {type_of(item, locale) for item in value}
    return kinds.pop() if len(kinds) == 1 else "exact_match"


def is_formula(gold: str) -> bool:
    """Whether a gold is one formula with a root, a fraction, a power or a variable, or values of one, and no words."""
    bare = gold.strip()
    if len(bare) > 200:
        return False
    return _FORMULA.fullmatch(bare) is not None or (
        _PLAIN_FORMULA.fullmatch(bare) is not None and _OPERATION.search(bare) is not None
    )


_PLAIN_FORMULA = re.compile(
    r"\$?(?:[-+−*/^²³√π·(){}\[\]=<>≤≥ \d.,]|(?<![A-Za-z])(?:[a-z]|sin|cos|tan|ln|log|exp|sqrt|pi|or|and)(?![A-Za-z]))++\$?"
)
_OPERATION = re.compile(r"\d[a-z](?![a-z])|[a-z]\s?[\^=²³*/+]|[a-z]\s?[-−]\s?\d|\b[a-z] [+−-] |√|sqrt|\)\(|\d\^|\)\^")
"""What makes a formula of signs and digits: a variable in it, a power, a root."""


def type_of(value: Any, locale: str = "en") -> str | None:
    """The type that one gold's answers are compared by; None for a text."""
    if not isinstance(value, str):
        return None
    bare = value.strip()
    if _LETTER.fullmatch(bare):
        return "choice"
    if bare.casefold() in _TRUTHS:
        return "boolean"
    if _IDENTIFIER.fullmatch(bare) or _DATED.search(bare) or not _DIGIT.search(value):
        return None
    number = parse_number(value, locale)
    if number is None or (number.unit and len(number.unit.split()) > 2):  # `50 Massachusetts Avenue NE` is an address
        return None
    return "numeric"
