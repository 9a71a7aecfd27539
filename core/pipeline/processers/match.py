"""Matching by rule: the response's own final answer against the gold, without PASS 2 and without a judge."""

from __future__ import annotations

from modex.core.pipeline.processers.base import BaseProcesser


class BaseMatchProcesser(BaseProcesser):
    """Judges by rule matching (`match`: exact, number, choice), whatever evaluator the row names; subclass it and name a
    `source`.
    """

    source = "match"
    evaluator_id = "match"
