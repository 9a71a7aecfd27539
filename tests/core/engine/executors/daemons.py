"""A Dask scheduler and workers as processes of their own, each started again once it is gone, as a service manager does."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from tests.faults.harness import alive, descendants, wait_until

WORKERS = 2


class Daemons:
    """A cluster on loopback; `environment` is its workers', `worker_host` the address that they listen at."""

    def __init__(
        self, home: Path, environment: Mapping[str, str] | None = None, *, worker_host: str = "127.0.0.1"
    ) -> None:
        self._log = (home / "dask.log").open("wb")
        self._home = home
        self._environment = environment
        self._worker_host = worker_host
        self._away: set[str] = set()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._port = _free_port()
        self._ended = threading.Event()
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._keep()
        self._keeper = threading.Thread(target=self._keep_all, daemon=True)
        self._keeper.start()
        wait_until(self._listens, "the scheduler's port")

    def kill(self, name: str) -> None:
        """Kill one of them, with what it started: a machine that is switched off."""
        self._signal(name, signal.SIGKILL)

    def freeze(self, name: str) -> None:
        """Stop one of them, with what it started: its connections stay open and say nothing."""
        self._signal(name, signal.SIGSTOP)

    def unplug(self, name: str) -> None:
        """Kill one of them, and start it again only when it is plugged in."""
        self._away.add(name)
        self.kill(name)

    def plug(self, name: str) -> None:
        """Undo `unplug`."""
        self._away.discard(name)

    def _signal(self, name: str, number: signal.Signals) -> None:
        process = self._processes[name]
        for pid in [process.pid, *descendants(process.pid)]:
            if alive(pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)

    def end(self) -> None:
        """End them all."""
        self._ended.set()
        self._keeper.join()
        for name, process in self._processes.items():
            self.kill(name)
            process.wait()
        self._log.close()

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self._port)) == 0

    def _keep_all(self) -> None:
        while not self._ended.wait(0.2):
            self._keep()

    def _keep(self) -> None:
        for name in ("scheduler", *(f"worker-{number}" for number in range(WORKERS))):
            process = self._processes.get(name)
            if name not in self._away and (process is None or process.poll() is not None):
                self._processes[name] = self._start(name)

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        words = (
            ["dask_scheduler", "--host", "127.0.0.1", "--port", str(self._port)]
            if name == "scheduler"
            else ["dask_worker", self.address, "--host", self._worker_host, "--nthreads", "1", "--no-nanny", "--name",
                  f"{name}-{random.random()}", "--local-directory", str(self._home), "--death-timeout", "20"]
        )  # fmt: skip
        command = [sys.executable, "-m", f"distributed.cli.{words[0]}", *words[1:], "--no-dashboard"]
        return subprocess.Popen(
            command, stdout=self._log, stderr=self._log, stdin=subprocess.DEVNULL, env=self._environment
        )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
