"""Worker processes on the machines of a Dask cluster: who is there now, and a connection to each.

Dask says which workers there are and carries the bytes; what is said is what a worker process of this machine hears
(`messages.py`). The driver speaks with each Dask worker directly, as Dask's own workers do among themselves: by way of the
scheduler, or as a task a sample, each word would wait several times as long.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib.metadata
import logging
import platform
import queue
import socket
import tempfile
import threading
import uuid
import warnings
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from distributed import Client, LocalCluster, Security
from distributed.comm import Comm, connect
from distributed.protocol.pickle import dumps, loads
from distributed.versions import VersionMismatchWarning

from modex.core.edge.cluster.quiet import quieted
from modex.core.edge.cluster.relay import OPERATION, Joined, join, occupied
from modex.core.engine.executors.address import ClusterAddress, is_loopback, open_to_others
from modex.core.engine.executors.channel import Channel
from modex.core.engine.executors.child import other_program
from modex.core.engine.executors.places import WorkerPlace
from modex.core.foundation.errors import ModexError
from modex.core.foundation.processes import ending

T = TypeVar("T")
_CONNECT_S = 15.0
_JOIN_S = 30.0
_LOOK_S = 1.0
_CLOSE_S = 8.0
_LAST_WORD_S = 1.0


class Cluster:
    """A Dask cluster as `Places`: each of its workers is one."""

    shares_disk = False

    def __init__(self, address: ClusterAddress, *, insecure: bool, log: Callable[[str, str], None]) -> None:
        """Connect, and for `local:N` start the workers first; `log` is told a kind and a line.

        Raises:
            ModexError: no scheduler answers there.
        """
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters of it is said by us
        self._address = address
        self._insecure = insecure
        self._log = log
        self._places: tuple[WorkerPlace, ...] = ()
        self._none = "no worker has joined it"
        self._local: LocalCluster | None = None
        self._client: Client | None = None
        self._security = Security()
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="cluster", daemon=True)
        self._thread.start()
        try:
            self._wait(self._open())
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            self.close()
            raise ModexError(
                f"--cluster {address.text}: no Dask scheduler answers there ({_words(error)}); start one with `dask scheduler`,"
                " and workers with `dask worker ADDRESS` (docs/cluster.md)"
            ) from error

    def now(self) -> Sequence[WorkerPlace]:
        """See `Places`."""
        return self._places

    def no_places(self) -> str:
        """See `Places`."""
        return f"the cluster at {self._address.text} has no worker for this run: {self._none}"

    def close(self) -> None:
        """See `Places`."""
        with contextlib.suppress(Exception):
            self._wait(self._close(), _CLOSE_S)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(_CLOSE_S)
        if not self._thread.is_alive():
            self.loop.close()

    def connection(self) -> dict[str, Any]:
        """How to connect to this cluster's workers: with its certificates, where it has any."""
        found: dict[str, Any] = self._security.get_connection_args("client")
        return found

    def hold(self, worker: str, token: str) -> None:
        """Have Dask see that a worker is at work for this run; the samples move without it, too."""
        if self._client is None:
            return
        with contextlib.suppress(Exception):
            task = self._client.submit(
                occupied(token),
                key=f"modex-{token}",
                workers=[worker],
                allow_other_workers=False,
                retries=0,
                pure=False,
            )
            self._held[token] = task

    def let_go(self, token: str) -> None:
        """Undo `hold`."""
        if (task := self._held.pop(token, None)) is not None:
            with contextlib.suppress(Exception):
                task.release()

    def note(self, words: str) -> None:
        """Put a line into the run's log."""
        self._log("info", words)

    # on the loop

    _held: dict[str, Any]

    async def _open(self) -> None:
        self._held = {}
        where = self._address.text
        if self._address.is_local:
            with contextlib.suppress(ImportError):
                # Anybody on this machine could else have the workers run something: Dask asks nobody who he is.
                self._security = Security.temporary()
            local = LocalCluster(
                n_workers=self._address.local, threads_per_worker=1, processes=True, asynchronous=True, host="127.0.0.1",
                dashboard_address=None, security=self._security, silence_logs=logging.CRITICAL,
            )  # fmt: skip
            self._local = await quieted(local)
            where = self._local.scheduler_address
        self._where = where
        await self._connect()
        await self._look()
        self._watching = self.loop.create_task(self._watch())

    async def _connect(self) -> None:
        with warnings.catch_warnings():
            # Another modex or Python is refused by name; which other packages differ does not decide anything.
            warnings.simplefilter("ignore", VersionMismatchWarning)
            self._client = await Client(
                self._where,
                security=self._security,
                asynchronous=True,
                set_as_default=False,
                timeout=_CONNECT_S,
                name="modex",
            )

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_S)
            try:
                if self._client is None or self._client.status == "closed":
                    await self._connect()
                await self._look()
            except (OSError, TimeoutError, ValueError, RuntimeError) as error:
                self._places = ()
                self._none = f"its scheduler does not answer ({_words(error)})"

    async def _look(self) -> None:
        assert self._client is not None
        scheduler = self._client.scheduler
        if scheduler is None:
            raise OSError("not connected")
        found = await asyncio.wait_for(scheduler.identity(n_workers=-1), _CONNECT_S)
        known = {place.name: place for place in self._places}
        self._none = "no worker has joined it"
        self._places = tuple(known.get(name) or self._place(name) for name in found["workers"])

    def _place(self, worker: str) -> WorkerPlace:
        problem = None
        if open_to_others(worker) and not self._insecure:
            problem = (
                f"the worker at {worker} is spoken to over plain tcp://, which can be read and changed on its way: start it"
                " with TLS (docs/cluster.md), or run with --insecure-cluster in a network that you trust"
            )
        return WorkerPlace(worker, partial(DaskChannel, self, worker), sure=False, problem=problem)

    async def _close(self) -> None:
        if (watching := getattr(self, "_watching", None)) is not None:
            watching.cancel()
        if self._client is not None:
            await self._client.close(timeout=1)
        if self._local is not None:
            await self._local.close(timeout=2)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _wait(self, work: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(timeout)


class DaskChannel(Channel):
    """A worker process below a Dask worker."""

    def __init__(self, cluster: Cluster, worker: str) -> None:
        self.name = f"the worker at {worker}"
        self.host = worker
        self.problem: str | None = None
        self.began = False
        self._cluster = cluster
        self._worker = worker
        self._comm: Comm | None = None
        self._way: concurrent.futures.Future[None] = concurrent.futures.Future()
        """Done once there is a way for what is said, cancelled where there will be none."""
        self._direct: socket.socket | None = None
        self._file: BinaryIO | None = None
        self._pieces: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._left = bytearray()
        self._over = False
        self._ended = ""
        self._running = asyncio.run_coroutine_threadsafe(self._run(), cluster.loop)

    def write(self, data: bytes, /) -> None:
        """See `Channel`."""
        try:
            self._way.result()
            if self._direct is not None:
                self._direct.sendall(data)
            else:
                asyncio.run_coroutine_threadsafe(self._send(data), self._cluster.loop).result()
        except (asyncio.CancelledError, concurrent.futures.CancelledError, RuntimeError) as error:
            raise OSError("the connection has ended") from error

    def read(self, count: int, /) -> bytes:
        """See `Channel`."""
        with contextlib.suppress(concurrent.futures.CancelledError):
            self._way.result()
        if self._file is not None:
            try:
                return self._file.read(count)
            except OSError:
                return b""
        while len(self._left) < count and not self._over:
            piece = self._pieces.get()
            self._over = not piece
            self._left += piece
        found = bytes(self._left[:count])
        del self._left[:count]
        return found

    def end(self) -> None:
        """See `Channel`; the other side ends with the connection."""

    def kill(self) -> None:
        """See `Channel`."""
        with contextlib.suppress(RuntimeError):  # the loop is closed, and with it everything that ran there
            self._cluster.loop.call_soon_threadsafe(self._abort)

    def wait(self) -> str:
        """See `Channel`."""
        with contextlib.suppress(TimeoutError, concurrent.futures.CancelledError):
            self._running.result(_LAST_WORD_S)  # on a way of its own the end is seen before it is said
        self.kill()
        for open_one in (self._file, self._direct):
            if open_one is not None:
                open_one.close()
        return self._ended or "its connection ended"

    # on the loop

    def _abort(self) -> None:
        self._running.cancel()
        self._end()  # one that is cancelled before it began says no last word

    def _end(self) -> None:
        self._way.cancel()
        if self._direct is not None:
            with contextlib.suppress(OSError):
                self._direct.shutdown(socket.SHUT_RDWR)
        self._pieces.put(b"")

    async def _send(self, data: bytes) -> None:
        assert self._comm is not None
        await self._comm.write(data)

    async def _run(self) -> None:
        comm: Comm | None = None
        token = uuid.uuid4().hex
        try:
            comm = await connect(self._worker, timeout=_CONNECT_S, **self._cluster.connection())
            if await self._joined(comm):
                await self._begin(comm, token)
                self._cluster.hold(self._worker, token)
                while not isinstance(piece := await comm.read(), dict):
                    self._pieces.put(piece)
                ended = piece["ended"]
                self._ended = ending(ended) if isinstance(ended, int) else str(ended)
        except (OSError, TimeoutError) as error:
            self._ended = f"it is not reached ({_words(error)})" if comm is None else "its connection ended"
        finally:
            if comm is not None:
                comm.abort()
            self._cluster.let_go(token)
            self._end()

    async def _begin(self, comm: Comm, token: str) -> None:
        """Have a process started there, and find the way to it: a socket on this very machine, else the connection itself."""
        with tempfile.TemporaryDirectory(prefix="modex-") as folder, socket.socket(socket.AF_UNIX) as listening:
            path = str(Path(folder, "s"))
            near = is_loopback(self._worker) and _listens(listening, path)
            await comm.write({"op": OPERATION, "reply": False, "token": token, "direct": path if near else None})
            said = await asyncio.wait_for(comm.read(), _JOIN_S)
            if said["direct"]:
                self._direct, _ = listening.accept()  # it is there already
                self._file = self._direct.makefile("rb")
        self.began = True
        self._comm = comm
        if not self._way.cancelled():
            self._way.set_result(None)

    async def _joined(self, comm: Comm) -> bool:
        """Whether the Dask worker is of this modex; else `problem` says why it is given nothing."""
        found = await asyncio.wait_for(_called(comm, join), _JOIN_S)
        if isinstance(found, Joined):
            self.host = found.host
            self.name = f"the worker at {self._worker} on {found.host}"
            self.problem = other_program(self.name, found.version, found.python)
            memory = f", {found.memory / 2**30:.1f} GB" if found.memory else ""
            self._cluster.note(f"{self.name} has joined: {found.cores} cores{memory}")
        else:
            python = await asyncio.wait_for(_called(comm, platform.python_version), _JOIN_S)
            modex = await asyncio.wait_for(_called(comm, importlib.metadata.version, "modex"), _JOIN_S)
            if isinstance(modex, str):
                self.problem = other_program(self.name, modex, str(python)) or f"{self.name}: {_words(found)}"
            else:
                self.problem = (
                    f"{self.name}: modex cannot be used there ({_words(found)}): install this very version beside Dask"
                )
        return self.problem is None


def _listens(listening: socket.socket, path: str) -> bool:
    """Have a socket listen at a path; False where it cannot, as where the folder for temporary files has a long name."""
    try:
        listening.bind(path)
    except OSError:
        return False
    listening.listen(1)
    return True


async def _called(comm: Comm, function: Callable[..., Any], *arguments: object) -> Any:
    """What a function returns in a Dask worker, or the exception that it raised there."""
    packed = {"function": dumps(function), "args": dumps(arguments), "kwargs": dumps({})}
    await comm.write({"op": "run", **packed, "wait": True})
    said = await comm.read()
    if said.get("status") == "OK":
        return said["result"]
    error = said.get("exception")
    return loads(error) if isinstance(error, bytes) else error


def _words(error: object) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
