"""A process beside the runner that ends it where it does not end after a signal, even while its interpreter is held.

A search in `re` or another long call in C keeps every thread of Python waiting, the one that would hear a signal too. What hears
it all the same is the interpreter's own handler, in C, which writes the signal's number to a file (`signal.set_wakeup_fd`).
This process reads that file: it gives the run the time that its own last resort gives it, and then kills it. A run that only
waits for the processor on a busy machine gets more.

https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

SLACK_S = 0.5
"""How much longer than the run's own last resort the watchdog waits."""
_AGAIN_S = 1.5
_BUSY_S = 10.0
"""How much longer at most a run may wait for a processor that others use."""
_SAID = "the run did not end after a signal and was killed: its interpreter was held; `modex resume` continues it\n"


@contextlib.contextmanager
def watched(patience: Mapping[int, float]) -> Iterator[None]:
    """Kill this process where it is still in here `patience[signal]` seconds after that signal (less after a second one).

    Without a child process or a wake-up file (no memory, not the main thread) nobody watches, and nothing else changes.
    """
    try:
        reading, writing = os.pipe()
    except OSError:
        yield
        return
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, writing)
        with contextlib.suppress(OSError, ValueError):
            stack.enter_context(_child(reading, writing, patience))
        os.close(reading)
        yield


@contextlib.contextmanager
def _child(reading: int, writing: int, patience: Mapping[int, float]) -> Iterator[None]:
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        words = [f"{number}={seconds}" for number, seconds in patience.items()]
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, str(os.getpid()), *words],
            stdin=reading,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield
        finally:
            _reaped(child)
    finally:
        signal.set_wakeup_fd(before)


def _reaped(child: subprocess.Popen[bytes]) -> None:
    """The end of the watchdog, whose file is closed after this: it is ended, not waited for."""
    child.kill()
    child.wait()


def _watch(parent: int, patience: Mapping[int, float]) -> None:
    """Read signals from standard input until it ends; kill `parent` once it has had its time."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    deadline: float | None = None
    latest = float("inf")
    looked, used = 0.0, 0.0
    while True:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select([0], [], [], left)
        if os.getppid() != parent:
            return
        if not ready:
            now, (wants, spent) = time.monotonic(), _processor(Path(f"/proc/{parent}"))
            if now < latest and _only_waits(wants, spent - used, now - looked):
                deadline, looked, used = now + SLACK_S, now, spent
                continue
            with contextlib.suppress(OSError):
                os.write(2, _SAID.encode())
            os.kill(parent, signal.SIGKILL)
            return
        heard = os.read(0, 64)
        if not heard:
            return
        for byte in heard:
            if byte in patience:
                if deadline is None:
                    looked, (_, used) = time.monotonic(), _processor(Path(f"/proc/{parent}"))
                asked = patience[byte] if deadline is None else min(_AGAIN_S + SLACK_S, patience[byte])
                deadline = min(time.monotonic() + asked, deadline or float("inf"))
                latest = deadline + _BUSY_S


def _only_waits(wants: bool, used_s: float, passed_s: float) -> bool:
    """Whether a process that wants a processor had less than half of one: others use it, and it holds nothing itself."""
    return wants and used_s < passed_s / 2


def _processor(process: Path) -> tuple[bool, float]:
    """Whether a thread of a process wants a processor now, and how many seconds of one all of them have had.

    Where the system does not say, none wants any.
    """
    wants, ticks = False, 0
    for stat in process.glob("task/*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            wants = wants or fields[0] == "R"
            ticks += int(fields[11]) + int(fields[12])
    return wants, ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    _watch(int(sys.argv[1]), {int(number): float(s) for number, _, s in (word.partition("=") for word in sys.argv[2:])})
