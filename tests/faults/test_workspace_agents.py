"""An agent from outside, a process of its own, works in the folder of a test: by HTTP, by the protocol of tools, and killed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture
from tests.faults.harness import Modex, descendants, finish, processes, wait_until, write_suite
from tests.workspace_examples import MEND

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.usefixtures("boxes")]
HTTP = """
import json, os, sys, urllib.request
def asked(path, body=None):
    return json.load(urllib.request.urlopen(os.environ["MODEX_TOOLS_URL"] + path, body))
def call(name, **arguments):
    return asked("/call", json.dumps({"name": name, "arguments": arguments}).encode())["content"]
names = [one["function"]["name"] for one in asked("/tools")]
"""
MCP = """
import json, os, subprocess, sys
server = json.load(open(os.environ["MODEX_MCP_CONFIG"]))["mcpServers"]["modex"]
there = subprocess.Popen([server["command"], *server["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def say(**message):
    there.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
    there.stdin.flush()
def asked(method, **params):
    say(id=1, method=method, params=params)
    return json.loads(there.stdout.readline())["result"]
def call(name, **arguments):
    return asked("tools/call", name=name, arguments=arguments)["content"][0]["text"]
asked("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "agent", "version": "1"})
say(method="notifications/initialized")
names = [one["name"] for one in asked("tools/list")["tools"]]
"""
WORKS = """
task = json.loads(sys.stdin.readline())
assert names == [one["function"]["name"] for one in task["tools"]], names
assert call("read_file", path="stats.py").startswith("def median")
call("write_file", path="stats.py", content="from statistics import median\\n")
print(json.dumps({"answer": call("shell", command="PYTHONPATH=. python3 tests/test_stats.py; cat stats.py; id -u; ls")}))
"""
WAITS = """
call("shell", command="echo begun > begun.txt; sleep 600")
"""


def _agent(tmp_path: Path, *parts: str) -> str:
    place = tmp_path / "agent.py"
    place.write_text("".join(parts))
    return f"{sys.executable} {place}"


@pytest.mark.parametrize("way", [HTTP, MCP], ids=["http", "mcp"])
def test_its_calls_are_made_in_the_sandbox_and_judged_by_the_same_checks(
    modex: Modex, tmp_path: Path, way: str
) -> None:
    suite = write_suite(tmp_path / "suite", [{**MEND.test, "evaluator_id": "workspace"}])
    done = modex.run("run", "--agent", _agent(tmp_path, way, WORKS), "--suite", suite, "--exp-id", "r", "--headless")
    assert done.code == 0, done.err
    (row,) = modex.rows("status, response, transcript, workspace, details, flags")
    assert (row["status"], row["response"]) == ("passed", "from statistics import median\n65534\nstats.py\ntests\n")
    told = [entry["name"] for entry in json.loads(row["transcript"]) if entry["role"] == "tool"]
    assert told == ["read_file", "write_file", "shell"]
    assert json.loads(row["workspace"])["calls"] == 3
    (part,) = [one for one in json.loads(row["details"])["parts"] if one["kind"] == "workspace"]
    assert "+from statistics import median" in part["diff"]


def test_one_that_is_killed_with_its_run_leaves_nothing_and_begins_anew(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", [{**MEND.test, "evaluator_id": "workspace"}])
    words = ("run", "--agent", _agent(tmp_path, HTTP, WAITS), "--suite", suite, "--exp-id", "r", "--headless")
    process = modex.start(*words)

    def at_work() -> set[int]:
        below = set(descendants(process.pid))
        return below if any("sleep" in words for pid, words in processes() if pid in below) else set()

    below = wait_until(at_work, "the command in the sandbox")
    process.kill()
    finish(process)
    wait_until(lambda: not below & {pid for pid, _ in processes()}, "all of it to end")
    _agent(tmp_path, HTTP, WORKS)
    assert modex.run(*words).code == 0
    (row,) = modex.rows("status, response")
    assert row["status"] == "passed"
    assert "begun.txt" not in row["response"]
