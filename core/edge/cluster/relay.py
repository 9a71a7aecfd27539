"""What runs inside a Dask worker: it starts a worker process and carries bytes between that and the driver.

The driver connects to the Dask worker's own port and speaks over it as Dask's own parts do, so that whatever protects the
cluster's connections protects these. The samples are moved by a process of its own, as on the driver's machine: a plugin, or a
sample that ends its process, does not meet the Dask worker.
"""

from __future__ import annotations

import asyncio
import platform
import socket
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from distributed import Worker
from distributed.comm import Comm, CommClosedError
from distributed.core import Status

from modex.core.engine.executors.channel import worker_command
from modex.core.foundation.processes import cores
from modex.core.foundation.version import version

OPERATION = "modex-move"
"""What the driver asks of a Dask worker: start a process, and relay on this connection from now on."""
_PIECE = 1 << 18


@dataclass(frozen=True, slots=True)
class Joined:
    """Where a Dask worker runs, and what."""

    host: str
    version: str
    python: str
    cores: int
    memory: int
    """Bytes that it may take; 0 where nothing limits it."""


def join(dask_worker: Worker) -> Joined:
    """Make a Dask worker understand `OPERATION`."""
    dask_worker.handlers.setdefault(OPERATION, relay)
    return Joined(
        socket.gethostname(),
        version(),
        platform.python_version(),
        cores(),
        int(dask_worker.memory_manager.memory_limit or 0),
    )


_UNDER_WAY: dict[str, asyncio.Event] = {}
"""The relays of this Dask worker by their tokens, and whether each is over."""


async def relay(comm: Comm, token: str, direct: str | None) -> Status:
    """Start a process and carry bytes until it or the driver is gone; then the other one ends too.

    Where the driver is on this very machine, `direct` is a socket of its own that the process speaks over instead.
    """
    over = _UNDER_WAY[token] = asyncio.Event()
    process: asyncio.subprocess.Process | None = None
    way = _reached(direct)
    ends = way.fileno() if way is not None else asyncio.subprocess.PIPE
    try:
        await comm.write({"direct": way is not None})
        try:
            process = await asyncio.create_subprocess_exec(*worker_command(), stdin=ends, stdout=ends)
        except OSError as error:
            await comm.write({"ended": f"it could not be started: {error}"})
            return Status.dont_reply
        finally:
            if way is not None:
                way.close()
        await _until_one_is_gone(comm, process)
        if process.returncode is None:
            process.kill()
        code = await process.wait()
        if not comm.closed():
            await comm.write({"ended": code})
    except CommClosedError:
        pass  # the driver is gone
    finally:
        if process is not None and process.returncode is None:
            process.kill()
        comm.abort()
        over.set()
        _UNDER_WAY.pop(token, None)
    return Status.dont_reply


def _reached(path: str | None) -> socket.socket | None:
    """A connection to the driver's socket; None where that is on another machine, or another user's."""
    if path is None:
        return None
    way = socket.socket(socket.AF_UNIX)
    try:
        way.connect(path)
    except OSError:
        way.close()
        return None
    return way


async def _until_one_is_gone(comm: Comm, process: asyncio.subprocess.Process) -> None:
    ways = {asyncio.create_task(_down(comm, process)), asyncio.create_task(_up(comm, process))}
    _, left = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    for way in left:
        way.cancel()
    await asyncio.gather(*ways, return_exceptions=True)


async def _down(comm: Comm, process: asyncio.subprocess.Process) -> None:
    try:
        while True:
            piece = await comm.read()
            if process.stdin is not None:
                process.stdin.write(piece)
                await process.stdin.drain()
    except (CommClosedError, OSError):
        return


async def _up(comm: Comm, process: asyncio.subprocess.Process) -> None:
    if process.stdout is None:
        await process.wait()
        return
    try:
        while data := await process.stdout.read(_PIECE):
            await comm.write(data)
    except CommClosedError:
        return


def occupied(token: str) -> Callable[[], Coroutine[Any, Any, None]]:
    """A task that lasts as long as a relay, by which Dask's dashboard and whatever scales the cluster see a worker at work."""

    # Within a function, for Dask then sends the code itself: its scheduler need not have modex.
    async def modex() -> None:
        import asyncio
        import sys

        relays = getattr(sys.modules.get("modex.core.edge.cluster.relay"), "_UNDER_WAY", {})
        if (over := relays.get(token)) is not None:
            assert isinstance(over, asyncio.Event)
            await over.wait()

    return modex
