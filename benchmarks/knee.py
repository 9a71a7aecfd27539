"""How near a run that looks for the number of calls at once comes to one that was told the best.

python -m benchmarks knee [--quick]
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import run
from benchmarks.server import ServerProcess, Stats, serving
from benchmarks.tables import Table
from benchmarks.throughput import write_rows
from benchmarks.trees import python_path

CAPACITY = 24
_FOUND = re.compile(r"(\d+ calls at once: .+)")


def once(server: ServerProcess, calls: int, *options: str) -> tuple[Stats, str]:
    """Ask `calls` questions; what the server saw, and what the run said at its end of how many at once it found."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_rows(folder / "questions.jsonl", calls)
        server.reset()
        cost = run(
            [
                sys.executable, "-m", "modex.tui.cli", "run", "--headless", "--model", "openai/test-model", "--api-base",
                server.base, "--dataset", folder / "questions.jsonl", "--evaluator", "match", "--db",
                folder / "modex.db", "--exp-id", "bench", *options,
            ],
            env={"PYTHONPATH": python_path(), "MODEX_CONFIG": "/dev/null"},
            cwd=folder,
        )  # fmt: skip
        stats = server.stats()
    if stats.hits != calls:
        raise SystemExit(f"{stats.hits} answers for {calls} calls:\n{cost.output[-2000:]}")
    found = _FOUND.findall(cost.output)
    return stats, found[-1] if found else ""


def measure(*, quick: bool) -> list[Table]:
    """An endpoint with a capacity that nobody was told, which lets others wait or refuses them; one process and two."""
    rows: list[Sequence[str]] = []
    for refuses in (False, True):
        with serving(1.0, capacity=CAPACITY, refuses=refuses) as server:
            for calls in (150,) if quick else (300,):
                best, _ = once(server, calls, "--concurrency", str(CAPACITY))
                for processes in ("1", "2"):
                    stats, found = once(server, calls, "--processes", processes)
                    rows.append(
                        [
                            f"{'refused (429)' if refuses else 'waits'}, {calls:,} calls, {processes} "
                            f"process{'es' if processes != '1' else ''}",
                            f"{best.span_s:.1f} s",
                            f"{stats.span_s:.1f} s",
                            f"{stats.span_s / best.span_s:.2f} ×",
                            str(stats.refused),
                            found,
                        ]
                    )
    header = ["what is more", f"told {CAPACITY}", "told nothing", "times as long", "refused", "said at its end"]
    note = f"Answers after a second, {CAPACITY} at once; a refusal names no wait, so that each costs about a second."
    return [Table(f"A hidden capacity of {CAPACITY}", header, rows, note)]


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
