"""How soon it answers: version, help, the first frame on a terminal, the first request at a server.

python -m benchmarks.start [--quick]
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import run, spread
from benchmarks.peers.peer import cache_folder
from benchmarks.screen import Screen
from benchmarks.server import serving
from benchmarks.tables import Table
from benchmarks.throughput import Load, installed_peers, once
from benchmarks.trees import python_path

ENV = {"PYTHONPATH": python_path(), "MODEX_CONFIG": os.devnull}


def measure(*, quick: bool) -> list[Table]:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    times = 3 if quick else 5
    own = [sys.executable, "-m", "modex.tui.cli"]
    commands: list[tuple[str, Sequence[str], str]] = [
        ("a bare interpreter", [sys.executable, "-c", "pass"], ""),
        ("`modex --version`", [*own, "--version"], "≤ 0.15 s"),
        ("`modex --help`", [*own, "--help"], ""),
        ("`modex run --help`", [*own, "run", "--help"], ""),
        ("`import litellm` alone", [sys.executable, "-c", "import litellm"], ""),
    ]
    rows = []
    for name, command, budget in commands:
        env = {**ENV, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
        costs = [run(command, env=env) for _ in range(times)]
        rows.append(_row(name, [cost.wall_s for cost in costs], budget, max(cost.peak_mb for cost in costs)))
    rows += _first_requests(times)
    rows.append(_row("`modex run` to its first frame", [_first_frame() for _ in range(times)], "≤ 0.4 s"))
    for peer in installed_peers()[0]:
        asked = peer.help_command(cache_folder())
        costs = [run(asked.arguments, env=asked.env) for _ in range(times)]
        if failed := next((cost for cost in costs if cost.code), None):
            raise SystemExit(f"{peer.name}: {failed.output[-1000:]}")
        rows.append(
            _row(
                f"{peer.name} {peer.version} `--help`",
                [cost.wall_s for cost in costs],
                "",
                max(c.peak_mb for c in costs),
            )
        )
    note = "The first frame is the one that names the run."
    return [Table("Start", ["what", "seconds: median (range)", "budget", "peak RSS"], rows, note)]


def _row(name: str, seconds: Sequence[float], budget: str, peak_mb: float | None = None) -> list[str]:
    return [name, spread(seconds).shown(), budget, "" if peak_mb is None else f"{peak_mb:.0f} MB"]


def _first_requests(times: int) -> list[list[str]]:
    """From the start of the command to the first request at the server, direct path and litellm."""
    rows = []
    for name, model in (("direct path", "openai/test-model"), ("through litellm", "together_ai/test-model")):
        with serving(0.01) as server:
            results = [once(server, Load(20, 0.01, 8), model=model) for _ in range(times)]
        seconds = [result.stats.first - result.cost.started for result in results]
        rows.append(_row(f"`modex run --headless` to the first request, {name}", seconds, "≤ 1.2 × importing litellm"))
    return rows


def _first_frame() -> float:
    """Until the live screen of a new run names its model."""
    with tempfile.TemporaryDirectory() as folder, serving(0.2) as server:
        rows = Path(folder) / "questions.jsonl"
        rows.write_text('{"id": "q", "question": "What is 1 + 1?", "answer": "2"}\n')
        arguments = [
            "run", "--model", "openai/test-model", "--api-base", server.base, "--dataset", str(rows),
            "--evaluator", "match", "--db", f"{folder}/modex.db", "--exp-id", "bench",
        ]  # fmt: skip
        screen = Screen(f"from modex.tui.cli import main; main({arguments!r})")
        try:
            seconds = screen.wait_for(b"bench")
            screen.press("q")
            screen.read(1.0)
        finally:
            screen.close()
    return seconds


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
