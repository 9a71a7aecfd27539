"""Which processer a source gets."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.processers import (
    PROCESSER_FACTORY,
    BaseLLMJudgeProcesser,
    BaseMatchProcesser,
    BaseProcesser,
    ProcesserFactory,
    SuiteProcesser,
)
from modex.core.pipeline.processers import factory as module
from modex.core.pipeline.run_context import RunContext
from modex.core.store.sample import EvaluationSample


class Riddles(BaseMatchProcesser):
    source = "riddles"


@pytest.fixture
def factory() -> ProcesserFactory:
    return ProcesserFactory()


def test_a_sources_own_processer_is_found(factory: ProcesserFactory) -> None:
    assert factory.register(Riddles) is Riddles
    assert type(factory.get("riddles", "two_pass")) is Riddles
    assert factory.get("riddles") is factory.get("riddles")
    assert "riddles" in factory.sources()
    assert not factory.is_default("riddles")


@pytest.mark.parametrize(
    ("evaluator", "expected"),
    [
        ("two_pass", SuiteProcesser),
        ("match", BaseMatchProcesser),
        ("llm_judge", BaseLLMJudgeProcesser),
        ("nobody", SuiteProcesser),
        ("", SuiteProcesser),
    ],
)
def test_an_unknown_source_gets_the_one_its_evaluator_implies(
    factory: ProcesserFactory, evaluator: str, expected: type[BaseProcesser]
) -> None:
    assert type(factory.get("gsm8k", evaluator)) is expected
    assert factory.is_default("gsm8k")


def test_a_later_registration_replaces_an_earlier_one(factory: ProcesserFactory) -> None:
    class Better(Riddles):
        source = "riddles"

    factory.register(Riddles)
    factory.get("riddles")
    factory.register(Better)
    assert type(factory.get("riddles")) is Better


def test_a_processer_without_a_source_is_refused_with_what_to_do(factory: ProcesserFactory) -> None:
    class Nameless(BaseProcesser):
        def judge_one(self, sample: EvaluationSample, context: RunContext) -> EvaluationResult:
            raise NotImplementedError

    with pytest.raises(ConfigurationError, match="Nameless: a processer needs a `source`"):
        factory.register(Nameless)


def test_the_suites_own_tests_have_the_default_one() -> None:
    assert type(PROCESSER_FACTORY.get("suite", "keyword")) is SuiteProcesser


def test_a_suites_tests_stay_with_the_suites_processer_whatever_their_evaluator() -> None:
    assert type(PROCESSER_FACTORY.get("suite", "match")) is SuiteProcesser


def test_what_is_installed_is_looked_for_before_anything_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = SimpleNamespace(name="riddles", value="x:Riddles", load=lambda: Riddles)
    monkeypatch.setattr(module, "installed", lambda group: [entry])
    assert not ProcesserFactory().is_default("riddles")
    assert not ProcesserFactory().is_default("RIDDLES")
    assert ProcesserFactory().is_default("nobody's")
    assert "riddles" in ProcesserFactory().sources()
    assert type(ProcesserFactory().get("Riddles")) is Riddles
