"""The first moments of `modex run` on a terminal: shown at once, given up, left, or ended by what cannot be started."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from modex.core.store.database import open_database
from tests.faults.harness import Modex, descendants, keyword_tests, runners_of, wait_until, write_suite
from tests.server import Reply, ServerHandle, serve
from tests.tui.emulator import Terminal

pytestmark = pytest.mark.process

LEAVES_SCREEN = b"\x1b[?1049l"


@pytest.fixture
def server() -> Iterator[ServerHandle]:
    with serve(Reply("ok")) as started:
        yield started


@pytest.fixture
def modex(tmp_path: Path) -> Iterator[Modex]:
    home = tmp_path / "home"
    home.mkdir()
    program = Modex(home, {"LANG": "C.UTF-8", "MODEX_GLYPHS": "unicode"})
    yield program
    program.end()


@pytest.fixture
def run(modex: Modex, server: ServerHandle, tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """`modex run` of three tests on a terminal."""
    suite = write_suite(tmp_path / "suite", keyword_tests(3))
    opened: list[Terminal] = []

    def start(*more: str) -> Terminal:
        words = ("run", "--model", "openai/test-model", "--api-base", server.url, "--suite", suite, "--exp-id", "r")
        opened.append(Terminal(modex.words((*words, *more)), modex.environment(), own=False))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.end()


@contextlib.contextmanager
def held(modex: Modex) -> Iterator[None]:
    """Nobody can write the store meanwhile, so a run that starts gets as far as that."""
    open_database(modex.db).close()
    with contextlib.closing(sqlite3.connect(modex.db, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def _starting(terminal: Terminal) -> None:
    terminal.wait_until(
        lambda lines: lines[0].split() == ["r", "openai/test-model", "starting"], "the run's name while it is started"
    )


def _completed(modex: Modex) -> bool:
    runs = modex.query("SELECT status FROM evaluation_runs")
    return [run["status"] for run in runs] == ["completed"] and not runners_of(modex.db)


def test_the_screen_is_there_before_the_run_and_shows_it_when_it_is(run: Callable[..., Terminal], modex: Modex) -> None:
    with held(modex):
        terminal = run()
        _starting(terminal)
        assert modex.query("SELECT * FROM evaluation_runs") == []
    terminal.wait_until(lambda lines: "completed" in lines[0] and "3/3" in lines[1], "the run's end")
    assert terminal.close() == 0


def test_the_first_run_of_all_makes_its_store_and_says_nothing_of_none_being_there(
    run: Callable[..., Terminal],
) -> None:
    terminal = run()
    terminal.wait_until(lambda lines: "completed" in lines[0] and "3/3" in lines[1], "the run's end")
    assert b"no database" not in terminal.sent
    terminal.press("\x1b")
    terminal.wait_until(lambda lines: any("3/3" in line for line in lines), "the list of runs")
    assert terminal.close() == 0


def test_ctrl_z_gives_the_terminal_back_and_fg_takes_it_again(run: Callable[..., Terminal], modex: Modex) -> None:
    terminal = run()
    terminal.wait_until(lambda lines: "completed" in lines[0], "the run's end")
    terminal.press("\x1a")
    wait_until(lambda: _state(terminal.pid) == "T", "the process to stop")
    before = len(terminal.sent)
    os.kill(terminal.pid, signal.SIGCONT)
    wait_until(lambda: _state(terminal.pid) != "T", "the process to go on")
    # An ended run changes nothing by itself: what stands there again was painted for the terminal that came back.
    terminal.wait_until(lambda _: b"completed" in terminal.sent[before:], "the screen, painted again")
    terminal.press("\x1b")
    terminal.wait_until(lambda lines: any("3/3" in line for line in lines), "the list of runs")
    assert terminal.close() == 0


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_ctrl_c_gives_up_what_has_not_begun(run: Callable[..., Terminal], modex: Modex, server: ServerHandle) -> None:
    with held(modex):
        terminal = run()
        _starting(terminal)
        below = descendants(terminal.pid)
        assert len(below) == 1
        terminal.press("\x03")
        wait_until(terminal.ended, "the command to end")
        assert terminal.reap() == 130
    assert not any(Path(f"/proc/{pid}").exists() for pid in below)
    assert (modex.query("SELECT * FROM evaluation_runs"), server.hits) == ([], 0)


def test_looking_at_other_runs_meanwhile_leaves_it_to_begin(run: Callable[..., Terminal], modex: Modex) -> None:
    with held(modex):
        terminal = run()
        _starting(terminal)
        terminal.press("\x1b")
        terminal.wait_until(lambda lines: "no runs yet" in "\n".join(lines).lower(), "the list of runs")
    terminal.wait_until(lambda lines: any("3/3" in line for line in lines), "the run in the list, ended")
    assert terminal.close() == 0


@pytest.mark.parametrize("how", ["hang up", "q"])
def test_a_terminal_that_goes_away_now_leaves_it_to_begin(how: str, run: Callable[..., Terminal], modex: Modex) -> None:
    with held(modex):
        terminal = run()
        _starting(terminal)
        if how == "hang up":
            terminal.hang_up()
        else:
            terminal.press("qq")
            terminal.wait_for(LEAVES_SCREEN.decode())
    wait_until(lambda: _completed(modex), "the run that was started to end")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--domain", "nowhere"), "nowhere"),
        (("--suite", "nowhere"), "nowhere"),
        (("--judge-model", "openai/judge", "--evaluator", "llm_judge"), "OPENAI_API_KEY"),
    ],
)
def test_what_cannot_be_started_is_said_where_the_command_was_typed(
    words: tuple[str, ...], said: str, run: Callable[..., Terminal], modex: Modex, tmp_path: Path
) -> None:
    if "llm_judge" in words:
        rows = tmp_path / "rows.jsonl"
        rows.write_text(json.dumps({"question": "1 + 1?", "answer": "2"}) + "\n")
        words = (*words, "--dataset", os.fspath(rows))
    terminal = run(*words)
    terminal.wait_for("modex: ")
    while terminal.take(1.0):
        pass
    sent = terminal.sent
    assert said in sent.rpartition(LEAVES_SCREEN)[2].decode()
    assert sent.count(b"\x1b[?1049h") == sent.count(LEAVES_SCREEN)
    assert terminal.reap() == 2
    assert modex.query("SELECT * FROM evaluation_runs") == []
