"""Answers that are there already become a run of their own, judged like rollouts of ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli import Called, call, reading, write_suite

TESTS = [
    {"id": f"t{number}", "prompt": f"What is {number} + 1?", "expected": str(number + 1), "evaluator_id": "match"}
    for number in range(4)
]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return write_suite(tmp_path / "suite", TESTS)


def imported(tmp_path: Path, suite: Path, lines: list[dict[str, Any]], *flags: str) -> tuple[Called, dict[str, Any]]:
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    called = call("import", "answers", file, "--suite", suite, "--exp-id", "e", "--db", tmp_path / "m.db", *flags)
    if not (tmp_path / "m.db").exists():
        return called, {}
    with reading(tmp_path / "m.db") as reader:
        run = reader.find_run("e")
        return called, {} if run is None else {sample.test_id: sample for sample in reader.samples(run.id)}


def test_answers_are_judged_and_tests_without_one_left_out(tmp_path: Path, suite: Path) -> None:
    lines: list[dict[str, Any]] = [
        {"test_id": "t0", "answer": "Answer: 1", "usage": {"prompt": 7, "completion": 3}, "cost_usd": 0.25},
        {"test_id": "d/1/t1", "answer": "Answer: 9"},
        {"task_id": "t2", "error": "the provider was down"},
        {"test_id": "nobody", "answer": "x"},
    ]
    called, samples = imported(tmp_path, suite, lines, "--model", "my-system")
    assert {name: sample.status for name, sample in samples.items()} == {"t0": "passed", "t1": "failed", "t2": "error"}
    assert (samples["t0"].prompt_tokens, samples["t0"].cost_usd) == (7, 0.25)
    assert "the provider was down" in (samples["t2"].error_message or "")
    assert "1 answers belong to no test here: nobody" in called.err
    with reading(tmp_path / "m.db") as reader:
        assert reader.run("e").model == "my-system"


def test_transcripts_and_steps_are_kept(tmp_path: Path, suite: Path) -> None:
    transcript: list[dict[str, Any]] = [
        {"role": "user", "content": "What is 0 + 1?"},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "add", "arguments": '{"x": 0}'}}]},
        {"role": "tool", "tool_call_id": "a", "name": "add", "content": "1"},
        {"role": "assistant", "content": "Answer: 1"},
    ]  # fmt: skip
    steps: list[dict[str, Any]] = [{"tool": "add", "arguments": {"x": 1}, "result": 2}]
    lines: list[dict[str, Any]] = [
        {"test_id": "t0", "answer": "Answer: 1", "transcript": transcript},
        {"test_id": "t1", "answer": "Answer: 2", "steps": steps, "reasoning": "one more"},
    ]
    _, samples = imported(tmp_path, suite, lines)
    assert [entry["role"] for entry in samples["t0"].transcript] == ["user", "assistant", "tool", "assistant"]
    assert samples["t0"].transcript[1]["tool_calls"][0] == {"id": "a", "name": "add", "arguments": '{"x": 0}'}
    assert [entry["role"] for entry in samples["t1"].transcript] == ["user", "assistant", "tool", "assistant"]
    assert samples["t1"].reasoning == "one more"


def test_the_same_command_judges_only_answers_that_changed(tmp_path: Path, suite: Path) -> None:
    first = [{"test_id": "t0", "answer": "Answer: 9"}, {"test_id": "t1", "answer": "Answer: 2"}]
    _, before = imported(tmp_path, suite, first)
    _, after = imported(tmp_path, suite, [{"test_id": "t0", "answer": "Answer: 1"}, first[1]])
    assert (before["t0"].status, after["t0"].status) == ("failed", "passed")
    assert before["t1"].started_at == after["t1"].started_at


def test_epochs(tmp_path: Path, suite: Path) -> None:
    lines = [{"test_id": "t0", "answer": f"Answer: {n}", "epoch": n} for n in (1, 2)]
    imported(tmp_path, suite, lines)
    with reading(tmp_path / "m.db") as reader:
        samples = list(reader.samples(reader.run("e").id))
    assert [(sample.epoch, sample.status) for sample in samples] == [(1, "passed"), (2, "failed")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"answer": "x"}, "names no test"),
        ({"test_id": "t0"}, "no text `answer`"),
        ({"test_id": "t0", "answer": "x", "epoch": 0}, "`epoch`"),
    ],
)
def test_a_line_that_is_no_answer_is_named(line: dict[str, Any], said: str, tmp_path: Path, suite: Path) -> None:
    called, samples = imported(tmp_path, suite, [{"test_id": "t1", "answer": "x"}, line])
    assert (called.code, samples) == (2, {})
    assert f"answers.jsonl:2: {said}" in called.err or (":2:" in called.err and said in called.err)


def test_two_answers_to_one_test_are_a_mistake(tmp_path: Path, suite: Path) -> None:
    called, _ = imported(tmp_path, suite, [{"test_id": "t1", "answer": "x"}, {"test_id": "t1", "answer": "y"}])
    assert (called.code, "answered already" in called.err) == (2, True)
