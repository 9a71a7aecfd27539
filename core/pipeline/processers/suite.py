"""The default processer: the suite's own domain × level tests, and dataset rows that name an evaluator."""

from __future__ import annotations

from modex.core.pipeline.processers.base import BaseProcesser


class SuiteProcesser(BaseProcesser):
    """Routes each sample to the evaluator that its `evaluator_id` names."""

    source = "suite"
