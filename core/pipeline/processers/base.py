"""What a processer is: three hooks around the stages, with sensible ones inherited."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from typing import Any, ClassVar

from core.evaluators.base import EvaluationResult
from core.pipeline.services import Services
from core.statistics.intervals import wilson
from core.store.sample import EvaluationSample

NO_ANSWER = ("empty_answer", "unparsed_answer")


class BaseProcesser(ABC):
    """The logic of one source. Stateless: one instance serves every worker thread.

    Subclasses name their `source` (a dataset's stem) and override what differs.
    """

    source: ClassVar[str]
    """Which samples it handles; `PROCESSER_FACTORY` picks by it."""

    def preprocess_one(self, sample: EvaluationSample) -> EvaluationSample | None:
        """Prepare a sample before it is stored (rewrite the prompt, set the expected answer); None leaves it out."""
        return sample

    @abstractmethod
    def judge_one(self, sample: EvaluationSample, services: Services) -> EvaluationResult:
        """Score one sample whose rollout is stored.

        Raises:
            JudgeError: no verdict could be reached; the rollout is kept.
            ModelCallError: the judge or the extractor could not be asked.
        """

    def calculate_metrics(self, samples: Iterable[EvaluationSample]) -> dict[str, Any]:
        """Sum up the source's samples. Called once per `stat`, with the samples as a stream; returns plain JSON.

        Accuracy is the pass rate over scored samples with its Wilson interval; errors stand beside it.
        """
        total: Counter[str] = Counter()
        groups: dict[str, dict[str, list[int]]] = {"by_level": {}, "by_category": {}}
        tokens = duration = 0
        cost: float | None = 0.0
        for sample in samples:
            total["total"] += 1
            total[sample.status] += 1
            total["no_answer"] += any(flag in NO_ANSWER for flag in sample.flags)
            tokens += sample.prompt_tokens + sample.completion_tokens
            duration += sample.duration_ms
            cost = None if cost is None or sample.cost_usd is None else cost + sample.cost_usd
            if sample.status in ("passed", "failed"):
                for name, key in (("by_level", str(sample.level)), ("by_category", sample.domain)):
                    passed_of = groups[name].setdefault(key, [0, 0])
                    passed_of[0] += sample.status == "passed"
                    passed_of[1] += 1
        return {
            "accuracy": _rate(total["passed"], total["passed"] + total["failed"]),
            **{name: {key: _rate(*counts) for key, counts in sorted(rows.items())} for name, rows in groups.items()},
            "total": total["total"],
            "errors": total["error"],
            "skipped": total["skipped"],
            "no_answer": total["no_answer"],
            "tokens": tokens,
            "duration_ms": duration,
            "cost_usd": cost,
        }


def _rate(passed: int, scored: int) -> dict[str, Any]:
    interval = wilson(passed, scored)
    return {
        "rate": passed / scored if scored else None,
        "passed": passed,
        "n": scored,
        "ci_low": interval[0] if interval else None,
        "ci_high": interval[1] if interval else None,
    }
