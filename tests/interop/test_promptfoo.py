"""promptfoo: what it wrote with its echo provider and with our server is stored row by row; its configuration is a suite."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli import call
from tests.interop.conftest import Modex
from tests.interop.tools import promptfoo, run_tool
from tests.server import ServerHandle

TESTS = [
    {"description": "small", "vars": {"a": 1, "b": 2}, "metadata": {"level": 2, "domain": "arithmetic"},
     "assert": [{"type": "contains", "value": "3"}, {"type": "icontains", "value": "3", "metric": "tone"}]},
    {"vars": {"a": ["3", "4"], "b": 5}, "assert": [{"type": "equals", "value": "8"}]},
    {"vars": {"a": 9, "b": 9}, "assert": [
        {"type": "javascript", "value": "output.length == 2"}, {"type": "not-contains", "value": "zebra"}]},
]  # fmt: skip


@pytest.fixture
def config(server: ServerHandle, tmp_path: Path) -> Path:
    """Two prompts over three tests; a list of values makes two of one."""
    path = tmp_path / "promptfooconfig.yaml"
    asked = {"apiBaseUrl": server.url, "apiKey": "none"}
    whole = {
        "description": "sums",
        "prompts": ["Add {{a}} and {{b}}", "Please add {{a}} and {{b}}"],
        "providers": ["echo", {"id": "openai:chat:test-model", "config": asked}],
        "tests": TESTS,
    }
    path.write_text(json.dumps(whole))
    return path


def evaluate(config: Path, *words: str) -> Any:
    """What promptfoo writes for this configuration; its exit code says that tests failed."""
    out = config.with_name("results.json")
    ended = run_tool(
        promptfoo(), "eval", "-c", config, "-o", out, "--no-cache", "--no-progress-bar", "--no-table", "-j", "1", *words,
        cwd=config.parent, PROMPTFOO_CONFIG_DIR=str(config.parent / "state"), PROMPTFOO_DISABLE_TELEMETRY="1",
        PROMPTFOO_DISABLE_UPDATE="1", PROMPTFOO_DISABLE_REMOTE_GENERATION="1", PROMPTFOO_SELF_HOSTED="1",
    )  # fmt: skip
    assert out.exists(), ended.stdout + ended.stderr
    return json.loads(out.read_text())


def test_every_row_is_stored_in_a_run_for_each_provider_and_prompt(modex: Modex, config: Path) -> None:
    told = evaluate(config)["results"]
    modex("import", "promptfoo", config.with_name("results.json"))
    runs = modex.runs()
    assert Counter(run.model for run in runs) == {"echo": 2, "openai/chat:test-model": 2}
    stored = [(run.model, one) for run in runs for one in modex.samples(run)]
    assert len(stored) == len(told["results"]) == 16
    rows = sorted(
        (row["provider"]["id"].replace(":", "/", 1), row["prompt"]["raw"], *figures(row)) for row in told["results"]
    )
    ours = [
        (model, one.prompt, one.score, one.prompt_tokens, one.completion_tokens, one.response or "")
        for model, one in stored
    ]
    assert sorted(ours, key=str) == sorted(rows, key=str)
    assert Counter(one.status for _, one in stored) == {
        "passed": told["stats"]["successes"], "failed": told["stats"]["failures"], "error": told["stats"]["errors"],
    }  # fmt: skip
    assert sum(run.prompt_tokens for run in runs) == told["stats"]["tokenUsage"]["prompt"] > 0
    (error, _) = [one for _, one in stored if one.status == "error"]
    assert "planted refusal" in (error.error_message or "")


def figures(row: Any) -> tuple[float | None, int, int, str]:
    """Score, tokens and answer of a row; one that was not answered has no score."""
    said = row["response"].get("output") if row.get("response") else None
    usage = row["tokenUsage"]
    return (None if said is None else float(row["success"]), usage["prompt"], usage["completion"], said or "")


def test_repeats_are_epochs(modex: Modex, config: Path) -> None:
    evaluate(config, "--repeat", "3", "--filter-providers", "test-model")
    modex("import", "promptfoo", config.with_name("results.json"))
    runs = modex.runs()
    assert len(runs) == 2
    for run in runs:
        epochs = Counter((one.prompt, one.epoch) for one in modex.samples(run))
        assert sorted(epochs.values()) == [1] * 12
        tries = Counter(one.test_id for one in modex.samples(run))
        assert sorted(tries.values()) == [3] * 4


@pytest.mark.parametrize("metric", ["tone", "score"])
def test_a_score_of_its_own_can_be_what_counts(modex: Modex, config: Path, metric: str) -> None:
    told = evaluate(config, "--filter-providers", "echo", "--filter-pattern", "small")["results"]["results"]
    modex("import", "promptfoo", config.with_name("results.json"), "--score", metric)
    named = [float(row["score"] if metric == "score" else row["namedScores"]["tone"]) for row in told]
    assert len(named) == 2
    assert [one.score for run in modex.runs() for one in modex.samples(run)] == named


def test_a_suite_of_its_configuration_gives_the_verdicts_that_it_gives(
    modex: Modex, config: Path, server: ServerHandle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = evaluate(config, "--filter-providers", "test-model")["results"]["results"]
    called = call("import", "promptfoo", config, "--suite", tmp_path / "suite")
    assert called.code == 0
    assert "javascript" in called.err
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    modex("run", "--suite", tmp_path / "suite", "--model", "openai/test-model", "--api-base", server.url, "--headless")
    verdicts = {row["prompt"]["raw"]: figures(row)[0] for row in told}
    assert {one.prompt: one.score for one in modex.samples()} == verdicts
