"""A forward proxy: tunnels and plain requests, with a password where one is wanted, and with TLS of its own where given."""

from __future__ import annotations

import base64
import contextlib
import socket
import ssl
import threading


class ForwardProxy:
    """Listens on 127.0.0.1, a thread for each connection; a context manager. Every tunnel leads to `port`."""

    def __init__(
        self, port: int, *, credentials: str | None = None, tls: ssl.SSLContext | None = None, refuse: int | None = None
    ) -> None:
        self._target = port
        self._wanted = None if credentials is None else base64.b64encode(credentials.encode()).decode()
        self._tls = tls
        self._refuse = refuse
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listening.getsockname()[1]
        self.lines: list[str] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> ForwardProxy:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
            with connection:
                self._talk(connection)

    def _talk(self, connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            data = connection.recv(65536)
            if not data:
                return
            head += data
        first, _, rest = head.decode("latin-1").partition("\r\n")
        self.lines.append(first)
        if self._wanted is not None and f"Proxy-Authorization: Basic {self._wanted}" not in rest:
            connection.sendall(
                b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"
            )
            return
        if self._refuse is not None:
            connection.sendall(f"HTTP/1.1 {self._refuse} No\r\nContent-Length: 0\r\n\r\n".encode())
            return
        with socket.create_connection(("127.0.0.1", self._target)) as onward:
            if first.startswith("CONNECT"):
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                onward.sendall(head)
            threading.Thread(target=_pump, args=(onward, connection), daemon=True).start()
            _pump(connection, onward)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
