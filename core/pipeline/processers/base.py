"""What a processer is: three hooks around the stages, with sensible ones inherited."""

from __future__ import annotations

import inspect
from abc import ABC
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.official.rules import with_official
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.llm.gate import Interrupted
from modex.core.pipeline.long_answers import AbandonedError
from modex.core.pipeline.run_context import RunContext
from modex.core.statistics.intervals import rate_interval
from modex.core.statistics.moments import Cell, Gathered, Moments, Shared
from modex.core.statistics.units import pooled
from modex.core.store.sample import EvaluationSample

NO_ANSWER = ("empty_answer", "unparsed_answer")


class BaseProcesser(ABC):
    """The logic of one source. Stateless: one instance serves every worker thread.

    Subclasses name their `source` (a dataset's stem) and override what differs.
    """

    source: ClassVar[str]
    """Which samples it handles; `PROCESSER_FACTORY` picks by it."""
    evaluator_id: ClassVar[str | None] = None
    """The evaluator that judges every sample of the source; None for the one that the sample names."""

    def preprocess_one(self, sample: EvaluationSample) -> EvaluationSample | None:
        """Prepare a sample before it is stored (rewrite the prompt, set the expected answer); None leaves it out."""
        return sample

    def judge_one(self, sample: EvaluationSample, context: RunContext) -> EvaluationResult:
        """Score one sample whose rollout is stored: by its evaluator, unless a subclass does it otherwise.

        Raises:
            JudgeError: no verdict could be reached; the rollout is kept.
            ModelCallError: the judge or the extractor could not be asked.
        """
        return judge_by(self.judged_by(sample), sample, context)

    def judged_by(self, sample: EvaluationSample) -> str:
        """The id of the evaluator that judges `sample`."""
        return self.evaluator_id or sample.evaluator_id

    @classmethod
    def judges_itself(cls) -> bool:
        """Whether a subclass has a `judge_one` of its own, of which nothing is known but what it returns."""
        return cls.judge_one is not BaseProcesser.judge_one

    def calculate_metrics(self, samples: Iterable[EvaluationSample]) -> dict[str, Any]:
        """Sum up the source's samples. Called once per `stat`, with the samples as a stream; returns plain JSON.

        Accuracy is the pass rate over scored samples; its interval takes a test's epochs, and a cluster's tests, as one
        draw. Errors stand beside it.
        """
        tests: dict[tuple[Any, ...], list[int]] = {}
        groups: list[SampleGroup] = []
        for sample in samples:
            if sample.status in ("passed", "failed"):
                test = tests.setdefault((sample.domain, sample.level, sample.test_id, sample.cluster), [0, 0])
                test[sample.status == "passed"] += 1
            groups.append(
                SampleGroup(
                    status=sample.status,
                    count=1,
                    no_answer=any(flag in NO_ANSWER for flag in sample.flags),
                    tokens=sample.prompt_tokens + sample.completion_tokens,
                    duration_ms=sample.duration_ms,
                    cost_usd=sample.cost_usd,
                )
            )
        gathered = Gathered()
        for (domain, level, _, cluster), (failed, passed) in tests.items():
            gathered.add((domain, level), passed / (failed + passed), failed + passed, cluster)
        return metrics_of(groups, *gathered.settled())


def judge_by(evaluator_id: str, sample: EvaluationSample, context: RunContext) -> EvaluationResult:
    """Score `sample` by the evaluator with this id, and note in the sample what the judgement cost.

    Raises:
        JudgeError: no verdict could be reached, or the evaluator returned none.
        ModelCallError: a model could not be asked.
        Interrupted: the run is stopping.
    """
    config = context.evaluators[evaluator_id]
    judging = context.judge_context(sample, config)
    evaluator = context.find_evaluator(config)
    try:
        with context.reading(sample, evaluator, judging):
            result = evaluator.evaluate(sample, judging)
    except AbandonedError:
        # Here and not in the turn: it may come between the turn's last step and the end of its `with`.
        raise Interrupted from None
    finally:
        sample.judge_prompt_tokens = judging.usage.prompt
        sample.judge_completion_tokens = judging.usage.completion
        sample.judge_cost_usd = judging.cost_usd
        sample.judge_duration_ms = judging.duration_ms
        if judging.exchanges:
            sample.details = {"exchanges": judging.exchanges}
    check_result(result, f"{type(evaluator).__name__}.evaluate")
    if sample.source != "suite" and not sample.definition.likelihood:
        result = with_official(sample, result, counts=context.config.reading == "official")
    if judging.exchanges:
        result.details["exchanges"] = judging.exchanges
    return result


