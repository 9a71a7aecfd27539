"""What a processer is: three hooks around the stages, with sensible ones inherited."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
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
        return metrics_of(
            Alike(
                domain=sample.domain,
                level=sample.level,
                status=sample.status,
                count=1,
                no_answer=any(flag in NO_ANSWER for flag in sample.flags),
                tokens=sample.prompt_tokens + sample.completion_tokens,
                duration_ms=sample.duration_ms,
                cost_usd=sample.cost_usd,
            )
            for sample in samples
        )


@dataclass(frozen=True, slots=True)
class Alike:
    """Samples of one cell with one status, summed up."""

    domain: str
    level: int
    status: str
    count: int
    no_answer: int
    tokens: int
    duration_ms: int
    cost_usd: float | None
    """None where the cost of one of them is unknown."""


def metrics_of(groups: Iterable[Alike]) -> dict[str, Any]:
    """What `BaseProcesser.calculate_metrics` returns, of samples or of groups that the database summed up."""
    total: Counter[str] = Counter()
    rates: dict[str, dict[str, list[int]]] = {"by_level": {}, "by_category": {}}
    cost: float | None = 0.0
    for group in groups:
        total["total"] += group.count
        total[group.status] += group.count
        total["no_answer"] += group.no_answer
        total["tokens"] += group.tokens
        total["duration_ms"] += group.duration_ms
        cost = None if cost is None or group.cost_usd is None else cost + group.cost_usd
        if group.status in ("passed", "failed"):
            for name, key in (("by_level", str(group.level)), ("by_category", group.domain)):
                passed_of = rates[name].setdefault(key, [0, 0])
                passed_of[0] += group.count if group.status == "passed" else 0
                passed_of[1] += group.count
    return {
        "accuracy": _rate(total["passed"], total["passed"] + total["failed"]),
        **{name: {key: _rate(*counts) for key, counts in sorted(rows.items())} for name, rows in rates.items()},
        "total": total["total"],
        "errors": total["error"],
        "skipped": total["skipped"],
        "no_answer": total["no_answer"],
        "tokens": total["tokens"],
        "duration_ms": total["duration_ms"],
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
