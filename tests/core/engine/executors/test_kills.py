"""A run on a cluster whose driver, workers and scheduler are killed at random: nothing is lost, nothing finished is asked again.

`make test-cluster` runs it; CLUSTER_KILLS says how many kills (60 take about five minutes), CLUSTER_SEED which.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import reading
from tests.faults.harness import VERDICT, Modex, alive, descendants, wait_until
from tests.faults.harness import keyword_tests as fault_tests
from tests.faults.harness import write_suite as fault_suite
from tests.server import Reply, serve

KILLS = int(os.environ.get("CLUSTER_KILLS", "12"))
WORKERS, AT_ONCE = 2, 8
TESTS_A_KILL = 60


class Daemons:
    """A scheduler and workers, each a process that is started again once it is gone, as a service manager does."""

    def __init__(self, home: Path) -> None:
        self._log = (home / "dask.log").open("wb")
        self._home = home
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._port = _free_port()
        self._ended = threading.Event()
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._keep()
        self._keeper = threading.Thread(target=self._keep_all, daemon=True)
        self._keeper.start()

    def kill(self, name: str) -> None:
        """Kill one of them, with what it started: a machine that is switched off."""
        process = self._processes[name]
        for pid in [process.pid, *descendants(process.pid)]:
            _kill(pid)

    def end(self) -> None:
        """End them all."""
        self._ended.set()
        self._keeper.join()
        for name in self._processes:
            self.kill(name)
            self._processes[name].wait()
        self._log.close()

    def _keep_all(self) -> None:
        while not self._ended.wait(0.2):
            self._keep()

    def _keep(self) -> None:
        for name in ("scheduler", *(f"worker-{number}" for number in range(WORKERS))):
            process = self._processes.get(name)
            if process is None or process.poll() is not None:
                self._processes[name] = self._start(name)

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        words = (
            ["dask_scheduler", "--host", "127.0.0.1", "--port", str(self._port)]
            if name == "scheduler"
            else ["dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--name", f"{name}-{random.random()}",
                  "--local-directory", str(self._home), "--death-timeout", "20"]
        )  # fmt: skip
        command = [sys.executable, "-m", f"distributed.cli.{words[0]}", *words[1:], "--no-dashboard"]
        return subprocess.Popen(command, stdout=self._log, stderr=self._log, stdin=subprocess.DEVNULL)


def _kill(pid: int) -> None:
    if alive(pid):
        os.kill(pid, signal.SIGKILL)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def modex(tmp_path: Path) -> Iterator[Modex]:
    program = Modex(tmp_path / "home")
    program.home.mkdir()
    yield program
    program.end()


@pytest.fixture
def daemons(tmp_path: Path) -> Iterator[Daemons]:
    pytest.importorskip("distributed", reason="distributed is not installed: pip install 'modex[cluster]'")
    found = Daemons(tmp_path)
    yield found
    found.end()


@pytest.mark.skipif(not os.environ.get("TEST_CLUSTER"), reason="takes minutes: make test-cluster runs it")
@pytest.mark.timeout(1500)
def test_random_kills_lose_no_finished_call_and_repeat_none(modex: Modex, daemons: Daemons, tmp_path: Path) -> None:
    seed = int(os.environ.get("CLUSTER_SEED", "1"))
    chance = random.Random(seed)
    count = KILLS * TESTS_A_KILL
    suite = fault_suite(tmp_path / "suite", fault_tests(count))
    killed: Counter[str] = Counter()
    nowhere = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with serve(Reply("ok", latency=0.05)) as server:
        arguments = [*modex.headless(server.url, suite, "--concurrency", str(AT_ONCE)), "--cluster", daemons.address]
        run = modex.start(*arguments, **nowhere)
        for number in range(1, KILLS + 1):
            due = number * TESTS_A_KILL * 2 // 3

            def moved(due: int = due) -> bool:
                nonlocal run
                if run.poll() is not None:  # it was killed, or found no scheduler at its start
                    run = modex.start(*arguments, **nowhere)
                return server.hits >= due or modex.count("stage = 'judged'") >= count - TESTS_A_KILL

            wait_until(moved, f"{due} calls, kill {number}", 120)
            victim = chance.choice(["driver", "scheduler", *(f"worker-{place}" for place in range(WORKERS))])
            killed[victim.partition("-")[0]] += 1
            if victim == "driver":
                run.kill()
            else:
                daemons.kill(victim)
        wait_until(lambda: run.poll() is not None, "the end of what was killed or of the run", 300)
        for _ in range(5):
            last = modex.run(*arguments, timeout=120)
            if last.code == 0:
                break
        assert last.code == 0, last.err
        asked = Counter(request.prompt for request in server.requests)
    assert len(modex.rows(VERDICT)) == modex.count("status = 'passed'") == count, "none is lost"
    assert len(asked) == count
    again = sum(asked.values()) - count
    print(
        f"seed {seed}: kills {dict(killed)}; {count} tests, {again} asked again, at most {AT_ONCE} in flight at a kill"
    )
    # What had ended was stored and is not asked again: at each kill at most what was in flight.
    assert again <= KILLS * AT_ONCE
    modex.assert_sound()
    with reading(modex.db) as reader:
        assert reader.runs()[0].error_tests == 0
