"""Operations of a process disturbed: its n-th statement, file, byte stream, socket, child or thread fails, or kills it.

Operations are counted where the interpreter hands them to the system (audit events, `os`, `sqlite3`, `socket`), so that no module
of modex is replaced. `arm` is called once, in a process that is made for it: what it puts in place stays.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import sqlite3
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

KILLED, KILLED_AFTER = "killed", "killed after"
"""SIGKILL before the operation, and once it is done."""
_ERRORS: dict[str, Callable[[], BaseException]] = {
    "locked": lambda: sqlite3.OperationalError("database is locked"),
    "full": lambda: sqlite3.OperationalError("database or disk is full"),
    "unopened": lambda: sqlite3.OperationalError("unable to open database file"),
    "i/o": lambda: sqlite3.OperationalError("disk I/O error"),
    "reset": lambda: ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET)),
    "timeout": lambda: TimeoutError("timed out"),
    "no thread": lambda: RuntimeError("can't start new thread"),
    **{
        name: lambda number=number: OSError(number, os.strerror(number))  # type: ignore[misc]
        for name, number in (
            ("ENOSPC", errno.ENOSPC),
            ("EIO", errno.EIO),
            ("EMFILE", errno.EMFILE),
            ("EAGAIN", errno.EAGAIN),
            ("ENOMEM", errno.ENOMEM),
            ("ECONNREFUSED", errno.ECONNREFUSED),
        )
    },
}
FAULTS: dict[str, tuple[str, ...]] = {
    "statement": ("locked", "full", "i/o", KILLED, KILLED_AFTER),
    "commit": ("locked", "full", "i/o", KILLED, KILLED_AFTER),
    "open": ("EMFILE", "EIO", "ENOSPC", KILLED),
    "database": ("unopened", KILLED),
    "list": ("EIO", "EMFILE", KILLED),
    "file": ("EIO", "ENOSPC", KILLED),
    "write": ("ENOSPC", "EIO", KILLED, KILLED_AFTER),
    "read": ("EIO", KILLED),
    "connect": ("ECONNREFUSED", "EMFILE", "timeout", KILLED),
    "send": ("reset", KILLED, KILLED_AFTER),
    "receive": ("reset", "timeout", KILLED),
    "spawn": ("EAGAIN", "ENOMEM", "EMFILE", KILLED),
    "thread": ("no thread", KILLED),
}
"""What can be wrong with an operation of each kind."""
_AUDITED = {
    "open": "open",
    "sqlite3.connect": "database",
    **dict.fromkeys(
        ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "os.listdir", "os.scandir"),
        "file",
    ),
    "socket.__new__": "connect",
    "socket.connect": "connect",
    "subprocess.Popen": "spawn",
    "os.posix_spawn": "spawn",
    "os.fork": "spawn",
}
_OF_OS = {"write": "write", "pwrite": "write", "fsync": "write", "read": "read", "pread": "read"}
_OF_SOCKETS = {"send": "send", "sendall": "send", "recv": "receive", "recv_into": "receive"}


Act = Callable[[str], None] | str
"""The name of a fault, or what is called with where it happens."""


class Trap:
    """Counts operations by kind, and acts at the points it is given: the n-th (from 1) operation of a kind."""

    def __init__(
        self,
        points: Iterable[tuple[str, int, Act]],
        told: Callable[[str, object], None],
        *,
        before: Iterable[tuple[str, int, Act]] | None = None,
    ) -> None:
        """`told` hears where it acts just before it does ("at"), which point that is ("hit") and how far all kinds are
        ("counts"). With `before`, which are points before the first question, the others are counted from that question on."""
        self.counts: Counter[str] = Counter()
        self.first: Counter[str] | None = None
        """What was counted before the first question."""
        self.last: Counter[str] = Counter()
        """What was counted up to the latest answer."""
        self._points = {(kind, number): act for kind, number, act in points}
        self._before = None if before is None else {(kind, number): act for kind, number, act in before}
        self._told = told
        self._lock = threading.Lock()
        self._here = threading.local()

    def before(self, kind: str) -> bool:
        """Count an operation that is about to be done, and fail or die where it is the one; whether to die after it."""
        if getattr(self._here, "inside", False):
            return False
        with self._lock:
            if kind == "send" and self.first is None:
                self.first = self.counts.copy()
            self.counts[kind] += 1
            if kind == "receive":
                self.last = self.counts.copy()
            number, points = self.counts[kind], self._points
            if self._before is not None and self.first is None:
                points = self._before
            elif self._before is not None and self.first is not None:
                number -= self.first[kind]
            act = points.pop((kind, number), None)
            if act is None:
                return False
            self._here.inside = True
            self._told("counts", dict(self.counts))
            self._told("first", dict(self.first or {}))
        try:
            where = _where()
            self._told("at", where)
            self._told("hit", [kind, number, where, points is self._before])
            if not isinstance(act, str):
                act(where)
                return False
        finally:
            self._here.inside = False
        if act == KILLED:
            die()
        if act == KILLED_AFTER:
            return True
        raise _ERRORS[act]()

    def around(self, kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, counted as an operation."""

        def counted(*arguments: Any, **named: Any) -> Any:
            dies = self.before(kind)
            try:
                return function(*arguments, **named)
            finally:
                if dies:
                    die()

        return counted


