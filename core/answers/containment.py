"""Whether a gold stands in a response at all, whatever the response asserts: what shows a reader's limits, never a verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from modex.core.answers.golds import answer_type, bare_gold, type_of
from modex.core.answers.kinds import ExpectedAnswer, expected_answer
from modex.core.answers.numbers.spans import number_spans, word_spans
from modex.core.answers.text.choice import letters_named, options_in
from modex.core.answers.text.dates import AmbiguousDateError, dates_in, read_date
from modex.core.answers.text.text import comparable, contains_words, fold
from modex.core.foundation.errors import JudgeError

_WINDOW_CHARS = 200_000
_GOLD_CHARS = 1000
"""Characters of a gold that an answer may hold word for word; longer ones are texts to compare with."""
_BOUND = r"(?![\w{}^])"
_DIGIT = re.compile(r"\d")
_SIGNS = re.compile(r"[\\$^+*/=<>√]|\d[a-z]|\([a-z]")
"""What a formula has and other words seldom do."""
_TRUTHS = {True: ("yes", "true"), False: ("no", "false")}


def short_gold(expected: Any) -> ExpectedAnswer | None:
    """`expected` as one short answer with its type; None where it is another form (calls, rows, keywords, a long text)."""
    if expected is None or (isinstance(expected, dict) and "value" not in expected):
        return None
    try:
        found = expected_answer(bare_gold(expected), answer_type(expected))
    except (JudgeError, AttributeError, TypeError):  # an `expected` of a plugin may hold anything
        return None
    return None if any(len(gold) > _GOLD_CHARS for gold in found.golds) else found


@dataclass(frozen=True, slots=True)
class Sought:
    """A gold as it is looked for in a response, whatever evaluator judges it."""

    golds: tuple[ExpectedAnswer, ...]
    every: bool = False
    """Whether all of them have to stand there (`gold: parts`), and not one."""


def sought_gold(expected: Any, prompt: str = "") -> Sought | None:
    """`expected` by its values alone; None where it is another form (calls, rows, keywords) or a long text.

    Each value is a number, an option's letter, a yes or no, or a text by how it is written, so that the same gold is looked
    for alike under every evaluator and answer type. Options come from `expected`, else from the question's list.
    """
    document = expected if isinstance(expected, dict) else {"value": expected}
    value, aliases = bare_gold(document.get("value")), document.get("aliases")
    values = [*(value if isinstance(value, list) else [value]), *(aliases if isinstance(aliases, list) else [])]
    options, locale = document.get("options") or options_in(prompt), document.get("locale")
    found = []
    for one in values:
        text = ("yes" if one else "no") if isinstance(one, bool) else str(one) if isinstance(one, int | float) else one
        if not isinstance(text, str) or not text.strip() or len(text) > _GOLD_CHARS:
            return None
        kind = type_of(text, locale if isinstance(locale, str) else "en") or "exact_match"
        if text.strip() in options:
            kind = "choice"
        plain = {"value": text, "type": kind, **({"locale": locale} if locale else {})}
        try:
            found.append(expected_answer({**plain, "options": options} if kind == "choice" else plain))
        except (JudgeError, AttributeError, TypeError):  # an `expected` of a plugin may hold anything
            return None
    return Sought(tuple(found), isinstance(expected, dict) and expected.get("gold") == "parts") if found else None


def holds_gold(response: str, sought: Sought) -> bool:
    """Whether the gold or one of its aliases stands in `response`, in whole words, numbers and dates by their value.

    An option's letter, and a yes or no, are looked for in the first and the last line only: elsewhere any text has them.
    The last 200,000 characters are looked at.
    """
    text = response[-_WINDOW_CHARS:]
    held = (_holds(text, gold) for gold in sought.golds)
    return all(held) if sought.every else any(held)


def _holds(text: str, gold: ExpectedAnswer) -> bool:
    wanted = gold.golds[0]
    if gold.number is not None and _has_number(text, gold, gold.number.value):
        return True
    if _SIGNS.search(wanted) and _has_formula(text, wanted):
        return True
    if gold.number is not None:
        return False
    if gold.type == "choice":
        option = gold.options.get(wanted, "")
        letters = dict.fromkeys(gold.options or "ABCDEFGHIJ", "")
        return any(
            wanted in letters_named(line, letters) or (option and contains_words(fold(line), comparable(option)))
            for line in _ends(text)
        )
    if gold.type == "boolean":
        words = _TRUTHS[bool(gold.truth)]
        return any(contains_words(line, word) for line in _ends(text) for word in words)
    return _has_day(text, gold) or contains_words(fold(text), comparable(wanted, gold.locale))


def _ends(text: str) -> list[str]:
    """The first and the last line with text."""
    lines = [line for line in text.splitlines() if line.strip()]
    return [lines[0], lines[-1]] if lines else []


def _has_number(text: str, gold: ExpectedAnswer, value: Any) -> bool:
    return any(
        number.value == value for reader in (number_spans, word_spans) for _, _, number in reader(text, gold.locale)
    )


def _has_day(text: str, gold: ExpectedAnswer) -> bool:
    locale = gold.locale if gold.locale_given else None
    try:
        wanted = read_date(gold.golds[0], locale) if _DIGIT.search(gold.golds[0]) else None
        return wanted is not None and any(day == wanted for _, _, day in dates_in(text, locale))
    except AmbiguousDateError:
        return False


def _has_formula(text: str, wanted: str) -> bool:
    """By its signs, whatever blanks stand between them."""
    squeezed = re.sub(r"\s", "", wanted.strip().strip("$"))
    if not squeezed:
        return False
    body = r"\s*+".join(map(re.escape, squeezed))
    return re.search(rf"(?<![\w\\]){body}{_BOUND}", text) is not None
