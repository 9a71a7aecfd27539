"""Whether the numbers that people decide by keep their promises: simulated through the product's own functions."""

from __future__ import annotations

import os

from benchmarks.statistics import comparing, deciding, intervals, judges, planning, suite_faults
from benchmarks.statistics.simulation import SEED, Promise
from benchmarks.tables import Table

TIMES, QUICK_TIMES = 2000, 500
DECISIONS = 1000
"""Draws of a decision at most: a race is twenty looks at up to 1,300 tests; the race of four equals has a fifth of that."""
DRAWS = "MODEX_BENCHMARK_DRAWS"
PLANS = "Budgets: how often the promised half width holds the truth"
FAULTS = "Faults of a suite: whether planted ones are found"


def promises(times: int) -> dict[str, list[Promise]]:
    """Every promise by the table it stands in."""
    decisions = min(times, DECISIONS)
    return {
        "95 % intervals: how often they hold the truth": intervals.coverage(times),
        "Equal models: how often a difference is claimed": comparing.errors(times),
        "Decisions: how often they are wrong": [
            *deciding.gates(decisions),
            *deciding.margins(times),
            *deciding.k_of_n(decisions),
            *deciding.ablations(decisions),
            *deciding.races(decisions),
        ],
        PLANS: planning.plans(decisions),
        "Judges: whether their certificates and the corrected rates are right": judges.judges(times),
        FAULTS: suite_faults.suite_faults(),
    }


def measure(*, quick: bool = False) -> list[Table]:
    """The tables; `missed` says which promises were not kept. `DRAWS` in the environment sets the draws of a row."""
    times = int(os.environ.get(DRAWS) or (QUICK_TIMES if quick else TIMES))
    found = promises(times)
    _missed[:] = [promise.name for rows in found.values() for promise in rows if not promise.kept]
    return [
        Table(
            title,
            ["case", "simulated", "demanded", *(planning.COLUMNS if title == PLANS else ()), ""],
            [promise.row() for promise in rows],
            _drawn(title, times),
        )
        for title, rows in found.items()
    ]


def _drawn(title: str, times: int) -> str:
    decisions, of = min(times, DECISIONS), "of one cell counted out"
    if title == FAULTS:
        return f"{suite_faults.DRAWS} draws of a suite a row, seed {SEED}."
    if title == PLANS:
        return f"{decisions:,} draws a row, seed {SEED}."
    if title.startswith("Decisions"):
        return (
            f"{decisions:,} draws a row (at the margin {times:,}, with clusters {min(times, 1500):,}, {of}; races over"
            f" clusters {max(300, decisions // 4):,}, of four {max(300, decisions // 5):,}), seed {SEED}."
        )
    if title.startswith("Judges"):
        return f"{min(times, 2000):,} draws a row (planted judges: {judges.SEEDS:,}), seed {SEED}."
    return f"{times:,} draws a row, seed {SEED}."


_missed: list[str] = []


def missed() -> list[str]:
    """The promises that the last `measure` found broken."""
    return list(_missed)
