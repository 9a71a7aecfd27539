"""The default processer: the suite's own domain × level tests, and dataset rows that name an evaluator."""

from __future__ import annotations

from core.evaluators.base import EvaluationResult
from core.pipeline.processers.base import BaseProcesser
from core.pipeline.services import Services
from core.store.sample import EvaluationSample


class SuiteProcesser(BaseProcesser):
    """Routes each sample to the evaluator that its `evaluator_id` names."""

    source = "suite"

    def judge_one(self, sample: EvaluationSample, services: Services) -> EvaluationResult:
        """Score by the named evaluator; what it asked is kept in `details["exchanges"]`."""
        return judge_by(sample.evaluator_id, sample, services)


def judge_by(evaluator_id: str, sample: EvaluationSample, services: Services) -> EvaluationResult:
    """Score `sample` by the evaluator with this id, and note in the sample what the judgement cost.

    Raises:
        JudgeError: no verdict could be reached.
        ModelCallError: a model could not be asked.
    """
    config = services.evaluators[evaluator_id]
    context = services.judge_context(sample, config)
    evaluator = services.find_evaluator(config)
    try:
        result = evaluator.evaluate(sample, context)
    finally:
        sample.judge_prompt_tokens = context.usage.prompt
        sample.judge_completion_tokens = context.usage.completion
        sample.judge_cost_usd = context.cost_usd
        sample.judge_duration_ms = context.duration_ms
        if context.exchanges:
            sample.details = {"exchanges": context.exchanges}
    if context.exchanges:
        result.details["exchanges"] = context.exchanges
    return result
