"""What the screen costs, measured from outside on a pseudo-terminal: CPU, bytes, answers to keys, opening times.

python -m benchmarks.screen [--quick]
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import random
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.stores import add_run
from benchmarks.tables import Table
from modex.core.engine.control import stop_and_wait
from modex.core.store.lock import RunLock
from modex.core.store.reader import Reader
from tests.tui.stores import LIVE, StoreMaker, sample

PERIOD_S = 0.25


class Screen:
    """modex in a child process on a pseudo-terminal of its own."""

    def __init__(self, code: str, columns: int = 120, rows: int = 40) -> None:
        self.started = time.perf_counter()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8", MODEX_CONFIG=os.devnull)
            os.environ.pop("COLORTERM", None)
            os.execv(sys.executable, [sys.executable, "-c", code])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.bytes = 0
        self._behind = b""

    def read(self, seconds: float) -> bytes:
        """What it sends within `seconds`."""
        found = bytearray()
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                found += os.read(self.terminal, 1 << 16)
        self.bytes += len(found)
        return bytes(found)

    def wait_for(self, text: bytes, timeout: float = 20.0) -> float:
        """Seconds until `text` was sent."""
        begun, found = time.perf_counter(), self._behind
        while time.perf_counter() - begun < timeout:
            before, met, self._behind = found.partition(text)
            if met:
                return time.perf_counter() - begun
            found = before + self.read(0.002)
        raise SystemExit(f"never saw {text!r}; the last it sent: {found[-300:]!r}")

    def press(self, keys: str) -> None:
        """Send keys; what is waited for next is sent after them."""
        self._behind = b""
        os.write(self.terminal, keys.encode())

    def cpu(self) -> float:
        """Processor seconds used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.terminal)


def _watch(path: Path, exp_id: str) -> str:
    return f"from modex.tui.opening import watch; from pathlib import Path; watch(Path({str(path)!r}), [{exp_id!r}])"


def _home(path: Path) -> str:
    return f"from modex.tui.opening import open_home; from pathlib import Path; open_home(Path({str(path)!r}))"


@contextlib.contextmanager
def _store() -> Iterator[StoreMaker]:
    with tempfile.TemporaryDirectory() as folder:
        maker = StoreMaker(Path(folder) / "bench.db")
        try:
            yield maker
        finally:
            maker.close()


