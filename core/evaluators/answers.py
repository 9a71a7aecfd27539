"""What a test expects of a short answer: `expected` in any of its forms as one typed value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, cast

from core.errors import ErrorType, JudgeError
from core.evaluators.choice import read_choice
from core.evaluators.numbers import Number, parse_number, to_fraction

AnswerType = Literal["numeric", "math", "exact_match", "boolean", "choice", "text"]
ANSWER_TYPES: tuple[AnswerType, ...] = ("numeric", "math", "exact_match", "boolean", "choice", "text")
_KEYS = frozenset(
    ["type", "value", "tolerance", "rel_tolerance", "unit", "percent", "locale", "aliases", "options", "min_similarity"]
)
DEFAULT_SIMILARITY = 0.9


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """`expected` of `two_pass` (and `match`), checked and typed; `golds` are the value and its aliases as texts."""

    type: AnswerType
    golds: tuple[str, ...]
    number: Number | None = None
    truth: bool | None = None
    tolerance: Fraction = Fraction(0)
    rel_tolerance: Fraction = Fraction(0)
    unit: str | None = None
    percent_equal: bool = False
    locale: str = "en"
    options: Mapping[str, str] = field(default_factory=dict)
    min_similarity: float = DEFAULT_SIMILARITY


class ExpectedError(ValueError):
    """`expected` is not what this evaluator can compare with; the message says why."""


def expected_answer(expected: Any, default_type: str | None = None) -> ExpectedAnswer:
    """Type `expected`: a bare number is `numeric`, a bool `boolean`, a text `exact_match`, a list of texts aliases.

    Raises:
        JudgeError: `expected` has none of the documented forms.
    """
    try:
        return _typed(expected, default_type)
    except ExpectedError as problem:
        raise JudgeError(f"the test's `expected` cannot be used: {problem}", ErrorType.INVALID_TEST) from None


def check_expected(expected: Any, default_type: str | None = None) -> Iterator[str]:
    """What is wrong with `expected`, one message each."""
    try:
        _typed(expected, default_type)
    except ExpectedError as problem:
        yield str(problem)
        return
    if isinstance(expected, dict):
        yield from (
            f"expected has no key {key!r} here; known are {', '.join(sorted(_KEYS))}"
            for key in expected
            if key not in _KEYS
        )


def _typed(expected: Any, default_type: str | None) -> ExpectedAnswer:
    document = expected if isinstance(expected, dict) else {"value": expected}
    if "value" not in document:
        raise ExpectedError("expected needs a `value`")
    value = document["value"]
    aliases = document.get("aliases", [])
    if isinstance(value, list):
        if not value or not all(isinstance(item, str | int | float) for item in value):
            raise ExpectedError("a list as expected value holds the accepted texts or numbers, at least one")
        value, aliases = value[0], [*value[1:], *aliases]
    if not isinstance(aliases, list) or not all(isinstance(item, str | int | float) for item in aliases):
        raise ExpectedError("`aliases` is a list of texts")
    kind = document.get("type") or default_type or _guessed(value)
    if kind not in ANSWER_TYPES:
        raise ExpectedError(f"the answer type {kind!r} is none of {', '.join(ANSWER_TYPES)}")
    if value is None or isinstance(value, dict) or (isinstance(value, str) and not value.strip()):
        raise ExpectedError("the expected value is empty or not a text, number or truth value")
    locale = _text(document, "locale") or "en"
    unit = _text(document, "unit")
    options = _options(document)
    golds = tuple(_as_text(item) for item in (value, *aliases))
    number = _number(value, locale) if kind == "numeric" else None
    similarity = document.get("min_similarity", DEFAULT_SIMILARITY)
    if isinstance(similarity, bool) or not isinstance(similarity, int | float) or not 0 < similarity <= 1:
        raise ExpectedError("`min_similarity` is a number above 0, at most 1")
    if document.get("percent") not in (None, "equal"):
        raise ExpectedError('`percent` can only be "equal"')
    if kind == "choice":
        golds = (_choice_gold(golds[0], options),)
    return ExpectedAnswer(
        type=cast(AnswerType, kind),
        golds=golds,
        number=number,
        truth=_truth(value) if kind == "boolean" else None,
        tolerance=_tolerance(document, "tolerance"),
        rel_tolerance=_tolerance(document, "rel_tolerance"),
        unit=unit,
        percent_equal=document.get("percent") == "equal",
        locale=locale,
        options=options,
        min_similarity=float(similarity),
    )


def _guessed(value: Any) -> AnswerType:
    if isinstance(value, bool):
        return "boolean"
    return "numeric" if isinstance(value, int | float) else "exact_match"


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else repr(value)


def _text(document: Mapping[str, Any], key: str) -> str | None:
    value = document.get(key)
    if value is not None and not isinstance(value, str):
        raise ExpectedError(f"`{key}` is a text")
    return value


def _options(document: Mapping[str, Any]) -> dict[str, str]:
    given = document.get("options") or {}
    if isinstance(given, list) and all(isinstance(item, str) for item in given) and len(given) <= 26:
        given = {chr(ord("A") + index): item for index, item in enumerate(given)}
    if not isinstance(given, dict) or not all(
        isinstance(text, str) and re.fullmatch(r"\w", key) for key, text in given.items()
    ):
        raise ExpectedError("`options` maps one letter each to the option's text")
    return {key.upper(): text for key, text in given.items()}


def _choice_gold(gold: str, options: Mapping[str, str]) -> str:
    letter = read_choice(gold, options or None)
    if letter is None:
        raise ExpectedError(f"the choice {gold!r} is none of the options {', '.join(options) or 'A–J'}")
    return letter


def _truth(value: Any) -> bool:
    from core.evaluators.boolean import read_boolean

    truth = value if isinstance(value, bool) else read_boolean(value) if isinstance(value, str) else None
    if truth is None:
        raise ExpectedError(f"{value!r} is neither true nor false")
    return truth


def _number(value: Any, locale: str) -> Number:
    if isinstance(value, str):
        number = parse_number(value, locale)
        if number is not None:
            return number
    elif (exact := to_fraction(value)) is not None:
        return Number(exact)
    raise ExpectedError(f"{value!r} is not a number in locale {locale!r}")


def _tolerance(document: Mapping[str, Any], key: str) -> Fraction:
    value = document.get(key)
    if value is None:
        return Fraction(0)
    exact = to_fraction(value) if isinstance(value, int | float) else None
    if exact is None or exact < 0:
        raise ExpectedError(f"`{key}` is a number of 0 or more")
    return exact
