"""The runner as a process: what it says, how it ends, and which signals it obeys."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.core.engine.conftest import Bench
from tests.forked import Forked
from tests.server import Reply
from tests.server.replies import unauthorized

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[3]
MODULE = "modex.core.engine.runner"


def runner(bench: Bench, *more: str, exp_id: str = "e", fresh: bool = False) -> subprocess.Popen[str]:
    """The runner process of a stored run; a `fresh` one begins as an interpreter of its own, as a user's does."""
    words = ["--db", str(bench.database), f"--exp-id={exp_id}", *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if not fresh:
        return Forked(words, module=MODULE, env=environment, cwd=ROOT, **pipes)
    return subprocess.Popen([sys.executable, "-m", MODULE, *words], env=environment, text=True, **pipes)


def test_a_finished_run_ends_with_nothing_and_says_nothing_on_stdout(bench: Bench) -> None:
    bench.prepare(3)
    bench.server.behave(Reply("ok"))
    with runner(bench, fresh=True) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")
    assert "plan: 3 to ask" in err


def test_a_refused_key_ends_with_three(bench: Bench) -> None:
    bench.prepare(3)
    bench.server.behave(unauthorized)
    with runner(bench) as process:
        process.communicate(timeout=60)
    assert process.returncode == 3


def test_a_run_that_is_not_there_ends_with_two_and_one_line(bench: Bench) -> None:
    bench.prepare(1)
    with runner(bench, exp_id="--nope") as process:
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "no run named '--nope'" in err
    assert len(err.splitlines()) == 1


def test_losing_the_terminal_ends_nothing(bench: Bench) -> None:
    bench.prepare(30)
    bench.server.behave(Reply("ok", latency=0.02))
    with runner(bench) as process:
        bench.until(lambda reader: reader.run("e").passed_tests > 1, "some finished")
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=60)
    assert process.returncode == 0
    assert bench.run().passed_tests == 30


def test_being_told_to_end_stores_what_is_finished(bench: Bench) -> None:
    bench.prepare(400)
    bench.server.behave(Reply("ok", latency=0.03))
    with runner(bench) as process:
        bench.until(lambda reader: reader.run("e").passed_tests > 1, "some finished")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    run = bench.run()
    assert (process.returncode, run.state) == (1, "stopped")
    assert 1 < run.passed_tests < 400
    assert set(bench.statuses()) == {"passed", "pending"}


def test_judging_alone_is_told_by_a_flag(bench: Bench) -> None:
    bench.prepare(2, until="rollout")
    bench.server.behave(Reply("ok"))
    with runner(bench) as process:
        process.communicate(timeout=60)
    bench.prepare(2)
    bench.server.forget()
    with runner(bench, "--judging", "changed") as process:
        process.communicate(timeout=60)
    assert (bench.server.hits, bench.run().passed_tests) == (0, 2)
