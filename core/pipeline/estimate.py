"""What a run will ask and cost, roughly: before the first call, from the tests and from earlier runs."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from modex.core.config.runconfig import RunConfig
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.fingerprints import user_spec
from modex.core.statistics.k_of_n import Required
from modex.core.store.reader import Reader
from modex.core.suite.definitions import EvaluatorConfig, TestCase, is_played
from modex.core.suite.likelihood import EVALUATOR, LikelihoodForm, likelihood_faults

_ANSWER = 350
"""Completion tokens of an answer where no earlier run says better."""
_PASS2 = (260, 12)
_JUDGE = (420, 90)
_USER = (600, 30)
_USER_TURNS, _CONVERSATION_CALLS = 4, 9.0
"""Messages of a simulated user in a conversation, and calls to the model, its tool loops included."""
_CHARACTERS_A_TOKEN = 3.6


@dataclass(frozen=True, slots=True)
class Need:
    """What one test makes a run ask."""

    tokens: int
    """Of the prompt, tools included."""
    extractor: int
    """How often PASS 2 may be asked."""
    judge: bool
    tools: bool
    judgings: tuple[tuple[int | None, int | None], ...] = ()
    """Each question that judges are asked: how often by the evaluator's file, and how often where neither file nor run says."""
    user: bool = False
    """Whether a model plays its user, turn by turn."""
    written: int | None = None
    """Tokens that are written for it, where that is no answer: one behind each text whose likelihood is asked for."""


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
    users: int = 0
    """Calls to the model that plays users."""

    @property
    def calls(self) -> int:
        """All calls."""
        return self.asked + self.pass2 + self.judged + self.users


def need_of(test: TestCase, evaluators: Mapping[str, EvaluatorConfig]) -> Need:
    """What the test asks; imports its evaluator."""
    # A screen that shows no estimate does not pay for these.
    from modex.core.evaluators.registry import asked_of
    from modex.core.pipeline.assembly import judging_of

    prompt = test.prompt if isinstance(test.prompt, str) else json.dumps(test.prompt)
    characters = len(prompt) + sum(len(layer.text) for layer in test.layers)
    characters += sum(len(json.dumps(tool.schema())) for tool in test.tools)
    extractor = 0
    judgings: list[tuple[int | None, int | None]] = []
    config = None if test.invalid is not None else judging_of(test, evaluators)
    with contextlib.suppress(
        ConfigurationError
    ):  # evaluators that name each other in a circle are a mistake of the suite
        for gold, evaluator, own in asked_of(test.expected, config, evaluators) if config is not None else ():
            extractor += evaluator.needs_extractor(gold, own)
            if evaluator.needs_judge(gold, own):
                judgings.append((own.config.get("repeats"), evaluator.repeats))
    if test.likelihood and test.evaluator_id == EVALUATOR:
        texts = _compared(test)
        return Need(round(sum(map(len, texts)) / _CHARACTERS_A_TOKEN), 0, False, False, written=len(texts))
    tokens = round(characters / _CHARACTERS_A_TOKEN) + 8
    return Need(tokens, extractor, bool(judgings), bool(test.tools), tuple(judgings), is_played(test.simulated_user))


def _compared(test: TestCase) -> list[str]:
    """The texts that are sent for a test whose options are compared: each context, and each with its option."""
    pairs = LikelihoodForm.of(test.likelihood).pairs if not [*likelihood_faults(test.likelihood)] else ()
    system = "".join(layer.text for layer in test.layers)
    return [f"{system}{text}" for text in [*{context for context, _ in pairs}, *("".join(pair) for pair in pairs)]]


def answer_length(reader: Reader, model: str) -> float | None:
    """Completion tokens of an answer of `model`, on average over its latest runs; None where it has none."""
    tokens = tests = 0
    for run in reader.runs(model=model, limit=20):
        scored = run.passed_tests + run.failed_tests
        if run.model == model and scored:
            tokens, tests = tokens + run.completion_tokens, tests + scored
    return tokens / tests if tests else None


def _judgings(need: Need, config: RunConfig) -> int:
    """How often each judge is asked about one answer: by the evaluator's file, else the run, else the evaluator."""
    runs = config.judge_repeats if config.judge_repeats > 1 else None
    times = (given if given is not None else runs or own or 1 for given, own in need.judgings)
    return sum(min(9, max(1, each)) if isinstance(each, int) else 1 for each in times)


def estimate(config: RunConfig, chosen: Iterable[Need], length: float | None) -> Estimate:
    """What a run of `config` over these tests asks."""
    from modex.core.llm.prices import price_of
    from modex.core.llm.types import Usage
    from modex.core.pipeline.assembly import judge_specs

    tests: Sequence[Need] = list(chosen)
    epochs = Required.read(config.require).of if config.require else config.epochs
    answer = length or _ANSWER
    turns = [_CONVERSATION_CALLS if need.user else 2.5 if need.tools else 1.0 for need in tests]
    asked = round(sum(turns) * epochs)
    prompt = round(sum(need.tokens * count for need, count in zip(tests, turns, strict=True)) * epochs)
    completion = round(sum(answer if need.written is None else need.written for need in tests) * epochs)
    judges = judge_specs(config)
    pass2 = sum(need.extractor for need in tests) * epochs
    judged = sum(_judgings(need, config) for need in tests) * epochs
    extracting = Usage(prompt=round(pass2 * (_PASS2[0] + answer)), completion=pass2 * _PASS2[1])
    judging = Usage(prompt=round(judged * (_JUDGE[0] + answer)), completion=judged * _JUDGE[1])
    costs = [price_of(config.model).of(Usage(prompt=prompt, completion=completion))]
    users = _USER_TURNS * sum(need.user for need in tests) * epochs
    playing = Usage(prompt=users * _USER[0], completion=users * _USER[1])
    if users:
        costs.append(price_of(user_spec(config)).of(playing))
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
        prompt + playing.prompt + extracting.prompt + judging.prompt * len(judges),
        completion + playing.completion + extracting.completion + judging.completion * len(judges),
        total,
        length is not None,
        users,
    )
