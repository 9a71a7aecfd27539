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

from tests.core.engine.executors.wires import Wire
from tests.faults.harness import alive, descendants, wait_until

WORKERS = 2
NAMES = tuple(f"worker-{number}" for number in range(WORKERS))


class Daemons:
    """A cluster on loopback; `environment` is its workers', `worker_host` the address that they listen at.

    Where it is `wired`, a worker speaks with scheduler and driver over wires that can be cut.
    """

    def __init__(
        self,
        home: Path,
        environment: Mapping[str, str] | None = None,
        *,
        worker_host: str = "127.0.0.1",
        wired: bool = False,
    ) -> None:
        self._log = (home / "dask.log").open("wb")
        self._home = home
        self._environment = environment
        self._worker_host = worker_host
        self._away: set[str] = set()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._port = _free_port()
        self._own_ports = {name: _free_port() for name in NAMES} if wired else {}
        self._wires = {name: (Wire(port), Wire(self._port)) for name, port in self._own_ports.items()}
        """Of each worker that to itself and that to the scheduler."""
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

    def cut(self, name: str) -> None:
        """Cut the wires of a worker: it goes on, and what it says and hears waits."""
        for wire in self._wires[name]:
            wire.cut()

    def mend(self, name: str) -> int:
        """Undo `cut`; how many bytes had been held back on the way to and from the worker."""
        held = self._wires[name][0].held
        for wire in self._wires[name]:
            wire.mend()
        return held

    def below(self, name: str) -> list[int]:
        """The processes that it has started."""
        return descendants(self._processes[name].pid)

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
        for wire in (one for both in self._wires.values() for one in both):
            wire.end()
        self._log.close()

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self._port)) == 0

    def _keep_all(self) -> None:
        while not self._ended.wait(0.2):
            self._keep()

    def _keep(self) -> None:
        for name in ("scheduler", *NAMES):
            process = self._processes.get(name)
            if name not in self._away and (process is None or process.poll() is not None):
                self._processes[name] = self._start(name)

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        if name == "scheduler":
            words = ["dask_scheduler", "--host", "127.0.0.1", "--port", str(self._port)]
        else:
            kept = ["--nthreads", "1", "--no-nanny", "--local-directory", str(self._home), "--death-timeout", "20"]
            words = ["dask_worker", *self._ways(name), "--name", f"{name}-{random.random()}", *kept]
        command = [sys.executable, "-m", f"distributed.cli.{words[0]}", *words[1:], "--no-dashboard"]
        return subprocess.Popen(
            command, stdout=self._log, stderr=self._log, stdin=subprocess.DEVNULL, env=self._environment
        )

    def _ways(self, name: str) -> list[str]:
        """Where a worker finds the scheduler, and where it is found."""
        if name not in self._wires:
            return [self.address, "--host", self._worker_host]
        to_it, to_scheduler = self._wires[name]
        listens, found = (f"tcp://127.0.0.1:{port}" for port in (self._own_ports[name], to_it.port))
        return [f"tcp://127.0.0.1:{to_scheduler.port}", "--listen-address", listens, "--contact-address", found]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
