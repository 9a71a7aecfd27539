"""From tests to samples that need their test no more."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.pipeline.preparation import preprocess_one, samples_of
from modex.core.pipeline.processers import PROCESSER_FACTORY
from modex.core.pipeline.run_context import tool_from_dict, tool_to_dict
from modex.core.store.exact import decode_json, encode_json
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import TestCase
from modex.core.suite.loading import load_suite
from tests.core.pipeline.conftest import CLOCK
from tests.core.suite.conftest import write_files

Load = Callable[..., TestCase]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """The one test of a suite that consists of it."""

    def one(**fields: Any) -> TestCase:
        test = {"id": "t", "prompt": "2+2?", "expected": 4, "evaluator_id": "two_pass", **fields}
        root = write_files(
            tmp_path / "suite",
            {
                "test_definitions/d/domain.json": {"id": "d", "system_prompt": "Domain."},
                "test_definitions/d/level_2/t.json": test,
                "prompts/d/level_2.md": "---\nmode: append\n---\nLevel.",
                "tool_mocks/clock.json": CLOCK,
            },
        )
        (found,) = load_suite(root).tests
        return found

    return one


def only(test: TestCase, **options: Any) -> EvaluationSample:
    (sample,) = samples_of(test, **{"epochs": 1, "suite_tools": {"clock"}, **options})
    return sample


def test_a_sample_holds_the_folded_prompt_and_where_each_layer_came_from(load: Load) -> None:
    sample = only(load())
    assert sample.system_prompt == "Domain.\n\nLevel."
    assert [(layer["scope"], layer["mode"], layer["file"]) for layer in sample.prompt_layers] == [
        ("domain", "overwrite", "test_definitions/d/domain.json"),
        ("level", "append", "prompts/d/level_2.md"),
    ]


def test_each_epoch_is_a_sample(load: Load) -> None:
    samples = list(samples_of(load(), epochs=3, suite_tools=()))
    assert [sample.epoch for sample in samples] == [1, 2, 3]
    assert len({sample.key for sample in samples}) == 3


def test_what_the_stages_need_survives_the_store(load: Load) -> None:
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]
    sample = only(load(prompt=turns, rollout="reasoning", timeout_ms=500, metadata={"k": 1}, weight=2))
    definition = decode_json(encode_json(sample.definition.as_json()))
    assert (definition["turns"], definition["rollout"], definition["timeout_ms"]) == (turns, "reasoning", 500)
    assert definition["metadata"]["k"] == 1
    assert sample.weight == 2
    assert json.loads(sample.prompt) == turns


def test_the_suites_tools_are_named_and_others_are_kept_whole(load: Load) -> None:
    named = only(load(tool_ids=["clock"]))
    assert named.definition["tool_ids"] == ["clock"]
    assert "tools" not in named.definition
    test = load(tools=[{**CLOCK, "id": "own"}])
    (kept,) = decode_json(encode_json(only(test).definition.as_json()))["tools"]
    assert tool_from_dict(kept) == test.tools[0]
    assert tool_from_dict(tool_to_dict(test.tools[0])) == test.tools[0]


def test_an_invalid_test_is_a_skipped_sample_with_its_reason(load: Load) -> None:
    sample = only(load(tool_ids=["nobody"], evaluator_id="tool_call", expected={"tool": "nobody"}))
    assert (sample.status, sample.error_type) == ("skipped", "invalid_test")
    assert "nobody" in (sample.error_message or "")


def spoilt(sample: EvaluationSample) -> EvaluationSample:
    """What a careless processer leaves."""
    sample.definition = 3  # type: ignore[assignment]
    return sample


@pytest.mark.parametrize(
    ("prepares", "said"),
    [
        (lambda sample: sample, None),
        (lambda _: 3, "Stub.preprocess_one returned int instead of a sample or None"),
        (lambda _: 1 / 0, "Stub.preprocess_one: ZeroDivisionError: division by zero"),
        (spoilt, "Stub.preprocess_one left a `definition` that is none"),
    ],
)
def test_a_sample_that_cannot_be_prepared_is_skipped_and_says_why(
    monkeypatch: pytest.MonkeyPatch, prepares: Callable[[EvaluationSample], Any], said: str | None
) -> None:
    class Stub:
        def preprocess_one(self, sample: EvaluationSample) -> Any:
            return prepares(sample)

    monkeypatch.setattr(PROCESSER_FACTORY, "get", lambda *_: Stub())
    prepared = preprocess_one(EvaluationSample(source="s"))
    assert prepared is not None
    assert (prepared.status, prepared.error_type) == (
        ("pending", None) if said is None else ("skipped", "invalid_test")
    )
    assert said is None or said in str(prepared.error_message)


def test_a_sample_that_its_processer_leaves_out_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PROCESSER_FACTORY, "get", lambda *_: SimpleNamespace(preprocess_one=lambda _: None))
    assert preprocess_one(EvaluationSample()) is None
