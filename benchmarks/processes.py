"""What worker processes bring: two of them, and two Dask workers, beside one process, where Python computes and where it waits.

python -m benchmarks.processes [--quick]
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import Cost, run
from benchmarks.server import ServerProcess, Stats, serving
from benchmarks.tables import Table
from benchmarks.trees import python_path

WAYS: dict[str, tuple[str, ...]] = {
    "one process": ("--processes", "1"),
    "--processes 2": ("--processes", "2"),
    "--cluster local:2": ("--cluster", "local:2"),
}
_JUDGE = """
from modex import BaseEvaluator, EvaluationResult, register_evaluator


@register_evaluator
class Computes(BaseEvaluator):
    id = "computes"

    def evaluate(self, sample, context):
        found = 0
        for number in range({loops}):
            found = (found * 31 + number) % 1000003
        return EvaluationResult(1.0 if found >= 0 else 0.0)
"""


@dataclass(frozen=True, slots=True)
class Load:
    tests: int
    latency_s: float
    concurrency: int
    loops: int = 0
    """Turns of a loop in Python by which each answer is judged; about 50 ns each."""

    def __str__(self) -> str:
        judged = f", {self.loops:,} turns of a loop to judge" if self.loops else ""
        return f"{self.tests:,} × {self.latency_s * 1000:.0f} ms at {self.concurrency}{judged}"


def write_suite(root: Path, load: Load) -> Path:
    """A suite of one domain whose answers a plugin judges."""
    level = root / "test_definitions" / "d" / "level_1"
    level.mkdir(parents=True)
    (root / "plugins").mkdir()
    (root / "plugins" / "computes.py").write_text(_JUDGE.format(loops=load.loops))
    (level.parent / "domain.json").write_text(json.dumps({"id": "d", "name": "d", "evaluator_id": "computes"}))
    rows = ({"id": f"q{number}", "prompt": f"What is {number} + 1?", "expected": 1} for number in range(load.tests))
    (level / "tests.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return root


def once(server: ServerProcess, load: Load, way: tuple[str, ...]) -> tuple[Cost, Stats]:
    """Do the work once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite = write_suite(folder / "suite", load)
        server.reset()
        cost = run(
            [
                sys.executable, "-m", "modex.tui.cli", "run", "--headless", "--model", "openai/test-model", "--api-base",
                server.base, "--suite", suite, "--allow-plugins", "--concurrency", str(load.concurrency), "--db",
                folder / "modex.db", "--exp-id", "bench", *way,
            ],
            env={"PYTHONPATH": python_path(), "MODEX_CONFIG": "/dev/null", "XDG_DATA_HOME": name},
            cwd=folder,
        )  # fmt: skip
        stats = server.stats()
    if stats.hits < load.tests or cost.code != 0:
        raise SystemExit(f"{stats.hits} calls of {load.tests}, exit code {cost.code}:\n{cost.output[-2000:]}")
    return cost, stats


def measure(*, quick: bool) -> list[Table]:
    """Each way once: two turns of all three loads would take the suite past a quarter of an hour."""
    ways = {name: way for name, way in WAYS.items() if "--cluster" not in way or find_spec("distributed") is not None}
    loads = [
        Load(400 if quick else 1000, 0.05, 64, loops=400_000),
        Load(2000, 0.05, 64),
        Load(1000 if quick else 4000, 0.05, 256),
    ]
    rows: list[Sequence[str]] = []
    for load in loads:
        with serving(load.latency_s) as server:
            found = {name: once(server, load, way) for name, way in ways.items()}
        alone = found["one process"][1].span_s
        for name, (cost, stats) in found.items():
            rows.append(
                [
                    str(load),
                    name,
                    f"{stats.span_s:.2f} s",
                    f"{alone / stats.span_s:.2f} ×",
                    f"{stats.span_s * load.concurrency / (load.tests * load.latency_s):.2f}",
                    f"{1000 * cost.cpu_s / load.tests:.2f} ms",
                    f"{cost.wall_s:.2f} s",
                ]
            )
    header = ["load", "moved by", "span of the calls", "as fast", "span / ideal", "CPU a test", "whole command"]
    return [Table("One process beside two and two Dask workers, on the same server, each once", header, rows)]


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
