"""The stages called one by one, as a subclass or a script does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.llm.gate import Unheard
from modex.core.pipeline.assembly import Assembly, assemble
from modex.core.pipeline.benchmark import BaseBenchmark, _with_look, _with_user, spent_on
from modex.core.pipeline.run_context import RunContext
from modex.core.store.database import open_database
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from modex.core.store.simulated import SimulatedUser
from modex.core.store.writer import Spent, Writer
from tests.cli import keyword_tests, write_suite
from tests.core.pipeline.conftest import Ask
from tests.rows import each_row
from tests.server import Reply, Request, ServerHandle, replies


@pytest.fixture
def assembly(tmp_path: Path, server: ServerHandle) -> Iterator[Assembly]:
    suite = write_suite(tmp_path / "suite", keyword_tests(3))
    config = RunConfig(
        model=ModelSpec(model="openai/test-model", api_base=server.url), selection=Selection(suite=str(suite))
    )
    manager = DBDataManager(tmp_path / "modex.db")
    run_id = manager.create_run("e", config)
    server.behave(Reply("ok"))
    made = assemble(
        config,
        manager,
        run_id,
        narrate=lambda _: None,
        on_phase=lambda *_: None,
        listener=Unheard(),
        stop=threading.Event(),
    )
    yield made
    made.close()
    manager.close()


@pytest.fixture
def writer(assembly: Assembly) -> Iterator[Writer]:
    benchmark = assembly.benchmark
    made = Writer(open_database(benchmark.manager.path), benchmark.run_id)
    yield made
    made.close()


def states(benchmark: BaseBenchmark) -> set[tuple[str, str]]:
    """What the samples have come to."""
    return {(sample.stage, sample.status) for sample in benchmark.manager.reader.samples(benchmark.run_id)}


def test_each_stage_leaves_its_work_in_the_store(assembly: Assembly, writer: Writer, server: ServerHandle) -> None:
    benchmark = assembly.benchmark
    plan = benchmark.preprocess(assembly.tests())
    assert (len(plan.to_do), states(benchmark), server.hits) == (3, {("init", "pending")}, 0)
    benchmark.rollout(plan, writer)
    assert (states(benchmark), server.hits) == ({("rollout", "pending")}, 3)
    benchmark.judge(plan, writer)
    assert (states(benchmark), server.hits) == ({("judged", "passed")}, 3)
    assert benchmark.stat() == 1.0


def test_a_verdict_without_flags_has_none(assembly: Assembly, writer: Writer) -> None:
    benchmark = assembly.benchmark
    plan = benchmark.preprocess(assembly.tests())
    benchmark.rollout(plan, writer)
    benchmark.judge(plan, writer)
    assert [sample.verdict_flags for sample in benchmark.manager.reader.samples(benchmark.run_id)] == [None] * 3


@each_row(
    ("status", "fault", "reason", "told"),
    [
        ("failed", "invented", "no match", "{said}; no match"),
        ("failed", "invented", "", "{said}"),
        ("failed", "", "no match", "no match"),
        ("passed", "invented", "fine", "fine"),
        ("passed", "", "", ""),
    ],
)
def test_a_failure_after_a_fault_of_the_user_says_the_fault_first(
    status: Any, fault: Any, reason: str, told: str
) -> None:
    user = SimulatedUser(fault=fault, why="it made up a date", sure="certain")
    sample = EvaluationSample(status=status, simulated_user=user)
    assert _with_user(reason, sample) == told.format(said=user.said)
    assert _with_user(reason, EvaluationSample(status=status)) == reason


@each_row(
    ("cost", "users", "spent"),
    [(0.5, 0.25, 0.75), (None, 0.25, None), (0.5, None, None), (0.0, 0.0, 0.0)],
)
def test_what_a_rollout_spent_holds_its_user_and_is_unknown_where_one_of_them_is(
    cost: float | None, users: float | None, spent: float | None
) -> None:
    user = SimulatedUser(prompt_tokens=10, completion_tokens=20, cost_usd=users)
    sample = EvaluationSample(prompt_tokens=1, completion_tokens=2, cost_usd=cost)
    assert spent_on(sample) == Spent(1, 2, cost)
    sample.simulated_user = user
    assert spent_on(sample) == Spent(11, 22, spent)


def test_judging_leaves_alone_what_was_not_asked(assembly: Assembly, writer: Writer, server: ServerHandle) -> None:
    plan = assembly.benchmark.preprocess(assembly.tests())
    assembly.benchmark.judge(plan, writer)
    assert (states(assembly.benchmark), server.hits) == ({("init", "pending")}, 0)


def test_a_subclass_may_say_services_as_it_did(assembly: Assembly) -> None:
    assert assembly.benchmark.services is assembly.benchmark.context


def test_a_processer_is_found_once_and_counts_among_what_judges(assembly: Assembly) -> None:
    benchmark = assembly.benchmark
    processer = benchmark.processer_of(EvaluationSample(evaluator_id="match"))
    assert benchmark.processer_of(EvaluationSample(evaluator_id="match")) is processer
    assert benchmark.found() == (processer,)
    evaluator = benchmark.context.find_evaluator(benchmark.context.evaluators["match"])
    assert benchmark.found() == (processer, evaluator)


class Broken(BaseEvaluator):
    """Raises what no evaluator should."""

    id = "broken"

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        raise ZeroDivisionError("by design")


def test_an_evaluator_that_raises_is_an_error_that_keeps_the_rollout(
    assembly: Assembly, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunContext, "find_evaluator", lambda _self, _config: Broken())
    benchmark = assembly.benchmark
    plan = benchmark.preprocess(assembly.tests())
    benchmark.rollout(plan, writer)
    benchmark.judge(plan, writer)
    for sample in benchmark.manager.reader.samples(benchmark.run_id):
        assert (sample.stage, sample.status, sample.error_type) == ("rollout", "error", "evaluator_error")
        assert (sample.response, sample.score) == ("ok", None)
        assert "ZeroDivisionError: by design (" in (sample.error_message or "")
        assert "test_benchmark.py:" in (sample.error_message or "")


def test_an_extractor_that_fails_leaves_the_rollout_as_it_is(ask: Ask) -> None:
    def behave(request: Request) -> Reply:
        return replies.prompt_filtered() if "ANSWER:" in str(request.messages) else Reply(content="It is 18.")

    kept = ask(behave, evaluator_id="two_pass", expected=18)
    assert (kept.stage, kept.status, kept.response) == ("rollout", "error", "It is 18.")
    assert (kept.error_message or "").startswith("judging: ")


def test_a_failure_with_what_looks_like_a_call_says_so() -> None:
    words = "the answer holds what looks like a call, and is none"
    failed = EvaluationSample(status="failed", flags=["looks_like_call"])
    assert _with_look("t was not called", failed) == f"t was not called; {words}"
    assert _with_look("", failed) == words
    assert _with_look("a", EvaluationSample(status="passed", flags=["looks_like_call"])) == "a"
    assert _with_look("a", EvaluationSample(status="failed", flags=["other"])) == "a"
