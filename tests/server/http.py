"""The wire of the server: HTTP/1.1 on asyncio, fast when it behaves and exact in how it misbehaves."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import time
from collections.abc import Mapping, Sequence
from typing import Any

from tests.server.events import events
from tests.server.wire import Behaviour, Reply, Request

_REASONS = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    429: "Too Many Requests",
}


def _coded(data: bytes) -> bytes:
    """One chunk of HTTP's chunked coding."""
    return b"%x\r\n%s\r\n" % (len(data), data)


class Recorder:
    """What arrived: every chat request, how many at once, and what else was asked."""

    def __init__(self, behaviour: Behaviour, models: Sequence[str]) -> None:
        self.behaviour = behaviour
        self.models = tuple(models)
        self.requests: list[Request] = []
        self.in_flight = 0
        self.peak = 0
        self.connections = 0
        self.given_up = 0
        """Chat requests whose client went away before their answer was whole."""
        self.open: set[asyncio.Transport] = set()

    def state(self) -> dict[str, Any]:
        """Everything recorded, as JSON."""
        return {
            "hits": len(self.requests),
            "peak": self.peak,
            "connections": self.connections,
            "given_up": self.given_up,
            "requests": [request.as_dict() for request in self.requests],
        }


class Connection(asyncio.Protocol):
    """One client connection, kept alive between requests."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._recorder.connections += 1
        self._recorder.open.add(transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._recorder.open.discard(self._transport)
        self._transport = None
        if self._task is not None:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self._task is None:
            self._next()

    def _next(self) -> None:
        """Start on the next complete request in the buffer, if there is one."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        lines = self._buffer[:end].decode("latin-1").split("\r\n")
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])
        }
        length = int(headers.get("content-length", "0"))
        if len(self._buffer) < end + 4 + length:
            return
        body = bytes(self._buffer[end + 4 : end + 4 + length])
        del self._buffer[: end + 4 + length]
        method, path, _ = lines[0].split(" ", 2)
        self._task = asyncio.get_running_loop().create_task(self._serve(method, path, headers, body))

    async def _serve(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            if path.split("?", maxsplit=1)[0].endswith("/chat/completions") and method == "POST":
                await self._chat(method, path, headers, body)
            else:
                self._plain(method, path)
            self._task = None
            if self._buffer and self._transport is not None:
                self._next()

    def _plain(self, method: str, path: str) -> None:
        if path.endswith("/models"):
            listing = [{"id": name, "object": "model", "owned_by": "tests"} for name in self._recorder.models]
            self._write(Reply(), json.dumps({"object": "list", "data": listing}).encode())
        elif path == "/_state":
            self._write(Reply(), json.dumps(self._recorder.state()).encode())
        else:
            self._write(Reply(status=404), json.dumps({"error": {"message": f"no route {method} {path}"}}).encode())

    async def _chat(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> None:
        recorder = self._recorder
        recorder.in_flight += 1
        recorder.peak = max(recorder.peak, recorder.in_flight)
        try:
            parsed = json.loads(body or b"{}")
            request = Request(
                len(recorder.requests), time.monotonic(), method, path, headers, parsed, recorder.in_flight
            )
            recorder.requests.append(request)
            reply = recorder.behaviour(request)
            if reply.latency:
                await asyncio.sleep(reply.latency)
            if reply.streams(request):
                await self._stream(reply, request)
            else:
                await self._answer(reply, reply.payload(request))
        except asyncio.CancelledError:
            recorder.given_up += 1
            raise
        finally:
            recorder.in_flight -= 1

    async def _stream(self, reply: Reply, request: Request) -> None:
        """The reply as events in chunked coding; faults are those of the events' bytes."""
        stream = reply.stream
        assert stream is not None
        lines = ["HTTP/1.1 200 OK", "Content-Type: text/event-stream; charset=utf-8", "Transfer-Encoding: chunked"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
        if reply.fault == "hang":
            await asyncio.Event().wait()
        elif reply.fault == "reset":
            self._reset()
        elif reply.fault in {"truncate", "reset_midway"}:
            whole = b"".join(_coded(event) for event in events(reply, request)) + b"0\r\n\r\n"
            self._send(head + whole[: len(whole) // 2])
            await asyncio.sleep(0.02)
            self._reset() if reply.fault == "reset_midway" else self._close()
        elif reply.fault is not None:
            whole = b"".join(_coded(event) for event in events(reply, request)) + b"0\r\n\r\n"
            await self._drip(reply, whole, head)
        elif stream.bytes_at_once is not None:
            self._send(head)
            whole = b"".join(events(reply, request))
            for at in range(0, len(whole), stream.bytes_at_once):
                self._send(_coded(whole[at : at + stream.bytes_at_once]))
                await asyncio.sleep(0)
            self._send(b"0\r\n\r\n")
        elif stream.every_s or stream.endless:
            self._send(head)
            due = time.monotonic()
            for event in events(reply, request):
                self._send(_coded(event))
                due += stream.every_s
                await asyncio.sleep(max(0.0, due - time.monotonic()))
            self._send(b"0\r\n\r\n")
        else:
            self._send(head + b"".join(_coded(event) for event in events(reply, request)) + b"0\r\n\r\n")

    async def _answer(self, reply: Reply, payload: bytes) -> None:
        if reply.fault is None:
            self._write(reply, payload)
        elif reply.fault == "hang":
            await asyncio.Event().wait()
        elif reply.fault == "reset":
            self._reset()
        elif reply.fault in {"truncate", "reset_midway"}:
            self._send(self._head(reply, len(payload)) + payload[: len(payload) // 2])
            await asyncio.sleep(0.02)
            self._reset() if reply.fault == "reset_midway" else self._close()
        else:
            await self._drip(reply, payload)

    async def _drip(self, reply: Reply, payload: bytes, head: bytes = b"") -> None:
        head = head or self._head(reply, len(payload))
        if reply.fault == "drip_body":
            self._send(head)
            head = b""
        for byte in head + payload:
            if self._transport is None:
                return
            self._send(bytes([byte]))
            await asyncio.sleep(reply.drip_s)

    def _head(self, reply: Reply, length: int) -> bytes:
        lines = [f"HTTP/1.1 {reply.status} {_REASONS.get(reply.status, 'Error')}"]
        lines += [f"Content-Type: {reply.content_type}", f"Content-Length: {length}"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def _write(self, reply: Reply, payload: bytes) -> None:
        self._send(self._head(reply, len(payload)) + payload)

    def _send(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def _close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _reset(self) -> None:
        """End the connection by RST instead of FIN."""
        if self._transport is not None:
            raw = self._transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()
