"""Whether a runner that lives long, and a screen that stays open beside it, keep what they hold: memory, threads, descriptors.

python -m benchmarks longlived [--quick]
python -m benchmarks.longlived [--samples N] [--answer BYTES] [--beat SECONDS]

The clock is a fast one: a server without latency, long answers, and a runner and a screen that beat many times as often as
they do for people. After the first tenth of the run nothing may grow but by noise; a day has 345,600 beats.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.screen import Screen
from benchmarks.server import serving
from benchmarks.tables import Table
from benchmarks.trees import python_path
from modex.core.config.runconfig import DatasetSpec, ModelSpec, RunConfig, Selection
from modex.core.engine.start import prepare_run
from modex.core.store.location import runner_log
from modex.core.store.reader import Reader

_LOOK_S = 0.2
_SETTLED = 0.1
"""Share of the run after which nothing may grow any more."""
_KEYS = ("j", "\r", "j", "\r", "\x1b", "\x1b", "w", "w", "L", "k", "L", "?", "\x1b")
"""What a person does at times: move, open a cell and a transcript, see workers, log and help, and come back."""
_RUNNER = """
import modex.core.engine.watching as watching
watching.PERIOD_S = watching.COMMAND_PERIOD_S = {beat}
from modex.core.engine.runner import main
main(["--db", {path!r}, "--exp-id", "long"])
"""
_SCREEN = """
from pathlib import Path
from modex.tui.app import ModexApp, Watch
from modex.tui.look.preferences import Preferences
ModexApp(Path({path!r}), start=Watch(("long",)), preferences=Preferences(refresh_hz={hertz})).run()
"""


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds at one moment."""

    done: float
    """Share of the samples that were judged by then."""
    anonymous_mb: float
    """Memory of its own; the database's mapped pages, up to 256 MB, belong to the system."""
    resident_mb: float
    threads: int
    descriptors: int


def held(pid: int, done: float) -> Held:
    """What `pid` holds now, as Linux tells it."""
    fields = dict(
        line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line
    )  # fmt: skip
    megabytes = {name: int(fields[name].split()[0]) / 1024 for name in ("RssAnon", "VmRSS")}
    descriptors = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    return Held(done, megabytes["RssAnon"], megabytes["VmRSS"], int(fields["Threads"]), descriptors)


def slope_mb(found: Sequence[Held]) -> float:
    """Megabytes of its own that the whole run would add at the pace after its first tenth (least squares)."""
    late = [moment for moment in found if moment.done >= _SETTLED]
    middle = sum(moment.done for moment in late) / len(late)
    mean = sum(moment.anonymous_mb for moment in late) / len(late)
    over = sum((moment.done - middle) * (moment.anonymous_mb - mean) for moment in late)
    return over / (sum((moment.done - middle) ** 2 for moment in late) or 1.0)


def _write_rows(path: Path, count: int) -> None:
    """Questions in ten domains of five levels, two of three of which are answered rightly."""
    with path.open("w") as file:
        for number in range(count):
            row = {
                "id": f"q{number}", "question": f"What is {number} + 1?", "answer": "42" if number % 3 else "7",
                "category": f"domain_{number % 10}", "level": number // 10 % 5 + 1,
            }  # fmt: skip
            file.write(json.dumps(row) + "\n")


@contextlib.contextmanager
def _runner(path: Path, base: str, rows: Path, beat_s: float) -> Iterator[subprocess.Popen[bytes]]:
    """A runner of its own on a run over `rows`, with its log as it has one."""
    config = RunConfig(
        model=ModelSpec(model="openai/test-model", api_base=base),
        selection=Selection(datasets=(DatasetSpec(path=str(rows)),)),
        evaluator="match",
        concurrency=32,
    )
    prepare_run(path, config, "long").lock.release()
    environment = {**os.environ, "PYTHONPATH": python_path(), "MODEX_CONFIG": os.devnull}
    with runner_log(path).open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", _RUNNER.format(beat=beat_s, path=str(path))],
            env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


