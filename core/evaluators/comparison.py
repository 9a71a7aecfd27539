"""A bare answer against an expected one: right or wrong, and why, for each answer type."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from core.evaluators.answers import AnswerType, ExpectedAnswer
from core.evaluators.boolean import read_boolean
from core.evaluators.choice import read_choice
from core.evaluators.mathematics import compare_math
from core.evaluators.numbers import Number, parse_number
from core.evaluators.text import any_equal, comparable, fold
from core.evaluators.units import same_unit

Comparison = tuple[bool, dict[str, Any]]
"""Whether the answer is right, and the details that explain it (`expected`, `got`, `why`, …)."""
_FLOAT_NOISE = Fraction(1, 10**9)
_LONGEST_TEXT = 20_000


def compare(answer: str, expected: ExpectedAnswer) -> Comparison:
    """Compare `answer` by the expected answer's type. A comparison is all or nothing.

    Raises:
        JudgeError: the expected answer itself cannot be compared (mathematics that does not terminate).
    """
    right, details = _COMPARERS[expected.type](answer, expected)
    return right, {"type": expected.type, "expected": _shown(expected), "got": answer, **details}


def _shown(expected: ExpectedAnswer) -> str:
    return expected.golds[0] if expected.truth is None else str(expected.truth).lower()


def _numeric(answer: str, expected: ExpectedAnswer) -> Comparison:
    golds = [expected.number, *(parse_number(alias, expected.locale) for alias in expected.golds[1:])]
    number = parse_number(answer, expected.locale)
    if number is None:
        return False, {"why": f"not one number in locale {expected.locale!r}"}
    results = [_number_against(number, gold, expected) for gold in golds if gold is not None]
    return next((result for result in results if result[0]), results[0])


def _number_against(number: Number, gold: Number, expected: ExpectedAnswer) -> Comparison:
    """One number against one gold: value within tolerance, unit the same or left out, percentages by the test's rule."""
    unit = expected.unit or gold.unit
    allowed = max(expected.tolerance, expected.rel_tolerance * abs(gold.value))
    details: dict[str, Any] = {"value": _plain(number.value), "gold": _plain(gold.value), "tolerance": _plain(allowed)}
    if unit and number.unit and not same_unit(unit, number.unit):
        return False, details | {"unit": number.unit, "why": f"unit {number.unit!r} where {unit!r} is expected"}
    percent_gold = gold.percent or (unit is not None and same_unit(unit, "%"))
    differences = [number.value - gold.value]
    if expected.percent_equal and number.percent != percent_gold:
        differences.append(number.value / 100 - gold.value if number.percent else number.value * 100 - gold.value)
    difference = min(differences, key=abs)
    details["difference"] = _plain(abs(difference))
    if gold.value:
        details["difference_percent"] = round(float(abs(difference / gold.value)) * 100, 6)
    noise = _FLOAT_NOISE * abs(gold.value) if gold.value.denominator != 1 else Fraction(0)
    if abs(difference) <= max(allowed, noise):
        return True, details | {"why": "equal" if not difference else "within tolerance"}
    return False, details | {"why": "the values differ"}


def _plain(value: Fraction) -> int | float | str:
    """A number for `details`: exact where it is an integer, else a float, else (beyond floats) a text."""
    if value.denominator == 1 and abs(value) < 10**15:
        return int(value)
    try:
        return float(value)
    except OverflowError:
        return str(value)[:60]


def _mathematics(answer: str, expected: ExpectedAnswer) -> Comparison:
    details: dict[str, Any] = {}
    for gold in expected.golds:
        verdict = compare_math(gold, answer, expected.locale)
        details = {"method": verdict.method, "why": verdict.why or "equal"}
        if verdict.equal:
            return True, details
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
    equal = any_equal(answer, expected.golds, expected.locale)
    if equal is not None:
        return True, {"why": "equal", "matched": equal}
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

    mine = fold(answer)[:_LONGEST_TEXT]
    similarity = max(
        fuzz.ratio(comparable(mine, expected.locale), comparable(gold, expected.locale)[:_LONGEST_TEXT]) / 100
        for gold in expected.golds
    )
    right = similarity >= expected.min_similarity
    why = "similar enough" if right else "not similar enough"
    return right, {"similarity": round(similarity, 4), "min_similarity": expected.min_similarity, "why": why}


_COMPARERS: dict[AnswerType, Callable[[str, ExpectedAnswer], Comparison]] = {
    "numeric": _numeric,
    "math": _mathematics,
    "exact_match": _exact,
    "boolean": _boolean,
    "choice": _choice,
    "text": _text,
}
