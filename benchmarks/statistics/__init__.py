"""Whether the numbers that people decide by keep their promises: simulated through the product's own functions."""

from __future__ import annotations

from benchmarks.statistics import comparing, deciding, intervals, judges, planning, suite_faults
from benchmarks.statistics.simulation import SEED, Promise
from benchmarks.tables import Table

TIMES, QUICK_TIMES = 4000, 1000
DECISIONS = 1000
"""Draws of a decision: a race is twenty looks at up to 1,300 tests; the race of four equals has a fifth of that."""


PLANS = "Budgets: how often the promised half width holds the truth"

FAULTS = "Faults of a suite: whether planted ones are found"


class MissedError(Exception):
    """A promise was not kept; the tables say which."""


def promises(times: int) -> dict[str, list[Promise]]:
    """Every promise by the table it stands in."""
    return {
        "95 % intervals: how often they hold the truth": intervals.coverage(times),
        "Equal models: how often a difference is claimed": comparing.errors(times),
        "Decisions: how often they are wrong": [
            *deciding.gates(DECISIONS),
            *deciding.margins(times),
            *deciding.k_of_n(DECISIONS),
            *deciding.ablations(DECISIONS),
            *deciding.races(DECISIONS),
        ],
        PLANS: planning.plans(DECISIONS),
        "Judges: whether their certificates and the corrected rates are right": judges.judges(times),
        FAULTS: suite_faults.suite_faults(),
    }


def measure(*, quick: bool = False) -> list[Table]:
    """The tables; `kept` says whether all promises were."""
    times = QUICK_TIMES if quick else TIMES
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
    if title == FAULTS:
        return f"{suite_faults.DRAWS} draws of a suite a row, seed {SEED}."
    if title == PLANS:
        return f"{DECISIONS:,} draws a row, seed {SEED}."
    if title.startswith("Decisions"):
        return f"{DECISIONS:,} draws a row (the race of four equals: {max(300, DECISIONS // 5):,}), seed {SEED}."
    if title.startswith("Judges"):
        return f"{min(times, 2000):,} draws a row (planted judges: {judges.SEEDS:,}), seed {SEED}."
    return f"{times:,} draws a row, seed {SEED}."


_missed: list[str] = []


def missed() -> list[str]:
    """The promises that the last `measure` found broken."""
    return list(_missed)
