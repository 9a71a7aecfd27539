"""A model's Python in the workspace tool: whatever it tries is denied, nothing survives, and the run goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.store.exact import decode_json
from tests.faults.harness import Modex, alive, descendants, finish, wait_until, write_suite
from tests.server import Behaviour, Reply, Request, replies, serve

pytestmark = pytest.mark.process

CANARY = "canary-env-4Hq9Lw"
ATTACKS = {
    "environment": "import os\nprint(os.environ)",
    "parent's environment": "print(open('/proc/self/environ').read())",
    "file": "print(open('/etc/passwd').read())",
    "write": "open('{there}', 'w').write('x')",
    "network": "import socket\ns = socket.socket()\ns.connect(('127.0.0.1', {port}))\ns.send(b'x')",
    "http": "import urllib.request\nprint(urllib.request.urlopen('http://127.0.0.1:{port}/v1/models').read())",
    "fork": "import os\nwhile True:\n    os.fork()",
    "subprocess": "import subprocess\nprint(subprocess.run(['id'], capture_output=True))",
    "memory": "a = []\nwhile True:\n    a.append('x' * 1000000)",
    "time": "while True:\n    pass",
    "no Python": "\x00\ud800 (((",
    "exit": "raise SystemExit(0)",
}
FAIR = "print(sum(range(10)))"
TOOL = {
    "name": "python",
    "description": "Run Python.",
    "parameters": {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]},
    "handler": "python:code_workspace",
}


def _tests(names: list[str]) -> list[dict[str, Any]]:
    return [
        {"id": f"t{n:02}", "prompt": name, "expected": {"keywords": ["ok"]}, "evaluator_id": "keyword", "tools": [TOOL]}
        for n, name in enumerate(names)
    ]


def _calling(there: Path, port: int) -> Behaviour:
    """A model that runs the attack its prompt names, then answers."""

    def behave(request: Request) -> Reply:
        if request.messages[-1]["role"] == "tool":
            return Reply(content="ok")
        code = ATTACKS.get(request.prompt, FAIR).replace("{there}", str(there)).replace("{port}", str(port))
        return replies.calls(replies.call("python", json.dumps({"code": code})))

    return behave


def test_a_killed_run_leaves_no_interpreter_behind(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", _tests(["time"]))
    with serve(_calling(tmp_path / "no", 9)) as server:
        process = modex.start(*modex.headless(server.url, suite))
        wait_until(lambda: server.hits == 1 and bool(descendants(process.pid)), "the interpreter at work")
        children = descendants(process.pid)
        process.kill()
        finish(process)
    wait_until(lambda: not [pid for pid in children if alive(pid)], "the interpreters to end", patience_s=15)


def test_every_attack_is_denied_and_the_run_goes_on(modex: Modex, tmp_path: Path) -> None:
    modex.variables["SOME_SECRET_TOKEN"] = CANARY
    there = tmp_path / "evil.txt"
    names = [*ATTACKS, "fair"]
    suite = write_suite(tmp_path / "suite", _tests(names))
    children: set[int] = set()
    with serve() as server:
        server.behave(_calling(there, server.port))
        process = modex.start(*modex.headless(server.url, suite))

        def done() -> bool:
            children.update(descendants(process.pid))
            return process.poll() is not None

        wait_until(done, "the run's end", patience_s=90)
        ended = finish(process)
        strangers = [request for request in server.requests if request.method != "POST"]
    assert ended.code == 0, ended.err
    assert not strangers
    assert not there.exists()
    wait_until(lambda: not [pid for pid in children if alive(pid)], "the interpreters to end", patience_s=15)
    for name, row in zip(names, modex.rows("status, transcript"), strict=True):
        assert row["status"] == "passed", name
        result = next(entry for entry in decode_json(row["transcript"]) if entry["role"] == "tool")
        said = result["content"]
        assert CANARY not in said
        assert "root:x:" not in said, name
        assert "uid=" not in said, name
        assert len(said) < 100_000, name
        if name == "fair":
            assert "45" in said
            assert not result["is_error"]
