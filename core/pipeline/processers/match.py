"""Matching by rule: the response's own final answer against the gold, without PASS 2 and without a judge."""

from __future__ import annotations

from core.evaluators.base import EvaluationResult
from core.pipeline.processers.base import BaseProcesser
from core.pipeline.processers.suite import judge_by
from core.pipeline.services import Services
from core.store.sample import EvaluationSample


class BaseMatchProcesser(BaseProcesser):
    """Judges by rule matching (`match`: exact, number, choice); subclass it and name a `source`."""

    source = "match"
    evaluator_id = "match"

    def judge_one(self, sample: EvaluationSample, services: Services) -> EvaluationResult:
        """Score by the rule matcher, whatever evaluator the row names."""
        return judge_by(self.evaluator_id, sample, services)
