"""What reading answers by hand saves: `core/llm/wire.py` beside the ways of urllib3 and http.client, behind the same seam.

Every way is watched (deadline, stop) and keeps its connections. Those of urllib3 are the least that such a client would be:
they take any interim answer but 100 for the answer, and use a connection again whatever its last answer looked like.

python -m benchmarks reading [--quick]
python -m benchmarks.reading --run WAY …     modex with the arguments that follow, reading in this way
"""

from __future__ import annotations

import http.client
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, cast
from unittest.mock import patch

import urllib3
from urllib3.connection import HTTPConnection
from urllib3.connectionpool import HTTPConnectionPool

from benchmarks.measure import run, spread
from benchmarks.peers.peer import Work
from benchmarks.server import ServerProcess, serving
from benchmarks.tables import Table
from benchmarks.throughput import modex_command, write_rows
from modex.core.llm import wire
from modex.core.llm.chunked import Chunked
from modex.core.llm.http import Http
from modex.core.llm.sse import events
from modex.core.llm.watch import WatchedCall

_AT_ONCE = 16
_BODY = b'{"model":"test-model","messages":[{"role":"user","content":"What is 1 + 1?"}],"stream":true}'
_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "Authorization": "Bearer x",
}


class _Connection(HTTPConnection):
    """A connection of urllib3's that the watchdog knows."""

    _call: WatchedCall | None = None

    def connect(self) -> None:
        super().connect()
        self._held()

    def request(self, *words: Any, **given: Any) -> None:
        if self.sock is not None:
            self._held()
        super().request(*words, **given)

    def _held(self) -> None:
        before, self._call = self._call, wire.NOW.call
        wire.NOW.call.hold(self.sock, before)


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _Place(NamedTuple):
    pool: _Pool
    target: str
    proxy: None = None


class _Answer:
    """What `Response` wants of an answer, of urllib3's own."""

    def __init__(self, raw: urllib3.BaseHTTPResponse) -> None:
        self._raw = raw
        self.status = raw.status
        self.msg = raw.headers

    def some(self, size: int) -> bytes:
        return self._raw.read1(size)

    def receive_by(self, receiver: object) -> None:
        """None receives for it."""

    @property
    def came_at(self) -> float:
        return time.monotonic()

    def finish(self, within_s: float) -> None:
        del within_s
        while self._raw.read1():
            pass

    def release(self) -> None:
        if not self._raw.closed:
            self._raw.close()
        self._raw.release_conn()


class _Urllib3:
    """Urllib3 in the place of `Wire`; `whole` by its `urlopen`, else by its connection's `request` and `getresponse`."""

    def __init__(self, *, whole: bool) -> None:
        self._pools: dict[str, _Place] = {}
        self._whole = whole

    def place(self, url: str) -> _Place:
        if url not in self._pools:
            parts = urllib3.util.parse_url(url)
            self._pools[url] = _Place(_Pool(parts.host or "", parts.port, maxsize=64), parts.request_uri)
        return self._pools[url]

    def send(
        self, place: _Place, call: WatchedCall, method: str, body: bytes | None, headers: Mapping[str, str]
    ) -> _Answer:
        wire.NOW.call = call
        pool, target, _ = place
        every = {"Accept-Encoding": "identity", "User-Agent": "modex", **headers}
        options: dict[str, Any] = {"preload_content": False, "decode_content": False}
        if self._whole:
            timeout = urllib3.Timeout(connect=30.0, read=None)
            return _Answer(
                pool.urlopen(method, target, body, every, retries=False, redirect=False, timeout=timeout, **options)
            )
        connection = cast(_Connection, pool._get_conn())
        connection.timeout = None
        connection.request(method, target, body, every, **options)
        raw: Any = connection.getresponse()
        raw._pool, raw._connection = pool, connection
        return _Answer(raw)

    def close(self) -> None:
        for place in self._pools.values():
            place.pool.close()


def _by_http_client(self: wire.RawAnswer) -> bytes:
    if self._chunks is None:  # which marks here that http.client's own count is begun
        self._chunks, self.chunk_left = Chunked(), None
    return self.read1(wire._BUFFER)


def _written_apart(place: wire.HttpRoute, method: str, body: bytes | None, headers: Mapping[str, str]) -> Any:
    """In place of the head: what urllib3's connection writes it from."""
    del method, body
    return place.target, {"Accept-Encoding": "identity", "User-Agent": "modex", **place.proxy_headers, **headers}


def _ask_by_urllib3(self: Any, method: str, head: Any, body: bytes | None) -> wire.RawAnswer:
    target, headers = head
    if self.sock is None:
        self.connect()
    else:
        self._held(self.sock)
    self.timeout = None
    self.request(method, target, body, headers)
    self._HTTPConnection__state = "Idle"  # which else only http.client's own answer sets
    self._answer = answer = wire.RawAnswer(self.sock, method)
    answer.begin()
    return answer


def _request_by_urllib3() -> AbstractContextManager[object]:
    stack = ExitStack()
    stack.enter_context(patch.object(wire, "_head", _written_apart))
    stack.enter_context(patch.object(wire._Watched, "ask", _ask_by_urllib3))
    return stack


