"""`match`: the response's own final answer against the gold, without PASS 2 (exact, number or choice)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.evaluators.answers import AnswerType, ExpectedAnswer, check_expected, expected_answer
from core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from core.evaluators.comparison import compare
from core.evaluators.final_answer import FinalAnswer, find_final_answer
from core.evaluators.number_spans import number_spans
from core.evaluators.numbers import parse_number
from core.evaluators.provider_errors import answer_of
from core.store.sample import EvaluationSample
from core.suite.definitions import EvaluatorConfig, TestCase

_TYPES: dict[str, AnswerType] = {"exact": "exact_match", "number": "numeric", "choice": "choice", "boolean": "boolean"}


class MatchEvaluator(BaseEvaluator):
    """Scores 1 or 0. `config.comparison` is `exact`, `number`, `choice` or `boolean`; without it the gold decides."""

    id = "match"

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
        found = find_final_answer(response)
        if found is None:
            nothing = {
                "type": expected.type,
                "expected": expected.golds[0],
                "got": None,
                "extraction": "empty_response",
            }
            return EvaluationResult(0.0, {**nothing, "why": "the response is empty"})
        answer, start = _narrowed(found, expected)
        right, details = compare(answer, expected)
        details = details | {
            "answer_from": found.how,
            "extraction": "found",
            "extraction_span": [start, start + len(answer)],
        }
        return EvaluationResult(1.0 if right else 0.0, details, answer)


def _bare_gold(expected: Any) -> Any:
    """A dataset's gold without the working that GSM8K writes before `####`."""
    if isinstance(expected, str) and (match := re.search(r"####\s*(\S[^\n]*)\s*$", expected)):
        return match[1].strip()
    return expected


def _answer_type(expected: Any, config: EvaluatorConfig) -> str | None:
    """By the configuration, else by the gold: a number, one capital letter, yes or no, or a text."""
    if (comparison := config.config.get("comparison")) is not None:
        return _TYPES.get(comparison)
    if isinstance(expected, dict) and (expected.get("type") or expected.get("options")):
        return expected.get("type") or "choice"
    value = _bare_gold(expected.get("value") if isinstance(expected, dict) else expected)
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, str):
        return None
    if re.fullmatch(r"\(?[A-J]\)?", value.strip()):
        return "choice"
    locale = expected.get("locale", "en") if isinstance(expected, dict) else "en"
    return "numeric" if parse_number(value, locale) else None


def _narrowed(found: FinalAnswer, expected: ExpectedAnswer) -> tuple[str, int]:
    """The part of the found text that is compared, and its offset.

    Where a number is wanted of a sentence, it is the first one after its last `=`, else the only or last one.
    """
    if expected.type != "numeric" or parse_number(found.text, expected.locale):
        return found.text, found.start
    after = found.text.rfind("=") + 1
    spans = list(number_spans(found.text[after:], expected.locale))
    if not spans:
        return found.text, found.start
    start, end, _ = spans[0] if after or found.how != "last_line" else spans[-1]
    return found.text[after + start : after + end], found.start + after + start
