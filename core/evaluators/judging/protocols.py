"""The judges of known benchmarks: a binary verdict by their own protocol, and how sure the answer says it is.

BrowseComp: https://arxiv.org/abs/2504.12516. BrowseComp-ZH: https://arxiv.org/abs/2504.19314.
WebWalkerQA: https://arxiv.org/abs/2501.07572. The lines in which their own judges put a verdict:
https://github.com/TencentCloudADP/youtu-agent.
"""

from __future__ import annotations

import re
from dataclasses import replace

from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.evaluators.judging.llm_judge import LLMJudgeEvaluator
from modex.core.store.sample import EvaluationSample

_CONFIDENCE = re.compile(
    r"(?im)^[ \t>*_#-]*(?:confidence|置信度|信心|把握)[*_ \t]*[:：=][*_ \t]*(\d{1,3}(?:\.\d+)?)\s*([%％]?)"
)


def confidence_in(response: str) -> float | None:
    """How sure a response says it is, 0 to 1 (`Confidence: 90%`, `置信度: 0.9`); the last such line counts, None without one."""
    found = _CONFIDENCE.findall(response)
    if not found:
        return None
    number, percent = found[-1]
    value = float(number)
    value = value / 100 if percent or value > 1 else value
    return value if 0 <= value <= 1 else None


class BrowseCompEvaluator(LLMJudgeEvaluator):
    """Scores 1 or 0 by the template `judge/browsecomp`, which looks only at the exact answer; its confidence is kept."""

    template = "judge/browsecomp"
    answer_line = r"Exact Answer:[ \t]*(.*)"

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Ask the judges, and read the confidence.

        Raises:
            JudgeError: no verdict could be reached.
            ModelCallError: a judge could not be asked.
        """
        result = LLMJudgeEvaluator.evaluate(self, sample, context)
        confidence = confidence_in(sample.response or "")
        return result if confidence is None else replace(result, details={**result.details, "confidence": confidence})


class BrowseCompZHEvaluator(BrowseCompEvaluator):
    """Scores 1 or 0 by the template `judge/browsecomp_zh`, written in the language of its questions."""

    template = "judge/browsecomp_zh"


class WebWalkerQAEvaluator(BrowseCompEvaluator):
    """Scores 1 or 0 by the template `judge/webwalkerqa`: the facts of the reference, in whatever words."""

    template = "judge/webwalkerqa"
    verdict_line = r"GRADE\s*[:：]\s*(\w+)"


class XBenchEvaluator(BrowseCompEvaluator):
    """Scores 1 or 0 by the template `judge/xbench`, written in the language of its questions."""

    template = "judge/xbench"
    answer_line = r"最终答案[:：][ \t]*(.*)"
    verdict_line = r"结论\s*[:：]\s*(\w+)"
