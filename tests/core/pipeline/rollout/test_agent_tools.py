"""Agents are given the test's tools and what they call is seen; what they only tell is not the same."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.pipeline.rollout import agent_tools
from modex.core.store.sample import EvaluationSample
from tests.cli import Called, call, reading, write_suite
from tests.faults.harness import Modex, wait_until

pytestmark = pytest.mark.process

HEAD = """
import json, os, sys, threading, time, subprocess
from urllib.request import Request, urlopen
URL = os.environ["MODEX_TOOLS_URL"]
def call(name, **arguments):
    return json.load(urlopen(Request(f"{URL}/call", json.dumps({"name": name, "arguments": arguments}).encode())))
def told(*calls, answer="Done."):
    messages = []
    for number, (name, arguments, result) in enumerate(calls):
        function = {"name": name, "arguments": json.dumps(arguments)}
        messages.append({"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "function": function}]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
    return {"messages": [*messages, {"role": "assistant", "content": answer}]}
def solve(task):
"""
NUMBERS = Path(__file__).parents[2] / "tools" / "mcp_numbers.py"
NAME = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
PENDING = {"$state.orders.[order_id]": "pending"}
TOOLS: list[dict[str, Any]] = [
    {
        "id": "cancel",
        "function": {"name": "cancel", "description": "", "parameters": NAME},
        "responses": [
            {"when": PENDING, "set": {"orders.[order_id]": "cancelled"}, "response": "cancelled"},
            {"error": "it is not pending"},
        ],
    },
    {
        "id": "look",
        "read_only": True,
        "function": {"name": "look", "description": "", "parameters": NAME},
        "response": "{{$state.orders.[order_id]}}",
        "latency_ms": 80,
    },
]
TEST = {
    "id": "t",
    "prompt": "Cancel A.",
    "expected": {
        "calls": [{"name": "cancel", "args": {"order_id": "A"}}],
        "extra_reads": True,
        "state": {"orders.A": "cancelled"},
    },
    "tool_ids": ["cancel", "look"],
    "tool_state": {"orders": {"A": "pending", "B": "pending"}},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, **fields: Any) -> None:
    """A suite of one test, and an empty folder for files of the moment."""
    write_suite(folder / "s", [{**TEST, **fields}], evaluator_id="tool_call")
    (folder / "s" / "tool_mocks").mkdir(exist_ok=True)
    (folder / "s" / "tool_mocks" / "t.json").write_text(json.dumps(TOOLS))
    (folder / "tmp").mkdir(exist_ok=True)


def asked(folder: Path, body: str, *flags: str) -> tuple[Called, EvaluationSample]:
    """A run of the agent with this body of `solve`, and its one sample; nothing of the agent's is left."""
    (folder / "mine.py").write_text(HEAD + "".join(f"    {line}\n" for line in body.splitlines()))
    called = call("run", "--suite", "s", "--agent", "mine:solve", "--headless", "--exp-id", "e", "--db", "m.db", *flags)
    with reading(folder / "m.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    assert list((folder / "tmp").glob("modex-agent-*")) == []
    return called, sample


def calls_of(sample: EvaluationSample) -> list[list[tuple[str, str]]]:
    """Message by message."""
    return [
        [(one["name"], one["arguments"]) for one in entry["tool_calls"]]
        for entry in sample.transcript
        if entry.get("tool_calls")
    ]


CANCEL = [("cancel", '{"order_id": "A"}')]


def test_calls_that_are_seen_are_recorded_with_results_and_times_and_judged_with_the_state(folder: Path) -> None:
    body = "found = [call('look', order_id='A'), call('cancel', order_id='A'), call('look', order_id='A')]\n"
    _, sample = asked(folder, body + "return found[2]['content']")
    assert (sample.status, sample.score, sample.flags, sample.response) == ("passed", 1.0, [], "cancelled")
    assert calls_of(sample) == [[("look", '{"order_id": "A"}')], CANCEL, [("look", '{"order_id": "A"}')]]
    results = [entry for entry in sample.transcript if entry["role"] == "tool"]
    assert [entry["content"] for entry in results] == ["pending", "cancelled", "cancelled"]
    assert results[0]["duration_ms"] >= 80
    times = [entry["at_ms"] for entry in sample.transcript if entry.get("tool_calls")]
    assert times == sorted(times)
    assert times[1] - times[0] >= 80
    assert sample.tool_state == {"orders": {"A": "cancelled", "B": "pending"}}


def test_wrong_calls_and_planted_faults_are_what_they_are_for_a_model(folder: Path) -> None:
    write(folder, tool_faults={"cancel": ["error"]})
    body = (
        "said = [call('fly'), call('cancel', order_id=3), call('cancel', order_id='A'), call('cancel', order_id='A')]\n"
        "return json.dumps([(one['is_error'], one['content']) for one in said])"
    )
    _, sample = asked(folder, body)
    said = json.loads(sample.response or "")
    assert [error for error, _ in said] == [True, True, True, False]
    assert "unknown tool 'fly'; the tools are: cancel, look" in said[0][1]
    assert "order_id" in said[1][1]
    assert "internal error" in said[2][1]
    assert sample.tool_state == {"orders": {"A": "cancelled", "B": "pending"}}
    assert sample.status == "failed"
    assert "fly" in (sample.reason or "")


def test_calls_that_wait_at_once_are_one_message(folder: Path) -> None:
    body = (
        "both = [threading.Thread(target=call, args=('look',), kwargs={'order_id': 'A'}) for _ in range(2)]\n"
        "[one.start() for one in both]; [one.join() for one in both]\n"
        "call('cancel', order_id='A')\nreturn 'ok'"
    )
    _, sample = asked(folder, body)
    look = ("look", '{"order_id": "A"}')
    assert calls_of(sample) == [[look, look], CANCEL]
    ids = [one["id"] for entry in sample.transcript for one in entry.get("tool_calls", ())]
    assert [entry["tool_call_id"] for entry in sample.transcript if entry["role"] == "tool"] == ids
    assert len(set(ids)) == 3


def test_what_is_told_and_was_not_seen_is_no_call_and_both_are_counted(folder: Path) -> None:
    body = (
        "call('look', order_id='A')\nreturn told(('look', {'order_id': 'A'}, '?'), ('cancel', {'order_id': 'A'}, 'ok'))"
    )
    called, sample = asked(folder, body)
    assert (sample.status, sample.flags) == ("failed", ["calls_differ"])
    assert "those that were seen are judged (flag `calls_differ`)" in called.err
    assert calls_of(sample) == [[("look", '{"order_id": "A"}')]]
    assert sample.tool_state == {"orders": {"A": "pending", "B": "pending"}}
    shown = call("show", "e", "--test", "t", "--db", "m.db").out
    assert "told, not seen: cancel(" in shown
    assert "(calls: 1 seen, 2 told; those that were seen count)" in shown


def test_calls_that_are_only_told_are_judged_as_told_and_the_state_is_made_again(folder: Path) -> None:
    called, sample = asked(folder, "return told(('cancel', {'order_id': 'A'}, 'cancelled'))")
    assert "the calls that it tells of are judged (flag `calls_told`)" in called.err
    assert (sample.status, sample.flags) == ("passed", ["calls_told", "state_replayed"])
    assert sample.tool_state == {"orders": {"A": "cancelled", "B": "pending"}}


def test_a_told_call_that_went_otherwise_there_leaves_the_state_unknown_and_is_no_score(folder: Path) -> None:
    called, sample = asked(folder, "return told(('cancel', {'order_id': 'A'}, 'Error: the server is down'))")
    assert (sample.status, sample.error_type, sample.score, sample.stage) == ("error", "agent_error", None, "rollout")
    assert "the state at the end cannot be told: call 1 (cancel) gets no error" in (sample.error_message or "")
    assert called.code == 1


def test_an_agent_that_never_comes_for_its_tools_and_tells_of_none_called_nothing(folder: Path) -> None:
    called, sample = asked(folder, "return 'It is cancelled.'")
    assert (sample.status, sample.flags) == ("failed", ["tools_not_asked"])
    assert "the agent never came for the test's tools (MODEX_TOOLS_URL) and tells of no call" in called.err
    assert sample.tool_state == {"orders": {"A": "pending", "B": "pending"}}
    _, sample = asked(folder, "urlopen(f'{URL}/tools').read()\nreturn 'It is cancelled.'", "--seed", "1")
    assert (sample.status, sample.flags) == ("failed", [])


def test_no_more_calls_are_answered_than_may_be(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_tools, "MAX_CALLS", 2)
    _, sample = asked(folder, "return str([call('look', order_id='A')['is_error'] for _ in range(4)])")
    assert (sample.response, sample.flags) == ("[False, False, True, True]", ["tool_limit"])
    assert len(calls_of(sample)) == 2


@pytest.mark.long
def test_keys_that_are_not_read_are_named_once_with_how_many_answers_hold_them(folder: Path) -> None:
    called, _ = asked(folder, "return {'answer': 'x', 'odd': 1, 'usage': {'input_tokens': 3}}", "--epochs", "1")
    assert called.err.count("`odd`") == 1
    write_suite(folder / "s", [TEST, {**TEST, "id": "u"}], evaluator_id="tool_call")
    called = call("run", "--suite", "s", "--agent", "mine:solve", "--headless", "--exp-id", "two", "--db", "m.db")
    assert called.err.count("`odd`") == 2
    assert "`odd`, which is not read (docs/agents.md says what is): 2 samples" in called.err


@pytest.mark.long
def test_calls_are_seen_in_other_processes_too_and_their_answers_recorded_and_played_back(folder: Path) -> None:
    write_suite(folder / "s", [TEST, {**TEST, "id": "u"}], evaluator_id="tool_call")
    (folder / "mine.py").write_text(HEAD + "    return call('cancel', order_id='A')['content']\n")
    base = ("run", "--suite", "s", "--agent", "mine:solve", "--headless", "--db", "m.db")
    assert call(*base, "--exp-id", "a", "--processes", "2", "--record", "tape").code == 0
    assert call(*base, "--exp-id", "b", "--replay", "tape").code == 0
    (folder / "s" / "tool_mocks" / "t.json").write_text(json.dumps([{**TOOLS[0], "response": "other"}, TOOLS[1]]))
    with reading(folder / "m.db") as reader:
        for exp in ("a", "b"):
            for sample in reader.samples(reader.run(exp).id):
                assert (sample.status, sample.response, calls_of(sample)) == ("passed", "cancelled", [CANCEL])


def served(folder: Path, *tools: str, **mcp: Any) -> None:
    """The suite with tools of a server of the Model Context Protocol instead."""
    pytest.importorskip("mcp")
    parameters = {"add": {"x": {"type": "integer"}, "y": {"type": "integer"}}}
    offered = [
        {"name": name, "description": "", "parameters": {"type": "object", "properties": parameters.get(name, {})}}
        for name in tools
    ]
    document = {"mcp": {"command": [sys.executable, str(NUMBERS)], **mcp}, "tools": offered}
    (folder / "s" / "tool_mocks" / "t.json").write_text(json.dumps(document))
    test = {**TEST, "expected": {"calls": [{"name": "add", "args": {"x": 1, "y": 2}}], "extra_reads": True}}
    write_suite(folder / "s", [{**test, "tool_ids": list(tools), "tool_state": {}}], evaluator_id="tool_call")


@pytest.mark.long
def test_calls_that_a_server_answers_are_seen_and_its_death_is_not_the_agents(folder: Path) -> None:
    served(folder, "add", "die")
    _, sample = asked(folder, "return call('add', x=1, y=2)['content']", "--allow-plugins")
    assert (sample.status, sample.response, calls_of(sample)) == ("passed", "3", [[("add", '{"x": 1, "y": 2}')]])
    _, sample = asked(folder, "call('add', x=1, y=2)\ncall('die')\nreturn 'x'", "--allow-plugins", "--seed", "1")
    assert (sample.status, sample.error_type, sample.score) == ("error", "tool_unavailable", None)
    assert "exit code 3" in (sample.error_message or "")


def test_an_agent_that_closes_its_streams_goes_on_and_what_it_did_not_wait_for_was_called(folder: Path) -> None:
    (folder / "mine.py").write_text(
        HEAD.replace("def solve(task):", "")
        + "print(json.dumps({'answer': 'x'}), flush=True)\nos.close(1); os.close(2)\n"
        + "call('look', order_id='A')\nimport socket, urllib.parse\nwhere = urllib.parse.urlsplit(URL)\n"
        + "body = json.dumps({'name': 'cancel', 'arguments': {'order_id': 'A'}})\n"
        + "line = socket.create_connection((where.hostname, where.port))\n"
        + "line.sendall(f'POST {where.path}/call HTTP/1.1\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n{body}'.encode())\n"
        + "time.sleep(0.3)\n"
    )
    command = (
        "run",
        "--suite",
        "s",
        "--agent",
        f"{sys.executable} mine.py",
        "--headless",
        "--exp-id",
        "e",
        "--db",
        "m.db",
    )
    assert call(*command).code == 0
    with reading(folder / "m.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    assert (calls_of(sample), sample.status) == ([[("look", '{"order_id": "A"}')], CANCEL], "passed")


def test_without_room_for_the_address_the_sample_is_an_error_that_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(folder / "nowhere"))
    _, sample = asked(folder, "return 'x'")
    assert (sample.status, sample.error_type) == ("error", "agent_error")
    assert "cannot be given an address: No such file or directory; check TMPDIR" in (sample.error_message or "")


LINGERS = (
    "call('look', order_id='A')\n"
    "child = subprocess.Popen(['setsid', 'sleep', '300'])\n"
    "mcp = subprocess.Popen(task['mcp']['command'], stdin=subprocess.PIPE)\n"
    "open('pids', 'w').write(f'{os.getpid()} {child.pid} {mcp.pid} {URL}')\n"
    "os.rename('pids', 'there')\n"
    "time.sleep(300)"
)


def test_at_its_deadline_all_that_an_agent_started_is_gone_and_its_calls_are_kept(folder: Path) -> None:
    _, sample = asked(folder, LINGERS, "--timeout", "3")
    assert (sample.status, sample.error_type) == ("error", "timeout")
    assert calls_of(sample) == [[("look", '{"order_id": "A"}')]]
    assert_gone(folder)


@pytest.fixture
def modex(folder: Path) -> Iterator[Modex]:
    made = Modex(folder, {"TMPDIR": str(folder / "tmp")})
    yield made
    made.end()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_however_modex_ends_nothing_of_its_agents_is_left(folder: Path, modex: Modex, how: signal.Signals) -> None:
    (folder / "mine.py").write_text(HEAD + "".join(f"    {line}\n" for line in LINGERS.splitlines()))
    process = modex.start("run", "--suite", "s", "--agent", "mine:solve", "--headless", "--exp-id", "e")
    wait_until((folder / "there").exists, "the agent has started all")
    os.kill(process.pid, how)
    process.wait(60)
    wait_until(lambda: not list((folder / "tmp").glob("modex-agent-*")), "the files of the address are gone")
    assert_gone(folder)


def assert_gone(folder: Path) -> None:
    *pids, url = (folder / "there").read_text().split()
    assert len(pids) == 3
    for pid in pids:
        wait_until(lambda pid=pid: not _lives(pid), f"{pid} is gone")  # type: ignore[misc]
    port = int(url.split(":")[2].split("/")[0])
    listening = Path("/proc/net/tcp").read_text() if sys.platform.startswith("linux") else ""
    assert f"0100007F:{port:04X} 00000000:0000 0A" not in listening


def _lives(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False