def die() -> None:
    """End this process as the kernel does when it is out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def _where() -> str:
    """The innermost lines of modex that led here."""
    frames = traceback.extract_stack()
    lines = [
        f"{_short(frame.filename)}:{frame.lineno}"
        for frame in frames
        if "/core/" in frame.filename or "/tui/" in frame.filename
    ]
    return " < ".join(reversed(lines[-3:])) or "outside of modex"


def _short(path: str) -> str:
    for folder in ("/core/", "/tui/"):
        _, found, after = path.rpartition(folder)
        if found:
            return f"{folder[1:]}{after}"
    return path


def arm(trap: Trap) -> None:
    """Count every operation of this process from now on."""

    def audited(event: str, _arguments: tuple[Any, ...]) -> None:
        if (kind := _AUDITED.get(event)) is not None:
            trap.before(kind)

    for name, kind in _OF_OS.items():
        setattr(os, name, trap.around(kind, getattr(os, name)))
    for name, kind in _OF_SOCKETS.items():
        setattr(socket.socket, name, _method(trap, kind, getattr(socket.socket, name)))
    for name in ("_start_new_thread", "_start_joinable_thread"):  # up to Python 3.12, and since 3.13
        if hasattr(threading, name):
            setattr(threading, name, trap.around("thread", getattr(threading, name)))
    connect = sqlite3.connect

    def connected(*arguments: Any, factory: type[sqlite3.Connection] = sqlite3.Connection, **named: Any) -> Any:
        return connect(*arguments, factory=_watched(trap, factory), **named)

    sqlite3.connect = sqlite3.dbapi2.connect = connected
    sys.addaudithook(audited)


def _method(trap: Trap, kind: str, method: Callable[..., Any]) -> Callable[..., Any]:
    counted = trap.around(kind, method)

    def called(self: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return counted(self, *arguments, **named)
        except ConnectionResetError:
            with contextlib.suppress(OSError):
                self.shutdown(socket.SHUT_RDWR)  # as it is for both sides, whoever of them began
            raise

    return called


def _watched(trap: Trap, factory: type[sqlite3.Connection]) -> type[sqlite3.Connection]:
    """A kind of connection whose statements are counted: those that end a transaction apart from the others."""

    def kind_of(sql: object) -> str:
        return "commit" if str(sql).lstrip()[:6].upper() == "COMMIT" else "statement"

    class Cursor(sqlite3.Cursor):
        def execute(self, sql: str, *rest: Any) -> Any:
            return trap.around(kind_of(sql), super().execute)(sql, *rest)

        def executemany(self, sql: str, *rest: Any) -> Any:
            return trap.around("statement", super().executemany)(sql, *rest)

    class Watched(factory):  # type: ignore[misc,valid-type]
        def cursor(self, *_: Any) -> Any:
            return super().cursor(Cursor)

        def execute(self, sql: str, *rest: Any) -> Any:
            return self.cursor().execute(sql, *rest)

        def executemany(self, sql: str, *rest: Any) -> Any:
            return self.cursor().executemany(sql, *rest)

        def commit(self) -> None:
            trap.around("commit", super().commit)()

    return Watched
