"""Killable children that do algebra: reused between judgements, replaced after a kill, safe to use from many threads."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from core.errors import ErrorType, JudgeError

_CHILD = Path(__file__).with_name("math_child.py")
_START_S = 120.0
_WALL_FACTOR = 20


class _Child:
    """One child process; `ask` is for one thread at a time."""

    def __init__(self) -> None:
        environment = {name: os.environ[name] for name in ("SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-B", str(_CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment | {"PYTHONUTF8": "1"},
            encoding="utf-8",
            start_new_session=True,
        )
        if self._read(_START_S) is None:
            self.close()
            raise JudgeError(
                "the process that compares mathematics did not start; `modex doctor` says what is missing",
                ErrorType.EVALUATOR_ERROR,
            )

    def ask(self, request: dict[str, Any], wall_s: float) -> dict[str, Any] | None:
        """The reply, or None where the child died or was killed over it."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError:
            return None
        return self._read(wall_s)

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def _read(self, wall_s: float) -> dict[str, Any] | None:
        assert self._process.stdout is not None
        timer = threading.Timer(wall_s, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            line = self._process.stdout.readline()
        finally:
            timer.cancel()
        if not line.endswith("\n"):
            return None
        reply: dict[str, Any] = json.loads(line)
        return reply

    def close(self) -> None:
        """End the process and leave no zombie."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


class MathPool:
    """At most `size` children, started when first needed; `cpu_s` bounds the processor time of one comparison.

    Processor time and not the clock decides, so that a busy machine does not change verdicts.
    """

    def __init__(self, size: int = 2, cpu_s: int = 3) -> None:
        self._cpu_s = cpu_s
        self._slots: queue.LifoQueue[_Child | None] = queue.LifoQueue()
        for _ in range(size):
            self._slots.put(None)

    def compare(self, gold: str, answer: str) -> dict[str, Any] | None:
        """What the child says about `gold` and `answer`, or None where it ran out of time or memory.

        Raises:
            JudgeError: the child cannot be started.
        """
        child = self._slots.get()
        try:
            if child is not None and not child.alive:
                child.close()
                child = None
            child = child or _Child()
            request = {"gold": gold, "answer": answer, "cpu_s": self._cpu_s}
            reply = child.ask(request, wall_s=self._cpu_s * _WALL_FACTOR)
            if reply is None:
                child.close()
                child = None
            return reply
        finally:
            self._slots.put(child)

    def close(self) -> None:
        """End the idle children."""
        idle: list[_Child | None] = []
        with contextlib.suppress(queue.Empty):
            while True:
                idle.append(self._slots.get_nowait())
        for child in idle:
            if child is not None:
                child.close()
            self._slots.put(None)


_shared: MathPool | None = None
_shared_lock = threading.Lock()


def shared_pool() -> MathPool:
    """The process's own pool, ended at exit."""
    global _shared  # noqa: PLW0603
    with _shared_lock:
        if _shared is None:
            _shared = MathPool()
            atexit.register(_shared.close)
        return _shared
