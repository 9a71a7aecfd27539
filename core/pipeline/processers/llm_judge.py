"""Judging by a language model: a binary verdict on question, reference and answer, at temperature 0."""

from __future__ import annotations

from modex.core.pipeline.processers.base import BaseProcesser


class BaseLLMJudgeProcesser(BaseProcesser):
    """Judges by an LLM (`llm_judge`), whatever evaluator the row names; subclass it, name a `source`, and override
    `evaluator_id` to use another prompt.
    """

    source = "llm_judge"
    evaluator_id = "llm_judge"
