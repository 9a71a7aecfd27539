"""inspect_ai: logs that it made are stored row by row; logs that we write are opened by its reader and its viewer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli import write_suite
from tests.interop.conftest import Modex
from tests.interop.tools import inspect_python, run_tool
from tests.server import Reply, Request, ServerHandle

MAKE = '''
import sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, ContentReasoning, ContentText, ModelOutput, ModelUsage, get_model,
)
from inspect_ai.scorer import Score, includes, match, mean, scorer
from inspect_ai.solver import generate, multiple_choice, solver, system_message, use_tools
from inspect_ai.tool import tool


@tool
def add():
    async def execute(x: int, y: int):
        """Add two numbers.

        Args:
            x: one
            y: the other
        """
        return x + y

    return execute


@scorer(metrics={"part": [mean()], "whole": [mean()]})
def parts():
    async def score(state, target):
        return Score(value={"part": 0.5, "whole": float(target.text in state.output.completion)}, explanation="counted")

    return score


def replies(messages, tools, tool_choice, config):
    said = [message.text for message in messages if message.role == "user"][-1]
    calls = sum(message.role == "assistant" for message in messages)
    if "boom" in said:
        raise RuntimeError("planted failure")
    if "add" in said and messages[-1].role != "tool":
        out = ModelOutput.for_tool_call("mockllm/model", "add", {"x": 2, "y": 2})
    elif "think" in said:
        content = [ContentReasoning(reasoning="two and two"), ContentText(text="4")]
        out = ModelOutput.from_message(ChatMessageAssistant(content=content))
    elif "long" in said:
        out = ModelOutput.from_content("mockllm/model", "4 and", stop_reason="max_tokens")
    else:
        out = ModelOutput.from_content("mockllm/model", "5" if "wrong" in said else "4")
    out.usage = ModelUsage(
        input_tokens=11 + calls, output_tokens=7, total_tokens=21 + calls, input_tokens_cache_read=3, reasoning_tokens=2,
    )
    return out


samples = [
    Sample(id="plain", input="2+2?", target="4", metadata={"level": 2, "domain": "arithmetic"}),
    Sample(id="wrong", input="wrong 2+2?", target="4"),
    Sample(id="tool", input="add 2 and 2", target=["4", "four"]),
    Sample(id="think", input="think: 2+2?", target="4"),
    Sample(id="long", input="long", target="4"),
    Sample(id=7, target="4", input=[
        ChatMessageUser(content="hi"), ChatMessageAssistant(content="yes"), ChatMessageUser(content="2+2?"),
    ]),
    Sample(id="boom", input="boom", target="4"),
    Sample(id="x/y z \\u00fc", input="Which?", choices=["3", "4"], target="B"),
]
task = Task(
    name="sums", dataset=samples, solver=[system_message("Be brief."), use_tools(add()), generate()],
    scorer=[match(), includes(), parts()],
)
model = get_model("mockllm/model", custom_outputs=replies)
eval(task, model=model, epochs=3, log_dir=sys.argv[1], log_format=sys.argv[2], display="none", fail_on_error=False)
'''
READ = """
import json, sys
from inspect_ai.log import read_eval_log

log = read_eval_log(sys.argv[1])
print(json.dumps({
    "status": log.status, "model": log.eval.model, "total": log.results.total_samples,
    "metrics": {f"{s.name}/{m.name}": m.value for s in log.results.scores for m in s.metrics.values()},
    "usage": {name: [u.input_tokens, u.output_tokens] for name, u in log.stats.model_usage.items()},
    "samples": [{
        "id": s.id, "epoch": s.epoch, "metadata": s.metadata, "completion": s.output.completion,
        "stop": s.output.stop_reason if s.output.choices else None,
        "scores": {name: score.value for name, score in (s.scores or {}).items()},
        "usage": [sum(getattr(u, name) or 0 for u in s.model_usage.values()) for name in (
            "input_tokens", "output_tokens", "reasoning_tokens", "input_tokens_cache_read")],
        "messages": [[m.role, m.text, [c.function for c in getattr(m, "tool_calls", None) or []]] for m in s.messages],
        "error": s.error.message if s.error else None,
    } for s in log.samples],
}))
"""


def read_by_inspect(log: Path) -> Any:
    """The log as inspect_ai's own reader tells it."""
    ended = run_tool(inspect_python(), "-c", READ, log, cwd=log.parent)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def value_of(score: Any) -> Any:
    return {"C": 1.0, "I": 0.0}.get(score, score) if isinstance(score, str) else score


