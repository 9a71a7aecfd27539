"""A run and the terminals that watch it: any of them may go away, and all of them show the same."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.faults.harness import Modex, runners_of, wait_until
from tests.pace import stretched
from tests.server import Reply, Request, ServerHandle, serve
from tests.tui.emulator import Terminal

pytestmark = pytest.mark.process

LEVELS = 3
EACH = 16
TOTAL = LEVELS * EACH
_LOG = re.compile(r"^.\d\d:\d\d")


def _behave(request: Request) -> Reply:
    return Reply(content="no" if int(request.prompt.split()[-1]) % 3 == 0 else "ok", latency=0.25)


@pytest.fixture
def server() -> Iterator[ServerHandle]:
    """A model that takes its time and is right twice in three."""
    with serve(_behave) as started:
        yield started


@pytest.fixture
def modex(tmp_path: Path) -> Iterator[Modex]:
    """modex as a process, with an empty home and signs that every terminal draws."""
    home = tmp_path / "home"
    home.mkdir()
    program = Modex(home, {"LANG": "C.UTF-8", "MODEX_GLYPHS": "unicode"})
    yield program
    program.end()


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Two domains of three levels."""
    root = tmp_path / "suite"
    for domain in ("geometry", "history"):
        for level in range(1, LEVELS + 1):
            folder = root / "test_definitions" / domain / f"level_{level}"
            folder.mkdir(parents=True)
            tests = [
                {"id": f"{domain[0]}{level}{number:02}", "prompt": f"question {number}", "evaluator_id": "keyword",
                 "expected": {"keywords": ["ok"]}}
                for number in range(EACH // 2)
            ]  # fmt: skip
            (folder / "tests.jsonl").write_text("".join(json.dumps(test) + "\n" for test in tests))
        (folder.parent / "domain.json").write_text(json.dumps({"id": domain, "name": domain}))
    return root


Open = Callable[..., Terminal]


@pytest.fixture
def on_terminal(modex: Modex) -> Iterator[Open]:
    """Start a command on a terminal of its own."""
    opened: list[Terminal] = []

    def start(*words: str | Path) -> Terminal:
        opened.append(Terminal(modex.words(words), modex.environment(), size=(100, 30), own=False))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.end()


@pytest.fixture
def begin(on_terminal: Open, server: ServerHandle, suite: Path) -> Callable[[], Terminal]:
    """`modex run` on a terminal, seen until some tests are done."""

    def start() -> Terminal:
        words = ("--model", "openai/test-model", "--api-base", server.url, "--suite", suite, "--exp-id", "r")
        terminal = on_terminal("run", *words, "--concurrency", "4")
        terminal.wait_until(lambda lines: _matrix(lines).count("●") >= 4, "four tests passed")
        return terminal

    return start


def _matrix(lines: list[str]) -> str:
    """The matrix with its scores, and the line under it: from the head of the levels to the log."""
    first = next((n for n, line in enumerate(lines) if re.search(r" 1 +2 +3 ", line)), len(lines))
    rows = [line.replace("▐", " ") for line in lines[first:-1]]
    return "\n".join(line for line in rows if line and not _LOG.match(line))


def _ended(lines: list[str]) -> bool:
    seen = _matrix(lines)
    all_told = seen.count("●") + seen.count("○") == TOTAL and "tokens" in seen
    return "completed" in lines[0] and f"{TOTAL}/{TOTAL}" in "\n".join(lines) and all_told


def _agree(one: Terminal, other: Terminal, seen: Callable[[list[str]], bool]) -> str:
    """Read both terminals until they show the same matrix; the matrix."""

    def same() -> bool:
        while one.take(0.05) or other.take(0.05):
            pass
        return seen(one.lines) and seen(other.lines) and _matrix(one.lines) == _matrix(other.lines)

    try:
        wait_until(same, "the same matrix on both terminals")
    except AssertionError as error:
        raise AssertionError("\n".join([str(error), *one.lines, *other.lines])) from None
    return _matrix(one.lines)


def _hold(server: ServerHandle) -> threading.Event:
    """Answer a third of the questions, and the others once the event is set: however slow the machine is, the run is not over."""
    goes_on = threading.Event()

    def held(request: Request) -> Reply:
        if server.hits > TOTAL // 3:
            assert goes_on.wait(120)
        return _behave(request)

    server.behave(held)
    return goes_on


def _completed(modex: Modex) -> bool:
    return bool(modex.the_run()["status"] == "completed") and not runners_of(modex.db)


@pytest.mark.long
@pytest.mark.parametrize("how", ["the connection drops", "SIGKILL", "q"])
def test_a_terminal_that_goes_away_leaves_the_run_going_and_attach_shows_the_same(
    how: str, begin: Callable[[], Terminal], on_terminal: Open, modex: Modex, server: ServerHandle
) -> None:
    gone = _hold(server)
    terminal = begin()
    if how == "q":
        terminal.close()
    elif how == "the connection drops":
        terminal.hang_up()
    else:
        os.kill(terminal.pid, signal.SIGKILL)
        terminal.reap()
    assert modex.the_run()["status"] == "running"
    assert server.hits < TOTAL
    gone.set()
    again = on_terminal("attach", "r")
    again.wait_until(_ended, "the run's end")
    wait_until(lambda: _completed(modex), "the runner's end")
    assert server.hits == TOTAL
    later = on_terminal("attach", "r")
    seen = _agree(again, later, _ended)
    assert modex.count("status = 'passed'") == seen.count("●")
    assert modex.count("status = 'failed'") == seen.count("○")
    assert (again.close(), later.close()) == (0, 0)


def test_two_terminals_at_once_agree_and_a_command_of_one_is_seen_by_the_other(
    begin: Callable[[], Terminal], on_terminal: Open, modex: Modex, server: ServerHandle
) -> None:
    paused = _hold(server)
    one = begin()
    other = on_terminal("attach", "r")
    other.wait_until(lambda lines: "running" in lines[0], "the run on the second terminal")
    other.press("p")
    other.wait_until(lambda lines: "paused" in lines[0], "the pause")
    paused.set()

    def settled(lines: list[str]) -> bool:
        shown = _matrix(lines)
        stands = modex.count("status IN ('passed', 'failed')")
        return (
            "paused" in lines[0]
            and " 0/4 in flight" in "\n".join(lines)
            and 0 < shown.count("●") + shown.count("○") == stands < TOTAL
        )

    _agree(one, other, settled)
    one.press("p")
    _agree(one, other, _ended)
    assert (one.close(), other.close()) == (0, 0)


def test_a_terminal_that_is_not_read_delays_no_call(
    begin: Callable[[], Terminal], server: ServerHandle, modex: Modex
) -> None:
    unread = _hold(server)
    terminal = begin()
    before = time.monotonic()
    unread.set()
    wait_until(lambda: _completed(modex), "the run to end while nobody reads")
    assert server.hits == TOTAL
    assert len(terminal.take()) > 2000, "there is more than it could send"
    times = [request.time for request in server.requests if request.time > before]
    assert max(later - earlier for earlier, later in pairwise(times)) < stretched(2)
    terminal.wait_until(_ended, "the end, once it is read again")
    assert terminal.close() == 0