class _Reading(threading.Thread):
    """Takes in what the screen draws, and presses keys now and then, as a terminal and a person do."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(daemon=True)
        self._screen = screen
        self._over = threading.Event()

    def run(self) -> None:
        turn = 0
        with contextlib.suppress(OSError):  # the screen is gone: `once` says so
            while not self._over.is_set():
                self._screen.read(2.0)
                self._screen.press(_KEYS[turn % len(_KEYS)])
                turn += 1

    def close(self) -> None:
        self._over.set()
        self.join()


def once(samples: int, answer_bytes: int, beat_s: float) -> tuple[dict[str, list[Held]], float, int]:
    """Run it; what runner and screen held over the run, how long it took, and the bytes of the runner's log."""
    sentence = "The whole follows from adding both of the parts that were given above. "
    answer = (sentence * (answer_bytes // len(sentence) + 1))[:answer_bytes] + "\nAnswer: 42"
    found: dict[str, list[Held]] = {"runner": [], "screen": []}
    with tempfile.TemporaryDirectory() as name, serving(0.0, answer=answer) as server:
        path, rows = Path(name) / "modex.db", Path(name) / "questions.jsonl"
        _write_rows(rows, samples)
        begun = time.monotonic()
        with _runner(path, server.base, rows, beat_s) as runner:
            screen = Screen(_SCREEN.format(path=str(path), hertz=min(30.0, 1 / beat_s)))
            reading = _Reading(screen)
            reading.start()
            reader = Reader(path)
            try:
                while runner.poll() is None:
                    time.sleep(_LOOK_S)
                    if not reading.is_alive():
                        raise SystemExit("the screen ended before the run")
                    run = reader.run("long")
                    done = (run.passed_tests + run.failed_tests + run.error_tests) / samples
                    # The end is a work of its own: the statistics read every sample.
                    if 0 < done < 1:
                        with contextlib.suppress(FileNotFoundError, ProcessLookupError, KeyError):
                            found["runner"].append(held(runner.pid, done))
                            found["screen"].append(held(screen.pid, done))
                if runner.returncode != 0 or reader.run("long").status != "completed":
                    raise SystemExit(
                        f"the runner ended with {runner.returncode}: {runner_log(path).read_text()[-2000:]}"
                    )
            finally:
                reading.close()
                screen.close()
                reader.close()
        return found, time.monotonic() - begun, runner_log(path).stat().st_size


def measure(*, quick: bool, samples: int = 0, answer_bytes: int = 10_000, beat_s: float = 0.025) -> list[Table]:
    """A run of 60,000 samples (quick: 6,000), looked at all along."""
    samples = samples or (6_000 if quick else 60_000)
    found, took, logged = once(samples, answer_bytes, beat_s)
    rows = []
    for who, moments in found.items():
        at = [min(moments, key=lambda moment: abs(moment.done - share)) for share in (_SETTLED, 0.25, 0.5, 0.75, 0.99)]
        rows.append(
            [
                who,
                *(f"{moment.anonymous_mb:.1f} ({moment.resident_mb:.0f}) MB" for moment in at),
                f"{slope_mb(moments):+.1f} MB ({slope_mb(moments) * 100_000 / samples:+.1f} MB)",
                f"{at[0].threads} → {at[-1].threads}",
                f"{at[0].descriptors} → {at[-1].descriptors}",
            ]
        )
    header = ["who", "at 10 %", "25 %", "50 %", "75 %", "99 %", "growth after the first tenth (per 100,000 samples)",
              "threads", "descriptors"]  # fmt: skip
    note = (
        f"{samples:,} samples with answers of {answer_bytes / 1000:.0f} kB in {took:.0f} s, {took / beat_s:,.0f} beats"
        " at most; memory of the process's own, in brackets with the database's mapped pages; the runner's log had"
        f" {logged:,} bytes at the end."
    )
    return [Table("A runner and a screen that live long", header, rows, note)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--samples", type=int, default=0)
    parser.add_argument("--answer", type=int, default=10_000, help="bytes of each answer")
    parser.add_argument(
        "--beat", type=float, default=0.025, help="seconds between two beats of the runner and the screen"
    )
    given = parser.parse_args()
    for table in measure(quick=given.quick, samples=given.samples, answer_bytes=given.answer, beat_s=given.beat):
        print(table.markdown(), end="\n\n")
