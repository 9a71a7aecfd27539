"""`hybrid`: several evaluators by weight, or a pattern first and the judge only where the pattern decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.judging.custom import CustomEvaluator, verdict_pattern_problems
from modex.core.evaluators.provider_errors import answer_of
from modex.core.evaluators.registry import find_config, get_evaluator
from modex.core.evaluators.text.patterns import pattern_problem
from modex.core.evaluators.text.regex import COMPARISONS, compare_by_rule, comparison_of, extracted_by_pattern
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.llm.types import Usage
from modex.core.store.sample import EvaluationSample
from modex.core.suite.checking import prefixed
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.verdict import Weighted, WeightedPart

_HELD = 0.6


class HybridEvaluator(BaseEvaluator):
    """With `config.parts: [{"evaluator": id, "weight": w}]` the weighted mean of the parts; a part may carry its own
    `expected`, and a `min` below which the whole cannot pass. With `config.regex_first` (`true`, or a pattern) the
    pattern's answer is compared by `config.comparison`; where the pattern does not occur, the judge is asked with
    `eval_prompt` (else `judge/binary`).
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with the parts or the pattern; built-in parts check `expected` too."""
        problems = list(_problems(config))
        yield from problems
        if problems:
            return
        for number, (part, own) in enumerate(_resolved(config, {}), 1):
            if own is not None:
                asked = replace(test, expected=part["expected"]) if "expected" in part else test
                for message in get_evaluator(own).check(asked, own, suite_root):
                    yield prefixed(f"part {number} ({part['evaluator']}): ", message)

    def parts(self, config: EvaluatorConfig) -> list[dict[str, Any]]:
        """The parts, each `{"evaluator": id, …}`."""
        return _parts(config)

    def needs_judge(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Whether a part does; parts that only the suite knows are answered by `registry.needs_judge`."""
        if "parts" not in config.config:
            return True
        return any(
            own is not None and get_evaluator(own).needs_judge(expected, own) for _, own in _resolved(config, {})
        )

    def needs_extractor(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Whether a part does; parts that only the suite knows are answered by `registry.needs_extractor`."""
        return any(
            own is not None and get_evaluator(own).needs_extractor(expected, own) for _, own in _resolved(config, {})
        )

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Score by every part, or by pattern and judge.

        Raises:
            JudgeError: the evaluator's file cannot be used, or a part reached no verdict.
            ModelCallError: a part could not ask its model.
        """
        if problem := next(_problems(context.config), None):
            raise JudgeError(f"evaluator {context.config.id!r}: {problem}", ErrorType.EVALUATOR_ERROR)
        response = answer_of(sample)
        if "parts" in context.config.config:
            return _weighted(sample, context)
        return _pattern_first(response, sample, context)


def _parts(config: EvaluatorConfig) -> list[dict[str, Any]]:
    """The parts as the file gives them; empty where there are none."""
    parts = config.config.get("parts")
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _resolved(
    config: EvaluatorConfig, configs: Mapping[str, EvaluatorConfig]
) -> Iterator[tuple[dict[str, Any], EvaluatorConfig | None]]:
    """Each part with its configuration; None where nobody defines it here."""
    for part in _parts(config):
        yield part, find_config(str(part.get("evaluator")), configs)


def _weight(part: Mapping[str, Any]) -> Any:
    return part.get("weight", 1)


def _least(part: Mapping[str, Any]) -> Any:
    """The score that it must reach."""
    return part.get("min", 0)


def _weighted(sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
    weighted, total = 0.0, 0.0
    items: list[WeightedPart] = []
    below: list[str] = []
    scores: list[float] = []
    answer: str | None = None
    pass2 = False
    for part, config in _resolved(context.config, context.configs):
        if config is None:
            raise JudgeError(f"evaluator {context.config.id!r}: nobody defines its part {part['evaluator']!r}")
        own = replace(sample, expected=part["expected"]) if "expected" in part else sample
        result = evaluate_within(get_evaluator(config), config, own, context)
        weight = float(_weight(part))
        weighted, total = weighted + weight * result.score, total + weight
        if result.score < _least(part):
            below.append(f"{config.id} {result.score:.2f}, at least {part['min']:g} is asked")
        answer, pass2 = answer if answer is not None else result.extracted_answer, pass2 or result.pass2_used
        items.append(WeightedPart(config.id, weight, result.score, result.why, result.found))
        scores.append(result.score)
    score = weighted / total
    if below:
        score = min(score, *scores, _HELD)
    found = Weighted(tuple(items), why="; ".join(below))
    return EvaluationResult(score, extracted_answer=answer, pass2_used=pass2, parts=(found,))


def evaluate_within(
    evaluator: BaseEvaluator, config: EvaluatorConfig, sample: EvaluationSample, context: JudgeContext
) -> EvaluationResult:
    """Score by another evaluator on behalf of `context`, which keeps the exchanges and the costs.

    Raises:
        JudgeError: the evaluator reached no verdict.
        ModelCallError: a model could not be asked.
    """
    inner = replace(context, config=config, sample=sample, usage=Usage(), cost_usd=0.0, duration_ms=0)
    try:
        return evaluator.evaluate(sample, inner)
    finally:
        context.spend(inner.usage, inner.cost_usd)
        context.duration_ms += inner.duration_ms


def _pattern_first(response: str, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
    from modex.core.evaluators.judging.llm_judge import LLMJudgeEvaluator

    config = context.config
    answer = extracted_by_pattern(response, _pattern_config(config))
    if answer is not None:
        score, part = compare_by_rule(answer, sample.expected, config)
        return EvaluationResult(score, {"decided_by": "pattern"}, answer, parts=(part,))
    judge = CustomEvaluator() if config.eval_prompt else LLMJudgeEvaluator()
    result = evaluate_within(judge, replace(config, extraction_regex=None), sample, context)
    result.details["decided_by"] = "judge"
    return result


def _pattern_config(config: EvaluatorConfig) -> EvaluatorConfig:
    given = config.config.get("regex_first")
    return replace(config, extraction_regex=given) if isinstance(given, str) else config


def _problems(config: EvaluatorConfig) -> Iterator[str]:
    if "parts" in config.config:
        yield from _part_problems(config)
        return
    pattern = _pattern_config(config).extraction_regex
    if not config.config.get("regex_first") or pattern is None:
        yield "config needs `parts`, or `regex_first` with a pattern (there or in extraction_regex)"
        return
    if problem := pattern_problem(pattern):
        yield problem
    if comparison_of(config) not in COMPARISONS:
        yield f"config.comparison is one of {', '.join(COMPARISONS)}, not {comparison_of(config)!r}"
    yield from verdict_pattern_problems(config)
    if config.eval_prompt is not None and "{response}" not in config.eval_prompt:
        yield "eval_prompt must hold {response}, the text to judge"


def _part_problems(config: EvaluatorConfig) -> Iterator[str]:
    parts = config.config["parts"]
    if not isinstance(parts, list) or not parts:
        yield "config.parts must be a list with at least one part"
        return
    for number, part in enumerate(parts, 1):
        if not isinstance(part, dict) or not isinstance(part.get("evaluator"), str):
            yield f'part {number} must be an object such as {{"evaluator": "keyword", "weight": 1}}'
            continue
        weight = _weight(part)
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < float("inf"):
            yield f"part {number}: its weight must be a number above 0"
        least = _least(part)
        if isinstance(least, bool) or not isinstance(least, int | float) or not 0 <= least <= 1:
            yield f"part {number}: `min` is the score that it must reach, from 0 to 1"
        if part["evaluator"] == config.id:
            yield f"part {number}: an evaluator cannot be a part of itself; name another"