def check_result(result: object, who: str) -> None:
    """Refuse what is no verdict.

    Raises:
        JudgeError: `result` is no `EvaluationResult`; the message names `who` returned it.
    """
    if isinstance(result, EvaluationResult):
        return
    if inspect.iscoroutine(result):
        result.close()
    message = f"{who} returned {type(result).__name__} instead of an EvaluationResult"
    raise JudgeError(message, ErrorType.EVALUATOR_ERROR)


@dataclass(frozen=True, slots=True)
class SampleGroup:
    """Samples with one status, summed up."""

    status: str
    count: int
    no_answer: int
    tokens: int
    duration_ms: int
    cost_usd: float | None
    """None where the cost of one of them is unknown."""


def metrics_of(
    groups: Iterable[SampleGroup], rates: Mapping[Cell, Moments], shared: Sequence[Shared] = ()
) -> dict[str, Any]:
    """What `BaseProcesser.calculate_metrics` returns, of samples or of groups that the database summed up.

    `rates` holds each cell's tests with the share of their scored epochs that passed, weighed by how many were scored;
    `shared` are the clusters that stand in several cells.
    """
    total: Counter[str] = Counter()
    cost: float | None = 0.0
    for group in groups:
        total["total"] += group.count
        total[group.status] += group.count
        total["no_answer"] += group.no_answer
        total["tokens"] += group.tokens
        total["duration_ms"] += group.duration_ms
        cost = None if cost is None or group.cost_usd is None else cost + group.cost_usd
    return {
        "accuracy": _rate(rates, shared),
        "by_level": _rates_by(rates, shared, lambda cell: str(cell[1])),
        "by_category": _rates_by(rates, shared, lambda cell: cell[0]),
        "total": total["total"],
        "errors": total["error"],
        "skipped": total["skipped"],
        "no_answer": total["no_answer"],
        "tokens": total["tokens"],
        "duration_ms": total["duration_ms"],
        "cost_usd": cost,
    }


def open_rates(metrics: Mapping[str, Any], lost: Mapping[Cell, int]) -> None:
    """Write into `metrics_of`'s rates what samples without a verdict leave them between; `lost` counts those by cell.

    Each such rate gets `without_verdict`, and `if_all_wrong` and `if_all_right` beside its own.
    """
    _open_rate(metrics["accuracy"], sum(lost.values()))
    for place, name in (("by_level", lambda cell: str(cell[1])), ("by_category", lambda cell: cell[0])):
        numbers: Counter[str] = Counter()
        for cell, number in lost.items():
            numbers[name(cell)] += number
        for group, number in numbers.items():
            rate = metrics[place].setdefault(
                group, {"rate": None, "passed": 0, "n": 0, "ci_low": None, "ci_high": None}
            )
            _open_rate(rate, number)


def _open_rate(rate: dict[str, Any], lost: int) -> None:
    if lost:
        every = rate["n"] + lost
        ends = {"if_all_wrong": rate["passed"] / every, "if_all_right": (rate["passed"] + lost) / every}
        rate |= {"without_verdict": lost, **ends}


def _rates_by(rates: Mapping[Cell, Moments], shared: Sequence[Shared], key: Callable[[Cell], str]) -> dict[str, Any]:
    groups: dict[str, dict[Cell, Moments]] = {}
    for cell, moments in rates.items():
        groups.setdefault(key(cell), {})[cell] = moments
    return {name: _rate(members, shared) for name, members in sorted(groups.items())}


def _rate(cells: Mapping[Cell, Moments], shared: Sequence[Shared]) -> dict[str, Any]:
    """The pass rate of all these cells' samples together."""
    whole = pooled(cells, shared)
    passed, scored = round(whole.wx), round(whole.w)
    interval = rate_interval(whole)
    return {
        "rate": passed / scored if scored else None,
        "passed": passed,
        "n": scored,
        "ci_low": interval[0] if interval else None,
        "ci_high": interval[1] if interval else None,
    }