@pytest.fixture(scope="module", params=["eval", "json"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log that inspect_ai made: eight samples in three epochs, with thinking, a tool, choices and an error."""
    folder = tmp_path_factory.mktemp("inspect")
    script = folder / "make.py"
    script.write_text(MAKE)
    ended = run_tool(inspect_python(), script, folder / "logs", request.param, cwd=folder)
    assert ended.returncode == 0, ended.stderr
    (log,) = (folder / "logs").glob(f"*.{request.param}")
    return log


def test_every_row_is_stored_with_id_epoch_score_and_usage(modex: Modex, made: Path) -> None:
    said = read_by_inspect(made)
    modex("import", "inspect", made)
    (run,) = modex.runs()
    stored = {(one.test_id, one.epoch): one for one in modex.samples()}
    assert len(stored) == len(said["samples"]) == 24
    for row in said["samples"]:
        sample = stored[str(row["id"]), row["epoch"]]
        usage = [sample.prompt_tokens, sample.completion_tokens, sample.reasoning_tokens, sample.cached_tokens]
        assert usage == row["usage"]
        assert sample.score == value_of(row["scores"].get("match"))
        assert (sample.response or "") == row["completion"]
        calls = [[call["name"] for call in entry.get("tool_calls", ())] for entry in sample.transcript]
        entries = [[entry["role"], entry["content"]] for entry in sample.transcript]
        assert [[*entry, names] for entry, names in zip(entries, calls, strict=True)] == row["messages"]
        assert sample.finish_reason == row["stop"]
        assert (row["error"] or "") in (sample.error_message or "")
        assert (sample.status == "error") is (row["error"] is not None)
    assert [run.prompt_tokens, run.completion_tokens] == said["usage"][run.model]
    assert (run.model, run.total_tests, run.state) == (said["model"], said["total"], "completed")
    (think,) = [one for one in stored.values() if one.test_id == "think" and one.epoch == 2]
    assert think.reasoning == "two and two"
    assert stored["plain", 1].domain == "arithmetic"
    assert stored["plain", 1].level == 2
    assert stored["x/y z ü", 3].prompt == "Which?\n\nA) 3\nB) 4"


@pytest.mark.parametrize("scorer", ["includes", "parts.part", "parts.whole"])
def test_any_of_its_scorers_can_be_the_one_that_counts(modex: Modex, made: Path, scorer: str) -> None:
    said = read_by_inspect(made)
    modex("import", "inspect", made, "--score", scorer)
    name, _, key = scorer.partition(".")
    for row, sample in zip(
        sorted(said["samples"], key=lambda one: (str(one["id"]), one["epoch"])), modex.samples(), strict=True
    ):
        value = row["scores"].get(name)
        assert sample.score == value_of(value[key] if key and value else value)


@pytest.mark.process
def test_a_log_goes_out_and_comes_back_with_ids_epochs_and_scores(modex: Modex, made: Path, tmp_path: Path) -> None:
    modex("import", "inspect", made)
    (run,) = modex.runs()
    before = modex.rows()
    modex("export", run.exp_id, "--format", "inspect", "--out", tmp_path / "out.json")
    read_by_inspect(tmp_path / "out.json")
    other = Modex(tmp_path / "other.db")
    other("import", "inspect", tmp_path / "out.json")
    assert other.rows() == before
    assert other.runs()[0].overall_score == run.overall_score


@pytest.fixture
def ours(modex: Modex, server: ServerHandle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of our own in two epochs, streamed: a pass, a failure, a tool, an error, hostile text; its log in a folder."""

    def reply(request: Request) -> Reply:
        usage = {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17}
        if "refuse" in request.prompt:
            return Reply(status=400, body={"error": {"message": "planted refusal"}})
        if "weather" in request.prompt and request.messages[-1]["role"] != "tool":
            call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}
            return Reply(content=None, tool_calls=[call], finish_reason="tool_calls", usage=usage)
        hostile = "</script><script>alert(1)</script> \x1b[2J a\ud800b"
        return Reply(hostile if "hostile" in request.prompt else "it is 4", usage=usage)

    server.behave(reply)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    shared: dict[str, Any] = {"evaluator_id": "keyword", "expected": {"keywords": ["4"]}}
    schema = {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}
    tool = {"type": "function", "function": schema, "response": "sunny"}
    asked = {"right": "2+2?", "wrong": "hostile", "failing": "refuse", "looking": "weather in Oslo?"}
    tests = [{"id": name, "prompt": prompt, **shared} for name, prompt in asked.items()]
    tests[-1] |= {"tools": [tool]}
    suite = write_suite(tmp_path / "suite", tests)
    words = ("--model", "openai/m", "--api-base", server.url, "--headless", "--exp-id", "r", "--epochs", "2")
    modex("run", "--suite", suite, *words)
    folder = tmp_path / "logs"
    folder.mkdir()
    modex("export", "r", "--format", "inspect", "--out", folder)
    (log,) = folder.iterdir()
    return log


def test_our_log_is_read_by_its_reader(modex: Modex, ours: Path) -> None:
    said = read_by_inspect(ours)
    stored = {(f"{one.domain}/{one.level}/{one.test_id}", one.epoch): one for one in modex.samples()}
    assert len(said["samples"]) == len(stored) == 8
    for row in said["samples"]:
        sample = stored[row["id"], row["epoch"]]
        assert row["scores"].get("modex") == sample.score
        assert row["usage"][:2] == [sample.prompt_tokens, sample.completion_tokens]
        assert row["metadata"]["test_id"] == sample.test_id
        assert (row["error"] is not None) is (sample.status == "error")
    (looking, _) = [row for row in said["samples"] if row["metadata"]["test_id"] == "looking"]
    assert [message[0] for message in looking["messages"]] == ["user", "assistant", "tool", "assistant"]
    assert looking["messages"][1][2] == ["weather"]
    (run,) = modex.runs()
    assert said["metrics"]["modex/weighted_score"] == run.overall_score
    assert said["metrics"]["speed/ttft_ms_median"] > 0
    assert said["usage"] == {run.model: [run.prompt_tokens, run.completion_tokens]}


def test_its_viewer_lists_our_log_and_bundles_it(ours: Path, tmp_path: Path) -> None:
    inspect = inspect_python().with_name("inspect")
    ended = run_tool(
        inspect, "view", "bundle", "--log-dir", ours.parent, "--output-dir", tmp_path / "site", cwd=tmp_path
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    listed = json.loads((tmp_path / "site" / "logs" / "listing.json").read_text())
    assert [(name, head["task"]) for name, head in listed.items()] == [(ours.name, "r")]
    assert [head["primary_metric"]["name"] for head in listed.values()] == ["weighted_score"]
    (bundled,) = (tmp_path / "site" / "logs").rglob(ours.name)
    assert len(json.loads(bundled.read_text())["samples"]) == 8


@pytest.mark.process
def test_its_converter_takes_our_log_and_the_archive_comes_back_here(modex: Modex, ours: Path, tmp_path: Path) -> None:
    inspect = inspect_python().with_name("inspect")
    ended = run_tool(
        inspect, "log", "convert", ours, "--to", "eval", "--output-dir", tmp_path / "archives", cwd=tmp_path
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (archive,) = (tmp_path / "archives").glob("*.eval")
    other = Modex(tmp_path / "other.db")
    other("import", "inspect", archive)
    assert other.rows() == modex.rows()
