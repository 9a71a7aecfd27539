"""A terminal that reads nothing for a while holds up neither keys nor the run, and what it then reads first is the newest."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.harness import Modex, keyword_tests, wait_until, write_suite
from tests.server import Reply, Request, ServerHandle, serve
from tests.tui.emulator import Terminal

pytestmark = pytest.mark.process

SIZE = (200, 50)
TOTAL = 24
REDRAWS = 12
MOST = 60_000
"""Bytes that may come before help: what a kernel holds for a terminal (22,000 on Linux), a whole frame, help.

Each of the twelve frames that are asked for meanwhile has more than 10,000.
"""


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """Lets the model answer the later half of the questions."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def server(released: threading.Event) -> Iterator[ServerHandle]:
    """A model that answers half of the questions at once."""

    def behave(request: Request) -> Reply:
        if int(request.prompt.split()[-1]) >= TOTAL // 2:
            released.wait(60)
        return Reply(content="ok")

    with serve(behave) as started:
        yield started


@pytest.fixture
def modex(tmp_path: Path) -> Iterator[Modex]:
    """modex as a process, with an empty home."""
    home = tmp_path / "home"
    home.mkdir()
    program = Modex(home, {"LANG": "C.UTF-8", "MODEX_GLYPHS": "unicode"})
    yield program
    program.end()


@pytest.mark.parametrize("answers", [True, False], ids=["answers", "does not answer"])
def test_frames_for_a_terminal_that_reads_nothing_are_merged_and_keys_are_obeyed(
    answers: bool, modex: Modex, server: ServerHandle, released: threading.Event, tmp_path: Path
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(TOTAL))
    words = ("--model", "openai/test-model", "--api-base", server.url, "--suite", suite, "--exp-id", "r")
    terminal = Terminal(modex.words(("run", *words, "--concurrency", "2")), modex.environment(), size=SIZE, own=False)
    terminal.answers = answers
    try:
        terminal.wait_until(lambda lines: "\n".join(lines).count("●") >= 4, "some tests passed")
        assert modex.the_run()["status"] == "running"
        unread = len(terminal.sent)
        terminal.press("\x0c" * REDRAWS + "+")
        wait_until(lambda: modex.query("SELECT 1 FROM run_commands"), "the command of the last key")
        released.set()
        terminal.press("?")
        terminal.wait_until(lambda lines: any("Everywhere" in line for line in lines), "help")
        assert len(terminal.sent) - unread < MOST
        terminal.press("\x1b")
        wait_until(lambda: modex.the_run()["status"] == "completed", "the end of the run")
        ended = f"{TOTAL}/{TOTAL}"
        terminal.wait_until(lambda lines: "completed" in lines[0] and ended in "\n".join(lines), "the newest state")
        assert terminal.close() == 0
    finally:
        terminal.end()
