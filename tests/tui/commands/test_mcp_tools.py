"""Tools of an MCP server in a run: asked for permission, called, recorded, and replayed with the server switched off."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli import call as modex
from tests.core.tools.test_mcp_servers import NUMBERS
from tests.server import Reply, Request, serve
from tests.server.replies import call, calls
from tests.tui.commands.conftest import Shell

PLAIN = """
import json, sys
import helper
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        found = {"content": [{"type": "text", "text": "42"}]}
        if asked["method"] == "initialize":
            found = {
                "protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "adder", "version": "1"},
            }
        elif asked["method"] == "tools/list":
            found = {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": found}), flush=True)
"""
"""A server without the SDK, which takes two seconds of a core to start."""


def adding(request: Request) -> Reply:
    """Calls `add`, and says what came out."""
    results = [message["content"] for message in request.messages if message["role"] == "tool"]
    return Reply(f"It is {results[-1]}") if results else calls(call("add", '{"x": 20, "y": 22}'))


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with serve(adding) as server:
        shell = Shell(server, tmp_path)
        shell.suite([{"id": "sum", "prompt": "20+22?", "tool_ids": ["add"], "expected": {"keywords": ["42"]}}])
        yield shell


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `modex import mcp` writes of the server's tools."""
    path = tmp_path_factory.mktemp("imported") / "numbers.json"
    written = modex("import", "mcp", path, "--tool", "add", "--", *NUMBERS)
    assert written.code == 0, written.err
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def tools_file(shell: Shell, document: dict[str, Any], command: tuple[str, ...] = NUMBERS) -> Path:
    """The suite's file of a server's tools."""
    path = shell.root / "suite" / "tool_mocks" / "numbers.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({**document, "mcp": {"command": list(command)}}))
    return path


def transcript(shell: Shell, exp_id: str) -> list[dict[str, Any]]:
    (sample,) = json.loads(shell("export", exp_id).out)["samples"]
    assert sample["status"] == "passed", sample["error_message"]
    kept = ("role", "content", "tool_calls", "tool_call_id", "name", "is_error")
    return [{name: entry[name] for name in kept if name in entry} for entry in sample["transcript"]]


def test_a_server_is_asked_only_where_it_was_allowed_and_what_it_said_can_be_replayed(
    shell: Shell, imported: dict[str, Any]
) -> None:
    tools_file(shell, imported)
    refused = shell.run()
    assert refused.code == 2
    assert "answered by servers of its own" in refused.err
    assert sys.executable in refused.err
    cassette = shell.root / "cassette"
    shell.run("--allow-plugins", "--record", str(cassette), exp_id="real")
    real = transcript(shell, "real")
    assert [entry["content"] for entry in real if entry["role"] == "tool"] == ["42"]
    tools_file(shell, imported, ("/bin/false",))
    shell.run("--allow-plugins", "--replay", str(cassette), exp_id="again")
    assert transcript(shell, "again") == real


@pytest.mark.long
def test_a_byte_changed_in_what_a_server_runs_asks_again_and_a_planted_compiled_file_is_not_looked_at(
    shell: Shell, imported: dict[str, Any]
) -> None:
    suite = shell.root / "suite"
    (suite / "lib").mkdir()
    (suite / "adder.py").write_text(PLAIN)
    for name in ("helper.py", "lib/more.py", "run.sh"):
        (suite / name).write_text("# the first\n")
    tools_file(shell, imported, (sys.executable, "adder.py"))
    assert shell.run("--allow-plugins", exp_id="first").code == 0
    assert not list(suite.rglob("*.pyc"))
    assert shell.run(exp_id="second").code == 0
    for number, changed in enumerate(("adder.py", "helper.py", "lib/more.py", "run.sh")):
        first = (suite / changed).read_text()
        (suite / changed).write_text(first + "# the second\n")
        refused = shell.run(exp_id=f"third {number}")
        assert refused.code == 2, changed
        assert "a file of it has changed since" in refused.err, changed
        assert shell.run("--allow-plugins", exp_id=f"fourth {number}").code == 0, changed


def test_a_recording_that_lacks_a_call_is_an_error_that_names_it(shell: Shell, imported: dict[str, Any]) -> None:
    tools_file(shell, imported)
    cassette = shell.root / "cassette"
    cassette.mkdir()
    kept = {"sample": "s", "arguments": {}, "occurrence": 1, "content": "", "is_error": False, "duration_ms": 0}
    (cassette / "other.jsonl").write_text(json.dumps(kept))
    shell.run("--allow-plugins", "--replay", str(cassette))
    (sample,) = json.loads(shell("export", "e").out)["samples"]
    assert sample["status"] == "error"
    assert 'no answer is recorded for call 1 of add({"x":20,"y":22})' in sample["error_message"]


def test_a_fault_that_the_test_plants_reaches_the_model(shell: Shell, imported: dict[str, Any]) -> None:
    tools_file(shell, imported)
    test = {"id": "sum", "prompt": "?", "tool_ids": ["add"], "expected": {"keywords": ["timed out"]},
            "tool_faults": {"add": ["timeout"]}}  # fmt: skip
    shell.suite([test])
    shell.run("--allow-plugins")
    assert "timed out after 30 s" in transcript(shell, "e")[-1]["content"]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"mcp": 5, "tools": []}, "'mcp'"),
        ({"mcp": {}, "tools": []}, "either 'command' or 'url'"),
        ({"mcp": {"command": "python"}, "tools": []}, "'command'"),
        ({"mcp": {"url": "ftp://x"}, "tools": []}, "http:// or https://"),
        ({"mcp": {"command": ["x"], "timeout_s": 0}, "tools": []}, "'timeout_s'"),
        ({"mcp": {"command": ["x"]}, "tools": ["add"]}, "modex import mcp"),
    ],
)
def test_a_mistake_in_the_file_of_a_server_is_named_with_its_place(shell: Shell, document: Any, said: str) -> None:
    path = tools_file(shell, {})
    path.write_text(json.dumps(document))
    checked = modex("check", shell.root / "suite")
    assert checked.code == 2
    assert f"{path.name}:1" in checked.out + checked.err
    assert said in checked.out + checked.err


@pytest.mark.parametrize("planned", [["late"], "error", [["error"]]])
def test_an_unknown_fault_is_a_mistake_of_the_test(shell: Shell, planned: Any) -> None:
    shell.suite([{"id": "sum", "prompt": "?", "expected": {"keywords": ["x"]}, "tool_faults": {"add": planned}}])
    checked = modex("check", shell.root / "suite")
    assert "must list none, error, timeout, empty, garbled, slow" in checked.out + checked.err
