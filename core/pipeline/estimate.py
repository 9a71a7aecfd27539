"""What a run will ask and cost, roughly: before the first call, from the tests and from earlier runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.runconfig import RunConfig
from core.statistics.tries import Required
from core.store.reader import Reader
from core.suite.definitions import EvaluatorConfig, TestCase

_ANSWER = 350
"""Completion tokens of an answer where no earlier run says better."""
_PASS2 = (260, 12)
_JUDGE = (420, 90)
_CHARACTERS_A_TOKEN = 3.6


@dataclass(frozen=True, slots=True)
class Need:
    """What one test makes a run ask."""

    tokens: int
    """Of the prompt, tools included."""
    extractor: bool
    judge: bool
    tools: bool
    repeats: int | None = None
    """How often each judge is asked, where the evaluator says so itself."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls by kind, tokens, and USD where the prices are known."""

    tests: int
    asked: int
    pass2: int
    judged: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    learned: bool
    """Whether an earlier run of the model said how long its answers are."""

    @property
    def calls(self) -> int:
        """All calls."""
        return self.asked + self.pass2 + self.judged


def need_of(test: TestCase, evaluators: Mapping[str, EvaluatorConfig]) -> Need:
    """What the test asks; imports its evaluator."""
    from core.evaluators.registry import get_evaluator  # a screen that shows no estimate does not pay for it

    config = evaluators.get(test.evaluator_id)
    prompt = test.prompt if isinstance(test.prompt, str) else json.dumps(test.prompt)
    characters = len(prompt) + sum(len(layer.text) for layer in test.layers)
    characters += sum(len(json.dumps(tool.schema())) for tool in test.tools)
    extractor = judge = False
    repeats: int | None = None
    if config is not None and test.invalid is None:
        evaluator = get_evaluator(config)
        extractor = evaluator.needs_extractor(test.expected, config)
        judge = evaluator.needs_judge(test.expected, config)
        repeats = config.config.get("repeats", evaluator.repeats) if judge else None
    return Need(round(characters / _CHARACTERS_A_TOKEN) + 8, extractor, judge, bool(test.tools), repeats)


def answer_length(reader: Reader, model: str) -> float | None:
    """Completion tokens of an answer of `model`, on average over its latest runs; None where it has none."""
    tokens = tests = 0
    for run in reader.runs(model=model, limit=20):
        scored = run.passed_tests + run.failed_tests
        if run.model == model and scored:
            tokens, tests = tokens + run.completion_tokens, tests + scored
    return tokens / tests if tests else None


def _times(need: Need, config: RunConfig) -> int:
    """How often each judge is asked about one answer."""
    given = config.judge_repeats if config.judge_repeats > 1 else need.repeats
    return given if isinstance(given, int) and given > 0 else 1


def estimate(config: RunConfig, chosen: Iterable[Need], length: float | None) -> Estimate:
    """What a run of `config` over these tests asks."""
    from core.llm.prices import price_of
    from core.llm.types import Usage
    from core.pipeline.assembly import judge_specs

    tests: Sequence[Need] = list(chosen)
    epochs = Required.read(config.require).of if config.require else config.epochs
    answer = length or _ANSWER
    turns = [2.5 if need.tools else 1.0 for need in tests]
    asked = round(sum(turns) * epochs)
    prompt = round(sum(need.tokens * count for need, count in zip(tests, turns, strict=True)) * epochs)
    completion = round(answer * len(tests) * epochs)
    judges = judge_specs(config)
    pass2 = sum(need.extractor for need in tests) * epochs
    judged = sum(need.judge * _times(need, config) for need in tests) * epochs
    extracting = Usage(prompt=round(pass2 * (_PASS2[0] + answer)), completion=pass2 * _PASS2[1])
    judging = Usage(prompt=round(judged * (_JUDGE[0] + answer)), completion=judged * _JUDGE[1])
    costs = [price_of(config.model).of(Usage(prompt=prompt, completion=completion))]
    if pass2:
        costs.append(price_of(config.extractor or config.model).of(extracting))
    if judged:
        costs += [price_of(judge).of(judging) for judge in judges]
    total = None if any(cost is None for cost in costs) else sum(cost or 0.0 for cost in costs)
    return Estimate(
        len(tests) * epochs,
        asked,
        pass2,
        judged * len(judges),
        prompt + extracting.prompt + judging.prompt * len(judges),
        completion + extracting.completion + judging.completion * len(judges),
        total,
        length is not None,
    )
