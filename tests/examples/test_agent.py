"""Somebody's own agent answers instead of a model: thirty lines, with tools and without; what goes wrong is never a score."""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from docs.generate import FOLDER
from modex.core.store.sample import EvaluationSample
from tests.cli import Called, call, reading

AGENT = FOLDER / "examples" / "agent" / "agent.py"
ROWS = [
    {"id": "plus", "question": "What is 12 + 30?", "answer": "42"},
    {"id": "times", "question": "What is 6 * 8?", "answer": "48"},
    {"id": "minus", "question": "What is 9 - 4?", "answer": "5"},
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sums.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    shutil.copy(AGENT, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(folder: Path, agent: str, *flags: str, rows: int = 3) -> tuple[Called, dict[str, EvaluationSample]]:
    called = call(
        "run", "--dataset", folder / "sums.jsonl", "--evaluator", "match", "--agent", agent, "--headless", "--exp-id", "e",
        "--db", folder / "m.db", "--limit", str(rows), *flags,
    )  # fmt: skip
    if not (folder / "m.db").exists():
        return called, {}
    with reading(folder / "m.db") as reader:
        run = reader.find_run("e")
        return called, {} if run is None else {sample.test_id: sample for sample in reader.samples(run.id)}


def script(folder: Path, body: str) -> str:
    """A command that runs `body` with the task in `task`."""
    (folder / "odd.py").write_text(f"import json, sys, os, time\ntask = json.loads(sys.stdin.readline())\n{body}\n")
    return f"{sys.executable} odd.py"


def test_the_agent_has_thirty_lines() -> None:
    assert len([line for line in AGENT.read_text().splitlines() if line.strip()]) <= 30


@pytest.mark.long
@pytest.mark.parametrize(
    ("agent", "passed"),
    [
        (f"{sys.executable} agent.py --tools", {"plus", "times", "minus"}),
        (f"{sys.executable} agent.py", {"plus"}),
        ("agent:solve", {"plus"}),
    ],
    ids=["with tools", "without", "as a function"],
)
def test_an_agent_is_evaluated(agent: str, passed: set[str], folder: Path) -> None:
    called, samples = asked(folder, agent)
    assert called.code == 0, called.err
    assert {name for name, sample in samples.items() if sample.status == "passed"} == passed
    assert {sample.status for sample in samples.values()} <= {"passed", "failed"}
    with reading(folder / "m.db") as reader:
        assert reader.run("e").model == "agent/agent" + (":solve" if agent == "agent:solve" else "")


def test_its_steps_are_in_the_transcript_and_its_tokens_counted(folder: Path) -> None:
    _, samples = asked(folder, f"{sys.executable} agent.py --tools", rows=1)
    sample = samples["plus"]
    roles = [entry["role"] for entry in sample.transcript]
    assert roles == ["system", "user", "assistant", "assistant", "tool", "assistant"]
    assert sample.transcript[3]["tool_calls"][0]["name"] == "calculate"
    assert (sample.transcript[4]["content"], sample.transcript[4]["is_error"]) == ("42", False)
    assert (sample.prompt_tokens, sample.completion_tokens, sample.cost_usd) == (20, 5, 0.0)
    assert sample.response == "Answer: 42"


@pytest.mark.long
@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        ("os.kill(os.getpid(), 9)", "agent_error", "killed by signal 9"),
        ("sys.exit('it broke')", "agent_error", "it broke"),
        ("print('hello'); print(json.dumps({'answer': '42'}))", "invalid_response", "one JSON object and nothing else"),
        ("print('[1, 2]')", "invalid_response", "one JSON object"),
        ("print(json.dumps({'answer': 42}))", "invalid_response", "no text `answer`"),
        ("pass", "invalid_response", "not nothing"),
        ("print(json.dumps({'error': 'quota'}))", "agent_error", "quota"),
        ("print(json.dumps({'answer': 'x', 'steps': [1]}))", "invalid_response", "`steps`"),
        ("print(json.dumps({'answer': 'x', 'steps': [{}]}))", "invalid_response", "step 1"),
        ("print(json.dumps({'answer': 'x', 'usage': {'prompt': -1}}))", "invalid_response", "whole numbers"),
        ("while True: sys.stdout.write('x' * 65536)", "invalid_response", "more than 4 MB"),
    ],
)
def test_killed_failing_and_talkative_agents_are_errors_and_no_scores(
    body: str, kind: str, said: str, folder: Path
) -> None:
    called, samples = asked(folder, script(folder, body), rows=1)
    sample = samples["plus"]
    assert (sample.status, sample.error_type, sample.score) == ("error", kind, None), sample.error_message
    assert said in (sample.error_message or "")
    assert called.code == 1


