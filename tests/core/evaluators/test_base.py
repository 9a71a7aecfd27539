"""What a result says of itself, and what a context keeps of each call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.foundation.errors import ErrorType, JudgeError, ModelCallError
from modex.core.llm.types import Completion, Message, Usage
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Compared
from tests.core.evaluators.conftest import ScriptedClient, config, context, sample
from tests.rows import each_row


@each_row(("score", "status"), [(0.0, "failed"), (0.69, "failed"), (0.7, "passed"), (1.0, "passed")])
def test_a_score_of_seven_tenths_passes(score: float, status: str) -> None:
    assert EvaluationResult(score).status == status


@each_row("score", [-0.01, 1.01, float("nan")])
def test_a_score_lies_between_0_and_1(score: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        EvaluationResult(score)


def test_its_own_reason_comes_before_that_of_its_parts() -> None:
    compared = Compared(7, "8", "numeric", "8 is not 7")
    assert EvaluationResult(0.0, parts=(compared,), reason="so it is").why == "so it is"
    assert EvaluationResult(0.0, parts=(compared,)).why != ""


class Once(ScriptedClient):
    """Replies once, in a way that the test says."""

    def __init__(self, said: Completion | Exception) -> None:
        super().__init__()
        self._said = said

    def complete(self, messages: list[Message], **_: Any) -> Completion:
        if isinstance(self._said, Exception):
            raise self._said
        return self._said


def asked(said: Completion | Exception, role: Any = "judge") -> tuple[JudgeContext, list[str]]:
    """The context after one call, and what was going on."""
    log: list[str] = []

    @contextmanager
    def waiting() -> Iterator[None]:
        log.append("waits")
        yield
        log.append("has waited")

    own = context("match")
    own.doing, own.waiting = log.append, waiting
    own.ask(role, Once(said), [{"role": "user", "content": "?"}])
    return own, log


@each_row(
    ("role", "phases"),
    [
        ("judge", ["judge", "waits", "has waited", "judge"]),
        ("repair", ["judge", "waits", "has waited", "judge"]),
        ("pass2", ["pass 2", "waits", "has waited", "judge"]),
    ],
)
def test_a_worker_is_said_to_ask_for_pass_2_or_to_judge(role: str, phases: list[str]) -> None:
    assert asked(Completion("x"), role)[1] == phases


def test_a_call_is_recorded_with_what_it_used() -> None:
    said = Completion("x", usage=Usage(3, 4), duration_ms=7, cost_usd=0.5)
    own, _ = asked(said, "pass2")
    assert (own.usage, own.duration_ms, own.cost_usd) == (Usage(3, 4), 7, 0.5)
    (exchange,) = own.exchanges
    assert (exchange["role"], exchange["model"], exchange["answer"]) == ("pass2", "scripted", "x")
    assert exchange["messages"] == [{"role": "user", "content": "?"}]


def test_a_call_that_failed_says_who_was_asked_and_still_costs() -> None:
    error = ModelCallError("down", ErrorType.CONNECTION)
    error.usage, error.cost_usd = Usage(5, 6), 0.25
    own = context("match")
    with pytest.raises(ModelCallError) as caught:
        own.ask("repair", Once(error), [])
    assert caught.value.asked_as == "repair"
    assert (own.usage, own.cost_usd, own.exchanges) == (Usage(5, 6), 0.25, [])


def test_an_answer_that_had_to_be_ended_is_recorded_and_is_none() -> None:
    own = context("match")
    with pytest.raises(JudgeError, match="scripted: its answer as judge was ended: too long"):
        own.ask("judge", Once(Completion("x", cut="too long")), [])
    assert len(own.exchanges) == 1


def test_an_evaluator_asks_nobody_unless_it_says_so() -> None:
    class Own(BaseEvaluator):
        id = "own"

        def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
            return EvaluationResult(1.0)

    own = config("own")
    assert not Own().needs_judge("x", own)
    assert not Own().needs_extractor("x", own)
    assert (Own().parts(own), Own.repeats) == ([], None)
    assert Own().evaluate(sample("x", "x"), context("match")).score == 1.0
