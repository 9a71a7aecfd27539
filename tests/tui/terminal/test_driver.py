"""A terminal whose picture was lost is painted whole again: by ctrl+l, after a stop, and when it comes back."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.harness import wait_until
from tests.tui.emulator import Terminal
from tests.tui.stores import SKETCH, StoreMaker, cells

RUBBISH = b"\x1b[?1049l\x1b[?25h\x1b(0\x1b[3;5r" + b"rubbish " * 300


@pytest.fixture
def terminal(store: StoreMaker) -> Iterator[Terminal]:
    """The list of runs on a terminal, with one run that changes nothing by itself."""
    store.run("standing", samples=cells(SKETCH), status="stopped")
    opened = Terminal.of_code(
        f"from modex.tui.opening import open_home; from pathlib import Path; open_home(Path({str(store.path)!r}))"
    )
    # The keys of the selected run come one frame after the list; until then the screen still changes by itself.
    whole = ("standing", "■ stopped", "o sort  r resume  t tests  ? help")
    opened.wait_until(
        lambda lines: all(any(part in line for line in lines) for part in whole), "the list of runs, whole"
    )
    yield opened
    opened.end()


def _stop_and_go_on(terminal: Terminal) -> None:
    os.kill(terminal.pid, signal.SIGSTOP)
    wait_until(lambda: _state(terminal) == "T", "the process to stop")
    os.kill(terminal.pid, signal.SIGCONT)


def _state(terminal: Terminal) -> str:
    return Path(f"/proc/{terminal.pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.long
@pytest.mark.parametrize(
    "comes_back",
    [
        lambda terminal: terminal.press("\x0c"),
        lambda terminal: os.kill(terminal.pid, signal.SIGWINCH),
        _stop_and_go_on,
    ],
    ids=["ctrl+l", "a window of the same size", "stopped from outside"],
)
def test_what_stands_on_the_terminal_is_painted_over(
    terminal: Terminal, comes_back: Callable[[Terminal], None]
) -> None:
    before = terminal.lines
    terminal.sent += RUBBISH
    assert "rubbish" in "\n".join(terminal.lines)
    comes_back(terminal)
    terminal.wait_until(
        lambda lines: (
            lines == before
            and terminal.sent.rfind(b"\x1b[?1049h") > terminal.sent.rfind(b"\x1b[?1049l")
            and terminal.sent.rfind(b"\x1b[?25l") > terminal.sent.rfind(b"\x1b[?25h")
        ),
        "the same screen again, the second one, without a cursor",
    )
    assert terminal.close() == 0


def test_a_process_that_was_stopped_from_outside_still_gives_the_terminal_back(terminal: Terminal) -> None:
    import termios

    raw = termios.tcgetattr(terminal.fd)[3]
    assert not raw & termios.ECHO
    sent = len(terminal.sent)
    _stop_and_go_on(terminal)
    terminal.wait_until(lambda _: b"standing" in terminal.sent[sent:], "the screen, painted again")
    terminal.press("q")
    wait_until(lambda: [terminal.take(), terminal.ended()][1], "the end")
    assert termios.tcgetattr(terminal.fd)[3] & termios.ECHO, "what is typed is seen again"


@pytest.mark.long
def test_ctrl_l_draws_anew_while_a_box_has_the_keys(terminal: Terminal) -> None:
    terminal.press("/")
    terminal.press("standing")
    terminal.wait_until(lambda lines: sum("standing" in line for line in lines) >= 2, "the filter box")
    terminal.sent += RUBBISH
    terminal.press("\x0c")
    terminal.wait_until(
        lambda lines: "rubbish" not in "\n".join(lines) and sum("standing" in line for line in lines) >= 2,
        "the same box",
    )
