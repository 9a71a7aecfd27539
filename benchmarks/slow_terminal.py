"""What a live screen sends, and how soon a key is answered on a terminal that reads slowly, on real pseudo-terminals.

python -m benchmarks.slow_terminal [--quick]
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pyte

from benchmarks.tables import Table
from modex.core.engine.control import stop_and_wait
from modex.core.store.reader import Reader

SIZE = (200, 50)
SLOW = 8_000
"""Bytes a second of the slow terminal."""
AT_ONCE = 64
_QUESTION = b"\x1b[6n"


class SlowTerminal:
    """`modex attach` on a pseudo-terminal that is read at a chosen speed, and that answers as a terminal does, or not."""

    def __init__(self, path: Path, exp_id: str, *, speed: float | None = None, answers: bool = True) -> None:
        self.speed, self.answers = speed, answers
        self.read_bytes = 0
        self._screen = pyte.Screen(*SIZE)
        self._stream = pyte.ByteStream(self._screen)
        self._allowed, self._since = 0.0, time.monotonic()
        self._tail = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8", MODEX_CONFIG=os.devnull, MODEX_DB=str(path))
            for name in ("COLORTERM", "NO_COLOR"):
                os.environ.pop(name, None)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
            os.execv(sys.executable, [sys.executable, "-m", "modex.tui.cli", "attach", exp_id, "--db", str(path)])

    def take(self, wait: float) -> None:
        """Read what may be read by now, or wait a moment for it."""
        most = 1 << 16
        if self.speed is not None:
            now = time.monotonic()
            self._allowed = min(self._allowed + (now - self._since) * self.speed, self.speed / 10)
            self._since = now
            most = int(self._allowed)
            if most < self.speed / 50:
                time.sleep(0.02)
                return
        if not select.select([self.fd], [], [], wait)[0]:
            return
        found = os.read(self.fd, most)
        self._allowed -= len(found)
        self.read_bytes += len(found)
        self._stream.feed(found)
        if self.answers:
            asked = (self._tail + found).count(_QUESTION)
            self._tail = found[-len(_QUESTION) + 1 :]
            os.write(self.fd, b"\x1b[1;1R" * asked)

    def run(self, seconds: float) -> None:
        """Read for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.take(0.05)

    def wait_for(self, text: str, *, gone: bool = False, timeout: float = 60.0) -> float:
        """Seconds until `text` stands on the screen, or stands there no more."""
        begun = time.monotonic()
        while any(text in line for line in self._screen.display) == gone:
            self.take(0.02)
            if time.monotonic() - begun > timeout:
                raise SystemExit(f"waited in vain for {text!r}:\n" + "\n".join(self._screen.display))
        return time.monotonic() - begun

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self.fd, keys.encode())

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.fd)


@contextlib.contextmanager
def going_run(at_once: int, latency_s: float, epochs: int) -> Iterator[Path]:
    """A run of the bundled suite by the scripted model that goes on meanwhile; its database."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        words = ["--model", "demo", "--epochs", str(epochs), "--concurrency", str(at_once), "--exp-id", "bench"]
        environment = {**os.environ, "MODEX_DEMO_LATENCY": str(latency_s), "MODEX_CONFIG": os.devnull}
        command = [sys.executable, "-m", "modex.tui.cli", "run", "--db", str(path), *words, "--detach"]
        subprocess.run(command, env=environment, check=True, capture_output=True)
        reader = Reader(path)
        run = reader.run("bench")
        reader.close()
        try:
            yield path
        finally:
            stop_and_wait(path, run.id)


def live(path: Path, seconds: float) -> list[str]:
    """Bytes a second of the live screen on a terminal that reads all."""
    terminal = SlowTerminal(path, "bench")
    try:
        terminal.wait_for("in flight")
        terminal.run(3.0)
        before, begun = terminal.read_bytes, time.monotonic()
        terminal.run(seconds)
        rate = (terminal.read_bytes - before) / (time.monotonic() - begun)
    finally:
        terminal.close()
    return [f"{AT_ONCE} calls at once", f"{rate / 1000:.1f} kB/s"]


def helped(path: Path, times: int, *, answers: bool) -> list[str]:
    """How soon help stands on a terminal that reads `SLOW` bytes a second, and how soon it is left again."""
    terminal = SlowTerminal(path, "bench", speed=SLOW, answers=answers)
    opened, left = [], []
    try:
        terminal.wait_for("in flight")
        for _ in range(times):
            terminal.run(4.0)
            terminal.press("?")
            opened.append(terminal.wait_for("Everywhere"))
            terminal.press("\x1b")
            left.append(terminal.wait_for("Everywhere", gone=True))
    finally:
        terminal.close()
    name = "answers" if answers else "does not answer"
    return [f"reads {SLOW / 1000:g} kB/s, {name}", f"{max(opened):.1f} s", f"{max(left):.1f} s"]


def measure(*, quick: bool) -> list[Table]:
    """Both, while 64 calls are in flight."""
    with going_run(AT_ONCE, 4.0, 30) as path:
        sent = live(path, 10.0 if quick else 30.0)
        times = 2 if quick else 5
        rows = [helped(path, times, answers=answers) for answers in (True, False)]
    size = "×".join(map(str, SIZE))
    return [
        Table(f"Screen: what a live screen of {size} sends", ["while", "output"], [sent], "Budget: 4 kB/s."),
        Table(
            f"Screen: help over a live screen of {size}",
            ["on a terminal that", "help stands, at most", "left again, at most"],
            rows,
            "Budget: 3 s.",
        ),
    ]


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