@pytest.mark.process
def test_a_slow_agent_is_killed_with_its_children_at_its_deadline(folder: Path) -> None:
    body = "import subprocess\nchild = subprocess.Popen(['sleep', '60'])\nopen('pid', 'w').write(str(child.pid))\ntime.sleep(60)"
    _, samples = asked(folder, script(folder, body), "--timeout", "2", rows=1)
    sample = samples["plus"]
    assert (sample.status, sample.error_type, sample.score) == ("error", "timeout", None)
    assert "killed at its deadline of 2 s" in (sample.error_message or "")
    pid = int((folder / "pid").read_text())
    end = time.monotonic() + 20
    while _lives(pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert not _lives(pid)


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state != "Z"


def test_the_task_holds_no_gold_and_no_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-the-task-0123456789abcdef")
    monkeypatch.setenv("MINE", "my own")
    agent = script(
        folder, "open('task.json', 'w').write(json.dumps(task))\nprint(json.dumps({'answer': os.environ['MINE']}))"
    )
    _, samples = asked(folder, agent, rows=1)
    text = (folder / "task.json").read_text()
    assert samples["plus"].response == "my own"
    assert "sk-not" not in text
    task: dict[str, Any] = json.loads(text)
    drawn = {"tools_url", "mcp"}  # a port and a secret, in which any digits may stand
    assert "42" not in json.dumps({name: value for name, value in task.items() if name not in drawn})
    assert (task["prompt"], task["protocol"], task["model"]) == ("What is 12 + 30?", 1, None)


@pytest.mark.parametrize(
    ("agent", "said"),
    [("no-such-program --x", "there is no program 'no-such-program'"), ("'", "cannot be read")],
)
def test_what_cannot_be_started_is_refused_before_the_run(agent: str, said: str, folder: Path) -> None:
    called, samples = asked(folder, agent)
    assert (called.code, samples) == (2, {})
    assert said in called.err


def test_pass_2_needs_a_model_that_an_agent_is_not(folder: Path) -> None:
    called = call(
        "run", "--dataset", folder / "sums.jsonl", "--agent", "agent:solve", "--headless", "--db", folder / "m.db"
    )
    assert (called.code, "--extractor-model" in called.err) == (2, True)


def test_another_agent_is_another_question(folder: Path) -> None:
    asked(folder, f"{sys.executable} agent.py", rows=1)
    _, before = asked(folder, f"{sys.executable} agent.py", rows=1)
    _, after = asked(folder, f"{sys.executable} agent.py --tools", rows=1)
    assert before["plus"].rollout_fingerprint != after["plus"].rollout_fingerprint
    assert len(after["plus"].transcript) == 6


def test_a_plugins_benchmark_can_be_named(folder: Path) -> None:
    suite = folder / "suite"
    (suite / "plugins").mkdir(parents=True)
    level = suite / "test_definitions" / "d" / "level_1"
    level.mkdir(parents=True)
    (level / "t.json").write_text(json.dumps({"id": "t", "prompt": "q", "expected": "blue", "evaluator_id": "match"}))
    (suite / "plugins" / "mine.py").write_text(
        "from modex import BaseBenchmark, register_benchmark\n\n\n"
        "@register_benchmark\nclass Canned(BaseBenchmark):\n"
        "    def rollout_one(self, sample):\n"
        "        fatal = super().rollout_one(sample)\n"
        "        sample.response = 'blue'\n"
        "        return fatal\n"
    )
    flags = (
        "run",
        "--model",
        "demo",
        "--suite",
        suite,
        "--allow-plugins",
        "--headless",
        "--exp-id",
        "e",
        "--db",
        folder / "m.db",
    )
    called = call(*flags, "--benchmark", "Cannd")
    assert (called.code, "did you mean 'Canned'" in called.err) == (2, True)
    called = call(*flags, "--benchmark", "Canned")
    assert called.code == 0, called.err
    with reading(folder / "m.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    assert (sample.response, sample.status) == ("blue", "passed")
