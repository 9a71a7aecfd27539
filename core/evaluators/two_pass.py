"""`two_pass`: PASS 2 extracts the bare answer from the response, and the answer is compared by its type."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.evaluators.answers import check_expected, expected_answer
from core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from core.evaluators.comparison import compare
from core.evaluators.extraction import Extraction, extract
from core.evaluators.final_answer import find_final_answer
from core.evaluators.provider_errors import answer_of
from core.store.sample import EvaluationSample
from core.suite.definitions import EvaluatorConfig, TestCase


class TwoPassEvaluator(BaseEvaluator):
    """Scores 1 or 0. `config.type` is the answer type of tests that name none; `uses_pass2: false` reads the response's
    own final answer instead of asking.
    """

    id = "two_pass"

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected`."""
        del suite_root
        return check_expected(test.expected, config.config.get("type"))

    def needs_extractor(self, expected: Any, config: EvaluatorConfig) -> bool:
        """PASS 2 is asked unless the configuration says no."""
        del expected
        return config.uses_pass2 is not False

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Extract and compare.

        Raises:
            JudgeError: `expected` cannot be used, or PASS 2 gave nothing to compare.
            ModelCallError: the extractor could not be asked.
        """
        response = answer_of(sample)
        expected = expected_answer(sample.expected, context.config.config.get("type"))
        if context.config.uses_pass2 is False:
            found = own_answer(response)
        else:
            found = extract(sample, response, context, expected.type, locale=expected.locale, options=expected.options)
        asked = found.asked and context.config.uses_pass2 is not False
        if found.answer is None:
            why = "the response is empty" if found.status == "empty_response" else "the response gives no answer"
            details = {"type": expected.type, "expected": expected.golds[0], "got": None, "why": why, **found.details()}
            return EvaluationResult(0.0, details, None, asked)
        right, details = compare(found.answer, expected)
        return EvaluationResult(1.0 if right else 0.0, details | found.details(), found.answer, asked)


def own_answer(response: str) -> Extraction:
    """The response's own final answer in the form that PASS 2 would give it; no model is asked."""
    own = find_final_answer(response)
    if own is None:
        return Extraction(None, "empty_response")
    return Extraction(own.text, "found", (own.start, own.start + len(own.text)), own.how)
