"""Children that can be killed: started when first needed, reused, replaced after a kill, shared by any number of threads."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal

from modex.core.foundation.errors import ModexError
from modex.core.foundation.processes import PROGRAM
from modex.core.sandbox.wire import HEADER, MAX_MESSAGE, pack, unpack

_BOOT = "import sys, runpy; sys.path.append(sys.argv[1]); runpy.run_module(sys.argv[2], run_name='__main__')"
_START_S = 120.0
_HEARS_S = 0.5
"""How long at most a wait goes on after an interrupt."""


class WorkerError(ModexError):
    """A child could not be started, or not be told anything: the machine, and not the input, is at fault."""


@dataclass(frozen=True, slots=True)
class ChildReply:
    """What became of one request: `data` for `ok`, None where the child was killed (`timeout`) or ended itself (`died`)."""

    status: Literal["ok", "timeout", "died"]
    data: dict[str, Any] | None = None


class _Child:
    """One child process; for one thread at a time."""

    def __init__(self, module: str, *, site: bool) -> None:
        options = ["-I", "-B", "-X", "utf8"] + ([] if site else ["-S"])
        kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH") if name in os.environ}
        try:
            self._process = subprocess.Popen(
                [sys.executable, *options, "-c", _BOOT, PROGRAM, module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=kept,
                cwd="/",
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise WorkerError(
                f"cannot start a child process for {module}: {error}; free memory or processes"
            ) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        if self._receive(time.monotonic() + _START_S).status != "ok":
            self.close()
            raise WorkerError(f"the child process for {module} did not start; `modex doctor` says what is missing")

    @property
    def pid(self) -> int:
        """Its process id, which is its group's too."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still runs; a dead one is reaped by asking."""
        return self._process.poll() is None

    @property
    def killed(self) -> bool:
        """Whether somebody else killed it, as the kernel does where memory runs out: its own limits end it otherwise."""
        try:
            return self._process.wait(_HEARS_S) == -signal.SIGKILL
        except subprocess.TimeoutExpired:  # it lives, and said what is no reply
            return False

    def ask(self, message: bytes, wall_s: float) -> ChildReply:
        """Send `message` and wait at most `wall_s` seconds for the reply.

        Raises:
            OSError: it does not hear any more.
        """
        end = time.monotonic() + wall_s
        data = memoryview(message)
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                if not self._wait(self._in, select.POLLOUT, end):
                    return ChildReply("timeout")
        return self._receive(end)

    def close(self) -> None:
        """Kill its whole group and leave no zombie."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _receive(self, end: float) -> ChildReply:
        header = self._read(HEADER.size, end)
        if isinstance(header, ChildReply):
            return header
        length = HEADER.unpack(header)[0]
        body = self._read(length, end) if length <= MAX_MESSAGE else ChildReply("died")
        return body if isinstance(body, ChildReply) else ChildReply("ok", unpack(body))

    def _read(self, count: int, end: float) -> bytes | ChildReply:
        parts = bytearray()
        while len(parts) < count:
            if not self._wait(self._out, select.POLLIN, end):
                return ChildReply("timeout")
            try:
                part = os.read(self._out, count - len(parts))
            except BlockingIOError:
                continue
            if not part:
                return ChildReply("died")
            parts += part
        return bytes(parts)

    @staticmethod
    def _wait(descriptor: int, event: int, end: float) -> bool:
        poll = select.poll()
        poll.register(descriptor, event)
        while True:
            # A signal that comes just before the wait, or to another thread, does not end it: look up now and then.
            left = max(0.0, end - time.monotonic())
            if poll.poll(min(left, _HEARS_S) * 1000):
                return True
            if left <= _HEARS_S:
                return False


class WorkerPool:
    """At most `size` children (None: one a core, and never fewer than two) that run `module` as `__main__`, which calls
    `modex.core.sandbox.child.serve`. POSIX only.

    Children see no environment and, unless `site`, only the standard library. They end when the pool closes, when
    this process ends, or when their request runs out of time.
    """

    def __init__(self, module: str, size: int | None = None, *, site: bool = False) -> None:
        self._module, self._site = module, site
        self._slots: queue.LifoQueue[_Child | None] = queue.LifoQueue()
        self._children: set[_Child] = set()
        self._lock = threading.Lock()
        self._closed = False
        for _ in range(size or max(2, os.cpu_count() or 2)):
            self._slots.put(None)
        atexit.register(self.close)

    @property
    def pids(self) -> list[int]:
        """The process ids of the living children."""
        with self._lock:
            return sorted(child.pid for child in self._children)

    def ask(self, request: dict[str, Any], *, wall_s: float, cpu_s: float | None = None) -> ChildReply:
        """Let a child answer `request`; waits for a free child, then at most `wall_s` seconds.

        A child that overruns is killed with its group and replaced at the next request. Where somebody else killed it, another
        is asked: what has two of them killed is at fault, and not a machine that had no memory left for a moment.

        Raises:
            WorkerError: no child can be started or told, or the pool is closed.
            ValueError: the request is larger than a child accepts.
        """
        message = pack({**request, "wall_s": wall_s + 1.0, "cpu_s": cpu_s})
        child = self._slots.get()
        keep = False
        try:
            child = self._ready(child)
            reply = self._asked(child, message, wall_s)
            if reply is None or (reply.status == "died" and child.killed):
                self._end(child)
                child = None
                child = self._ready(child)
                reply = self._asked(child, message, wall_s)
            if reply is None:
                raise WorkerError(
                    f"two child processes for {self._module} did not hear what they were asked; try again"
                )
            keep = reply.status == "ok"
            return reply
        finally:
            if child is not None and not keep:
                self._end(child)
                child = None
            self._slots.put(child)

    @staticmethod
    def _asked(child: _Child, message: bytes, wall_s: float) -> ChildReply | None:
        """What became of a request; None where the child did not hear it."""
        try:
            return child.ask(message, wall_s)
        except OSError:
            return None

    def close(self) -> None:
        """End every child, busy ones too. Idempotent."""
        atexit.unregister(self.close)
        with self._lock:
            self._closed = True
            children = list(self._children)
        for child in children:
            self._end(child)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ready(self, child: _Child | None) -> _Child:
        if self._closed:
            raise WorkerError(
                f"the children of {self._module} are closed, since the run is ending; `modex resume` goes on with it"
            )
        if child is not None:
            if child.alive:
                return child
            self._end(child)
        fresh = _Child(self._module, site=self._site)
        with self._lock:
            self._children.add(fresh)
        return fresh

    def _end(self, child: _Child) -> None:
        child.close()
        with self._lock:
            self._children.discard(child)


_shared: dict[str, WorkerPool] = {}
_shared_lock = threading.Lock()


def shared_pool(module: str, size: int | None = None, *, site: bool = False) -> WorkerPool:
    """This process's own pool of children that run `module`: made when it is first asked for, ended at exit."""
    with _shared_lock:
        if module not in _shared:
            _shared[module] = WorkerPool(module, size, site=site)
        return _shared[module]
