"""What a test expects of a short answer: `expected` in any of its forms as one typed value."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, cast

from modex.core.answers.forms import FORMS, Form
from modex.core.answers.numbers.reading import Number, parse_number, to_fraction
from modex.core.answers.numbers.rounding import written_number
from modex.core.answers.text.choice import read_choice
from modex.core.foundation.errors import ErrorType, JudgeError

AnswerType = Literal["numeric", "math", "exact_match", "boolean", "choice", "text", "date"]
ANSWER_TYPES: tuple[AnswerType, ...] = ("numeric", "math", "exact_match", "boolean", "choice", "text", "date")
_KEYS = frozenset(
    [
        "type",
        "value",
        "tolerance",
        "rel_tolerance",
        "unit",
        "percent",
        "locale",
        "aliases",
        "options",
        "min_similarity",
        "gold",
        "ordered",
        "form",
        "exact",
    ]
)
DEFAULT_SIMILARITY = 0.9
_NO_TOLERANCE = Fraction(0)


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """`expected` of `two_pass` (and `match`), checked and typed.

    A list as value means alternatives, each of them an `ExpectedAnswer` in `others` beside the first; with `gold: parts` all
    items are asked for: they are then in `parts`, and `golds` holds their texts.
    """

    type: AnswerType
    golds: tuple[str, ...]
    """The value and its aliases as texts."""
    number: Number | None = None
    truth: bool | None = None
    date: datetime.date | None = None
    tolerance: Fraction = _NO_TOLERANCE
    rel_tolerance: Fraction = _NO_TOLERANCE
    unit: str | None = None
    percent_equal: bool = False
    locale: str = "en"
    locale_given: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    min_similarity: float = DEFAULT_SIMILARITY
    others: tuple[ExpectedAnswer, ...] = ()
    parts: tuple[ExpectedAnswer, ...] = ()
    ordered: bool = False
    """Whether the parts must come in the gold's order."""
    form: Form | None = None
    as_written: bool = False
    """Whether a text must have the gold's own form, since the question asks for it (`YYYY-MM-DD`)."""
    """Of `math`: whether the answer has to be exact, or a fraction in lowest terms."""
    exact: bool | None = None
    """Of `exact_match`: whether case and inner spacing count, as in what a program prints; None: as the question asks."""
    decimals: int | None = None
    """How many decimals the question asks for."""


class ExpectedError(ValueError):
    """`expected` is not what this evaluator can compare with; the message says why."""


def expected_answer(expected: Any, default_type: str | None = None) -> ExpectedAnswer:
    """Type `expected`: a bare number is `numeric`, a bool `boolean`, a text `exact_match`, a list the accepted ones.

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
    value, aliases = document["value"], document.get("aliases", [])
    rule = document.get("gold")
    if rule not in (None, "any", "parts"):
        raise ExpectedError('`gold` says what a list means: "any" (one of its items) or "parts" (all of them)')
    if not isinstance(aliases, list) or not all(isinstance(item, str | int | float) for item in aliases):
        raise ExpectedError("`aliases` is a list of texts")
    if isinstance(value, list):
        if not value or not all(isinstance(item, str | int | float) for item in value):
            raise ExpectedError("a list as expected value holds the accepted texts or numbers, at least one")
        if rule == "parts":
            if aliases:
                raise ExpectedError("`aliases` belong to one value; of `gold: parts` each item stands for itself")
            parts = tuple(_single(item, document, default_type, ()) for item in value)
            return replace(
                parts[0], golds=tuple(part.golds[0] for part in parts), parts=parts, ordered=_ordered(document)
            )
        value, aliases = value[0], [*value[1:], *aliases]
    found = _single(value, document, default_type, aliases)
    if found.type in ("exact_match", "text", "math"):
        return found
    if not aliases:
        return found
    others = tuple(_single(item, document, default_type, ()) for item in aliases)
    return replace(found, golds=found.golds[:1], others=others)


def _ordered(document: Mapping[str, Any]) -> bool:
    ordered = document.get("ordered", False)
    if not isinstance(ordered, bool):
        raise ExpectedError("`ordered` is true or false")
    return ordered


def _single(
    value: Any, document: Mapping[str, Any], default_type: str | None, aliases: Sequence[Any]
) -> ExpectedAnswer:
    """One gold with its aliases, typed."""
    kind = document.get("type") or default_type or _guessed(value)
    if kind not in ANSWER_TYPES:
        raise ExpectedError(f"the answer type {kind!r} is none of {', '.join(ANSWER_TYPES)}")
    if value is None or isinstance(value, dict) or (isinstance(value, str) and not value.strip()):
        raise ExpectedError("the expected value is empty or not a text, number or truth value")
    locale = _text(document, "locale") or "en"
    unit = _text(document, "unit")
    options = _options(document)
    golds = (_as_text(value), *map(_as_text, aliases))
    similarity = document.get("min_similarity", DEFAULT_SIMILARITY)
    if isinstance(similarity, bool) or not isinstance(similarity, int | float) or not 0 < similarity <= 1:
        raise ExpectedError("`min_similarity` is a number above 0, at most 1")
    if document.get("percent") not in (None, "equal"):
        raise ExpectedError('`percent` can only be "equal"')
    form = document.get("form")
    if form is not None and (form not in FORMS or kind != "math"):
        raise ExpectedError(f"`form` belongs to answers of type math, and is one of {', '.join(FORMS)}")
    exact = document.get("exact")
    if exact is not None and (not isinstance(exact, bool) or kind != "exact_match"):
        raise ExpectedError("`exact` is true or false, and belongs to answers of type exact_match")
    if kind == "choice":
        golds = (_choice_gold(golds[0], options),)
    return ExpectedAnswer(
        type=cast(AnswerType, kind),
        golds=golds,
        number=_number(value, locale, unit) if kind == "numeric" else None,
        truth=_truth(value) if kind == "boolean" else None,
        date=_date(value, document.get("locale")) if kind == "date" else None,
        tolerance=_tolerance(document, "tolerance"),
        rel_tolerance=_tolerance(document, "rel_tolerance"),
        unit=unit,
        percent_equal=document.get("percent") == "equal",
        locale=locale,
        locale_given="locale" in document,
        options=options,
        min_similarity=float(similarity),
        form=form,
        exact=exact,
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
    given = document.get("options")
    if not given:
        return {}
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
    from modex.core.answers.text.boolean import read_boolean

    truth = value if isinstance(value, bool) else read_boolean(value) if isinstance(value, str) else None
    if truth is None:
        raise ExpectedError(f"{value!r} is neither true nor false")
    return truth


def _date(value: Any, locale: str | None) -> datetime.date:
    from modex.core.answers.text.dates import AmbiguousDateError, read_date

    try:
        found = read_date(value, locale) if isinstance(value, str) else None
    except AmbiguousDateError as problem:
        raise ExpectedError(f"{value!r} is {problem}") from None
    if found is None:
        raise ExpectedError(f"{value!r} is no date")
    return found


def _number(value: Any, locale: str, unit: str | None) -> Number:
    if isinstance(value, str):
        number = parse_number(value, locale, unit)
        if number is not None:
            return number
    elif (exact := to_fraction(value)) is not None:
        return written_number(exact, value)
    raise ExpectedError(f"{value!r} is not a number in locale {locale!r}")


def _tolerance(document: Mapping[str, Any], key: str) -> Fraction:
    value = document.get(key)
    if value is None:
        return _NO_TOLERANCE
    exact = to_fraction(value) if isinstance(value, int | float) else None
    if exact is None or exact < 0:
        raise ExpectedError(f"`{key}` is a number of 0 or more")
    return exact
