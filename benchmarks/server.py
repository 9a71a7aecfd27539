"""A loopback server faster than any client: every chat request gets the same answer after a fixed time.

    python -m benchmarks.server --latency 0.05 --answer "42"

Prints its port. `GET /_stats` tells the hits since the last `/_reset`, the most at once, and the monotonic seconds of the
first request and of the last answer.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(slots=True)
class Stats:
    hits: int = 0
    peak: int = 0
    first: float = 0.0
    last: float = 0.0

    @property
    def span_s(self) -> float:
        """Seconds from the first request to the last answer."""
        return self.last - self.first


class _Shared:
    def __init__(self, latency_s: float, answer: str) -> None:
        self.latency_s = latency_s
        self.loop = asyncio.get_running_loop()
        self.reply = _response(_completion(answer))
        self.stats = Stats()
        self.in_flight = 0


class _Connection(asyncio.Protocol):
    def __init__(self, shared: _Shared) -> None:
        self._shared = shared
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._transport = None

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        while (end := buffer.find(b"\r\n\r\n")) >= 0:
            head = buffer[:end].lower()
            mark = head.find(b"content-length:")
            length = int(head[mark + 15 :].split(b"\r\n", 1)[0]) if mark >= 0 else 0
            if len(buffer) < end + 4 + length:
                break
            buffer = buffer[end + 4 + length :]
            self._answer(head)
        self._buffer = buffer

    def _answer(self, head: bytes) -> None:
        shared, transport = self._shared, self._transport
        assert transport is not None
        if head.startswith(b"post"):
            stats = shared.stats
            if not stats.hits:
                stats.first = time.monotonic()
            stats.hits += 1
            shared.in_flight += 1
            stats.peak = max(stats.peak, shared.in_flight)
            shared.loop.call_later(shared.latency_s, self._finish)
        elif head.startswith(b"get /_stats"):
            found = shared.stats
            transport.write(
                _response(
                    json.dumps(
                        {"hits": found.hits, "peak": found.peak, "first": found.first, "last": found.last}
                    ).encode()
                )
            )
        elif head.startswith(b"get /_reset"):
            shared.stats = Stats()
            transport.write(_response(b"{}"))
        else:
            transport.write(_response(b'{"object":"list","data":[{"id":"test-model","object":"model"}]}'))

    def _finish(self) -> None:
        self._shared.in_flight -= 1
        if self._transport is not None:
            self._transport.write(self._shared.reply)
            self._shared.stats.last = time.monotonic()


def _response(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


def _completion(answer: str) -> bytes:
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "test-model",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}],
            "usage": {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15},
        }
    ).encode()


class ServerProcess:
    """The server in a process of its own."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self.base = f"{self.origin}/v1"

    def reset(self) -> None:
        """Forget what was counted."""
        with urllib.request.urlopen(f"{self.origin}/_reset", timeout=10):
            return

    def stats(self) -> Stats:
        """What was counted since the last `reset`."""
        with urllib.request.urlopen(f"{self.origin}/_stats", timeout=10) as response:
            return Stats(**json.load(response))


@contextlib.contextmanager
def serving(latency_s: float, answer: str = "42") -> Iterator[ServerProcess]:
    """Run the server, ended with the block."""
    command = [sys.executable, "-m", "benchmarks.server", "--latency", str(latency_s), "--answer", answer]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield ServerProcess(int(process.stdout.readline()))
        finally:
            process.terminate()


async def _serve(latency_s: float, answer: str) -> None:
    shared = _Shared(latency_s, answer)
    server = await asyncio.get_running_loop().create_server(lambda: _Connection(shared), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--answer", default="42")
    options = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(options.latency, options.answer))
