"""Ways to run the server: on a thread of this process, or as a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.server.http import Connection, Recorder
from tests.server.wire import Behaviour, Reply, Request

DEFAULT_MODELS = ("test-model", "other-model")
OK = Reply()


class ServerHandle:
    """A server on a thread of this process; `url` is the API base to give to a client."""

    def __init__(self, behaviour: Reply | Behaviour, models: Sequence[str] = DEFAULT_MODELS, port: int = 0) -> None:
        self._recorder = Recorder(_as_behaviour(behaviour), models)
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._port = port
        self._thread = threading.Thread(target=self._run, name="test-server", daemon=True)
        self._thread.start()
        if not self._started.wait(10):
            raise RuntimeError("the test server did not start")

    @property
    def port(self) -> int:
        """The TCP port on 127.0.0.1."""
        return self._port

    @property
    def url(self) -> str:
        """The API base, `http://127.0.0.1:<port>/v1`."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def requests(self) -> list[Request]:
        """Every chat request so far, in order of arrival."""
        return list(self._recorder.requests)

    @property
    def hits(self) -> int:
        """How many chat requests have arrived."""
        return len(self._recorder.requests)

    @property
    def peak(self) -> int:
        """The most chat requests that were in flight at once."""
        return self._recorder.peak

    @property
    def in_flight(self) -> int:
        """How many chat requests are being answered now."""
        return self._recorder.in_flight

    @property
    def given_up(self) -> int:
        """How many chat requests lost their client before their answer was whole."""
        return self._recorder.given_up

    def behave(self, behaviour: Reply | Behaviour) -> None:
        """Change what requests get from now on."""
        self._recorder.behaviour = _as_behaviour(behaviour)

    def forget(self) -> None:
        """Forget the requests and the peak so far."""
        self._recorder.requests.clear()
        self._recorder.peak = 0

    def close(self) -> None:
        """Stop answering and free the port."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(10)

    def __enter__(self) -> ServerHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(start(self._loop, self._recorder, self._port))
        self._port = server.sockets[0].getsockname()[1]
        self._started.set()
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._hang_up(server))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    async def _hang_up(self, server: asyncio.Server) -> None:
        # An accepted socket becomes a transport a turn later, and only while its server is open: closed before that,
        # the server would leave it open for good.
        for listening in server.sockets:
            self._loop.remove_reader(listening.fileno())
        for _ in range(4):
            await asyncio.sleep(0)
        server.close()
        for transport in list(self._recorder.open):
            transport.abort()
        for task in asyncio.all_tasks(self._loop) - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0.01)


def serve(behaviour: Reply | Behaviour = OK, models: Sequence[str] = DEFAULT_MODELS, port: int = 0) -> ServerHandle:
    """Start a server that answers every chat request as `behaviour` says; a context manager."""
    return ServerHandle(behaviour, models, port)


async def start(loop: asyncio.AbstractEventLoop, recorder: Recorder, port: int) -> asyncio.Server:
    """Listen on 127.0.0.1 (`port` 0 takes a free one)."""
    return await loop.create_server(lambda: Connection(recorder), "127.0.0.1", port, backlog=1024)


class ServerProcess:
    """A server in a process of its own, for figures and for tests that kill processes."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port
        self.url = f"http://127.0.0.1:{port}/v1"

    def state(self) -> dict[str, Any]:
        """What it recorded: `hits`, `peak`, `connections`, `requests` (as `Request.as_dict`)."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/_state", timeout=10) as response:
            found: dict[str, Any] = json.load(response)
        return found

    @property
    def hits(self) -> int:
        """How many chat requests have arrived."""
        return int(self.state()["hits"])


@contextlib.contextmanager
def serve_process(*arguments: str) -> Iterator[ServerProcess]:
    """Run `python -m tests.server --port 0` with more `arguments`, ended with the block."""
    root = Path(__file__).parent.parent.parent
    command = [sys.executable, "-m", "tests.server", "--port", "0", *arguments]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield ServerProcess(process, int(process.stdout.readline()))
        finally:
            process.terminate()


def _as_behaviour(behaviour: Reply | Behaviour) -> Behaviour:
    if isinstance(behaviour, Reply):
        fixed = behaviour
        return lambda _request: fixed
    return behaviour
