"""The form in which a mathematical answer was asked for: an exact value, or a fraction in lowest terms."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Literal, get_args

from modex.core.foundation.lazy_regex import deferred

Form = Literal["exact", "lowest_terms"]
FORMS: tuple[str, ...] = get_args(Form)

_NAMED = re.compile(r"^\s*(?:[A-Za-z]\w{0,3}(?:\([^)]*\))?\s*=\s*)?")
_APPROXIMATE = re.compile(r"(?<!\s)\s*+(?:≈|\\approx|~).*$", re.DOTALL)
_DECIMAL = re.compile(r"[-+−]?\d*[.,]\d+\s*(?:\\?%)?\.?")
_FRACTION = re.compile(r"[-+−]?(?:\\[dt]?frac\{(\d+)\}\{(\d+)\}|(\d+)\s*[/⁄]\s*(\d+))")


def form_fault(answer: str, form: Form, *, equal_value: bool) -> str | None:
    """Why an answer of the right value does not have the form, or None.

    `equal_value` says that its value is the gold's to the last digit: a decimal such as 2.2 for 11/5 is exact.
    """
    bare = _APPROXIMATE.sub("", _NAMED.sub("", answer)).strip().strip("$").strip()
    if not bare and form == "exact":
        return "only an approximation is given"
    if _DECIMAL.fullmatch(bare):
        if form == "lowest_terms":
            return "a fraction is asked for, not a decimal"
        return None if equal_value else "the exact value is asked for, not a rounded one"
    found = _FRACTION.fullmatch(bare) if form == "lowest_terms" else None
    if found is None:
        return None
    above, below = (int(found[n] or found[n + 2]) for n in (1, 2))
    return "the fraction is not in lowest terms" if math.gcd(above, below) > 1 else None


_ISO_ASKED = re.compile(r"\b(?:YYYY|JJJJ|AAAA|TTTT|yyyy)-(?:MM|BB|mm)-(?:DD|TT|JJ|GG|HH|dd)\b|\bISO[- ]?8601\b")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def asks_for_form(prompt: str, golds: Iterable[str]) -> bool:
    """Whether a question asks for dates in ISO's form and its golds have it: a day in other words is then no answer."""
    return all(_ISO_DATE.fullmatch(gold) for gold in golds) and _ISO_ASKED.search(prompt) is not None


_INFLECTED = deferred(
    r"(?<![^\W_])(?:plural|singular|past tense|past participle|spell(?:ed|ing|t)?|conjugat\w{1,6})(?![^\W_])",
    re.IGNORECASE,
)
"""What asks for a word's form itself: `mouses` is no other form of `mice` there."""


def asks_for_inflection(prompt: str) -> bool:
    """Whether the question asks for a word in a form (its plural, its spelling), so that another form is another answer."""
    return _INFLECTED.search(prompt[-4000:]) is not None
