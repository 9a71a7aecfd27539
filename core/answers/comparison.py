"""A bare answer against an expected one: right or wrong, and why, for each answer type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from modex.core.answers.assertion import same_answer
from modex.core.answers.forms import form_fault
from modex.core.answers.found import Compared
from modex.core.answers.kinds import AnswerType, ExpectedAnswer
from modex.core.answers.labels import without_label
from modex.core.answers.lists import compare_parts, same_list
from modex.core.answers.numbers.reading import Number, parse_number
from modex.core.answers.numbers.rounding import float_noise, is_long, is_rounding_of, terminates
from modex.core.answers.numbers.units import same_unit
from modex.core.answers.text.boolean import read_boolean
from modex.core.answers.text.choice import read_choice
from modex.core.answers.text.dates import AmbiguousDateError, read_date, same_date
from modex.core.answers.text.output import same_output
from modex.core.answers.text.text import any_equal, comparable, fold
from modex.core.answers.text.times import same_time

Comparison = tuple[bool, dict[str, Any]]
"""Whether the answer is right, and what explains it: the fields of `Compared` by name, any other name one of its facts."""
_TEXT_CHARS = 20_000
_FIELDS = ("why", "tolerance", "difference", "difference_percent")


def compare(answer: str, expected: ExpectedAnswer) -> tuple[bool, Compared]:
    """Compare `answer` by the expected answer's type. A comparison is all or nothing; a label before the answer is left out.

    Raises:
        JudgeError: the expected answer itself cannot be compared (mathematics that does not terminate).
    """
    right, part = compare_whole(answer, expected)
    if not right and (bare := without_label(answer, expected.type)) is not None:
        labelled, own = compare_whole(bare, expected)
        if labelled:
            return True, own
    return right, part


def compare_whole(answer: str, expected: ExpectedAnswer) -> tuple[bool, Compared]:
    """`compare` of an answer whose label, if it has one, belongs to it: an item of a list."""
    if expected.parts:
        right, why = compare_parts(answer, expected, lambda text, part: compare_whole(text, part)[0])
        return right, compared(expected, answer, {"why": why, "gold": "parts"})
    found: list[Comparison] = []
    for alternative in (expected, *expected.others):
        found.append(_COMPARERS[alternative.type](answer, alternative))
        if found[-1][0]:
            break
    right, said = found[-1] if found[-1][0] else found[0]
    return right, compared(expected, answer, said)


def compared(expected: ExpectedAnswer, answer: str | None, found: Mapping[str, Any]) -> Compared:
    """What was found of an answer, None where there is none, as the part that is stored."""
    own = {name: value for name, value in found.items() if name in _FIELDS}
    facts = {name: value for name, value in found.items() if name not in _FIELDS}
    others = (other.golds[0] for other in expected.others if other.golds[0] != expected.golds[0])
    aliases = (*expected.golds[1:], *others)
    if expected.parts:
        shown, aliases = ", ".join(expected.golds), ()
    else:
        shown = expected.golds[0] if expected.truth is None else str(expected.truth).lower()
    return Compared(
        shown, answer, expected.type, aliases=() if expected.truth is not None else aliases, facts=facts, **own
    )


def _numeric(answer: str, expected: ExpectedAnswer) -> Comparison:
    gold = expected.number
    assert gold is not None
    unit = expected.unit or gold.unit
    number = parse_number(answer, expected.locale, unit)
    if number is not None:
        return _number_against(number, gold, expected)
    if is_long(gold) and (found := _closed_form(answer, unit, expected))[0]:
        return found
    return False, {"why": f"not one number in locale {expected.locale!r}"}


def _closed_form(answer: str, unit: str | None, expected: ExpectedAnswer) -> Comparison:
    r"""A gold that is a double printed in full (1.4142135623730951) against the expression that it is (`\sqrt{2}`)."""
    gold = expected.golds[0] if not unit or unit in expected.golds[0] else rf"{expected.golds[0]} \text{{{unit}}}"
    return _mathematics(answer, replace(expected, golds=(gold,)))


def _number_against(number: Number, gold: Number, expected: ExpectedAnswer) -> Comparison:
    """One number against one gold: value within tolerance, unit the same or left out, percentages by the test's rule."""
    unit = expected.unit or gold.unit
    allowed = expected.tolerance
    if expected.rel_tolerance:
        allowed = max(allowed, expected.rel_tolerance * abs(gold.value))
    details: dict[str, Any] = {"value": _plain(number.value), "gold": _plain(gold.value), "tolerance": _plain(allowed)}
    if unit and number.unit and not same_unit(unit, number.unit):
        return False, details | {"unit": number.unit, "why": f"unit {number.unit!r} where {unit!r} is expected"}
    percent_gold = gold.percent or (unit is not None and same_unit(unit, "%"))
    difference = _apart(number.value, gold.value)
    if expected.percent_equal and number.percent != percent_gold:
        other = number.value / 100 - gold.value if number.percent else number.value * 100 - gold.value
        difference = min(difference, abs(other))
    details["difference"] = _plain(difference)
    if gold.value:
        details["difference_percent"] = round(_share(difference, abs(gold.value)) * 100, 6)
    if difference and _other_decimals(number, allowed, expected.decimals):
        return False, details | {"why": f"{expected.decimals} decimals are asked for"}
    allowed = max(allowed, noise) if (noise := float_noise(gold, number)) else allowed
    if not difference or (allowed and difference <= allowed):
        return True, details | {"why": "equal" if not difference else "within tolerance"}
    if _is_rounded(number, gold):
        return True, details | {"why": "rounded as its digits allow"}
    return False, details | {"why": "the values differ"}


