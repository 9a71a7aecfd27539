"""`modex pause`, `stop`, `resume`, on a run in a process of its own."""

from __future__ import annotations

import time

import pytest

from tests.cli import keyword_tests
from tests.server import Reply
from tests.tui.commands.conftest import Shell


def wait(shell: Shell, state: str) -> None:
    """Until the run is in this state."""
    deadline = time.monotonic() + 30
    while (now := shell("runs", "--json").data[0]["state"]) != state:
        assert time.monotonic() < deadline, f"still {now}, not {state}"
        time.sleep(0.02)


@pytest.fixture
def going(shell: Shell) -> Shell:
    """A run `e` in the background that takes its time."""
    shell.suite(keyword_tests(400))
    shell.server.behave(Reply("ok", latency=0.05))
    called = shell(
        "run", "--model", "openai/m", "--api-base", shell.server.url, "--suite", shell.root / "suite", "--exp-id", "e",
        "--concurrency", "2", "--detach",
    )  # fmt: skip
    assert (called.code, called.out) == (0, "e\n")
    wait(shell, "running")
    return shell


@pytest.mark.long
def test_a_run_is_paused_resumed_and_stopped_from_outside(going: Shell) -> None:
    assert "modex resume e" in going("pause", "e").err
    wait(going, "paused")
    assert going("resume", "e", "--concurrency", "3").code == 0
    wait(going, "running")
    busy = going.run()
    assert busy.code == 2
    assert "modex attach e" in busy.err
    assert going("stop", "e").code == 0
    wait(going, "stopped")
    stored = going("runs", "--json").data[0]
    assert 0 < stored["passed_tests"] < 400
    going.server.behave(Reply("ok"))
    going.server.forget()
    resumed = going("resume", "e", "--headless", "--json")
    assert (resumed.code, resumed.data["passed_tests"]) == (0, 400)
    assert going.server.hits == 400 - stored["passed_tests"]


@pytest.mark.parametrize("command", ["pause", "stop"])
def test_a_run_that_nobody_works_on_cannot_be_steered(mixed: Shell, command: str) -> None:
    called = mixed(command, "e")
    assert called.code == 2
    assert f"e is completed: there is nothing to {command}; `modex resume e`" in called.err
    mixed.server.behave(Reply("ok"))
    mixed("resume", "e", "--headless")
    assert mixed(command, "e").err.endswith(f"there is nothing to {command}; `modex show e` shows it\n")


def test_resuming_a_finished_run_retries_its_errors_only(mixed: Shell) -> None:
    mixed.server.behave(Reply("ok"))
    mixed.server.forget()
    called = mixed("resume", "e", "--headless", "--json")
    assert called.code == 0
    assert [request.prompt for request in mixed.server.requests] == ["refused"]
    assert (called.data["passed_tests"], called.data["failed_tests"]) == (4, 1)


def test_resuming_without_a_terminal_works_in_the_foreground(mixed: Shell) -> None:
    called = mixed("resume", "e", "--fail-under", "99")
    assert called.code == 1
    assert "Weighted Score" in called.out


def test_a_run_that_is_not_there_is_named(mixed: Shell) -> None:
    for command in (
        "pause",
        "stop",
        "resume",
        "attach",
        "judge",
        "stat",
    ):
        called = mixed(command, "nope")
        assert called.code == 2
        assert "no run named 'nope'" in called.err
