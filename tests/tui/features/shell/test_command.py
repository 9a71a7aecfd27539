"""`modex shell`: a command, and a person, in the folder that a sample left; what has none says so in a line."""

from __future__ import annotations

import os
import re

import pytest

from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture
from tests.tui.commands.conftest import Shell
from tests.tui.emulator import Terminal
from tests.workspace_examples import MEND, agent

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("boxes")]


@pytest.fixture
def mended(shell: Shell) -> Shell:
    """A run `e` of a mended test, and of one that has no folder."""
    shell.suite([MEND.test, {"id": "plain", "prompt": "hi", "expected": {"keywords": ["ok"]}, "evaluator_id": "keyword"}],
                evaluator_id="workspace")  # fmt: skip
    shell.server.behave(agent(MEND.right))
    assert shell.run("--test", "mend").code == 0
    return shell


def test_a_command_runs_in_what_was_left_and_ends_as_it_ends(mended: Shell) -> None:
    called = mended("shell", "e", "mend", "--run", "grep -c middle stats.py; echo no >&2; exit 3")
    assert (called.code, called.out, called.err) == (3, "3\n", "no\n")
    assert mended("shell", "e", "d/1/mend", "--run", "rm stats.py; kill -9 $$").code == 137
    assert mended("shell", "e", "mend", "--run", "ls").out == "stats.py\ntests\n"


def test_hidden_tests_are_there_only_where_they_are_asked_for(mended: Shell) -> None:
    command = "PYTHONPATH=. python3 tests/test_stats.py"
    assert mended("shell", "e", "mend", "--run", command).out == ""
    assert mended("shell", "e", "mend", "--tests", "--run", command).out == "all of them\n"


def test_what_a_command_takes_too_much_of_is_said(mended: Shell) -> None:
    called = mended("shell", "e", "mend", "--run", "kill -9 -1")
    assert (called.code, called.err) == (137, "the command ended the sandbox\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mend",), "no terminal here for a shell; give --run COMMAND"),
        (("nowhere", "--run", "ls"), "no test 'nowhere'"),
        (("mend", "--epoch", "2", "--run", "ls"), "d/1/mend has no epoch 2; take one of 1"),
    ],
)
def test_what_cannot_be_opened_says_why(mended: Shell, words: tuple[str, ...], said: str) -> None:
    called = mended("shell", "e", *words)
    assert called.code == 2
    assert said in called.err


def test_a_test_without_a_folder_says_so(mended: Shell) -> None:
    mended.server.behave(agent([]))
    mended.run("--test", "plain", exp_id="p")
    called = mended("shell", "p", "plain", "--run", "ls")
    assert called.code == 2
    assert "d/1/plain gives the model no folder to work in, so there is none to open" in called.err


@pytest.mark.long
def test_a_person_works_in_a_copy_on_a_terminal_of_the_sandbox(mended: Shell) -> None:
    terminal = Terminal(
        ["shell", "e", "mend", "--db", str(mended.database)], {**os.environ, "TERM": "xterm-256color"}, own=False
    )
    try:
        terminal.wait_until(lambda lines: any("modex mend:~/work$" in line for line in lines), "what is awaited")
        shown = "\n".join(terminal.lines)
        assert "e: d/1/mend: passed 1.00, the folder after 4 calls" in shown
        assert "nothing that you do here is kept" in shown
        terminal.resize(100, 30)
        terminal.press("stty size; echo $((6 * 7))$TERM; ls /proc | grep -c '^[0-9]'; rm -r *\r")
        terminal.wait_until(lambda lines: any("42xterm-256color" in line for line in lines), "what is awaited")
        terminal.wait_until(lambda lines: any(re.fullmatch(r"[3-6]", line) for line in lines), "what is awaited")
        assert any(line == "30 100" for line in terminal.lines)
        terminal.press("sleep 600\r")
        terminal.wait_until(lambda lines: any("$ sleep 600" in line for line in lines), "the sleep")
        terminal.press("\x03")
        # What is typed before the interrupt was heard is dropped with it.
        terminal.wait_until(
            lambda lines: [one for one in lines if one][-1] == "modex mend:~/work$", "the end of the sleep"
        )
        terminal.press("exit\r")
        terminal.wait_until(lambda lines: any("left; nothing was kept" in line for line in lines), "what is awaited")
    finally:
        terminal.end()
    assert mended("shell", "e", "mend", "--run", "ls").out == "stats.py\ntests\n"
