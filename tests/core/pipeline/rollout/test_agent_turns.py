"""Somebody's agent speaks with a user: once a turn, with what was said, on tools that remember over the turns."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from modex.core.foundation.parties import party_of
from modex.core.store.sample import EvaluationSample
from tests.cli import Called, call, reading, write_suite
from tests.core.pipeline.rollout.test_agent_tools import CANCEL, HEAD, TEST, calls_of, folder, served, write
from tests.server import Reply, ServerHandle
from tests.server.replies import call as asks
from tests.server.replies import calls

__all__ = ["folder"]
pytestmark = pytest.mark.process

SCRIPT = {"rollout": "conversation", "prompt": "Hello.", "simulated_user": {"says": ["Cancel A.", "Thanks."]}}
GOAL = {"goal": "You want order A cancelled.", "facts": ["Your order is A."], "must_say": ["A"], "max_turns": 4}
PLAYED = {"rollout": "conversation", "prompt": "Hello.", "simulated_user": GOAL}
ANSWERS = (
    "if 'Cancel' in task['prompt']:\n    return call('cancel', order_id='A')['content']\n"
    "return f\"{task['turn']}: {task['prompt']}\""
)
ALONE = "if __name__ == '__main__':\n    for line in sys.stdin:\n        print(json.dumps(solve(json.loads(line))), flush=True)\n"


def talked(folder: Path, agent: str, body: str, *flags: str, **fields: Any) -> tuple[Called, EvaluationSample]:
    """A run of the agent with this body of `solve` over one conversation; nothing of the agent's is left."""
    if fields:
        write(folder, **fields)
    (folder / "mine.py").write_text(HEAD + "".join(f"    {line}\n" for line in body.splitlines()) + ALONE)
    called = call("run", "--suite", "s", "--agent", agent, "--headless", "--exp-id", "e", "--db", "m.db", *flags)
    assert called.code in (0, 1), called.err
    with reading(folder / "m.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    assert list((folder / "tmp").glob("modex-agent-*")) == []
    return called, sample


def spoken(sample: EvaluationSample) -> list[tuple[str, str]]:
    return [(entry["role"], entry["content"]) for entry in sample.transcript if entry["role"] != "tool"]


def test_an_agent_is_asked_once_a_turn_and_its_tools_remember(folder: Path) -> None:
    body = "open('seen', 'a').write(json.dumps([os.getpid(), task]) + '\\n')\n" + ANSWERS
    _, sample = talked(folder, "mine:solve", body, **SCRIPT)
    assert spoken(sample) == [
        ("user", "Hello."), ("assistant", "1: Hello."), ("user", "Cancel A."), ("assistant", ""), ("assistant", "cancelled"),
        ("user", "Thanks."), ("assistant", "3: Thanks."),
    ]  # fmt: skip
    assert (sample.status, sample.flags, sample.response) == ("passed", [], "1: Hello.\n\ncancelled\n\n3: Thanks.")
    assert calls_of(sample) == [CANCEL]
    assert sample.tool_state == {"orders": {"A": "cancelled", "B": "pending"}}
    assert [entry["iteration"] for entry in sample.transcript if entry["role"] == "assistant"] == [1, 2, 3, 4]
    seen = [json.loads(line) for line in (folder / "seen").read_text().splitlines()]
    assert len({pid for pid, _ in seen}) == 1  # a function stays
    tasks = [task for _, task in seen]
    assert [task["turn"] for task in tasks] == [1, 2, 3]
    assert len({task["session"] for task in tasks}) == len({task["tools_url"] for task in tasks}) == 1
    assert [(one["role"], one["content"]) for one in tasks[2]["messages"]] == [
        ("user", "Hello."), ("assistant", "1: Hello."), ("user", "Cancel A."), ("assistant", "cancelled"), ("user", "Thanks."),
    ]  # fmt: skip
    assert "Thanks." not in json.dumps(tasks[1])


@pytest.mark.long
def test_a_command_is_started_for_each_turn_unless_it_stays(folder: Path) -> None:
    body = "return {'answer': str(os.getpid())}"
    write(folder, **{**SCRIPT, "expected": {"no_call": True}})
    command = f"{sys.executable} mine.py"
    _, sample = talked(folder, command, body)
    assert len(set((sample.response or "").split())) == 3
    _, sample = talked(folder, command, body, "--agent-stays")
    assert len(set((sample.response or "").split())) == 1
    for stays in ((), ("--agent-stays",)):  # one that ends after a line is started again
        (folder / "once.py").write_text("import json, os\ninput()\nprint(json.dumps({'answer': str(os.getpid())}))\n")
        _, sample = talked(folder, f"{sys.executable} once.py", body, *stays, "--model", "agent/mine")
        assert len(set((sample.response or "").split())) == 3


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_an_agent_in_another_language_talks_over_its_stdin(folder: Path) -> None:
    (folder / "mine.mjs").write_text(
        "import { readFileSync } from 'node:fs';\n"
        "const task = JSON.parse(readFileSync(0, 'utf8'));\n"
        "const say = (answer) => console.log(JSON.stringify({ answer }));\n"
        "if (!task.prompt.includes('Cancel')) say(`turn ${task.turn}`);\n"
        "else {\n"
        "  const body = JSON.stringify({ name: 'cancel', arguments: { order_id: 'A' } });\n"
        "  const reply = await fetch(`${process.env.MODEX_TOOLS_URL}/call`, { method: 'POST', body });\n"
        "  say((await reply.json()).content);\n"
        "}\n"
    )
    _, sample = talked(folder, "node mine.mjs", "", **SCRIPT)
    assert (sample.status, sample.response, calls_of(sample)) == ("passed", "turn 1\n\ncancelled\n\nturn 3", [CANCEL])


@pytest.fixture
def played(folder: Path, server: ServerHandle) -> Any:
    def run(body: str, *says: str, **fields: Any) -> tuple[Called, EvaluationSample]:
        answers = [Reply(text) for text in says]
        server.behave(lambda _request: answers.pop(0) if len(answers) > 1 else answers[0])
        flags = ("--user-model", "openai/user", "--user-api-base", server.url)
        return talked(folder, "mine:solve", body, *flags, **{**PLAYED, **fields})

    return run


def test_a_user_that_a_model_plays_hears_the_agent_and_ends_the_talk(played: Any, server: ServerHandle) -> None:
    body = "return call('cancel', order_id='A')['content'] if 'order is A' in task['prompt'] else 'Which?'"
    _, sample = played(body, "My order is A.", "###STOP###")
    assert (sample.status, sample.response, calls_of(sample)) == ("passed", "Which?\n\ncancelled", [CANCEL])
    assert (sample.simulated_user.ended, sample.simulated_user.turns, sample.simulated_user.fault) == ("left", 2, "")
    heard = [message["content"] for message in server.requests[-1].messages[1:]]
    assert heard[1:] == ["Hello.", "Which?", "My order is A.", "cancelled"]


def test_a_users_fault_is_named_as_with_a_model(played: Any) -> None:
    _, sample = played("return 'Which order is it?'", "###STOP###")
    assert (sample.status, sample.simulated_user.fault) == ("failed", "left_at_once")
    assert "user_fault" in sample.flags
    assert sample.why.startswith("the user is at fault (left at once)")


def test_a_user_with_tools_of_its_own_acts_on_the_agents_world(folder: Path, server: ServerHandle) -> None:
    says = [calls(asks("look", '{"order_id": "A"}')), Reply("It is pending, A."), Reply("###STOP###")]
    server.behave(lambda _request: says.pop(0))
    body = "return call('cancel', order_id='A')['content'] if 'pending' in task['prompt'] else 'Look at A, please.'"
    flags = ("--user-model", "openai/user", "--user-api-base", server.url)
    test = {**PLAYED, "tool_ids": ["cancel"], "simulated_user": {**GOAL, "tool_ids": ["look"]}}
    _, sample = talked(folder, "mine:solve", body, *flags, **test)
    assert (sample.status, sample.response) == ("passed", "Look at A, please.\n\ncancelled")
    used = [(entry.get("by"), entry["name"]) for entry in sample.transcript if entry["role"] == "tool"]
    assert used == [("user", "look"), (None, "cancel")]


def test_without_a_model_for_its_users_the_run_says_what_to_name(folder: Path) -> None:
    write(folder, **PLAYED)
    called = call("run", "--suite", "s", "--agent", "sh -c x", "--headless", "--exp-id", "e", "--db", "m.db")
    assert called.code == 2
    assert "name one with --user-model" in called.err


def test_an_answer_that_fails_in_a_turn_is_the_agents_error_and_what_was_said_is_kept(folder: Path) -> None:
    _, sample = talked(folder, "mine:solve", "sys.exit(3) if task['turn'] == 2 else None\nreturn 'one'", **SCRIPT)
    assert (sample.status, sample.error_type, sample.score) == ("error", "agent_error", None)
    assert "the agent ended with code 3" in (sample.error_message or "")
    assert spoken(sample) == [("user", "Hello."), ("assistant", "one"), ("user", "Cancel A.")]


def test_what_it_tells_of_turns_before_is_not_told_again(folder: Path) -> None:
    body = "said = [*task['messages'], {'role': 'assistant', 'content': f\"turn {task['turn']}\"}]\nreturn {'messages': said}"
    _, sample = talked(folder, "mine:solve", body, **SCRIPT)
    said = [text for role, text in spoken(sample) if role == "assistant"]
    assert said == ["turn 1", "turn 2", "turn 3"]
    assert sample.flags == ["tools_not_asked"]


def test_tools_that_a_turn_brings_are_not_there_before_and_the_world_is_judged_by_turn(folder: Path) -> None:
    says = ["Look.", {"content": "Cancel A.", "tools": ["cancel"]}]
    gold = {"turns": [{"changes": {}}, {"changes": {}}, {"acts": True, "changes": {"/orders/A": "cancelled"}}]}
    body = "call('cancel', order_id='A')\nreturn ','.join(one['function']['name'] for one in task['tools'])"
    write_suite(
        folder / "s",
        [{**TEST, **SCRIPT, "simulated_user": {"says": says}, "expected": gold, "evaluator_id": "world"}],
    )
    _, sample = talked(folder, "mine:solve", body)
    assert sample.response == "look\n\nlook\n\ncancel,look"
    assert (sample.status, sample.why) == ("passed", "every turn came to what it should")


@pytest.mark.long
@pytest.mark.parametrize("slow", ["server", "mock", "plugin"])
def test_a_slow_tool_holds_no_agent_beyond_its_deadline(folder: Path, slow: str) -> None:
    tool: dict[str, Any] = {"id": "wait", "function": {"name": "wait", "parameters": {"type": "object"}}}
    if slow == "server":
        served(folder, "wait", "add")
    else:
        answered = (
            {"responses": [{"response": "x", "latency_ms": 9000}]} if slow == "mock" else {"handler": "python:wait"}
        )
        (folder / "s" / "tool_mocks" / "t.json").write_text(json.dumps([{**tool, **answered}]))
        test = {**TEST, "tool_ids": ["wait"], "expected": {"calls": [{"name": "wait"}]}}
        write_suite(folder / "s", [test], evaluator_id="tool_call")
    if slow == "plugin":
        (folder / "s" / "plugins").mkdir()
        (folder / "s" / "plugins" / "wait.py").write_text(
            "import time\nfrom modex import ToolResult, register_handler\n"
            "@register_handler('python:wait')\ndef wait(arguments, session):\n    time.sleep(9)\n    return ToolResult('x')\n"
        )
    _, sample = talked(folder, "mine:solve", "call('wait', seconds=9)\nreturn 'x'", "--timeout", "5", "--allow-plugins")
    assert (sample.status, sample.error_type) == ("error", "timeout")
    assert "the tool wait gave no answer before the agent's deadline of 5 s" in (sample.error_message or "")
    assert (sample.duration_ms or 0) < 8000
    assert party_of(sample) == "tool"
