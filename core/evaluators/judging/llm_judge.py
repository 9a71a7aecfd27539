"""`llm_judge`: the binary judge of question answering; `expected` is the reference answer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.judging.judge import expected_text, judged, material, rating_question
from modex.core.evaluators.judging.scale import BINARY
from modex.core.evaluators.provider_errors import answer_of
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.suite.templates import render


class LLMJudgeEvaluator(BaseEvaluator):
    """Scores 1 or 0 by the template `judge/binary`, whatever the rollout mode was."""

    template: ClassVar[str] = "judge/binary"
    """What the judge is told; a benchmark's own protocol is another."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """There must be a reference answer."""
        del config, suite_root
        if test.expected in (None, "", [], {}):
            yield "expected is empty; the judge needs a reference answer"

    def needs_judge(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Always."""
        del expected, config
        return True

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Ask the judges; an empty response is wrong without asking.

        Raises:
            JudgeError: no verdict could be reached.
            ModelCallError: a judge could not be asked.
        """
        response = answer_of(sample)
        if not response.strip():
            return EvaluationResult(0.0, reason="the response is empty")
        template = context.template(self.template)
        values, _ = material(sample, response, template)
        form = context.template("judge/form_binary").strip()
        message = render(template, form=form, **values)
        question = rating_question(message, form, BINARY, response=response, delimiter=values["delimiter"])
        return judged(context, question, BINARY, expected_text(sample.expected))
