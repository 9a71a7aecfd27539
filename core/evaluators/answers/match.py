"""`match`: the response's own final answer against the gold, without PASS 2 (exact, number or choice)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.evaluators.answers.comparison import compare, compared
from core.evaluators.answers.kinds import AnswerType, ExpectedAnswer, check_expected, expected_answer
from core.evaluators.answers.lists import same_joined
from core.evaluators.answers.own import read_own
from core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from core.evaluators.numbers.reading import parse_number
from core.evaluators.provider_errors import answer_of
from core.store.sample import EvaluationSample
from core.suite.definitions import EvaluatorConfig, TestCase
from core.verdict import Compared, Extracted

_TYPES: dict[str, AnswerType] = {
    "exact": "exact_match",
    "number": "numeric",
    "choice": "choice",
    "boolean": "boolean",
    "math": "math",
    "date": "date",
}


class MatchEvaluator(BaseEvaluator):
    """Scores 1 or 0.

    `config.comparison` is `exact`, `number`, `choice`, `boolean`, `math` or `date`; without it the gold decides.
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected` or with `config.comparison`."""
        del suite_root
        comparison = config.config.get("comparison")
        if comparison is not None and comparison not in _TYPES:
            yield f"config.comparison is one of {', '.join(_TYPES)}, not {comparison!r}"
            return
        yield from check_expected(_bare_gold(test.expected), _answer_type(test.expected, config))

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Find the final answer and compare it.

        Raises:
            JudgeError: `expected` cannot be used.
        """
        response = answer_of(sample)
        expected = expected_answer(_bare_gold(sample.expected), _answer_type(sample.expected, context.config))
        found = read_own(response, expected, sample.prompt)
        if found is None:
            blank = not response.strip()
            why = "the response is empty" if blank else "the response gives no answer"
            state = "empty_response" if blank else "no_answer"
            return EvaluationResult(0.0, parts=(compared(expected, None, {"why": why}), Extracted(state)))
        right, part = compare(found.text, expected)
        if not right and expected.type == "exact_match":
            right, part = _joined(found.text, expected, part)
        extracted = Extracted("found", (found.start, found.start + len(found.text)), source=found.how)
        return EvaluationResult(1.0 if right else 0.0, extracted_answer=found.text, parts=(part, extracted))


def _joined(answer: str, expected: ExpectedAnswer, part: Compared) -> tuple[bool, Compared]:
    """Words that differ in blanks only (`sea gull`) are one where no test asks for their exact form."""
    gold = next((gold for gold in expected.golds if same_joined(gold, answer, expected.locale)), None)
    return (False, part) if gold is None else (True, compared(expected, answer, {"why": "equal", "matched": gold}))


def _bare_gold(expected: Any) -> Any:
    """A dataset's gold without the working that GSM8K writes before `####`; of a list, each item."""
    if isinstance(expected, list):
        return [_bare_gold(item) for item in expected]
    if isinstance(expected, str) and "####" in expected and (match := _AFTER_WORKING.search(expected)):
        return match[1].strip()
    return expected


_AFTER_WORKING = re.compile(r"####\s*(\S[^\n]*)\s*$")
_LETTER = re.compile(r"\(?[A-J]\)?")
_DIGIT = re.compile(r"\d")
_IDENTIFIER = re.compile(r"0\d+|\+\d[\d ()-]{5,}|\d+-\d[\d-]*\d|\d{2,4}(?: \d{2,4}){2,}")
"""Strings of digits that name something and measure nothing: ids, phone numbers."""


def _answer_type(expected: Any, config: EvaluatorConfig) -> str | None:
    """By the configuration, else by the gold: a number, one capital letter, yes or no, or a text."""
    if (comparison := config.config.get("comparison")) is not None:
        return _TYPES.get(comparison)
    if isinstance(expected, dict) and (expected.get("type") or expected.get("options")):
        return expected.get("type") or "choice"
    value = _bare_gold(expected.get("value") if isinstance(expected, dict) else expected)
    locale = expected.get("locale", "en") if isinstance(expected, dict) else "en"
    if not isinstance(value, list):
        return _type_of(value, locale)
    kinds = {_type_of(item, locale) for item in value}
    return kinds.pop() if len(kinds) == 1 else "exact_match"


def _type_of(value: Any, locale: str) -> str | None:
    if not isinstance(value, str):
        return None
    bare = value.strip()
    if _LETTER.fullmatch(bare):
        return "choice"
    if bare.casefold() in ("yes", "no", "true", "false"):
        return "boolean"
    if _IDENTIFIER.fullmatch(bare) or not _DIGIT.search(value):
        return None
    return "numeric" if parse_number(value, locale) else None