def _fill(maker: StoreMaker, exp_id: str, tests: int, domains: int, *, done: float, status: str = "running") -> int:
    random.seed(tests)
    samples = []
    for number in range(tests):
        state = random.choice(("passed", "passed", "failed")) if number < tests * done else "pending"
        samples.append(sample(f"domain_{number % domains:02d}", number // domains % 5 + 1, number, state))  # type: ignore[arg-type]
    return maker.run(exp_id, samples=samples, status=status, overall_score=0.5)


@contextlib.contextmanager
def _moving(tests: int, domains: int) -> Iterator[tuple[StoreMaker, int, Screen]]:
    """The screen of a run in which nothing happens but what `_drive` does to it."""
    with _store() as maker:
        run_id = _fill(maker, "bench", tests, domains, done=0.1)
        maker.pulse(run_id)
        lock = RunLock(maker.path, run_id, "bench")
        screen = Screen(_watch(maker.path, "bench"))
        try:
            screen.wait_for(b"domain_00")
            yield maker, run_id, screen
        finally:
            screen.close()
            lock.release()


def moving(seconds: float, tests: int, changes: int, domains: int) -> list[str]:
    """CPU and bytes while `changes` samples a tick finish, four ticks a second."""
    with _moving(tests, domains) as (maker, run_id, screen):
        _drive(maker, run_id, screen, 3.0, changes, tests)
        cpu, sent, begun = screen.cpu(), screen.bytes, time.perf_counter()
        _drive(maker, run_id, screen, seconds, changes, tests)
        took = time.perf_counter() - begun
        share, rate = 100 * (screen.cpu() - cpu) / took, (screen.bytes - sent) / took / 1000
    return [f"{tests:,} samples, {changes} changes a tick", f"{share:.1f} %", f"{rate:.1f} kB/s"]


def driven(keys: int, tests: int, changes: int, domains: int) -> list[str]:
    """How soon a key is answered while `changes` samples a tick finish."""
    with _moving(tests, domains) as (maker, run_id, screen):
        over = threading.Event()

        def drive() -> None:
            while not over.is_set():
                _change(maker, run_id, changes, tests)
                over.wait(PERIOD_S)

        thread = threading.Thread(target=drive)
        thread.start()
        try:
            found = _answers(screen, keys)
        finally:
            over.set()
            thread.join()
    return _answered(f"{tests:,} samples, {changes} changes a tick", found)


def _drive(maker: StoreMaker, run_id: int, screen: Screen, seconds: float, changes: int, tests: int) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        tick = time.perf_counter()
        _change(maker, run_id, changes, tests)
        screen.read(max(0.0, PERIOD_S - (time.perf_counter() - tick)))


def _change(maker: StoreMaker, run_id: int, changes: int, tests: int) -> None:
    """What a runner stores in one tick: some verdicts, and its pulse."""
    database = maker.manager.database
    with database.atomic():
        seq = int(database.rows("SELECT seq FROM evaluation_runs WHERE id = ?", [run_id])[0][0])
        for offset in range(changes):
            passed = random.random() < 0.7
            database.run(
                "UPDATE individual_test_results SET status = ?, score = ?, stage = 'judged', seq = ?"
                " WHERE run_id = ? AND position = ?",
                ["passed" if passed else "failed", float(passed), seq + offset + 1, run_id, random.randrange(tests)],
            )
        database.run("UPDATE evaluation_runs SET seq = ? WHERE id = ?", [seq + changes, run_id])
    maker.pulse(
        run_id,
        in_flight=8 + seq % 9,
        elapsed_s=LIVE["elapsed_s"] + seq / changes * PERIOD_S,
        tests_per_s=seq % 50 / 10,
    )


def idle(seconds: float) -> list[str]:
    """CPU and bytes of a run that ended."""
    with _store() as maker:
        _fill(maker, "bench", 4000, 40, done=1.0, status="completed")
        screen = Screen(_watch(maker.path, "bench"))
        try:
            screen.wait_for(b"domain_00")
            screen.read(2.0)
            cpu, sent = screen.cpu(), screen.bytes
            screen.read(seconds)
            share, rate = 100 * (screen.cpu() - cpu) / seconds, (screen.bytes - sent) / seconds / 1000
        finally:
            screen.close()
    return ["4,000 samples that ended", f"{share:.1f} %", f"{rate:.1f} kB/s"]


def opening(runs: int, samples_each: int, large: int) -> list[list[str]]:
    """How long each screen takes to open on a full store, where the run that is opened has `large` samples."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        for number in range(runs - 1):
            add_run(path, f"run-{number:04d}", samples_each)
        add_run(path, "latest", large)
        found: dict[str, list[float]] = {}
        for _ in range(3):
            screen = Screen(_home(path))
            try:
                screen.wait_for(b"modex")
                found.setdefault("first frame", []).append(time.perf_counter() - screen.started)
                screen.wait_for(b"latest")
                found.setdefault("runs listed", []).append(time.perf_counter() - screen.started)
                screen.read(0.5)
                for keys, seen, name in (
                    ("\r", b"domain_9", "a run's matrix"),
                    ("t", b"tokens", "all its tests"),
                    ("?", b"Everywhere", "help"),
                    ("\x1b", b"tokens", "back"),
                    ("\r", b"verdict", "a transcript"),
                ):
                    begun = time.perf_counter()
                    screen.press(keys)
                    screen.wait_for(seen)
                    found.setdefault(name, []).append(time.perf_counter() - begun)
                    screen.read(0.4)
            finally:
                screen.close()
    size = f"{runs:,} runs, {(runs - 1) * samples_each + large:,} samples, the run opened has {large:,}"
    return [[size, *(_ms(statistics.median(values)) for values in found.values())]]


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


def answering(keys: int, epochs: int) -> list[list[str]]:
    """How soon a key is answered while a real runner asks the scripted model as fast as it can, and while all is calm."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        words = ["--model", "demo", "--epochs", str(epochs), "--concurrency", "32", "--exp-id", "bench", "--detach"]
        environment = {**os.environ, "MODEX_DEMO_LATENCY": "0", "MODEX_CONFIG": os.devnull}
        command = [sys.executable, "-m", "modex.tui.cli", "run", "--db", str(path), *words]
        subprocess.run(command, env=environment, check=True, capture_output=True)
        reader = Reader(path)
        screen = Screen(_watch(path, "bench"))
        try:
            screen.wait_for(b"tool_calling")
            moving = _answers(screen, keys)
            run = reader.run("bench")
            if not run.alive:
                raise SystemExit("the run ended before the keys were pressed: take more epochs")
            speed = float(run.live.get("tests_per_s") or 0)
            stop_and_wait(path, run.id)
            screen.read(2.5)
            calm = _answers(screen, keys)
            size = f"{epochs * 255:,} samples"
            return [
                _answered(f"{size}, a runner working at {speed:.0f} tests/s on the same cores", moving),
                _answered(f"{size}, the run ended", calm),
            ]
        finally:
            screen.close()
            reader.close()


def _answered(what: str, found: list[float]) -> list[str]:
    return [what, _ms(statistics.median(found)), _ms(statistics.quantiles(found, n=20)[-1]), _ms(max(found))]


def _answers(screen: Screen, keys: int) -> list[float]:
    """Seconds from each key to the selection's new place, at moments that have nothing to do with the screen's own beat."""
    found = []
    for number in range(keys):
        screen.read(random.uniform(0.05, 0.4))
        begun = time.perf_counter()
        screen.press("j" if number % 2 == 0 else "k")
        screen.wait_for("▐".encode())
        found.append(time.perf_counter() - begun)
    return found


def measure(*, quick: bool) -> list[Table]:
    """Everything: at 200, 4,000 and 40,000 samples, and opening screens on growing stores."""
    seconds, keys = (5.0, 20) if quick else (6.0, 40)
    budget = "Budget: 5 % of a core and 30 kB/s with 4,000 samples and 20 changes a tick; an ended run costs nothing."
    moved = [moving(seconds, *load) for load in ((200, 2, 10), (4_000, 20, 40), (40_000, 200, 40))]
    live = Table(
        "Screen: a run that moves, 4 Hz", ["a run of", "CPU of a core", "output"], [*moved, idle(seconds)], budget
    )
    answers = answering(keys, 20 if quick else 60)
    for tests, changes, domains in ((200, 2, 10), (4_000, 20, 40), (40_000, 200, 40)):
        answers.append(driven(keys, tests, changes, domains))
    header = ["while", "median", "19 of 20 within", "all within"]
    pressed = Table("Screen: from a key to its answer", header, answers, f"{keys} keys each. Budget: 50 ms.")
    sizes = [(100, 200, 200)] if quick else [(1000, 200, 200), (2, 1000, 200_000)]
    rows = [row for size in sizes for row in opening(*size)]
    header = [
        "a store of",
        "first frame",
        "runs listed",
        "a run's matrix",
        "all its tests",
        "help",
        "back",
        "a transcript",
    ]
    note = "Budget: first frame 400 ms, every other screen 150 ms on 1,000 runs and 200,000 samples. Medians of 3."
    return [live, pressed, Table("Screen: opening", header, rows, note)]


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
