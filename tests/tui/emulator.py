"""A pseudo-terminal with modex on it: what is sent, byte by byte, and what a person would see of it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyte

from tests.forked import on_terminal
from tests.pace import stretched

UNWANTED = ("NO_COLOR", "COLORTERM", "COLORFGBG")
_ENDS_S = 5.0
"""What a program takes to end on a quiet machine, at most."""
_QUESTION = b"\x1b[6n"


class Terminal:
    """A command on a pseudo-terminal of 80×24, unless asked otherwise."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        *,
        size: tuple[int, int] = (80, 24),
        own: bool = True,
    ) -> None:
        """`own`: the command begins as a program of its own; otherwise it is the words behind `modex`, which is forked."""
        self.sent = b""
        self.answers = False
        """Whether the cursor's position is told where it is asked, as terminals do."""
        self._drawn = self._answered = 0
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        start = dict(os.environ) if environment is None else dict(environment)
        self.process, self.fd = _of_its_own(command, start) if own else on_terminal(command, start, Path.cwd())
        self.pid = self.process.pid
        self.resize(*size)

    @classmethod
    def of_code(cls, code: str, **environment: str) -> Terminal:
        """A terminal with Python code on it, in an environment like every machine's."""
        kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
        return cls([sys.executable, "-c", code], {**kept, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment})

    def resize(self, columns: int, rows: int) -> None:
        """Change the terminal's size, as a window does."""
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._screen.resize(rows, columns)

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self.fd, keys.encode())

    @property
    def lines(self) -> list[str]:
        """What stands on the terminal, without trailing spaces."""
        self._stream.feed(self.sent[self._drawn :])
        self._drawn = len(self.sent)
        return [line.rstrip() for line in self._screen.display]

    def take(self, wait: float = 0.0) -> bytes:
        """What was sent meanwhile; empty where nothing comes within `wait` seconds or the other end is gone."""
        if not select.select([self.fd], [], [], max(0.0, wait))[0]:
            return b""
        try:
            found = os.read(self.fd, 1 << 16)
        except OSError:
            return b""
        self.sent += found
        if self.answers:
            while (at := self.sent.find(_QUESTION, self._answered)) >= 0:
                self._answered = at + len(_QUESTION)
                os.write(self.fd, b"\x1b[1;1R")
        return found

    def wait_for(self, text: str, timeout: float = 20.0) -> bytes:
        """Read until `text` is sent; everything sent since the last wait."""
        found, end = b"", time.monotonic() + timeout
        while text.encode() not in found:
            new = self.take(end - time.monotonic())
            if not new and time.monotonic() >= end:
                raise AssertionError(f"{text!r} was never sent; the last: {found[-400:]!r}")
            found += new
        return found

    def wait_until(self, seen: Callable[[list[str]], bool], what: str, timeout: float = 40.0) -> list[str]:
        """Read until what stands on the terminal is as wanted."""
        begun = time.monotonic()
        end = begun + timeout
        while not seen(self.lines):
            if not self.take(min(1.0, end - time.monotonic())) and time.monotonic() >= end:
                if time.monotonic() < (longer := begun + stretched(timeout)):
                    end = longer
                    continue
                raise AssertionError(f"never seen: {what}; it shows:\n" + "\n".join(self.lines))
        return self.lines

    def close(self) -> int:
        """Leave with q until it ends; the exit code."""
        for _ in range(6):
            try:
                self.press("q")
            except OSError:
                break
            while self.take(0.3):
                pass
            if self.ended():
                break
        # A terminal that is closed under a process which is about to end gives it another exit code.
        deadline = time.monotonic() + stretched(_ENDS_S)
        while not self.ended() and time.monotonic() < deadline:
            if not self.take(0.05):
                select.select([], [], [], 0.02)  # where the other end is gone, nothing is waited for above
        return self.reap()

    def ended(self) -> bool:
        """Whether the process is over."""
        return self.process.poll() is not None

    def hang_up(self) -> int:
        """Close the terminal under the process, as a dropped connection does; the exit code or minus the signal."""
        return self.reap()

    def reap(self) -> int:
        """Close this end and wait for the process; the exit code or minus the signal."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
        return self.process.wait()

    def end(self) -> None:
        """End the process, however it stands."""
        self.process.kill()
        self.reap()


def _of_its_own(command: Sequence[str], environment: Mapping[str, str]) -> tuple[subprocess.Popen[str], int]:
    outer, inner = pty.openpty()
    process = subprocess.Popen(
        list(command), text=True, env=environment, stdin=inner, stdout=inner, stderr=inner, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - one call to the system, as `pty.fork` does
    )  # fmt: skip
    os.close(inner)
    return process, outer
