"""What each layer of the system prompt does: planted effects are found, nothing is asked twice."""

from __future__ import annotations

import json

import pytest

from tests.cli import call
from tests.server import Reply, Request
from tests.tui.commands.conftest import Shell

NUMBER = 80


def planted(request: Request) -> Reply:
    """The domain's layer turns three tests of ten from 0.3 to 1, the level's none."""
    system = str(request.messages[0]["content"]) if request.messages[0]["role"] == "system" else ""
    number = int(request.prompt.rsplit(" ", 1)[1])
    return Reply("ok" if number % 10 == 0 or (number % 5 < 2 and "Be exact" in system) else "no")


def suite(shell: Shell) -> None:
    tests = [{"id": f"t{n}", "prompt": f"question {n}", "expected": {"keywords": ["ok"]}} for n in range(NUMBER)]
    root = shell.suite(tests, system_prompt="Be exact.")
    level = root / "test_definitions" / "d" / "level_1"
    (level / "level.json").write_text(
        json.dumps({"level": 1, "system_prompt": "Be kind.", "system_prompt_mode": "append"})
    )


@pytest.mark.long
def test_what_helps_is_found_and_what_does_nothing_is_not(shell: Shell) -> None:
    suite(shell)
    shell.server.behave(planted)
    called = call(
        "ablate", "openai/m", "--layer", "domain", "--layer", "level", "--api-base", shell.server.url,
        "--suite", shell.root / "suite", "--exp-id", "a", "--db", shell.database,
    )  # fmt: skip
    assert called.code == 0, called.err
    assert shell.server.hits == 4 * NUMBER
    domain, level = (line for line in called.out.splitlines() if line.startswith("  "))
    assert domain.startswith("  domain: +21.0 points, 95 %:")
    assert domain.endswith("n 80: helps")
    assert level.startswith("  level: +0.0 points")
    assert level.endswith("not decided")
    assert {row["exp_id"] for row in shell("runs", "--json").data} == {
        "a", "a-without-domain", "a-without-level", "a-without-domain-level",
    }  # fmt: skip


@pytest.mark.long
def test_the_same_command_asks_nothing_again(shell: Shell) -> None:
    suite(shell)
    shell.server.behave(planted)
    words = (
        "ablate", "openai/m", "--layer", "domain", "--api-base", shell.server.url, "--suite", shell.root / "suite",
        "--exp-id", "a", "--json", "--db", shell.database,
    )  # fmt: skip
    first = call(*words)
    hits = shell.server.hits
    again = call(*words)
    assert shell.server.hits == hits
    assert again.data == first.data
    (effect,) = again.data["effects"]
    assert (effect["layers"], effect["decision"]) == (["domain"], "better")


def test_a_run_can_leave_a_layer_out(shell: Shell) -> None:
    suite(shell)
    shell.server.behave(planted)
    shell.run("--without-layer", "domain", "--limit", "1")
    sample = shell("show", "e", "--test", "t0", "--json").data[0]
    assert sample["system_prompt"] == "Be kind."
    assert shell.run("--without-layer", "sky", exp_id="f").code == 2
