"""What an agent is told, and what of what it says is an answer: each step without a process, then real programs."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.llm.types import Usage
from modex.core.pipeline.rollout import agent_process
from modex.core.pipeline.rollout.agent_option import agent_name, command_of
from modex.core.pipeline.rollout.agent_process import AgentSaid
from modex.core.pipeline.rollout.agents import said_of, take_answer, task_of
from modex.core.pipeline.rollout.asking import Asking, Rollout
from modex.core.pipeline.rollout.told import MAX_STEPS
from modex.core.store.definition import Definition
from modex.core.store.sample import EvaluationSample
from tests.cli import Called, call, reading, write_suite
from tests.rows import each_row


@each_row(
    ("command", "name"),
    [
        ("python3 far/agent.py --fast", "agent/agent"),
        ("./my agent.sh", "agent/agent"),
        ("module.part:solve", "agent/module.part:solve"),
        ("claude -p", "agent/claude"),
        ("", "agent/agent"),
        ("'odd name!'", "agent/odd_name_"),
        ("node x.js y.py", "agent/x"),
    ],
)
def test_an_agent_is_called_as_its_program_script_or_function(command: str, name: str) -> None:
    assert agent_name(command) == name


def test_the_words_of_a_command_name_a_program_that_is_there_or_a_function(tmp_path: Path) -> None:
    script = tmp_path / "agent.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert command_of("sh -c 'a b'", None)[1:] == ["-c", "a b"]
    assert Path(command_of("sh", None)[0]).is_absolute()
    assert command_of("agent.sh x", str(tmp_path)) == [str(script), "x"]
    assert command_of("./agent.sh", str(tmp_path)) == [str(tmp_path / "agent.sh")]
    assert command_of("pack.mod:solve", None)[0] == sys.executable
    assert command_of("pack.mod:solve", None)[-1] == "pack.mod:solve"
    for command, folder, said in (
        ("agent.sh", None, "there is no program 'agent.sh'"),
        ("./other.sh", str(tmp_path), "there is no program"),
        ("", None, "name a command"),
        ("pack.mod:solve x", None, "there is no program"),
        ("sh 'x", None, "cannot be read"),
    ):
        with pytest.raises(ConfigurationError, match=said):
            command_of(command, folder)


@each_row(
    ("ran", "kind", "said"),
    [
        (AgentSaid(-9, b"", ""), ErrorType.AGENT_ERROR, "the agent was killed by signal 9"),
        (AgentSaid(3, b"", " why \n"), ErrorType.AGENT_ERROR, "the agent ended with code 3: why"),
        (AgentSaid(1, b"", "x" * 900), ErrorType.AGENT_ERROR, "the agent ended with code 1: " + "x" * 800),
        (AgentSaid(0, b" ", ""), ErrorType.INVALID_RESPONSE, "and nothing else, not nothing"),
        (AgentSaid(0, b"y" * 200, "why"), ErrorType.INVALID_RESPONSE, f"and nothing else, not '{'y' * 160}': why"),
        (AgentSaid(0, b"[1]", ""), ErrorType.INVALID_RESPONSE, "nothing else, not '[1]'"),
        (AgentSaid(0, b'{"error": "no key"}', ""), ErrorType.AGENT_ERROR, "the agent says: no key"),
        (AgentSaid(0, b'{"error": "partial", "answer": "4"}', ""), ErrorType.AGENT_ERROR, "the agent says: partial"),
        (AgentSaid(0, b'{"error": {"code": 5, "message": "no credits"}}', ""), ErrorType.AGENT_ERROR, "no credits"),
        (AgentSaid(0, b'{"error": 3}', ""), ErrorType.INVALID_RESPONSE, "no text `answer`"),
        (AgentSaid(0, b'{"answer": 3}', ""), ErrorType.INVALID_RESPONSE, "no text `answer`"),
        (AgentSaid(0, b'{"a": ' + b"[" * 9000 + b"]" * 9000 + b"}", ""), ErrorType.INVALID_RESPONSE, "nothing else"),
    ],
    ids=range(12),
)
def test_what_is_no_answer_is_an_error_that_says_why(ran: AgentSaid, kind: ErrorType, said: str) -> None:
    with pytest.raises(ModelCallError) as caught:
        said_of(ran)
    assert caught.value.error_type is kind
    assert said in str(caught.value)
    if said.endswith("x"):
        assert "x" * 801 not in str(caught.value)


def test_an_answer_is_one_object_with_its_text() -> None:
    assert said_of(AgentSaid(0, b' {"answer": "4", "error": null}\n', "noise")) == {"answer": "4", "error": None}
    assert said_of(AgentSaid(0, b'\xef\xbb\xbf{"answer": "4"}', "")) == {"answer": "4"}


def taken(answer: dict[str, Any]) -> Rollout:
    context: Any = SimpleNamespace(tools_of=lambda _sample: ())
    asking = Asking(EvaluationSample(domain="d", test_id="t", prompt="p"), context)
    take_answer(answer, asking)
    return asking.rollout


def test_steps_usage_and_answer_are_those_of_a_rollout() -> None:
    steps = [
        {"thought": "hm"},
        {"content": "look", "tool": "add", "arguments": {"x": "é"}, "result": {"y": 1}},
        {"tool": "get", "arguments": "raw", "result": "text", "error": True},
        {"tool": "none", "error": "yes"},
    ]
    usage = {"prompt": 3, "completion": 4, "reasoning": 2}
    rollout = taken({"answer": "4", "steps": steps, "usage": usage, "cost_usd": 1, "reasoning": "because"})
    said = [entry for entry in rollout.transcript if entry["role"] == "assistant"]
    assert [(entry["content"], entry["iteration"]) for entry in said] == [
        ("hm", 1),
        ("look", 2),
        ("", 3),
        ("", 4),
        ("4", 5),
    ]
    assert rollout.transcript[0] == {"role": "assistant", "content": "hm", "phase": "agent", "iteration": 1}
    assert rollout.transcript[1]["tool_calls"] == [{"id": "step_2", "name": "add", "arguments": '{"x": "é"}'}]
    assert [call["arguments"] for entry in said for call in entry.get("tool_calls", ())] == ['{"x": "é"}', "raw", "{}"]
    results = [entry for entry in rollout.transcript if entry["role"] == "tool"]
    assert [
        (entry["tool_call_id"], entry["name"], entry["content"], entry["is_error"], entry["phase"], entry["iteration"])
        for entry in results
    ] == [
        ("step_2", "add", '{"y": 1}', False, "agent", 2),
        ("step_3", "get", "text", True, "agent", 3),
        ("step_4", "none", "null", False, "agent", 4),
    ]
    assert (rollout.usage, rollout.cost_usd) == (Usage(prompt=3, completion=4, reasoning=2), 1.0)
    assert (rollout.reasoning, rollout.flags, rollout.response) == (["because"], [], "4")


def test_an_answer_that_a_transcript_ends_with_is_there_once_and_an_empty_one_is_flagged() -> None:
    chat = [{"role": "assistant", "content": " a "}]
    assert [entry["content"] for entry in taken({"answer": "a", "messages": chat}).transcript] == [" a "]
    assert [entry["content"] for entry in taken({"answer": "b", "messages": chat}).transcript] == [" a ", "b"]
    empty = taken({"answer": " ", "said": True, "reasoning": ""})
    assert (empty.flags, empty.usage, empty.cost_usd, empty.reasoning) == (["empty_answer"], Usage(), 0.0, [])
    assert len(taken({"answer": "a", "steps": [{"content": "x"}] * MAX_STEPS}).transcript) == 501


@each_row(
    ("answer", "said"),
    [
        ({"steps": {"a": 1}}, "no list of objects"),
        ({"steps": [1]}, "no list of objects"),
        ({"steps": [{"content": "x"}] * 501}, "gives 501 steps; at most 500"),
        ({"steps": [{}]}, "the agent's step 1 has neither"),
        ({"steps": [{"content": "x"}, {"tool": 3}]}, "the agent's step 2: `tool` is a name"),
        ({"steps": [{"tool": "t", "arguments": [1]}]}, "`arguments` an object"),
        ({"usage": [1]}, "whole numbers"),
        ({"usage": {"prompt": 1.5}}, "whole numbers"),
        ({"usage": {"completion": -1}}, "whole numbers"),
        ({"usage": {"reasoning": True}}, "whole numbers"),
        ({"cost_usd": True}, "`cost_usd`"),
        ({"cost_usd": -0.1}, "`cost_usd`"),
        ({"cost_usd": 1e6}, "`cost_usd`"),
        ({"cost_usd": "1"}, "`cost_usd`"),
    ],
)
def test_steps_and_figures_of_another_form_are_no_answer(answer: dict[str, Any], said: str) -> None:
    with pytest.raises(ModelCallError, match=said) as caught:
        taken({"answer": "a", **answer})
    assert caught.value.error_type is ErrorType.INVALID_RESPONSE


@pytest.mark.parametrize(("model", "told"), [("agent/mine", None), ("openai/m", "openai/m")])
def test_an_agent_is_told_its_task_and_neither_gold_nor_key(model: str, told: str | None) -> None:
    tool = SimpleNamespace(schema=lambda: {"name": "add"})
    config = RunConfig(model=ModelSpec(model=model), max_iterations=4)
    context = SimpleNamespace(config=config, tools_of=lambda sample: [tool])
    sample = EvaluationSample(domain="d", level=2, test_id="t", epoch=3, prompt="p", expected="gold", system_prompt="s")
    asking: Any = SimpleNamespace(sample=sample, context=context)
    assert task_of(asking, 1.5) == {
        "protocol": 1,
        "task_id": "d/2/t",
        "epoch": 3,
        "domain": "d",
        "level": 2,
        "source": "suite",
        "prompt": "p",
        "messages": [{"role": "user", "content": "p"}],
        "system_prompt": "s",
        "tools": [{"name": "add"}],
        "max_iterations": 4,
        "deadline_s": 1.5,
        "model": told,
    }
    attached = [{"name": "a", "path": "/a", "media_type": "m", "digest": "d"}]
    sample.definition = Definition(turns=[{"role": "user", "content": "turn"}], attachments=attached, max_iterations=9)
    more = task_of(asking, 1.5)
    assert (more["messages"], more["max_iterations"]) == ([{"role": "user", "content": "turn"}], 9)
    assert more["attachments"] == [{"name": "a", "path": "/a", "media_type": "m"}]
    assert "gold" not in json.dumps(more)


def _asked(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str, **test: Any) -> tuple[Called, EvaluationSample]:
    """A run of a shell script as the agent, and its one sample."""
    monkeypatch.chdir(folder)
    write_suite(folder / "s", [{"id": "t", "prompt": "Say yes.", "expected": {"keywords": ["yes"]}, **test}])
    (folder / "agent.sh").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "agent.sh").chmod(0o755)
    called = call("run", "--suite", "s", "--agent", "./agent.sh", "--headless", "--exp-id", "e", "--db", "m.db")
    with reading(folder / "m.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    return called, sample


@pytest.mark.process
def test_a_program_gets_its_task_on_stdin_and_its_answer_is_what_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = 'cat > task.json; echo noise >&2; printf \'%s\' \'{"answer": "yes", "odd_key": 1}\''
    started = time.monotonic()
    called, sample = _asked(tmp_path, monkeypatch, script, system_prompt="Be kind.", timeout_ms=60_000)
    took_ms = (time.monotonic() - started) * 1000
    task = json.loads((tmp_path / "task.json").read_text())
    assert (task["prompt"], task["system_prompt"], task["deadline_s"]) == ("Say yes.", "Be kind.", 60.0)
    assert (sample.status, sample.response, sample.attempts) == ("passed", "yes", 1)
    assert 0 < sample.duration_ms <= took_ms
    assert "`odd_key`, which is not read" in called.err
    assert [entry["role"] for entry in sample.transcript] == ["system", "user", "assistant"]


@pytest.mark.process
def test_bytes_that_are_no_utf8_are_flagged_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called, sample = _asked(tmp_path, monkeypatch, 'printf \'{"answer": "yes \\351"}\'')
    assert (sample.status, sample.response, sample.flags) == ("passed", "yes \N{REPLACEMENT CHARACTER}", ["not_utf8"])
    assert "not UTF-8" in called.err


@pytest.mark.process
@pytest.mark.parametrize(
    ("script", "test", "kind", "said"),
    [
        ("exec <&-; echo why >&2; exit 3", {}, "agent_error", "the agent ended with code 3: why"),
        ("exec sleep 60", {"timeout_ms": 300}, "timeout", "the agent was killed at its deadline of 0.3 s"),
        ("exec >&- 2>&- <&-; exec sleep 60", {"timeout_ms": 300}, "timeout", "killed at its deadline of 0.3 s"),
        ("head -c 2000 /dev/zero; exec sleep 60", {}, "invalid_response", "the agent printed more than"),
        ("head -c 70000 /dev/zero | tr '\\000' a >&2; exit 1", {}, "agent_error", "ended with code 1: aaa"),
    ],
    ids=["fails", "late", "closes its streams", "prints too much", "long errors"],
)  # fmt: skip
def test_an_agent_that_gives_no_answer_is_an_error_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, test: dict[str, Any], kind: str, said: str
) -> None:
    monkeypatch.setattr(agent_process, "MAX_OUTPUT", 1000)
    _, sample = _asked(tmp_path, monkeypatch, script, **test)
    assert (sample.status, sample.error_type) == ("error", kind)
    assert said in (sample.error_message or "")
    assert sample.attempts == 1


@pytest.mark.process
def test_an_agent_that_does_not_read_its_task_may_answer_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, sample = _asked(tmp_path, monkeypatch, 'exec <&-; echo \'{"answer": "yes"}\'', prompt="Say yes. " * 40_000)
    assert (sample.status, sample.response) == ("passed", "yes")
