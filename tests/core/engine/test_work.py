"""Working on a run in this process: signals stop it in order, and leave no trace behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from modex.core.engine.session import Session
from modex.core.engine.work import at_work, stopping_on_signals
from modex.core.store.lock import is_held
from tests.core.engine.conftest import Bench
from tests.server import Reply

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
OUTLIVED = """
import os, signal, threading, time
from modex.core.engine import work
work.SIGTERM_GRACE_S, work._LAST_RESORT_S = 0.0, dict.fromkeys((signal.SIGINT, signal.SIGTERM), 0.3)
class Stopped:
    def stop(self, grace_s): pass
with work.stopping_on_signals(Stopped()) as seen:
    os.kill(os.getpid(), signal.SIGTERM)
    while not seen: time.sleep(0.01)
    {inside}
time.sleep(0.9)
print("outlived")
"""


def test_the_handlers_of_before_are_back_afterwards(bench: Bench) -> None:
    run_id = bench.prepare(1)
    bench.server.behave(Reply("ok"))
    before = [signal.getsignal(number) for number in NUMBERS]
    with at_work(bench.database, "e", narrate=lambda _: None) as (session, seen):
        assert is_held(bench.database, run_id)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        os.kill(os.getpid(), signal.SIGINT)
        assert session.run().status == "stopped"
        assert seen == [signal.SIGINT]
    assert [signal.getsignal(number) for number in NUMBERS] == before
    assert not is_held(bench.database, run_id)


def test_what_raises_lets_go_of_the_run_and_of_the_signals(bench: Bench) -> None:
    run_id = bench.prepare(1)
    before = [signal.getsignal(number) for number in NUMBERS]
    try:
        with at_work(bench.database, "e", narrate=lambda _: None):
            raise ZeroDivisionError
    except ZeroDivisionError:
        pass
    assert [signal.getsignal(number) for number in NUMBERS] == before
    assert not is_held(bench.database, run_id)


@pytest.mark.process
def test_a_process_outlives_a_session_that_ended_in_time() -> None:
    assert outlived("pass") == (0, "outlived")


@pytest.mark.process
def test_a_session_that_does_not_end_in_its_time_ends_with_its_process() -> None:
    assert outlived("threading.Event().wait()") == (130, "")


def outlived(inside: str) -> tuple[int, str]:
    """How a process ends that does `inside` after a signal, and what it says after its session."""
    code = OUTLIVED.replace("{inside}", inside)
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    return found.returncode, found.stdout.strip()


def test_a_second_signal_waits_no_longer(bench: Bench) -> None:
    bench.prepare(1)
    graces: list[float] = []

    class Noted(Session):
        """Writes down how long it is given."""

        def stop(self, grace_s: float = -1.0) -> None:
            graces.append(grace_s)
            super().stop(grace_s)

    session = Noted(bench.database, "e")
    with stopping_on_signals(session):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
    session.close()
    assert graces[0] > graces[1] == 0.0
