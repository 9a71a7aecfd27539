"""This modex beside another tree of it, alternating on one server: whether a change is more than noise.

python -m benchmarks --against DIR [--quick]
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Spread, spread
from benchmarks.server import serving
from benchmarks.tables import Table
from benchmarks.throughput import Load, Result, once

_FIGURES: dict[str, Callable[[Result], float]] = {
    "span of the calls": lambda result: result.stats.span_s,
    "first request at": lambda result: result.stats.first - result.cost.started,
    "whole command": lambda result: result.cost.wall_s,
    "CPU": lambda result: result.cost.cpu_s,
}


def measure(other: Path, *, quick: bool) -> list[Table]:
    """Each load as often with one tree as with the other, in turns; figures are seconds, ratios those of neighbours."""
    loads = [Load(2000, 0.05, 64), Load(1280, 0.2, 64), Load(1000, 0.05, 64, "two_pass")]
    rows = []
    for load in loads:
        here: list[Result] = []
        there: list[Result] = []
        with serving(load.latency_s) as server:
            for turn in range(2 if quick else 5):
                for mine in (True, False) if turn % 2 else (False, True):
                    (here if mine else there).append(once(server, load, root=None if mine else other))
        for name, figure in _FIGURES.items():
            mine_s, other_s = [figure(one) for one in here], [figure(one) for one in there]
            ratios = spread([a / b for a, b in zip(mine_s, other_s, strict=True)])
            passes = ", two passes" if load.evaluator == "two_pass" else ""
            rows.append([f"{load}{passes}", name, _shown(other_s), _shown(mine_s), ratios.shown(2, " ×")])
    return [Table(f"Beside {other.name}, alternating", ["load", "what", other.name, "this tree", "ratio"], rows)]


def _shown(seconds: list[float]) -> str:
    found: Spread = spread(seconds)
    return found.shown(2, " s")
