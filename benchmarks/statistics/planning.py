"""What a planned sample promises: how often score ± promised half width holds the truth, beside a plain random sample."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.statistics.intervals import level_mean
from benchmarks.statistics.simulation import SEED, Cells, Promise, cell_of, harder, verdict
from modex.core.statistics.allocation import Planned, allocated, expected, expected_interval
from modex.core.statistics.intervals import score_interval
from modex.core.statistics.moments import Cell, Moments
from modex.core.statistics.weighted import weighted_score

COLUMNS = ("promised", "a plain sample's", "95 % of errors", "a plain sample's")
"""Half widths and errors in points, on average over the draws."""
Score = Callable[[random.Random, float], float]
"""A test's score where the true rate is given."""


def fraction(draw: random.Random, rate: float) -> float:
    """A score between 0 and 1 with this mean."""
    return draw.betavariate(4 * rate, 4 * (1 - rate))


@dataclass(frozen=True, slots=True)
class Case:
    """A suite by (level, tests, price of a test), and the share of its whole price that may be spent."""

    name: str
    cells: Sequence[tuple[int, int, float]]
    share: float
    score: Score = verdict
    stored: bool = True
    """Whether another model's run of all tests is stored."""
    low: float = 0.93
    high: float = 0.97


@dataclass(frozen=True, slots=True)
class Drawn:
    """One planned run, and a plain random sample for the same money."""

    held: bool
    half: float
    """As promised."""
    error: float
    plain_half: float
    plain_error: float


def planned_run(draw: random.Random, case: Case) -> Drawn:
    """Plan on another model's answers, ask, and look; the same with tests drawn from all alike."""
    tests = {(str(number), level): (count, price) for number, (level, count, price) in enumerate(case.cells)}
    rates = {cell: harder(draw, cell[1]) for cell in tests}
    true = level_mean([(level, rate) for (_, level), rate in rates.items()])
    budget = case.share * math.fsum(count * price for count, price in tests.values())
    earlier: Cells = {}
    if case.stored:
        for cell, (count, _) in tests.items():
            other = min(0.98, max(0.02, rates[cell] - 0.05 + draw.gauss(0, 0.05)))
            earlier[cell] = cell_of(cell[1], [case.score(draw, other) for _ in range(count)])
    what = expected(earlier, tests)
    counts = allocated({cell: [(price / budget,)] * count for cell, (count, price) in tests.items()}, what)
    promised = expected_interval([Planned(cell) for cell, n in counts.items() for _ in range(n)], what, SEED)
    assert promised is not None
    asked = {cell: cell_of(cell[1], [case.score(draw, rates[cell]) for _ in range(n)]) for cell, n in counts.items()}
    error = _score(asked) - true
    plain = _plain(draw, case, {cell: (count, price, rates[cell]) for cell, (count, price) in tests.items()}, budget)
    interval = score_interval(plain)
    assert interval is not None
    half = (interval[1] - interval[0]) / 2
    return Drawn(abs(error) <= promised[1], promised[1], error, half, _score(plain) - true)


def _plain(
    draw: random.Random, case: Case, tests: dict[Cell, tuple[int, float, float]], budget: float
) -> dict[Cell, Moments]:
    """Tests of all cells alike, in random order, as long as the budget lasts."""
    order = [cell for cell, (count, _, _) in tests.items() for _ in range(count)]
    draw.shuffle(order)
    cells: dict[Cell, Moments] = {}
    spent = 0.0
    for cell in order:
        _, price, rate = tests[cell]
        if spent + price > budget * (1 + 1e-9):
            break
        spent += price
        cells.setdefault(cell, Moments(cell[1])).add(case.score(draw, rate))
    return cells


def _score(cells: dict[Cell, Moments]) -> float:
    found = weighted_score({cell: moments.score for cell, moments in cells.items()})
    assert found is not None
    return found


def cases() -> list[Case]:
    """Suites of several forms."""
    bundled = [(number % 5 + 1, 4 + number * 7 % 5, 1.0) for number in range(50)]
    uneven = [(number % 5 + 1, (4, 8, 16, 60)[number % 4], 1.0) for number in range(20)]
    dear = [(level, 80, float(level * level)) for level in range(1, 6)]
    return [
        Case("50 cells of 4–8 tests, half of the calls", bundled, 0.5),
        Case("20 cells of 4–60 tests, a quarter of the calls", uneven, 0.25),
        Case("5 levels × 80 tests, level 5 at 25 times the price of level 1, a quarter of the money", dear, 0.25),
        Case("20 cells of 4–60 tests, fractions, a quarter of the calls", uneven, 0.25, fraction),
        Case("20 cells of 4–60 tests, a quarter of the calls, nothing stored", uneven, 0.25, stored=False, high=1.0),
    ]


def plans(times: int) -> list[Promise]:
    """How often score ± promised half width holds the truth; beside it both half widths and both 95 % errors, in points."""
    found = []
    for case in cases():
        draw = random.Random(f"{SEED} {case.name}")
        runs = [planned_run(draw, case) for _ in range(times)]
        held = sum(one.held for one in runs) / times
        widths = [math.fsum(widths) / times for widths in ([r.half for r in runs], [r.plain_half for r in runs])]
        errors = [
            _within(sorted(abs(e) for e in errors))
            for errors in ([r.error for r in runs], [r.plain_error for r in runs])
        ]
        more = tuple(f"±{100 * value:.1f}" for value in (*widths, *errors))
        found.append(Promise(case.name, held, case.low, case.high, more))
    return found


def _within(errors: Sequence[float]) -> float:
    """What 95 % of the errors stay within."""
    return errors[math.ceil(0.95 * len(errors)) - 1]
