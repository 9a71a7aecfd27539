"""The terminal may close, be tiny, be stupid or not be read at all: the run does not notice, and the terminal stays sane."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import shutil
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.harness import Modex, alive, descendants, keyword_tests, runners_of, wait_until, write_suite
from tests.forked import on_terminal
from tests.pace import stretched
from tests.server import Reply, Request, ServerHandle, serve

pytestmark = pytest.mark.process

ENTER, LEAVE, SHOW_CURSOR = b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?25h"


class Terminal:
    """A command on a pseudo-terminal of its own session."""

    def __init__(self, modex: Modex, words: tuple[Any, ...], size: tuple[int, int] = (80, 24), **more: str) -> None:
        self.process, self.fd = on_terminal(modex.words(words), {**modex.environment(), **more}, modex.home)
        self.pid = self.process.pid
        self.sent = b""
        self.resize(*size)
        self.before = termios.tcgetattr(self.fd)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size, as a window does."""
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self) -> bytes:
        """Everything sent so far."""
        while select.select([self.fd], [], [], 0)[0]:
            try:
                data = os.read(self.fd, 1 << 16)
            except OSError:
                break
            if not data:
                break
            self.sent += data
        return self.sent

    def wait_for(self, text: str | bytes, patience_s: float = 40.0) -> None:
        """Read until `text` was sent."""
        wanted = text.encode() if isinstance(text, str) else text
        wait_until(
            lambda: wanted in self.read(), f"{wanted!r} on the terminal; the last was {self.sent[-300:]!r}", patience_s
        )

    def exit_code(self) -> int:
        """Wait for the end, reading on."""

        def ended() -> bool:
            self.read()
            return self.process.poll() is not None

        wait_until(ended, "the process to end")
        return int(self.process.returncode)

    def hang_up(self) -> None:
        """Close the terminal: the kernel sends SIGHUP."""
        os.close(self.fd)
        self.fd = -1

    def close(self) -> None:
        """End whatever is left."""
        if self.fd >= 0:
            os.close(self.fd)
        self.process.kill()
        self.process.wait()


Open = Callable[..., Terminal]


@pytest.fixture
def terminal(modex: Modex) -> Iterator[Open]:
    """Opens terminals, and closes them with the test."""
    opened: list[Terminal] = []

    def make(*words: Any, size: tuple[int, int] = (80, 24), **more: str) -> Terminal:
        opened.append(Terminal(modex, words, size, **more))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


