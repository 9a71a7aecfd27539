"""The page on agents: its suite and agents, in two languages, over HTTP and MCP, run as written; calls seen are calls made."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from modex.core.store.sample import EvaluationSample
from tests.cli import call, reading
from tests.docs.blocks import blocks, files, write

pytestmark = pytest.mark.process

PAGE = "agents.md"
CALLS = {
    "cancel": [("get_order", '{"order_id": "A1"}'), ("cancel_order", '{"order_id": "A1"}')],
    "shipped": [("get_order", '{"order_id": "A2"}')],
}
STATES = {"cancel": ("cancelled", "shipped"), "shipped": ("pending", "shipped")}
CLAUDE = """#!/bin/sh
# Stands for a coding agent: the flags that the page gives it, its tools over MCP, its result as JSON.
test "$1 $3 $5 $6 $7 $8 $9" = "-p --mcp-config --strict-mcp-config --allowedTools mcp__modex --output-format json" || exit 9
export MODEX_MCP_CONFIG="$4"
python coder.py <<END | python -c 'import json, sys; print(json.dumps({"result": json.load(sys.stdin)["answer"]}))'
$(python -c 'import json, sys; print(json.dumps({"prompt": sys.argv[1]}))' "$2")
END
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the page's files; `python` is the one that runs the tests, and a stand-in for a coding agent is there."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in (("python", f'#!/bin/sh\nexec {sys.executable} "$@"\n'), ("claude", CLAUDE)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("MODEX_DB", str(tmp_path / "m.db"))
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, files(PAGE))


def samples(exp: str) -> dict[str, EvaluationSample]:
    with reading(Path(os.environ["MODEX_DB"])) as reader:
        return {sample.test_id: sample for sample in reader.samples(reader.run(exp).id)}


def seen(sample: EvaluationSample) -> list[tuple[str, str]]:
    return [(one["name"], one["arguments"]) for entry in sample.transcript for one in entry.get("tool_calls", ())]


def test_the_agent_has_twenty_lines_and_needs_the_standard_library_alone() -> None:
    lines = [line for line in files(PAGE)["agent.py"].splitlines() if line.strip()]
    assert len(lines) <= 20
    assert {line.split()[1] for line in lines if line.startswith(("import", "from"))} == {"json,", "urllib.request"}


@pytest.mark.long
def test_the_lines_of_the_page_run_and_print_what_it_says(page: Path) -> None:
    (commands,) = [body for body in blocks(PAGE, "sh") if body.startswith("modex check shop")]
    out = ""
    for line in commands.splitlines():
        done = call(*shlex.split(line)[1:])
        assert done.code == 0, done.err
        out = done.out
    (printed,) = blocks(PAGE, "text")
    for line in printed.splitlines():
        assert line in out
    for exp in ("command", "function"):
        assert {name: seen(one) for name, one in samples(exp).items()} == CALLS


AGENTS = [
    pytest.param("node agent.mjs", marks=pytest.mark.skipif(not shutil.which("node"), reason="there is no node here")),
    "python coder.py",
    "sh coder.sh",
]


@pytest.mark.long
@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_in_another_language_and_programs_that_speak_mcp_are_seen(page: Path, agent: str) -> None:
    pytest.importorskip("mcp")
    done = call("run", "--suite", "shop", "--agent", agent, "--headless", "--exp-id", "e")
    found = samples("e")
    assert done.code == 0, (done.err, [one.error_message for one in found.values()])
    assert {name: seen(one) for name, one in found.items()} == CALLS
    for name, one in found.items():
        assert (one.status, one.score, one.flags) == ("passed", 1.0, [])
        orders = (one.tool_state or {})["orders"]
        assert (orders["A1"]["status"], orders["A2"]["status"]) == STATES[name]
