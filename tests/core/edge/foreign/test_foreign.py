"""What other tools read: ids, epochs, scores and transcripts come through; strict readers take every text."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.edge.foreign.plain import strict
from modex.core.features.export.export import comparison, export
from modex.core.reports.comment import as_comment, marker_line
from modex.core.reports.formats import Format
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample

TRANSCRIPT = [
    {"role": "system", "content": "Be brief.", "phase": "pass1"},
    {"role": "user", "content": "2+2?", "phase": "pass1"},
    {
        "role": "assistant",
        "content": "",
        "reasoning": "I could add.",
        "phase": "tool_loop",
        "tool_calls": [{"id": "c1", "name": "add", "arguments": '{"x": 2, "y": 2}'}],
    },
    {"role": "tool", "content": "4", "phase": "tool_loop", "tool_call_id": "c1", "name": "add"},
    {
        "role": "assistant",
        "content": "4",
        "phase": "tool_loop",
        "tool_calls": [{"id": "c2", "name": "add", "arguments": "{x:"}],
    },
]


def written(manager: DBDataManager, run: RunRow, kind: Format) -> str:
    """The export as one text."""
    return "".join(export(manager.reader, run, kind))


@pytest.fixture
def run(store: Store) -> RunRow:
    """Two epochs of a test with tools, a failure with a hostile answer, an error, and one that has no verdict."""
    tools = {
        "response": "4",
        "extracted_answer": "4",
        "transcript": TRANSCRIPT,
        "prompt_tokens": 11,
        "completion_tokens": 7,
    }
    error = sample("e")
    error.stage, error.status, error.error_type, error.error_message = "rollout", "error", "timeout", "no answer in 5 s"
    samples: list[EvaluationSample] = [
        finished(sample("a", epoch=1), score=1.0, reasoning_tokens=3, **tools),
        finished(sample("a", epoch=2), score=0.0, **tools),
        finished(sample("h", expected=["x", 3], level=2), score=0.25, response="a\ud800b\x1b[2J<!-- | -->"),
        error,
        sample("w"),
    ]
    return store("exp", samples)


def inspect_samples(manager: DBDataManager, run: RunRow) -> list[dict[str, Any]]:
    """The samples of the log."""
    samples: list[dict[str, Any]] = json.loads(written(manager, run, "inspect"))["samples"]
    return samples


def test_a_log_keeps_ids_epochs_scores_and_usage(manager: DBDataManager, run: RunRow) -> None:
    log = json.loads(written(manager, run, "inspect"))
    assert (log["version"], log["status"], log["eval"]["model"]) == (2, "success", "openai/test-model")
    found = [(one["id"], one["epoch"], one.get("scores", {}).get("modex", {}).get("value")) for one in log["samples"]]
    assert found == [
        ("d/1/a", 1, 1.0), ("d/1/a", 2, 0.0), ("d/2/h", 1, 0.25), ("d/1/e", 1, None), ("d/1/w", 1, None),
    ]  # fmt: skip
    assert log["samples"][0]["model_usage"] == {
        "openai/test-model": {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18, "reasoning_tokens": 3}
    }
    assert log["samples"][3]["error"]["message"] == "timeout: no answer in 5 s"
    assert log["samples"][2]["target"] == ["x", "3"]


def test_a_log_keeps_the_transcript_with_thinking_and_calls(manager: DBDataManager, run: RunRow) -> None:
    messages = inspect_samples(manager, run)[0]["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert messages[2]["content"][0] == {"type": "reasoning", "reasoning": "I could add."}
    assert messages[2]["tool_calls"] == [
        {"id": "c1", "function": "add", "type": "function", "arguments": {"x": 2, "y": 2}}
    ]
    assert messages[3]["tool_call_id"] == "c1"
    assert messages[4]["tool_calls"][0]["parse_error"] == "not an object: {x:"


def test_a_record_holds_the_score_and_its_interval_as_text_where_the_schema_asks_for_text(
    manager: DBDataManager, run: RunRow
) -> None:
    record = json.loads(written(manager, run, "eee"))
    first = record["evaluation_results"][0]
    assert record["schema_version"] == "0.3.0"
    assert first["score_details"]["score"] == pytest.approx(run.overall_score)
    assert all(isinstance(value, str) for value in first["score_details"]["details"].values())
    assert [one["evaluation_name"] for one in record["evaluation_results"]] == [
        "weighted_score", "weighted_score/d", "weighted_score_if_all_wrong", "weighted_score_if_all_right",
    ]  # fmt: skip
    assert "4" not in record.get("samples", ())


def test_a_table_begins_with_a_line_that_is_the_same_for_every_run_of_a_model_over_a_suite(
    manager: DBDataManager, store: Store, run: RunRow
) -> None:
    other = store("another", [finished(sample("a"), score=0.0)])
    first, second = (written(manager, one, "github").splitlines() for one in (run, other))
    assert first[0] == second[0] == "<!-- modex: openai/test-model over bundled suite -->"
    assert "| d | 25.0 to 75.0 (1/2) | 25.0 (0/1) | 25.0 to 41.7 |" in "\n".join(first)
    assert "Not passed: 3" in "\n".join(first)
    assert "-->" not in "\n".join(first[1:])


@pytest.mark.parametrize("checkout", ["/home/runner/work/r", "/runner-7/_work/r"])
def test_the_first_line_of_a_table_names_no_folder_of_this_machine(tmp_path: Path, run: RunRow, checkout: str) -> None:
    root = tmp_path / checkout.strip("/")
    (root / ".git").mkdir(parents=True)
    suites = {str(root / "services" / "a"): "services/a", f"/nowhere{checkout}/evals": "evals"}
    for suite, told in suites.items():
        asked = replace(run, config={**run.config, "selection": {"suite": suite}})
        assert marker_line(asked) == f"<!-- modex: openai/test-model over {told} -->\n"


def test_a_comment_is_never_longer_than_github_takes(manager: DBDataManager, run: RunRow) -> None:
    rows = ["<details><summary>x</summary>\n", *["&" * 1000 + "\n"] * 100]
    text = "".join(as_comment(run, iter(rows)))
    assert 60_000 < len(text) < 65_536
    assert text.count("</details>") == 1


def test_two_runs_stand_in_a_comment_before_and_after(manager: DBDataManager, store: Store, run: RunRow) -> None:
    after = store("after", [finished(sample("a"), score=0.0), finished(sample("h", level=2), score=1.0)])
    lines = "".join(comparison(manager.reader, [run, after], kind="github")).splitlines()
    assert lines[0] == "<!-- modex: openai/test-model over bundled suite -->"
    assert lines[1] == "### after against exp"
    assert "| d/2/h | gained | 0.25 | 1.00 |" in lines


@given(st.recursive(st.text() | st.floats() | st.none() | st.integers(), lambda inner: st.lists(inner, max_size=3)))
def test_every_value_becomes_json_that_strict_readers_take(value: Any) -> None:
    json.dumps(strict(value), allow_nan=False, ensure_ascii=False).encode()