class _Half:
    """A model that answers half of the questions at once and the others when it is let: no test ends too early."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.released = threading.Event()

    def __call__(self, request: Request) -> Reply:
        if int(request.prompt.split()[-1]) >= self.count // 2:
            self.released.wait(120)
        return Reply(content="ok", latency=0.1)

    @contextlib.contextmanager
    def serving(self) -> Iterator[ServerHandle]:
        """The model on a port; what is held is let go with the block."""
        with serve(self) as server:
            try:
                yield server
            finally:
                self.released.set()


def _screen_run(modex: Modex, url: str, suite: Path, *more: str) -> list[Any]:
    return [word for word in modex.headless(url, suite, *more) if word != "--headless"]


def _assert_run_finishes(modex: Modex, count: int) -> None:
    completed = "SELECT id FROM evaluation_runs WHERE status = 'completed'"
    wait_until(lambda: modex.query(completed), "the run to finish without its terminal")
    wait_until(lambda: not runners_of(modex.db), "the runner to end")
    assert modex.count("status = 'passed'") == count
    modex.assert_sound()


@pytest.mark.parametrize("headless", [False, True], ids=["screen", "headless"])
def test_a_closed_terminal_does_not_end_the_run(modex: Modex, terminal: Open, tmp_path: Path, headless: bool) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(40))
    model = _Half(40)
    with model.serving() as server:
        words = _screen_run(modex, server.url, suite, "--concurrency", "2")
        window = terminal(*words, *(["--headless"] if headless else []))
        wait_until(lambda: server.hits > 4, "the run under way")
        if not headless:
            window.wait_for(ENTER)
        below = {window.pid, *descendants(window.pid), *runners_of(modex.db)}
        window.hang_up()
        assert server.hits < 40, "the terminal was closed in the middle"
        model.released.set()
        _assert_run_finishes(modex, 40)
        assert server.hits == 40
        wait_until(lambda: window.process.poll() is not None, "the program to end")
        wait_until(lambda: not [pid for pid in below if alive(pid)], "everything to end")


def test_a_killed_tmux_session_does_not_end_the_run_and_attaching_shows_it(modex: Modex, tmp_path: Path) -> None:
    tmux = shutil.which("tmux")
    if tmux is None:
        pytest.skip("no tmux here")
    suite = write_suite(tmp_path / "suite", keyword_tests(60))
    socket = str(tmp_path / "tmux")
    environment = modex.environment()

    def ask(*words: str) -> str:
        return subprocess.run(
            [tmux, "-S", socket, "-f", "/dev/null", *words], env=environment, capture_output=True, text=True, check=True
        ).stdout

    model = _Half(60)
    with model.serving() as server:
        words = modex.command(*_screen_run(modex, server.url, suite, "--concurrency", "2"))
        ask("new-session", "-d", "-x", "100", "-y", "30", "-s", "work", *words)
        try:
            wait_until(lambda: "faults" in ask("capture-pane", "-p", "-t", "work"), "the matrix on the screen")
            pane = int(ask("list-panes", "-t", "work", "-F", "#{pane_pid}"))
            ask("kill-session", "-t", "work")
            wait_until(lambda: not alive(pane), "the screen to be gone")
            assert server.hits < 60
            assert modex.run("runs").out.count("running") == 1
            ask("new-session", "-d", "-x", "100", "-y", "30", "-s", "again", *modex.command("attach", "r"))
            wait_until(lambda: "faults" in ask("capture-pane", "-p", "-t", "again"), "the same matrix")
            model.released.set()
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):
                ask("kill-server")
        _assert_run_finishes(modex, 60)
        assert server.hits == 60


@pytest.mark.parametrize("signals", [(signal.SIGINT,), (signal.SIGINT, signal.SIGINT), (signal.SIGTERM,)], ids=str)
def test_a_signal_leaves_the_terminal_sane(
    modex: Modex, terminal: Open, tmp_path: Path, signals: tuple[signal.Signals, ...]
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(4))
    with serve(Reply(content="ok", latency=60)) as server:
        window = terminal(*modex.headless(server.url, suite))
        wait_until(lambda: server.in_flight == 4, "calls in flight")
        for number in signals[:1]:
            os.kill(window.pid, number)
        if len(signals) > 1:
            window.wait_for("second signal")
            os.kill(window.pid, signals[1])
        assert window.exit_code() == 130
    _assert_sane(window)


def test_a_screen_that_is_ended_by_a_signal_restores_the_terminal_and_leaves_the_run(
    modex: Modex, terminal: Open, tmp_path: Path
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(20))
    with serve(Reply(content="ok", latency=0.2)) as server:
        window = terminal(*_screen_run(modex, server.url, suite, "--concurrency", "2"))
        window.wait_for(ENTER)
        window.wait_for("faults")
        os.kill(window.pid, signal.SIGTERM)
        window.exit_code()
        assert LEAVE in window.sent
        _assert_sane(window)
        _assert_run_finishes(modex, 20)


def _assert_sane(window: Terminal) -> None:
    window.read()
    assert window.sent.rfind(ENTER) <= window.sent.rfind(LEAVE)
    hidden, shown = window.sent.rfind(b"\x1b[?25l"), window.sent.rfind(SHOW_CURSOR)
    assert hidden <= shown, "the cursor is visible"
    for mode in (b"?1000", b"?1003", b"?1006", b"?2004"):
        assert window.sent.rfind(b"\x1b[" + mode + b"h") <= window.sent.rfind(b"\x1b[" + mode + b"l")
    assert termios.tcgetattr(window.fd)[3] == window.before[3], "echo and line mode as before"


def test_without_a_terminal_a_run_is_plain_and_a_screen_is_refused_in_words(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(2))
    with serve(Reply(content="ok")) as server:
        ended = modex.run(*_screen_run(modex, server.url, suite))
    assert ended.code == 0, ended.err
    assert "\x1b" not in ended.out + ended.err
    assert "2 passed" in ended.out
    bare = modex.run("--db", modex.db)
    assert bare.code == 2
    assert "no terminal" in bare.err
    attach = modex.run("attach", "r")
    assert attach.code == 2
    assert "no terminal" in attach.err


@pytest.mark.parametrize("variables", [{"TERM": "dumb"}, {"TERM": ""}], ids=["dumb", "empty"])
def test_a_stupid_terminal_gets_plain_lines(
    modex: Modex, terminal: Open, tmp_path: Path, variables: dict[str, str]
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(2))
    with serve(Reply(content="ok")) as server:
        window = terminal(*_screen_run(modex, server.url, suite), **variables)
        assert window.exit_code() == 0
    assert ENTER not in window.sent
    assert b"\x1b" not in window.sent, window.sent[:400]
    assert b"2 passed" in window.sent


def test_without_colour_the_state_is_still_readable(modex: Modex, terminal: Open, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", [*keyword_tests(1), *keyword_tests(2, word="absent")[1:]])
    with serve(Reply(content="ok")) as server:
        window = terminal(*modex.headless(server.url, suite), NO_COLOR="1")
        assert window.exit_code() == 0
    assert b"\x1b[3" not in window.sent
    assert "●" in window.sent.decode()
    assert "○" in window.sent.decode()


def test_a_terminal_of_one_cell_and_a_storm_of_resizes_do_not_touch_the_run(
    modex: Modex, terminal: Open, tmp_path: Path
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(30))
    with serve(Reply(content="ok", latency=0.1)) as server:
        window = terminal(*_screen_run(modex, server.url, suite, "--concurrency", "2"), size=(1, 1))
        window.wait_for(ENTER)
        for step in range(40):
            window.resize(*((1, 1), (300, 100), (2, 50), (90, 1), (0, 0))[step % 5])
            window.read()
        _assert_run_finishes(modex, 30)
        assert alive(window.pid)
        window.resize(100, 30)
        window.wait_for("faults")


@pytest.mark.parametrize("headless", [False, True], ids=["screen", "headless"])
def test_a_terminal_that_nobody_reads_delays_nothing(
    modex: Modex, terminal: Open, tmp_path: Path, headless: bool
) -> None:
    count = 300
    suite = write_suite(tmp_path / "suite", keyword_tests(count))
    with serve(Reply(content="ok " + "word " * 30, latency=0.02)) as server:
        words = _screen_run(modex, server.url, suite, "--concurrency", "4")
        begun = time.monotonic()
        terminal(*words, *(["--headless"] if headless else []))
        wait_until(lambda: server.hits == count, "every call, with nobody reading the terminal")
        assert time.monotonic() - begun < stretched(30)
        wait_until(lambda: modex.count("status = 'passed'") == count, "every result")
