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
from collections import deque
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
    refused: int = 0
    """Calls that were answered with 429, which are no hits."""

    @property
    def span_s(self) -> float:
        """Seconds from the first request to the last answer."""
        return self.last - self.first


class _Shared:
    def __init__(
        self, latency_s: float, answer: str, events: int, first_s: float, capacity: int = 0, *, refuses: bool = False
    ) -> None:
        self.latency_s = latency_s
        self.capacity = capacity
        """Calls that are worked on at once, 0 for any number; others wait, or are refused (429) where the server `refuses`."""
        self.refuses = refuses
        self.working = 0
        self.waiting: deque[_Connection] = deque()
        self.first_s = first_s
        self.every_s = (latency_s - first_s) / max(1, events - 1)
        self.head, self.events = _stream(answer, events)
        said = "".join(_words(answer, events)) if events else answer
        self.loop = asyncio.get_running_loop()
        self.reply = _response(_completion(said, _TOKENS if events else 3))
        self.stats = Stats()
        self.in_flight = 0


class _Connection(asyncio.Protocol):
    def __init__(self, shared: _Shared) -> None:
        self._shared = shared
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self._due = 0.0

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
            body = buffer[end + 4 : end + 4 + length]
            buffer = buffer[end + 4 + length :]
            self._answer(head, body)
        self._buffer = buffer

    def _answer(self, head: bytes, body: bytes) -> None:
        shared, transport = self._shared, self._transport
        assert transport is not None
        if head.startswith(b"post"):
            stats = shared.stats
            if not stats.hits:
                stats.first = time.monotonic()
            stats.hits += 1
            shared.in_flight += 1
            stats.peak = max(stats.peak, shared.in_flight)
            if shared.events and b'"stream":true' in body:
                self._due = time.monotonic() + shared.first_s
                shared.loop.call_later(shared.first_s, self._write, 0)
            elif not shared.capacity or shared.working < shared.capacity:
                self._begin()
            elif shared.refuses:
                stats.hits -= 1
                stats.refused += 1
                shared.in_flight -= 1
                transport.write(_REFUSAL)
            else:
                shared.waiting.append(self)
        elif head.startswith(b"get /_stats"):
            found = shared.stats
            transport.write(
                _response(
                    json.dumps(
                        {
                            "hits": found.hits,
                            "peak": found.peak,
                            "first": found.first,
                            "last": found.last,
                            "refused": found.refused,
                        }
                    ).encode()
                )
            )
        elif head.startswith(b"get /_reset"):
            shared.stats = Stats()
            transport.write(_response(b"{}"))
        else:
            transport.write(_response(b'{"object":"list","data":[{"id":"test-model","object":"model"}]}'))

    def _write(self, number: int) -> None:
        """One event of the stream, evenly over the latency; those that are late go together, so that the pace is kept."""
        shared, now = self._shared, time.monotonic()
        said = shared.head if not number else b""
        while number < len(shared.events) and self._due <= now:
            said += shared.events[number]
            number += 1
            self._due += shared.every_s
        if self._transport is None:
            return
        self._transport.write(said)
        if number < len(shared.events):
            shared.loop.call_later(max(0.0, self._due - now), self._write, number)
        else:
            self._transport.write(_END)
            shared.in_flight -= 1
            shared.stats.last = time.monotonic()

    def _begin(self) -> None:
        self._shared.working += 1
        self._shared.loop.call_later(self._shared.latency_s, self._finish)

    def _finish(self) -> None:
        shared = self._shared
        shared.in_flight -= 1
        shared.working -= 1
        if shared.waiting:
            shared.waiting.popleft()._begin()
        if self._transport is not None:
            self._transport.write(self._shared.reply)
            self._shared.stats.last = time.monotonic()


def _response(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


def _chunk(delta: dict[str, str], finish: str | None = None, usage: int | None = None) -> bytes:
    data: dict[str, object] = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "test-model",
        "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
    }
    if usage is not None:
        data |= {"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": usage, "total_tokens": 12 + usage}}
    return _coded(b"data: " + json.dumps(data).encode() + b"\n\n")


def _coded(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def _stream(answer: str, events: int) -> tuple[bytes, list[bytes]]:
    """The head of a stream, and `events` events that say `answer` last."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head, [_chunk({"content": word}) for word in _words(answer, events)]


def _words(answer: str, events: int) -> list[str]:
    """What each event says; the same answer asked for whole has all of it, so that only the way differs."""
    return [*(f"word{_letters(number)} " for number in range(events - 1)), f"Answer: {answer}"] if events else []


def _letters(number: int) -> str:
    """A number in letters: a digit more or less would be another answer to weigh, and cost more than the streaming."""
    return f"{number:03}".translate(str.maketrans("0123456789", "abcdefghij"))


def _completion(answer: str, tokens: int) -> bytes:
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "test-model",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}],
            "usage": {"prompt_tokens": 12, "completion_tokens": tokens, "total_tokens": 12 + tokens},
        }
    ).encode()


_REFUSAL = b"HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
_TOKENS = 400
_END = _chunk({}, "stop") + _chunk({}, usage=_TOKENS) + _coded(b"data: [DONE]\n\n") + b"0\r\n\r\n"


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
def serving(
    latency_s: float,
    answer: str = "42",
    events: int = 0,
    first_s: float = 0.0,
    capacity: int = 0,
    *,
    refuses: bool = False,
) -> Iterator[ServerProcess]:
    """Run the server, ended with the block; with `events` it streams where it is asked to, the first after `first_s`.

    With a `capacity` it works on so many calls at once, and lets others wait or refuses them.
    """
    command = [sys.executable, "-m", "benchmarks.server", "--latency", str(latency_s), "--answer", answer]
    command += ["--events", str(events), "--first", str(first_s), "--capacity", str(capacity)]
    command += ["--refuses"] if refuses else []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield ServerProcess(int(process.stdout.readline()))
        finally:
            process.terminate()


async def _serve(given: argparse.Namespace) -> None:
    shared = _Shared(given.latency, given.answer, given.events, given.first, given.capacity, refuses=given.refuses)
    server = await asyncio.get_running_loop().create_server(lambda: _Connection(shared), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--answer", default="42")
    parser.add_argument("--events", type=int, default=0, help="events of a streamed answer; 0 streams nothing")
    parser.add_argument("--first", type=float, default=0.0, help="seconds to the first of them")
    parser.add_argument("--capacity", type=int, default=0, help="calls worked on at once; 0: any number")
    parser.add_argument("--refuses", action="store_true", help="calls beyond that are refused (429) instead of waiting")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(parser.parse_args()))