def _other_decimals(number: Number, allowed: Fraction, asked: int | None) -> bool:
    """Whether a number has other decimals than the question asks for; a tolerance wider than the last of them says otherwise."""
    return asked is not None and number.decimals not in (None, asked) and allowed <= Fraction(1, 10**asked)


def _is_rounded(number: Number, gold: Number) -> bool:
    """Whether one is a third or the like, and the other its decimal."""
    if number.percent != gold.percent:
        return False
    if not terminates(gold.value):
        return is_rounding_of(gold.value, number)
    return not terminates(number.value) and is_rounding_of(number.value, gold)


def _apart(one: Fraction, other: Fraction) -> Fraction:
    """How far the two are apart."""
    if one.denominator == other.denominator == 1:  # most are whole, and arithmetic of fractions is Python's and slow
        return Fraction(abs(one.numerator - other.numerator))
    return abs(one - other)


def _share(part: Fraction, whole: Fraction) -> float:
    """`part` in `whole`, rounded once."""
    return part.numerator / whole.numerator if part.denominator == whole.denominator == 1 else float(part / whole)


def _plain(value: Fraction) -> int | float | str:
    """A number for `details`: exact where it is an integer, else a float, else (beyond floats) a text."""
    if value.denominator == 1 and abs(value.numerator) < 10**15:
        return value.numerator
    try:
        return float(value)
    except OverflowError:
        return str(value)[:60]


def _mathematics(answer: str, expected: ExpectedAnswer) -> Comparison:
    from modex.core.answers.numbers.mathematics import (
        compare_math,  # its grammar takes 40 ms, and few suites need it
    )

    details: dict[str, Any] = {}
    for gold in expected.golds:
        verdict = compare_math(gold, answer, expected.locale, percent_equal=expected.percent_equal)
        details = {"method": verdict.method, "why": verdict.why or "equal"}
        if verdict.equal:
            same = verdict.gold_value is not None and verdict.gold_value == verdict.answer_value
            fault = form_fault(answer, expected.form, equal_value=same) if expected.form else None
            return fault is None, details | ({"why": fault} if fault else {})
        if verdict.gold_value is not None and verdict.answer_value is not None:
            difference = abs(verdict.gold_value - verdict.answer_value)
            allowed = max(expected.tolerance, expected.rel_tolerance * abs(verdict.gold_value))
            details |= {"difference": _plain(difference), "tolerance": _plain(allowed)}
            if verdict.gold_value:
                details["difference_percent"] = round(float(difference / abs(verdict.gold_value)) * 100, 6)
            if allowed and difference <= allowed:
                return True, details | {"why": "within tolerance"}
    return False, details


def _exact(answer: str, expected: ExpectedAnswer) -> Comparison:
    if expected.exact:
        same = same_output(answer, expected.golds)
        return (True, {"why": "equal", "matched": same}) if same else (False, {"why": "the texts differ"})
    equal = any_equal(answer, expected.golds, expected.locale)
    if equal is None:
        locale = expected.locale if expected.locale_given else None
        equal = next(
            (
                gold
                for gold in expected.golds
                if same_time(gold, answer)
                or same_list(gold, answer, expected.locale)
                or (not expected.as_written and same_date(gold, answer, locale))
            ),
            None,
        )
    if equal is not None:
        return True, {"why": "equal", "matched": equal}
    if not expected.as_written and (same := same_answer(answer, expected.golds)) is not None:
        return True, {"why": "the same answer, written in another way", "matched": same}
    return False, {"why": "the texts differ", "compared": comparable(answer, expected.locale)[:500]}


def _boolean(answer: str, expected: ExpectedAnswer) -> Comparison:
    truth = read_boolean(answer)
    if truth is None:
        return False, {"why": "neither yes nor no"}
    right = truth is expected.truth
    return right, {"value": truth, "why": "equal" if right else "the opposite"}


def _choice(answer: str, expected: ExpectedAnswer) -> Comparison:
    letter = read_choice(answer, expected.options or None)
    if letter is None:
        return False, {"why": "names no single option"}
    right = letter == expected.golds[0]
    return right, {"value": letter, "why": "equal" if right else f"option {letter} where {expected.golds[0]} is right"}


def _text(answer: str, expected: ExpectedAnswer) -> Comparison:
    """By similarity of the words, so that one changed word in ten already fails at the default of 0.9."""
    from rapidfuzz import fuzz

    mine = fold(answer)[:_TEXT_CHARS]
    similarity = max(
        fuzz.ratio(comparable(mine, expected.locale), comparable(gold, expected.locale)[:_TEXT_CHARS]) / 100
        for gold in expected.golds
    )
    right = similarity >= expected.min_similarity
    why = "similar enough" if right else "not similar enough"
    return right, {"similarity": round(similarity, 4), "min_similarity": expected.min_similarity, "why": why}


def _date(answer: str, expected: ExpectedAnswer) -> Comparison:
    try:
        day = read_date(answer, expected.locale if expected.locale_given else None)
    except AmbiguousDateError as problem:
        return False, {"why": str(problem)}
    if day is None:
        return False, {"why": "no date that can be read"}
    right = day == expected.date
    return right, {"value": day.isoformat(), "why": "equal" if right else "another day"}


_COMPARERS: dict[AnswerType, Callable[[str, ExpectedAnswer], Comparison]] = {
    "numeric": _numeric,
    "math": _mathematics,
    "exact_match": _exact,
    "boolean": _boolean,
    "choice": _choice,
    "text": _text,
    "date": _date,
}
