"""CAIA's files as they are: its agent output judged with every call, its score file out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from modex.core.store.sample import EvaluationSample
from tests.cli import Called, call, reading
from tests.server import Reply, Request, serve

TASK = {
    "task_id": "t-1",
    "question": "What was swapped?",
    "level": 1,
    "evaluate": {
        "items": [
            {"target": "ANSWER", "points": 1, "criteria": "50 million."},
            {"target": "REASONING", "step": 1, "points": 2, "criteria": "Finds the pool."},
            {"target": "REASONING", "step": 2, "points": 3, "criteria": "Adds the swaps."},
            {"target": "TOOL_USE", "points": 4, "criteria": "Asks the chain."},
        ]
    },
}
USE = {
    "call_id": "c1",
    "tool_name": "subgraph",
    "tool_description": "Asks the chain about swaps.",
    "tool_input": '{"pool": "0x1"}',
    "tool_output": "50000000",
}
OUTPUT = {
    "task_id": "t-1",
    "answer": "50 million USD",
    "tool_use_list": [USE, {**USE, "call_id": "c2", "tool_output": None}],
    "reasoning_list": [{"step": 1, "reasoning": "First the pool."}, {"step": 2, "reasoning": "Then the sum."}],
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0000")


def judged(folder: Path, name: str, text: str, items: dict[str, Any]) -> tuple[Called, EvaluationSample, list[str]]:
    """An agent's output imported and judged by a judge that always says the same; what it was asked."""
    (folder / "tasks.json").write_text(json.dumps([TASK]))
    (folder / name).write_text(text)
    with serve(Reply(json.dumps({"reason": "so it is", "items": items}))) as server:
        called = call(
            "import", "answers", folder / name, "--preset", "caia", "--dataset", folder / "tasks.json", "--judge-model",
            "openai/judge", "--judge-api-base", server.url, "--exp-id", "e", "--db", folder / "m.db",
        )  # fmt: skip
        asked = [str(one.body["messages"][0]["content"]) for one in server.requests]
    with reading(folder / "m.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    return called, sample, asked


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("output.json", json.dumps([OUTPUT], indent=2)),
        ("output.jsonl", json.dumps(OUTPUT) + "\n"),
        ("output.json", json.dumps({**OUTPUT, "task_id": None, "question": TASK["question"]}) + "\n"),
    ],
)  # fmt: skip
def test_every_call_and_every_step_of_an_agents_output_is_before_the_judge(
    name: str, text: str, tmp_path: Path
) -> None:
    called, sample, asked = judged(tmp_path, name, text, {f"item_{n}": True for n in range(1, 5)})
    assert (called.code, sample.status, sample.score) == (0, "passed", 1.0), called.err
    assert sample.response == "50 million USD"
    assert sample.reasoning == "Step 1: First the pool.\n\nStep 2: Then the sum."
    calls = [one for entry in sample.transcript for one in entry.get("tool_calls", ())]
    assert [(one["id"], one["name"], one["arguments"]) for one in calls] == [
        ("c1", "subgraph", '{"pool": "0x1"}'), ("c2", "subgraph", '{"pool": "0x1"}'),
    ]  # fmt: skip
    assert [entry["content"] for entry in sample.transcript if entry["role"] == "tool"] == ["50000000"]
    assert len(asked) == 3
    for shown in (
        "Step 1: First the pool.",
        '1. subgraph({"pool": "0x1"})\n   the tool: Asks the chain about swaps.\n   result: 50000000',
        '2. subgraph({"pool": "0x1"})\n   the tool: Asks the chain about swaps.',
    ):
        assert shown in asked[0]
    assert "not read" not in called.err


def test_the_score_file_comes_out_as_there(tmp_path: Path) -> None:
    judged(tmp_path, "o.json", json.dumps([OUTPUT]), {f"item_{n}": True for n in range(1, 5)})
    assert call("export", "e", "--format", "caia", "--db", tmp_path / "m.db").data == [
        {"task_id": "t-1", "total_score": 10, "answer_score": 1, "reasoning_score": 5, "tool_use_score": 4}
    ]


def test_points_in_part_are_added_up_as_there(tmp_path: Path) -> None:
    said = {"item_1": False, "item_2": 1.5, "item_3": 3, "item_4": "2"}
    _, sample, _ = judged(tmp_path, "o.json", json.dumps([OUTPUT]), said)
    assert (sample.status, sample.score) == ("failed", 0.65)
    assert call("export", "e", "--format", "caia", "--db", tmp_path / "m.db").data == [
        {"task_id": "t-1", "total_score": 6.5, "answer_score": 0, "reasoning_score": 4.5, "tool_use_score": 2}
    ]


def test_keys_that_are_not_read_are_named(tmp_path: Path) -> None:
    odd = {**OUTPUT, "latency": 3, "tool_use_list": [{**USE, "price": 1}], "reasoning_list": [{"step": 1, "mood": "x"}]}
    called, _, _ = judged(tmp_path, "o.json", json.dumps([odd]), {f"item_{n}": True for n in range(1, 5)})
    (line,) = (line for line in called.err.splitlines() if "not read" in line)
    assert set(re.findall(r"`([\w.]+)`", line)) == {"latency", "tool_use_list.price", "reasoning_list.mood"}


def test_an_agent_that_prints_this_form_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text(json.dumps([TASK]))
    (tmp_path / "agent.py").write_text(f"print({json.dumps(json.dumps(OUTPUT))})")

    def reply(request: Request) -> Reply:
        del request
        return Reply(json.dumps({"items": {f"item_{n}": True for n in range(1, 5)}}))

    with serve(reply) as server:
        called = call(
            "run", "--headless", "--agent", f"python3 {tmp_path / 'agent.py'}", "--preset", "caia", "--dataset",
            tmp_path / "tasks.json", "--judge-model", "openai/judge", "--judge-api-base", server.url, "--exp-id", "e",
            "--model", "mine", "--db", tmp_path / "m.db",
        )  # fmt: skip
    with reading(tmp_path / "m.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    assert (sample.status, sample.reasoning) == ("passed", "Step 1: First the pool.\n\nStep 2: Then the sum."), (
        called.err
    )
    assert sum(entry["role"] == "tool" for entry in sample.transcript) == 1


@pytest.mark.parametrize("words", [(), ("--rollout", "agentic", "--max-iterations", "20")])
def test_its_task_file_is_asked_as_it_is_with_and_without_tools(words: tuple[str, ...], tmp_path: Path) -> None:
    tasks = [
        {"task_id": f"t-{n}", "question": f"What was swapped on day {n}?", "level": 1, "category": "onchain analysis"}
        for n in range(5)
    ]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    given = ("--preset", "caia", "--dataset", tmp_path / "tasks.json", "--exp-id", "e", "--db", tmp_path / "m.db")
    called = call("run", "--headless", "--model", "demo", *given, *words)
    assert called.code == 0, called.err
    assert "5 rows have no gold: asked, and judged once there is one (`modex judge`)" in called.err
    with reading(tmp_path / "m.db") as reader:
        samples = list(reader.samples(reader.run("e").id))
    assert [(one.stage, one.status, one.domain) for one in samples] == [("rollout", "pending", "onchain analysis")] * 5
    assert all(one.response for one in samples)
    assert {one.definition.rollout for one in samples} == {"agentic" if words else "direct"}
    scores = call("export", "e", "--format", "caia", "--db", tmp_path / "m.db").data
    assert [row["total_score"] for row in scores] == [None] * 5
