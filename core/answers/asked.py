"""A gold as the question asks for it: the options that the question lists, the form that it names, and a gold's other forms."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from modex.core.answers.asked_decimals import asked_decimals
from modex.core.answers.asked_output import asks_for_output
from modex.core.answers.asked_units import asked_unit
from modex.core.answers.assertion import read_text
from modex.core.answers.assertion.wordforms import number_of
from modex.core.answers.comparison import compare
from modex.core.answers.forms import asks_for_form, asks_for_inflection
from modex.core.answers.found import Compared
from modex.core.answers.free_text import TextVerdict, judge_quantity, judge_stated_number
from modex.core.answers.golds import is_formula
from modex.core.answers.kinds import ExpectedAnswer, expected_answer
from modex.core.answers.locate import asserts, formulas_of
from modex.core.answers.numbers.reading import decimal_separator
from modex.core.answers.own import OwnAnswer, read_own
from modex.core.answers.text.choice import options_in
from modex.core.answers.text.text import comparable
from modex.core.foundation.lazy_regex import deferred


def asked_answer(expected: Any, kind: str | None, prompt: str) -> ExpectedAnswer:
    """`expected` typed, with what `prompt` says of it.

    Raises:
        JudgeError: `expected` cannot be used.
    """
    found = expected_answer(expected, kind)
    if asks_for_form(prompt, found.golds) or asks_for_inflection(prompt):
        found = replace(found, as_written=True)
    if found.type == "exact_match" and found.exact is None and not found.parts and asks_for_output(prompt):
        found = replace(found, exact=True)
    if found.type == "numeric" and (decimals := asked_decimals(prompt)) is not None:
        found = replace(found, decimals=decimals)
    if found.type == "numeric" and decimal_separator(found.locale) == "," and _writes_points(prompt):
        found = replace(found, others=(*found.others, replace(found, locale="en", others=())))
    if found.type == "choice" and not found.options and found.golds[0] in (listed := options_in(prompt)):
        found = replace(found, options=listed)
    if found.type == "numeric" and found.number is not None and not (found.unit or found.number.unit):
        found = replace(found, unit=asked_unit(prompt))
    return found


_POINT = deferred(r"(?<![\d.,])(?<!pukul )(?<!jam )\d{1,4}\.\d{1,2}(?![\d.,]{0,8}\d)(?! Uhr)")
_GROUPED = deferred(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+(?!\d)")


def _writes_points(prompt: str) -> bool:
    """Whether a question in a language with decimal commas writes its own decimals with a point: `tinggi 1.75 meter`."""
    question = prompt[-_READ_CHARS:]
    return _POINT.search(question) is not None and _GROUPED.search(question) is None


_READ_CHARS = 4000


def option_of(expected: ExpectedAnswer, prompt: str) -> ExpectedAnswer | None:
    """The option that the question lists with the gold's text; None where it lists none or two."""
    options = options_in(prompt)
    golds = {comparable(gold) for gold in expected.golds}
    letters = [letter for letter, text in options.items() if comparable(text) in golds]
    return replace(expected, type="choice", golds=(letters[0],), options=options) if len(letters) == 1 else None


def right_by_letter(response: str, expected: ExpectedAnswer, prompt: str) -> tuple[OwnAnswer, Compared] | None:
    """The option that the response chooses by its letter, where the gold is that option's text and the question lists it."""
    option = option_of(expected, prompt)
    return None if option is None else _right(response, option, prompt)


def right_by_value(response: str, expected: ExpectedAnswer, prompt: str) -> tuple[OwnAnswer, Compared] | None:
    """The response's answer where the gold is a formula, and the two are equal in value."""
    if expected.as_written or not all(map(is_formula, expected.golds)):
        return None
    wanted = replace(expected, type="math")
    return (
        _right(response, wanted, prompt) or _stated_last(response, wanted, prompt) or _given(response, wanted, prompt)
    )


_SAID = deferred(
    r"(?<![^\W_])(?:is|equals|be|gives|ist|est|es|adalah)"
    r"\s(?:exactly\s|simply\s|just\s|equal to\s)?([^.;:\n]{1,80}?)[.!\s]{0,3}$",
    re.IGNORECASE,
)
_ROOT = deferred(
    r"(?:the\s)?(?P<sign>negative\s|minus\s)?(?:(?P<times>\d{1,6})\s(?:times\s)?)?(?:the\s)?(?P<kind>square|cube)\sroot"
    r"\sof\s(?P<of>\d{1,9}|[a-z]{3,9})",
    re.IGNORECASE,
)
"""A root in words: `the square root of 2`, `minus 3 times the cube root of five`."""


def _stated_last(response: str, wanted: ExpectedAnswer, prompt: str) -> tuple[OwnAnswer, Compared] | None:
    """The formula or the root in words that the last sentence says at its end: `The positive solution is √2.`"""
    own = read_own(response, wanted, prompt)
    said = None if own is None else _SAID.search(own.text)
    if own is None or said is None:
        return None
    at = own.start + said.start(1)
    if not read_text(response, prompt).stance(at, at + len(said[1])).asserted:
        return None
    text = said[1]
    if (root := _ROOT.fullmatch(text)) is not None and (value := number_of(root["of"].casefold())) is not None:
        index = "[3]" if root["kind"].casefold() == "cube" else ""
        text = f"{'-' if root['sign'] else ''}{root['times'] or ''}\\sqrt{index}{{{value}}}"
    right, part = compare(text, wanted)
    return (OwnAnswer(said[1], at, own.how), part) if right else None


def _given(response: str, wanted: ExpectedAnswer, prompt: str) -> tuple[OwnAnswer, Compared] | None:
    """What a short answer gives behind its last verb or sign of equality, where that has the value."""
    own = read_own(response, wanted, prompt)
    if own is None or len(own.text) > _FORMULA_CHARS:
        return None
    for start, piece in formulas_of(own.text):
        right, part = compare(piece, wanted)
        if right and asserts(response, own.start + start, own.start + start + len(piece), prompt):
            return OwnAnswer(piece, own.start + start, own.how), part
    return None


_FORMULA_CHARS = 400


def stated_otherwise(
    response: str, expected: ExpectedAnswer, prompt: str, found: OwnAnswer | None
) -> TextVerdict | None:
    """The gold's number in the question said again as a statement, or its quantity in another unit than at `found`."""
    if expected.type != "numeric" or not response.strip():
        return None
    start = found.start if found else None
    stated = None
    if found is None or found.how == "last_line" or (found.how == "statement" and compare(found.answer, expected)[0]):
        stated = judge_stated_number(response, expected, prompt, start)
    return stated or judge_quantity(response, expected, prompt, start)


def _right(response: str, wanted: ExpectedAnswer, prompt: str) -> tuple[OwnAnswer, Compared] | None:
    found = read_own(response, wanted, prompt)
    if found is None:
        return None
    right, part = compare(found.answer, wanted)
    return (found, part) if right else None
