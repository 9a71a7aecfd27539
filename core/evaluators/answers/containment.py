"""Whether a gold stands in a response at all, whatever the response asserts: what shows a reader's limits, never a verdict."""

from __future__ import annotations

import re
from typing import Any

from core.errors import JudgeError
from core.evaluators.answers.golds import answer_type, bare_gold
from core.evaluators.answers.kinds import ExpectedAnswer, expected_answer
from core.evaluators.numbers.reading import parse_number
from core.evaluators.numbers.spans import number_spans, word_spans
from core.evaluators.text.choice import letters_named
from core.evaluators.text.dates import AmbiguousDateError, dates_in
from core.evaluators.text.text import comparable, contains_words, fold
from core.suite.definitions import EvaluatorConfig

_WINDOW = 200_000
_LONGEST_GOLD = 1000
"""Characters of a gold that an answer may hold word for word; longer ones are texts to compare with."""
_BOUND = r"(?![\w{}^])"
_TRUTHS = {True: ("yes", "true"), False: ("no", "false")}


def short_gold(expected: Any, config: EvaluatorConfig) -> ExpectedAnswer | None:
    """`expected` as one short answer with its type; None where it is another form (calls, rows, keywords, a long text)."""
    if expected is None or (isinstance(expected, dict) and "value" not in expected):
        return None
    kind = config.config.get("type")
    try:
        found = expected_answer(bare_gold(expected), kind if isinstance(kind, str) else answer_type(expected, config))
    except (JudgeError, AttributeError, TypeError):  # an `expected` of a plugin may hold anything
        return None
    return None if any(len(gold) > _LONGEST_GOLD for gold in found.golds) else found


def holds_gold(response: str, expected: ExpectedAnswer) -> bool:
    """Whether the gold or one of its aliases stands in `response`, in whole words, numbers and dates by their value.

    An option's letter, and a yes or no, are looked for in the first and the last line only: elsewhere any text has them.
    The last 200,000 characters are looked at.
    """
    text = response[-_WINDOW:]
    if expected.parts:
        return all(_holds(text, part) for part in expected.parts)
    return any(_holds(text, one) for one in (expected, *expected.others))


def _holds(text: str, gold: ExpectedAnswer) -> bool:
    if gold.type == "numeric":
        return gold.number is not None and _has_number(text, gold, gold.number.value)
    if gold.type == "choice":
        option = gold.options.get(gold.golds[0], "")
        letters = dict.fromkeys(gold.options or "ABCDEFGHIJ", "")
        return any(
            gold.golds[0] in letters_named(line, letters) or (option and contains_words(fold(line), comparable(option)))
            for line in _ends(text)
        )
    if gold.type == "boolean":
        words = _TRUTHS[bool(gold.truth)]
        return any(contains_words(line, word) for line in _ends(text) for word in words)
    if gold.type == "date" and _has_day(text, gold):
        return True
    if gold.type == "math" and any(_has_formula(text, one, gold) for one in gold.golds):
        return True
    folded = fold(text)
    return any(contains_words(folded, comparable(one, gold.locale)) for one in gold.golds)


def _ends(text: str) -> list[str]:
    """The first and the last line with text."""
    lines = [line for line in text.splitlines() if line.strip()]
    return [lines[0], lines[-1]] if lines else []


def _has_number(text: str, gold: ExpectedAnswer, value: Any) -> bool:
    return any(
        number.value == value for reader in (number_spans, word_spans) for _, _, number in reader(text, gold.locale)
    )


def _has_day(text: str, gold: ExpectedAnswer) -> bool:
    try:
        return any(day == gold.date for _, _, day in dates_in(text, gold.locale if gold.locale_given else None))
    except AmbiguousDateError:
        return False


def _has_formula(text: str, wanted: str, gold: ExpectedAnswer) -> bool:
    """By its signs, whatever blanks stand between them, or by its value where it is a number."""
    if (number := parse_number(wanted, gold.locale)) is not None:
        return _has_number(text, gold, number.value)
    squeezed = re.sub(r"\s", "", wanted.strip().strip("$"))
    if not squeezed:
        return False
    body = re.escape(squeezed)
    return re.search(rf"(?<![\w\\]){body}{_BOUND}", re.sub(r"\s", "", text)) is not None
