"""The first process of a container stays until the runs there are done, and stops them in order when it is told to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.store.lock import holders_here
from modex.tui.start.staying import stay

ROOT = Path(__file__).parents[3]
WORKING = """
import signal, sys
from pathlib import Path
from modex.core.store.lock import RunLock
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
lock = RunLock(Path(sys.argv[1]), 1, "e")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def working(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds a run of `modex.db`, until its input ends or it is told to stop, and then ends with 7."""
    command = [sys.executable, "-c", WORKING, str(tmp_path / "modex.db")]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


@pytest.mark.process
def test_it_stays_until_the_work_is_done(
    tmp_path: Path, working: subprocess.Popen[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert working.stdin is not None
    threading.Timer(0.1, working.stdin.close).start()
    stay(tmp_path / "modex.db")
    assert not holders_here(tmp_path / "modex.db")
    assert working.wait(timeout=60) == 0
    assert "Ctrl-C stops them in order" in capsys.readouterr().err


@pytest.mark.process
def test_told_to_stop_it_stops_the_work_in_order(tmp_path: Path, working: subprocess.Popen[str]) -> None:
    stay(tmp_path / "modex.db", stop=True)
    assert working.wait(timeout=60) == 7


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_work_in_order_and_the_handlers_are_given_back(
    tmp_path: Path, working: subprocess.Popen[str], number: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    before = signal.signal(number, signal.SIG_IGN)  # one that comes too early ends no test run
    try:
        signalled = threading.Thread(target=_signal_once_it_waits, args=(number,))
        signalled.start()
        stay(tmp_path / "modex.db")
        signalled.join()
        assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)
    assert working.wait(timeout=60) == 7
    assert "stopping" in capsys.readouterr().err


def _signal_once_it_waits(number: signal.Signals) -> None:
    while signal.getsignal(number) is signal.SIG_IGN:
        threading.Event().wait(0.01)
    os.kill(os.getpid(), number)


def test_without_work_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stay(tmp_path / "modex.db")
    assert capsys.readouterr().err == ""
