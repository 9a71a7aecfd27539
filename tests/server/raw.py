"""A server that says exactly the bytes it is told, for answers that no HTTP library would write."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

Say = Callable[["Asked"], bytes | None]
"""What is said to a request; None closes the connection, and bytes leave it open."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: its head's first line, its headers and its body, and the connection it came on."""

    line: str
    headers: dict[str, str]
    body: bytes
    connection: socket.socket

    def close_after(self, said: bytes) -> None:
        """Say this and close."""
        self.connection.sendall(said)
        self.connection.shutdown(socket.SHUT_WR)

    def reset_after(self, said: bytes) -> None:
        """Say this and reset the connection."""
        self.connection.sendall(said)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def answer(body: bytes, status: str = "200 OK", *lines: str) -> bytes:
    """A well-framed answer."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *lines]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


class RawServer:
    """Listens on 127.0.0.1, a thread for each connection; a context manager."""

    def __init__(self, say: Say, tls: ssl.SSLContext | None = None) -> None:
        self._say = say
        self._tls = tls
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self._listening.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}/v1"
        self.connections: list[socket.socket] = []
        self.asked: list[Asked] = []
        self.open = 0
        """Connections that neither side has closed."""
        self._changed = threading.Condition()
        threading.Thread(target=self._accept, name="raw-server", daemon=True).start()

    def spill(self, said: bytes) -> None:
        """Say this on every connection, although nobody asked."""
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.sendall(said)

    def wait_until_none_is_open(self, timeout_s: float) -> bool:
        """Whether the last connection is closed within `timeout_s` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self.open == 0, timeout_s)

    def close(self) -> None:
        """Stop listening and close every connection."""
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> RawServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), name="raw-connection", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        self._count(1)
        try:
            self._talk(connection)
        finally:
            self._count(-1)

    def _count(self, change: int) -> None:
        with self._changed:
            self.open += change
            self._changed.notify_all()

    def _talk(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
            with connection, connection.makefile("rb") as stream:
                self.connections.append(connection)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                while (asked := _read(stream, connection)) is not None:
                    self.asked.append(asked)
                    said = self._say(asked)
                    if said is None:
                        return
                    connection.sendall(said)


def _read(stream: BinaryIO, connection: socket.socket) -> Asked | None:
    line = stream.readline().decode("latin-1").strip()
    if not line:
        return None
    headers: dict[str, str] = {}
    while text := stream.readline().decode("latin-1").strip():
        name, _, value = text.partition(":")
        headers[name.strip().lower()] = value.strip()
    return Asked(line, headers, stream.read(int(headers.get("content-length", "0"))), connection)
