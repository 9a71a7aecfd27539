"""A gold as the question asks for it: the options that the question lists, the form that it names, and a gold's other forms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.evaluators.answers.asked_units import asked_unit
from core.evaluators.answers.comparison import compare
from core.evaluators.answers.forms import asks_for_form
from core.evaluators.answers.free_text import TextVerdict, judge_quantity, judge_stated_number
from core.evaluators.answers.golds import is_formula
from core.evaluators.answers.kinds import ExpectedAnswer, expected_answer
from core.evaluators.answers.own import OwnAnswer, read_own
from core.evaluators.text.choice import options_in
from core.evaluators.text.text import comparable
from core.verdict import Compared


def asked_answer(expected: Any, kind: str | None, prompt: str) -> ExpectedAnswer:
    """`expected` typed, with what `prompt` says of it.

    Raises:
        JudgeError: `expected` cannot be used.
    """
    found = expected_answer(expected, kind)
    if asks_for_form(prompt, found.golds):
        found = replace(found, as_written=True)
    if found.type == "choice" and not found.options and found.golds[0] in (listed := options_in(prompt)):
        found = replace(found, options=listed)
    if found.type == "numeric" and found.number is not None and not (found.unit or found.number.unit):
        found = replace(found, unit=asked_unit(prompt))
    return found


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
    return _right(response, replace(expected, type="math"), prompt)


def stated_otherwise(
    response: str, expected: ExpectedAnswer, prompt: str, found: OwnAnswer | None
) -> TextVerdict | None:
    """The gold's number in the question said again as a statement, or its quantity in another unit than at `found`."""
    if expected.type != "numeric" or not response.strip():
        return None
    start = found.start if found else None
    stated = None
    if found is None or found.how == "last_line":
        stated = judge_stated_number(response, expected, prompt, start)
    return stated or judge_quantity(response, expected, prompt, start)


def _right(response: str, wanted: ExpectedAnswer, prompt: str) -> tuple[OwnAnswer, Compared] | None:
    found = read_own(response, wanted, prompt)
    if found is None:
        return None
    right, part = compare(found.answer, wanted)
    return (found, part) if right else None
