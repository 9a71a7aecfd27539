"""What carries bytes between a driver and a worker process, wherever it runs; here two pipes to a process of this machine."""

from __future__ import annotations

import contextlib
import os
import subprocess
from typing import Protocol

from modex.core.foundation.processes import ending, spawned


def worker_command() -> list[str]:
    """The words that start a worker process of this very program."""
    return spawned("modex.core.engine.executors.worker")


class Channel(Protocol):
    """Two streams of bytes to one worker process. One thread writes, one reads; `kill` is for any thread."""

    name: str
    """What messages call the process."""
    host: str
    """The machine that it runs on; empty for this one."""
    problem: str | None
    """What keeps it from working, where that is known and trying again will not help."""
    began: bool
    """Whether there is a process at all, or there was: its machine was reached."""

    def write(self, data: bytes, /) -> None:
        """Send it whole.

        Raises:
            OSError: nobody reads any more.
        """
        ...

    def read(self, count: int, /) -> bytes:
        """So many bytes, or fewer at the end."""
        ...

    def end(self) -> None:
        """No more will be written; from the thread that writes."""
        ...

    def kill(self) -> None:
        """End the process, or at least what connects it, whatever it does; never blocks."""
        ...

    def wait(self) -> str:
        """Leave nothing behind once `read` came to the end; how the process ended, in words."""
        ...


class Pipes:
    """A worker process of this machine."""

    host = ""
    problem: str | None = None
    began = True

    def __init__(self) -> None:
        """Start it.

        Raises:
            OSError: the system starts no more processes.
        """
        # Spawned, not forked: the driver has threads, any of which may hold a lock at this moment.
        self._process = subprocess.Popen(worker_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to = self._process.stdin
        self._from = os.fdopen(os.dup(self._process.stdout.fileno()), "rb")
        self.name = f"worker process {self._process.pid}"

    def write(self, data: bytes, /) -> None:
        """See `Channel`."""
        left = memoryview(data)
        while left:
            left = left[os.write(self._to.fileno(), left) :]

    def read(self, count: int, /) -> bytes:
        """See `Channel`."""
        return self._from.read(count)

    def end(self) -> None:
        """See `Channel`."""
        with contextlib.suppress(OSError):
            self._to.close()

    def kill(self) -> None:
        """See `Channel`; a process that was stopped ends too."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def wait(self) -> str:
        """See `Channel`."""
        self.kill()
        code = self._process.wait()
        self._from.close()
        assert self._process.stdout is not None
        self._process.stdout.close()
        return ending(code)
