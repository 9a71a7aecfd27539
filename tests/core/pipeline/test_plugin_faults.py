"""Processers and evaluators that misbehave: refused when they register, or an error of the sample, never the run's end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

from modex import (
    PROCESSER_FACTORY,
    BaseMatchProcesser,
    BaseProcesser,
    ConfigurationError,
    EvaluationResult,
    EvaluationSample,
)
from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.evaluators.registry import default_configs
from modex.core.pipeline.benchmark import BaseBenchmark
from modex.core.pipeline.preparation import preprocess_one
from modex.core.pipeline.processers.factory import ProcesserFactory
from modex.core.pipeline.run_context import RunContext
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import SampleStatus
from modex.core.suite.templates import Templates
from modex.core.verdict import Extra


def _context() -> RunContext:
    """RunContext of a run in which nothing is asked."""
    nobody = cast(Any, None)
    config = RunConfig(model=ModelSpec(model="demo"))
    return RunContext(config, Templates(None), default_configs(), {}, nobody, nobody, nobody, ())


@pytest.fixture
def registered() -> Iterator[None]:
    before = (dict(PROCESSER_FACTORY._classes), dict(PROCESSER_FACTORY._instances))
    yield
    PROCESSER_FACTORY._classes, PROCESSER_FACTORY._instances = before


def test_a_processer_without_a_source_of_its_own_is_refused() -> None:
    class Heir(BaseMatchProcesser):
        """Would take the place of the built-in one."""

    with pytest.raises(ConfigurationError, match="Heir: a processer needs a `source` of its own"):
        ProcesserFactory().register(Heir)


@pytest.mark.parametrize("hook", ["judge_one", "preprocess_one"])
def test_an_async_hook_is_refused(hook: str) -> None:
    async def later(self: object, *_: object) -> None:
        return None

    kind = type("Later", (BaseProcesser,), {"source": "later", hook: later})
    with pytest.raises(ConfigurationError, match=f"Later.{hook} is `async`"):
        ProcesserFactory().register(kind)


def test_what_cannot_be_made_is_refused() -> None:
    class Picky(BaseProcesser):
        source = "picky"

        def __init__(self) -> None:
            raise RuntimeError("no data")

    with pytest.raises(ConfigurationError, match="RuntimeError: no data"):
        ProcesserFactory().register(Picky)
    with pytest.raises(ConfigurationError, match="derives from BaseProcesser"):
        ProcesserFactory().register(str)  # type: ignore[arg-type]


class _Benchmark(BaseBenchmark):
    """One without a store, which a judgement does not need."""

    def judge_fingerprint(self, sample: EvaluationSample) -> str:
        return "f"


def _judged(result: object) -> EvaluationSample:
    """A sample whose processer returns `result`, or calls it."""

    class Odd(BaseProcesser):
        source = "odd"

        def judge_one(self, sample: EvaluationSample, context: RunContext) -> Any:
            return result() if callable(result) else result

    PROCESSER_FACTORY.register(Odd)
    sample = EvaluationSample(source="odd", stage="rollout", response="r")
    assert _Benchmark(cast(DBDataManager, None), 1, _context()).judge_one(sample) is None
    return sample


async def _coroutine() -> EvaluationResult:
    return EvaluationResult(1.0)


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("result", "said"),
    [
        (None, "Odd.judge_one returned NoneType instead of an EvaluationResult"),
        (0.5, "Odd.judge_one returned float"),
        (_coroutine, "Odd.judge_one returned coroutine"),
        (lambda: EvaluationResult(7.0), "between 0 and 1"),
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: EvaluationResult(1.0, {("a", "b"): 1}), "keys must be"),  # type: ignore[dict-item]
        (lambda: EvaluationResult(1.0, parts=("words",)), "please report this"),  # type: ignore[arg-type]
    ],
)
def test_a_verdict_that_is_none_is_the_samples_error(result: object, said: str) -> None:
    sample = _judged(result)
    assert (sample.status, sample.stage, sample.error_type) == ("error", "rollout", "evaluator_error")
    assert said in (sample.error_message or "")


@pytest.mark.usefixtures("registered")
def test_a_verdict_brings_its_reason_and_its_facts() -> None:
    sample = _judged(lambda: EvaluationResult(1.0, {"tempo": "slow"}, reason="slow enough"))
    assert (sample.status, sample.reason, sample.parts) == ("passed", "slow enough", (Extra({"tempo": "slow"}),))


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("prepared", "status", "said"),
    [
        (lambda _: dict[str, str]()["x"], "skipped", "Odd.preprocess_one: KeyError: 'x'"),
        (lambda _: "text", "skipped", "Odd.preprocess_one returned str"),
        (lambda sample: sample, "pending", ""),
    ],
)
def test_a_sample_that_cannot_be_prepared_is_skipped_with_the_reason(
    prepared: Any, status: SampleStatus, said: str
) -> None:
    class Odd(BaseProcesser):
        source = "odd"

        def preprocess_one(self, sample: EvaluationSample) -> Any:
            return prepared(sample)

    PROCESSER_FACTORY.register(Odd)
    found = preprocess_one(EvaluationSample(source="odd"))
    assert found is not None
    assert found.status == status
    assert said in (found.error_message or "")


def test_a_plugin_that_only_names_its_evaluator_asks_no_model_for_it() -> None:
    class Named(BaseMatchProcesser):
        source = "named"

    class Own(BaseMatchProcesser):
        source = "own"

        def judge_one(self, sample: EvaluationSample, context: RunContext) -> EvaluationResult:
            return EvaluationResult(1.0)

    assert not Named.judges_itself()
    assert Own.judges_itself()
    assert Named().judged_by(EvaluationSample(evaluator_id="keyword")) == "match"
    assert BaseProcesser().judged_by(EvaluationSample(evaluator_id="keyword")) == "keyword"
