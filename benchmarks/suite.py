"""The suite: reading and checking suites of growing size, and planning a resume in which nothing changed.

python -m benchmarks.suite [--quick]
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Cost, growth, run
from benchmarks.tables import Table
from benchmarks.throughput import write_rows
from benchmarks.trees import python_path

ENV = {"PYTHONPATH": python_path(), "MODEX_CONFIG": os.devnull}
_PER_LEVEL = 200


def measure(*, quick: bool) -> list[Table]:
    return [
        _checking([100, 1000] if quick else [100, 1000, 10_000]),
        planning([1000, 10_000] if quick else [1000, 10_000, 100_000]),
    ]


def _checking(sizes: list[int]) -> Table:
    rows = []
    for name, lines in (("one file a test", False), ("JSONL, one line a test", True)):
        costs = []
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                _write_suite(Path(folder), size, lines=lines)
                costs.append(_modex("check", folder))
        seconds = [cost.wall_s for cost in costs]
        rows.append(
            [name, *(f"{value:.2f} s" for value in seconds), growth(sizes, seconds), f"{costs[-1].peak_mb:.0f} MB"]
        )
    header = ["suite", *(f"{size:,} tests" for size in sizes), "exponent (by step)", "peak RSS at the largest"]
    return Table("`modex check`: load and check", header, rows)


def _write_suite(root: Path, size: int, *, lines: bool) -> None:
    """Domains of five levels, with evaluators that look at each gold."""
    number = 0
    domain = 0
    while number < size:
        home = root / "test_definitions" / f"domain_{domain}"
        for level in range(1, 6):
            folder = home / f"level_{level}"
            folder.mkdir(parents=True)
            tests = [_test(n) for n in range(number, min(size, number + _PER_LEVEL))]
            number += len(tests)
            if lines:
                (folder / "tests.jsonl").write_text("".join(json.dumps(test) + "\n" for test in tests))
                continue
            for test in tests:
                (folder / f"{test['id']}.json").write_text(json.dumps(test, indent=2))
        described = {"id": home.name, "name": home.name, "evaluator_id": "two_pass", "system_prompt": "Be brief."}
        (home / "domain.json").write_text(json.dumps(described, indent=2))
        domain += 1


def _test(number: int) -> dict[str, object]:
    expected = {"type": "numeric", "value": number + 1, "tolerance": 0.01}
    return {
        "id": f"test_{number}",
        "name": f"Addition {number}",
        "prompt": f"What is {number} + 1?",
        "expected": expected,
    }


def planning(sizes: list[int]) -> Table:
    seconds: dict[str, list[float]] = {"a new run": [], "a resume, nothing changed": []}
    peaks: dict[str, float] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            rows, database = Path(folder) / "questions.jsonl", Path(folder) / "modex.db"
            write_rows(rows, size)
            for name, values in seconds.items():
                cost = _modex(
                    "run", "--headless", "--model", "openai/test-model", "--api-base", "http://127.0.0.1:9/v1",
                    "--dataset", str(rows), "--evaluator", "match", "--exp-id", "bench", "--until", "preprocess",
                    "--db", str(database),
                )  # fmt: skip
                values.append(cost.wall_s)
                peaks[name] = cost.peak_mb
                _pretend_judged(database)
    table = [
        [name, *(f"{value:.2f} s" for value in values), growth(sizes, values), f"{peaks[name]:.0f} MB"]
        for name, values in seconds.items()
    ]
    header = ["planning", *(f"{size:,} samples" for size in sizes), "exponent (by step)", "peak RSS at the largest"]
    return Table("Planning (`modex run --until preprocess`, whole command)", header, table)


def _pretend_judged(database: Path) -> None:
    connection = sqlite3.connect(database)
    with connection:
        connection.execute("UPDATE individual_test_results SET stage = 'judged', status = 'passed', score = 1.0")
    connection.close()


def _modex(*arguments: str) -> Cost:
    cost = run([sys.executable, "-m", "modex.tui.cli", *arguments], env=ENV, timeout_s=600)
    if cost.code:
        raise SystemExit(f"modex {' '.join(arguments)}: {cost.output[-2000:]}")
    return cost


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
