"""A network that can be cut: bytes wait where they are, no connection is closed, and all of it goes on once it is mended."""

from __future__ import annotations

import contextlib
import socket
import threading


class Wire:
    """Listens on 127.0.0.1 and carries what is said to `target`, another port there, and back."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._whole = threading.Event()
        self._whole.set()
        self._ended = False
        self._open: list[socket.socket] = []
        self._keeping = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listening.getsockname()[1]
        self.held = 0
        """Bytes that were taken up while it was cut."""
        threading.Thread(target=self._accept, name="wire", daemon=True).start()

    def cut(self) -> None:
        """Carry nothing, in neither direction; not even that a side has closed its connection."""
        self._whole.clear()

    def mend(self) -> None:
        """Carry what was held back, and go on."""
        self._whole.set()

    def end(self) -> None:
        """Close everything."""
        with self._keeping:
            self._ended = True
        self._whole.set()
        for one in (self._listening, *self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                self._keep(near)
                threading.Thread(target=self._join, args=(near,), name="wire", daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        self._whole.wait()
        try:
            far = self._keep(socket.create_connection(("127.0.0.1", self._target)))
        except OSError:
            near.close()
            return
        threading.Thread(target=self._carry, args=(far, near), name="wire", daemon=True).start()
        self._carry(near, far)

    def _keep(self, one: socket.socket) -> socket.socket:
        """Have it closed at the end; at once where that has come."""
        with self._keeping:
            self._open.append(one)
            if self._ended:
                one.close()
        return one

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if not self._whole.is_set():
                    self.held += len(data)
                self._whole.wait()
                target.sendall(data)
        self._whole.wait()
        for one in (source, target):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
