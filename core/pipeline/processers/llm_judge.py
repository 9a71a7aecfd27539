"""Judging by a language model: a binary verdict on question, reference and answer, at temperature 0."""

from __future__ import annotations

from core.evaluators.base import EvaluationResult
from core.pipeline.processers.base import BaseProcesser
from core.pipeline.processers.suite import judge_by
from core.pipeline.services import Services
from core.store.sample import EvaluationSample


class BaseLLMJudgeProcesser(BaseProcesser):
    """Judges by an LLM (`llm_judge`); subclass it, name a `source`, and override the evaluator to use another prompt."""

    source = "llm_judge"
    evaluator_id = "llm_judge"

    def judge_one(self, sample: EvaluationSample, services: Services) -> EvaluationResult:
        """Score by the LLM judge, whatever evaluator the row names."""
        return judge_by(self.evaluator_id, sample, services)
