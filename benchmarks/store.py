"""The store: durable samples a second, bytes a sample, and every reading command on stores of growing size.

python -m benchmarks.store [--quick]
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import growth, run, spread
from benchmarks.stores import add_run
from benchmarks.tables import Table
from benchmarks.trees import python_path
from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.store.database import open_database
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import ROLLOUT_FIELDS, VERDICT_FIELDS, EvaluationSample
from modex.core.store.writer import Spent, Writer

_FIELDS = tuple(dict.fromkeys((*ROLLOUT_FIELDS, *VERDICT_FIELDS)))
_COMMANDS = {
    "runs": ("runs",),
    "show RUN": ("show", "a"),
    "show RUN --test ID": ("show", "a", "--test", "test_77"),
    "compare A B": ("compare", "a", "b"),
    "stat RUN": ("stat", "a"),
    "export RUN --format csv": ("export", "a", "--format", "csv", "--out", os.devnull),
    "export RUN --format json": ("export", "a", "--format", "json", "--out", os.devnull),
}


def measure(*, quick: bool) -> list[Table]:
    return [_writing(1000 if quick else 4000, 3), reading([1000, 10_000] if quick else [10_000, 100_000])]


def _writing(samples: int, times: int) -> Table:
    """Samples a second that are on disk when their caller goes on, for callers that each wait for their own."""
    rows = []
    for size, words in ((500, "0.5 kB"), (10_000, "10 kB")):
        for threads in (1, 64, 256):
            found = [_write(samples if threads > 1 else samples // 4, threads, size) for _ in range(times)]
            rates, sizes = [rate for rate, _ in found], [bytes_each for _, bytes_each in found]
            rows.append([words, str(threads), spread(rates).shown(0), f"{spread(sizes).median / 1000:.1f} kB"])
    header = ["transcript", "callers at once", "durable samples a second", "on disk a sample"]
    note = (
        "SQLite, WAL, `synchronous=FULL`; callers that wait at the same moment share a commit. Transcripts are kept as plain "
        "JSON text (the column is a contract with users' scripts), so they are not compressed."
    )
    return Table("Group commit", header, rows, note)


def _write(count: int, threads: int, size: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        manager = DBDataManager(path)
        run_id = manager.create_run("bench", RunConfig(model=ModelSpec(model="openai/test-model")))
        plan = manager.plan(
            run_id, (EvaluationSample(domain="d", test_id=str(n), prompt="What is 1 + 1?") for n in range(count))
        )
        samples = [_finished(sample, size) for sample in manager.load(plan.to_do)]
        writer = Writer(open_database(path), run_id)
        started = time.perf_counter()
        workers = [
            threading.Thread(target=_hand_in, args=(writer, samples[first::threads])) for first in range(threads)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        seconds = time.perf_counter() - started
        writer.close()
        manager.database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        manager.close()
        return count / seconds, path.stat().st_size / count


def _finished(sample: EvaluationSample, size: int) -> EvaluationSample:
    text = ("The quick brown fox jumps over the lazy dog. " * (size // 45 + 1))[:size]
    entry = {"role": "assistant", "content": text, "phase": "pass1", "iteration": 0}
    return replace(sample, stage="judged", status="passed", score=1.0, transcript=[entry], response="2")


def _hand_in(writer: Writer, samples: list[EvaluationSample]) -> None:
    for sample in samples:
        writer.save(sample, _FIELDS, before="pending", spent=Spent(10, 10, 0.0)).result()


def reading(sizes: list[int]) -> Table:
    seconds: dict[str, list[float]] = {name: [] for name in _COMMANDS}
    memory: dict[str, float] = {}
    weights = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bench.db"
            for variant, name in enumerate("ab"):
                add_run(path, name, size, variant=variant)
            weights.append(path.stat().st_size / size / 2)
            for name, arguments in _COMMANDS.items():
                cost = run(
                    [sys.executable, "-m", "modex.tui.cli", "--db", path, *arguments],
                    env={"PYTHONPATH": python_path(), "MODEX_CONFIG": os.devnull},
                    timeout_s=600,
                )
                if cost.code:
                    raise SystemExit(f"modex {' '.join(arguments)}: {cost.output[-1000:]}")
                seconds[name].append(cost.wall_s)
                memory[name] = cost.peak_mb
    rows = [
        [f"`modex {name}`", *(f"{value:.2f} s" for value in values), growth(sizes, values), f"{memory[name]:.0f} MB"]
        for name, values in seconds.items()
    ]
    header = ["command", *(f"{size:,} samples" for size in sizes), "exponent (by step)", "peak RSS at the largest"]
    note = (
        f"Whole commands, start included, on stores with two runs of that size ({weights[-1] / 1000:.1f} kB a sample with short "
        "transcripts). RSS counts up to 64 MB of the database's mapped pages."
    )
    return Table("Reading commands on growing stores", header, rows, note)


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
