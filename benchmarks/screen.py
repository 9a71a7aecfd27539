"""What the screen costs, measured from outside on a pseudo-terminal: CPU, bytes, first frame, opening times.

    python -m benchmarks.screen            all of it, a few minutes
    python -m benchmarks.screen --quick    a few seconds each

Prints one line a figure, with its budget.
"""

from __future__ import annotations

import argparse
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
import time
from collections.abc import Iterator
from pathlib import Path

from core.engine.control import stop_and_wait
from core.store.lock import RunLock
from core.store.reader import Reader
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
        begun, found = time.perf_counter(), b""
        while time.perf_counter() - begun < timeout:
            found += self.read(0.002)
            if text in found:
                return time.perf_counter() - begun
        raise SystemExit(f"never saw {text!r}; the last it sent: {found[-300:]!r}")

    def press(self, keys: str) -> None:
        """Send keys."""
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
    return f"from tui.launch import watch; from pathlib import Path; watch(Path({str(path)!r}), [{exp_id!r}])"


def _home(path: Path) -> str:
    return f"from tui.launch import open_home; from pathlib import Path; open_home(Path({str(path)!r}))"


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


def moving(seconds: float, tests: int, changes: int, domains: int) -> None:
    """CPU and bytes while `changes` samples a tick finish, four ticks a second."""
    with _store() as maker:
        run_id = _fill(maker, "bench", tests, domains, done=0.1)
        maker.pulse(run_id)
        lock = RunLock(maker.path, run_id, "bench")
        screen = Screen(_watch(maker.path, "bench"))
        try:
            screen.wait_for(b"domain_00")
            _drive(maker, run_id, screen, 3.0, changes, tests)
            cpu, sent, begun = screen.cpu(), screen.bytes, time.perf_counter()
            _drive(maker, run_id, screen, seconds, changes, tests)
            took = time.perf_counter() - begun
            share, rate = 100 * (screen.cpu() - cpu) / took, (screen.bytes - sent) / took / 1000
            print(
                f"moving    {tests:>7,} samples, {changes:>3} changes a tick: {share:5.1f} % CPU  {rate:6.1f} kB/s",
                flush=True,
            )
        finally:
            screen.close()
            lock.release()


def _drive(maker: StoreMaker, run_id: int, screen: Screen, seconds: float, changes: int, tests: int) -> None:
    database = maker.manager.database
    end = time.perf_counter() + seconds
    beat = 0
    while time.perf_counter() < end:
        tick = time.perf_counter()
        beat += 1
        with database.atomic():
            seq = int(database.rows("SELECT seq FROM evaluation_runs WHERE id = ?", [run_id])[0][0])
            for offset in range(changes):
                position = random.randrange(tests)
                passed = random.random() < 0.7
                database.run(
                    "UPDATE individual_test_results SET status = ?, score = ?, stage = 'judged', seq = ?"
                    " WHERE run_id = ? AND position = ?",
                    ["passed" if passed else "failed", float(passed), seq + offset + 1, run_id, position],
                )
            database.run("UPDATE evaluation_runs SET seq = ? WHERE id = ?", [seq + changes, run_id])
        maker.pulse(
            run_id, in_flight=8 + beat % 9, elapsed_s=LIVE["elapsed_s"] + beat * PERIOD_S, tests_per_s=beat % 50 / 10
        )
        screen.read(max(0.0, PERIOD_S - (time.perf_counter() - tick)))


def idle(seconds: float) -> None:
    """CPU and bytes of a run that ended."""
    with _store() as maker:
        _fill(maker, "bench", 4000, 40, done=1.0, status="completed")
        screen = Screen(_watch(maker.path, "bench"))
        try:
            screen.wait_for(b"domain_00")
            screen.read(2.0)
            cpu, sent = screen.cpu(), screen.bytes
            screen.read(seconds)
            share = 100 * (screen.cpu() - cpu) / seconds
            print(
                f"idle      an ended run of 4,000 samples:        {share:5.1f} % CPU  {(screen.bytes - sent) / seconds:6.1f} B/s"
            )
        finally:
            screen.close()


def opening(runs: int, samples_each: int) -> None:
    """First frame, and how long each screen takes to open on a full store."""
    with _store() as maker:
        for number in range(runs):
            _fill(maker, f"run-{number:04d}", samples_each, 9, done=1.0, status="completed")
        maker.manager.database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        for _ in range(3):
            screen = Screen(_home(maker.path))
            screen.wait_for(b"modex")
            first = time.perf_counter() - screen.started
            screen.wait_for(f"run-{runs - 1:04d}".encode())
            filled = time.perf_counter() - screen.started
            screen.read(0.5)
            figures = [f"first frame {1000 * first:.0f} ms", f"runs listed {1000 * filled:.0f} ms"]
            for keys, seen, name in (
                ("\r", b"domain_08", "live"),
                ("t", b"evaluator", "tests"),
                ("?", b"Signs", "help"),
                ("\x1b", b"evaluator", "back"),
            ):
                begun = time.perf_counter()
                screen.press(keys)
                screen.wait_for(seen)
                figures.append(f"{name} {1000 * (time.perf_counter() - begun):.0f}")
                screen.read(0.4)
            print(f"opening   {runs:,} runs, {runs * samples_each:,} samples: " + ", ".join(figures), flush=True)
            screen.close()


def answering(keys: int, epochs: int) -> None:
    """How soon a key is answered while a real runner asks the scripted model as fast as it can, and while all is calm."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        words = ["--model", "demo", "--epochs", str(epochs), "--concurrency", "32", "--exp-id", "bench", "--detach"]
        environment = {**os.environ, "MODEX_DEMO_LATENCY": "0", "MODEX_CONFIG": os.devnull}
        command = [sys.executable, "-m", "tui.cli", "run", "--db", str(path), *words]
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
            for name, found in ((f"a run at {speed:.0f} tests/s", moving), ("an ended run", calm)):
                middle, most = 1000 * statistics.median(found), 1000 * statistics.quantiles(found, n=20)[-1]
                figures = (
                    f"{middle:5.0f} ms in the middle, 19 of 20 within {most:.0f} ms, all within {1000 * max(found):.0f}"
                )
                print(f"keys      {name:<36} {figures}", flush=True)
        finally:
            screen.close()
            reader.close()


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


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    seconds = 5.0 if quick else 20.0
    print("budgets   moving: 5 % CPU and 30 kB/s with 4,000 samples and 20 changes; idle: nothing;")
    print("          first frame 400 ms; any screen 150 ms with 1,000 runs and 200,000 samples; a key 50 ms")
    moving(seconds, 4_000, 20, 40)
    moving(seconds, 180, 2, 9)
    moving(seconds, 40_000, 200, 40)
    idle(seconds)
    opening(100 if quick else 1000, 200)
    answering(20 if quick else 60, 20 if quick else 60)


if __name__ == "__main__":
    main()
