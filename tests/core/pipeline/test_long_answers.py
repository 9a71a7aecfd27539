"""Long answers are read two at a time; who waits for a turn stops with the run, who waits for a model gives it away."""

from __future__ import annotations

import threading
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.code.evaluator import CodeTestsEvaluator
from modex.core.evaluators.text.keyword import KeywordEvaluator
from modex.core.llm.gate import Interrupted
from modex.core.llm.types import Usage
from modex.core.pipeline.long_answers import LONG, LongAnswers
from modex.core.pipeline.processers.base import judge_by
from modex.core.pipeline.run_context import RunContext
from modex.core.store.sample import EvaluationSample
from tests.rows import each_row

GOES_ON = threading.Event()


class Elsewhere(BaseEvaluator):
    """An evaluator of somebody else's."""

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        return EvaluationResult(1.0)


def stopping() -> threading.Event:
    stop = threading.Event()
    stop.set()
    return stop


def test_a_third_waits_until_the_run_stops_or_a_turn_is_free() -> None:
    turns = LongAnswers()
    with ExitStack() as first, turns.turn(GOES_ON):
        first.enter_context(turns.turn(GOES_ON))
        waited = threading.Thread(target=lambda: turns.turn(GOES_ON).__enter__(), daemon=True)
        waited.start()
        waited.join(0.05)
        assert waited.is_alive()
        first.close()
        waited.join(20)
        assert not waited.is_alive()


def test_no_answer_is_begun_once_the_run_stops() -> None:
    turns = LongAnswers()
    for _ in range(3):
        with pytest.raises(Interrupted), turns.turn(stopping()):
            pass


def test_a_turn_is_given_away_while_a_model_is_asked_and_taken_again() -> None:
    turns = LongAnswers()
    with turns.turn(GOES_ON), turns.turn(GOES_ON) as waiting:
        with waiting(), turns.turn(GOES_ON):
            pass
        third = threading.Thread(target=lambda: turns.turn(GOES_ON).__enter__(), daemon=True)
        third.start()
        third.join(0.05)
        assert third.is_alive(), "both turns are held again"
    third.join(20)


def test_a_run_that_stops_while_a_model_answers_ends_the_judgement() -> None:
    turns, stop = LongAnswers(), threading.Event()
    with pytest.raises(Interrupted), turns.turn(stop) as waiting, waiting():
        stop.set()
    for _ in range(2):
        with turns.turn(GOES_ON):
            pass


@each_row(
    ("length", "evaluator", "waits"),
    [
        (LONG, KeywordEvaluator(), True),
        (LONG - 1, KeywordEvaluator(), False),
        (LONG, CodeTestsEvaluator(), False),
        (LONG, Elsewhere(), False),
    ],
)
def test_only_our_rules_wait_and_only_for_long_answers(length: int, evaluator: BaseEvaluator, waits: bool) -> None:
    context = SimpleNamespace(long_answers=LongAnswers(), stop=stopping())
    sample = EvaluationSample(domain="d", level=1, test_id="t", prompt="?", response="x" * length)
    judging = cast(Any, SimpleNamespace(waiting=nullcontext))
    held = RunContext.reading(cast(RunContext, context), sample, evaluator, judging)
    with pytest.raises(Interrupted) if waits else nullcontext(), held:
        pass
    none = replace(sample, response=None)
    with RunContext.reading(cast(RunContext, context), none, evaluator, judging):
        pass


class NeverRead(KeywordEvaluator):
    """Rules that try one after another without an end, and take no failure of one for a reason to stop."""

    def __init__(self, begun: threading.Event) -> None:
        self.begun = begun

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        while True:
            with suppress(Exception):
                self.begun.set()


NeverRead.__module__ = KeywordEvaluator.__module__


def test_a_reading_that_nobody_waits_for_ends_between_two_steps_without_a_verdict() -> None:
    begun, turns = threading.Event(), LongAnswers()
    judging = SimpleNamespace(waiting=nullcontext, usage=Usage(), cost_usd=0.0, duration_ms=0, exchanges=[])
    context: Any = SimpleNamespace(
        long_answers=turns, stop=threading.Event(), evaluators={"e": None},
        judge_context=lambda *_: judging, find_evaluator=lambda _: NeverRead(begun),
    )  # fmt: skip
    context.reading = lambda *held: RunContext.reading(context, *held)
    sample = EvaluationSample(domain="d", level=1, test_id="t", prompt="?", response="x" * LONG)
    ended: list[BaseException] = []

    def read() -> None:
        try:
            judge_by("e", sample, context)
        except BaseException as error:
            ended.append(error)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    assert begun.wait(20)
    turns.abandon()
    reader.join(20)
    assert [type(error) for error in ended] == [Interrupted]
    with turns.turn(GOES_ON), turns.turn(GOES_ON):
        turns_are_free = True
    assert turns_are_free


def test_a_judged_answer_is_looked_through_in_a_turn_too_and_left_when_nobody_waits() -> None:
    turns, begun = LongAnswers(), threading.Event()
    context: Any = SimpleNamespace(long_answers=turns, stop=threading.Event())
    sample = EvaluationSample(domain="d", level=1, test_id="t", prompt="?", response="x" * LONG)
    ended: list[BaseException] = []

    def look() -> None:
        try:
            with RunContext.looking(context, sample):
                while True:
                    begun.set()
        except BaseException as error:
            ended.append(error)

    reader = threading.Thread(target=look, daemon=True)
    reader.start()
    assert begun.wait(20)
    turns.abandon()
    reader.join(20)
    assert [type(error) for error in ended] == [Interrupted]
    context.stop = stopping()
    with pytest.raises(Interrupted), RunContext.looking(context, sample):
        pass
    with RunContext.looking(context, replace(sample, response="short")):
        pass