_WAYS: dict[str, tuple[Callable[[], Any], Callable[[], AbstractContextManager[object]]]] = {
    "ours": (wire.Wire, nullcontext),
    "the request by urllib3's connection": (wire.Wire, _request_by_urllib3),
    "headers by http.client": (wire.Wire, lambda: patch.object(wire, "read_headers", http.client.parse_headers)),
    "chunks by http.client": (wire.Wire, lambda: patch.object(wire.RawAnswer, "_some_chunks", _by_http_client)),
    "each worker receives": (wire.Wire, lambda: patch.object(wire.RawAnswer, "receive_by", lambda *_: None)),
    "all by urllib3's connection": (lambda: _Urllib3(whole=False), nullcontext),
    "all by urllib3's urlopen": (lambda: _Urllib3(whole=True), nullcontext),
}


_RUN_WAYS = ("ours", "headers by http.client", "chunks by http.client", "all by urllib3's urlopen")


def measure(*, quick: bool) -> list[Table]:
    """Processor time a call, whole and streamed, then of whole runs, each way beside ours."""
    return [_calls(quick=quick), _runs(quick=quick)]


def _runs(*, quick: bool) -> Table:
    few, many = (200, 800) if quick else (200, 1400)
    rows = []
    for name, count in (("whole", 0), ("streamed, five events", 5)):
        found: dict[str, list[float]] = {way: [] for way in _RUN_WAYS}
        with serving(0.02, events=count) as server:
            for turn in range(2 if quick else 3):
                for way in _RUN_WAYS if turn % 2 else reversed(_RUN_WAYS):
                    further_s = _run_cost(way, server, many) - _run_cost(way, server, few)
                    found[way].append(1e6 * further_s / (many - few))
        for way, costs in found.items():
            ratios = [one / two for one, two in zip(costs, found["ours"], strict=True)]
            rows.append([name, way, spread(costs).shown(0, " µs"), spread(ratios).shown(2, " ×")])
    title = "Reading answers: processor time a further test of a run"
    note = f"What {many:,} tests cost more than {few:,}, so that no start is in it; {_AT_ONCE} at once, 20 ms each."
    return Table(title, ["answers", "way", "a test", "beside ours"], rows, note)


def _run_cost(way: str, server: ServerProcess, tests: int) -> float:
    """Seconds of processor time that a run of so many tests takes."""
    with tempfile.TemporaryDirectory() as name:
        work = Work(Path(name), Path(name) / "questions.jsonl", server.base, _AT_ONCE)
        write_rows(work.rows, tests)
        command = modex_command(work)
        words = [sys.executable, "-m", "benchmarks.reading", "--run", way, *command.arguments[3:]]
        server.reset()
        cost = run(words, env=command.env, cwd=work.folder)
    if server.stats().hits < tests:
        raise SystemExit(f"{way}: {server.stats().hits} calls of {tests}:\n{cost.output[-2000:]}")
    return cost.cpu_s


def _run(way: str, arguments: list[str]) -> None:
    from modex.tui.cli import main

    make, patched = _WAYS[way]
    with patched(), patch.object(wire, "Wire", make):
        main(arguments)


def _calls(*, quick: bool) -> Table:
    turns = 3 if quick else 5
    cases = [
        ("a short answer", 2000, 0, 0.0),
        ("five events at once", 1000, 5, 0.0),
        ("five events, 10 ms apart", 500, 5, 0.04),
        ("a hundred events, 10 ms apart", 64, 100, 1.0),
    ]
    rows = []
    for name, calls, count, latency_s in cases:
        found: dict[str, list[float]] = {way: [] for way in _WAYS}
        with serving(latency_s, events=count) as server:
            url = f"{server.base}/chat/completions"
            for turn in range(turns):
                for way in _WAYS if turn % 2 else reversed(_WAYS):
                    found[way].append(_cost(way, url, calls))
        own = found["ours"]
        for way, costs in found.items():
            more = [one - two for one, two in zip(costs, own, strict=True)]
            rows.append(
                [
                    f"{name}, {calls:,} calls",
                    way,
                    spread(costs).shown(0, " µs"),
                    "" if way == "ours" else spread(more).shown(0, " µs"),
                ]
            )
    title = f"Reading answers: processor time a call, {_AT_ONCE} at once"
    return Table(title, ["what", "way", "a call", "beside ours"], rows)


def _cost(way: str, url: str, calls: int) -> float:
    """Microseconds of this process a call."""
    make, patched = _WAYS[way]
    client = Http()
    client._wire = make()

    def one(_: int) -> None:
        with client.open("POST", url, _BODY, _HEADERS, 60.0) as response:
            if response.headers["content-type"] == "text/event-stream":
                for event in events(response.chunks(gathered=True)):
                    if event.data == "[DONE]":
                        break
                response.finish()
            else:
                response.read()

    with patched(), ThreadPoolExecutor(_AT_ONCE) as executor:
        list(executor.map(one, range(_AT_ONCE)))
        before = _spent()
        list(executor.map(one, range(calls)))
        spent = _spent() - before
    client.close()
    return 1e6 * spent / calls


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        _run(sys.argv[2], sys.argv[3:])
        sys.exit()
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
