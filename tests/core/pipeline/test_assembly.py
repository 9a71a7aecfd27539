"""What is said and refused before the first call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.engine.start import checked_run, notes
from core.errors import ConfigurationError, SuiteError
from core.pipeline.assembly import judge_specs, problems_of
from core.runconfig import DatasetSpec, ModelSpec, RunConfig, Selection
from tests.cli import keyword_tests, write_suite
from tests.core.suite.conftest import write_files


def preflight(config: RunConfig) -> list[str]:
    """What a person is told before the run."""
    return notes(checked_run(config))


LOCAL = ModelSpec(model="openai/m", api_base="http://127.0.0.1:9/v1")
REMOTE = ModelSpec(model="openai/gpt-5-mini")
TWO_PASS = {"id": "t", "prompt": "2+2?", "expected": 4, "evaluator_id": "two_pass"}
JUDGED = {"id": "t", "prompt": "2+2?", "expected": "four", "evaluator_id": "llm_judge"}
Check = Callable[..., list[str]]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    def run(tests: list[dict[str, Any]], **config: Any) -> list[str]:
        suite = write_suite(tmp_path / "suite", tests)
        return preflight(RunConfig(**{"model": LOCAL, "selection": Selection(suite=str(suite)), **config}))

    return run


def test_a_sound_run_has_nothing_to_say(check: Check) -> None:
    assert check(keyword_tests(1)) == []


@pytest.mark.parametrize(
    ("tests", "config", "said"),
    [
        (keyword_tests(1), {"model": REMOTE}, "OPENAI_API_KEY"),
        ([TWO_PASS], {"extractor": ModelSpec(model="anthropic/claude-x")}, "PASS 2: anthropic/claude-x"),
        ([JUDGED], {}, "judge (for d/1/t): gemini/gemini-2.5-flash"),
        ([JUDGED], {"judges": (ModelSpec(model="mistral/large"),)}, "MISTRAL_API_KEY"),
    ],
    ids=["the model", "the extractor", "the default judge", "a judge"],
)
def test_a_missing_key_is_refused_for_whoever_is_asked(
    check: Check, tests: list[dict[str, Any]], config: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        check(tests, **config)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"evaluator": "matc"}, "--evaluator: there is no evaluator 'matc'; did you mean 'match'?"),
        ({"evaluator": "zzz"}, "custom, gaia, hybrid, "),
        ({"model": ModelSpec(model="demo/fast")}, "demo/strong, demo/weak"),
        ({"model": ModelSpec(model="openai/m", api_base="localhost:80")}, "'localhost:80' is no address"),
    ],
    ids=["a slip in an evaluator", "an evaluator nobody knows", "a demo variant", "an address"],
)
def test_what_cannot_work_is_refused_before_a_run_is_stored(check: Check, config: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        check(keyword_tests(1), **config)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("tests", "config"),
    [
        (keyword_tests(1), {"extractor": ModelSpec(model="anthropic/claude-x")}),
        (keyword_tests(1), {"judges": (ModelSpec(model="mistral/large"),)}),
        ([JUDGED], {"until": "rollout"}),
        (keyword_tests(1), {"model": REMOTE, "until": "preprocess"}),
    ],
    ids=["an extractor nobody needs", "a judge nobody needs", "judging comes later", "planning alone"],
)
def test_a_key_that_nobody_needs_is_not_asked_for(
    check: Check, tests: list[dict[str, Any]], config: dict[str, Any]
) -> None:
    check(tests, **config)


def test_every_missing_key_is_said_at_once(check: Check) -> None:
    with pytest.raises(ConfigurationError) as caught:
        check([JUDGED], model=REMOTE, judges=(ModelSpec(model="mistral/large"), ModelSpec(model="groq/llama")))
    assert len(str(caught.value).splitlines()) == 3


def test_the_default_judge_is_scripted_only_for_the_scripted_model() -> None:
    assert [spec.model for spec in judge_specs(RunConfig(model=ModelSpec(model="demo/weak")))] == ["demo/judge"]
    assert [spec.model for spec in judge_specs(RunConfig(model=REMOTE))] == ["gemini/gemini-2.5-flash"]
    own = RunConfig(model=ModelSpec(model="demo"), judges=(LOCAL,))
    assert judge_specs(own) == (LOCAL,)


def test_mistakes_stop_a_run_unless_they_are_to_be_skipped(check: Check) -> None:
    tests = [*keyword_tests(1), {"id": "bad", "prompt": "x", "tool_ids": ["nobody"]}]
    with pytest.raises(SuiteError) as caught:
        check(tests)
    assert len(caught.value.problems) >= 1
    suite = str(caught.value.problems[0].path)
    assert suite.startswith("test_definitions/")


def test_what_is_skipped_is_said(tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "s", [*keyword_tests(1), {"id": "bad", "prompt": "x", "tool_ids": ["nobody"]}])
    said = preflight(RunConfig(model=LOCAL, selection=Selection(suite=str(suite), skip_invalid=True)))
    assert said
    assert all(note.startswith("skipped: test_definitions/") for note in said)


def test_a_suites_plugins_run_for_check_only_once_they_were_allowed(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    suite = write_files(
        write_suite(tmp_path / "s", keyword_tests(1)),
        {"plugins/mark.py": f"import pathlib\npathlib.Path({str(marker)!r}).write_text('x')\n"},
    )
    assert problems_of(str(suite))[1] == []
    assert not marker.exists()
    preflight(RunConfig(model=LOCAL, selection=Selection(suite=str(suite), allow_plugins=True)))
    assert marker.read_text() == "x"
    assert problems_of(str(suite))[1] == []
    assert marker.read_text() == "x"


def test_a_run_of_datasets_alone_does_not_read_the_suites_tests(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": "q", "question": "1 + 1?", "answer": "2"}\n')
    datasets = (DatasetSpec(path=str(rows)),)
    alone = checked_run(RunConfig(model=LOCAL, selection=Selection(datasets=datasets)))
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    both = checked_run(RunConfig(model=LOCAL, selection=Selection(datasets=datasets, suite=str(suite))))
    assert (len(alone.suite.tests), alone.needs.count) == (0, 1)
    assert (len(both.suite.tests), both.needs.count) == (1, 2)
