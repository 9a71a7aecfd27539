"""`two_pass`: PASS 2 extracts the bare answer from the response, and the answer is compared by its type."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.evaluators.answers.comparison import compare, compared
from core.evaluators.answers.extraction import extract, own_answer
from core.evaluators.answers.kinds import check_expected, expected_answer
from core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from core.evaluators.provider_errors import answer_of
from core.store.sample import EvaluationSample
from core.suite.definitions import EvaluatorConfig, TestCase


class TwoPassEvaluator(BaseEvaluator):
    """Scores 1 or 0. `config.type` is the answer type of tests that name none; `uses_pass2: false` reads the response's
    own final answer instead of asking.
    """

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
            found = own_answer(response, expected, sample.prompt)
        else:
            found = extract(sample, response, context, expected)
        asked = found.asked and context.config.uses_pass2 is not False
        if found.answer is None:
            why = "the response is empty" if found.status == "empty_response" else "the response gives no answer"
            parts = (compared(expected, None, {"why": why}), found.part())
            return EvaluationResult(0.0, pass2_used=asked, parts=parts)
        right, part = compare(found.answer, expected)
        return EvaluationResult(
            1.0 if right else 0.0, extracted_answer=found.answer, pass2_used=asked, parts=(part, found.part())
        )
