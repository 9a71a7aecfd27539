"""The rules of intervals and differences once more, from the tests themselves: unit by unit, without the sums of `Moments`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from modex.core.statistics.distributions import Z, t_p, t_quantile
from modex.core.statistics.moments import Cell, Gathered

Test = tuple[Cell, float, float, str | None]
"""(cell, score, weight, cluster)"""


def gathered(tests: Sequence[Test]) -> Gathered:
    """The same tests as the product adds them up."""
    found = Gathered()
    for cell, score, weight, cluster in tests:
        found.add(cell, score, weight, cluster)
    return found


@dataclass
class Unit:
    """A test, or a cluster."""

    parts: dict[Cell, tuple[float, float]]
    """Its weight in the Weighted Score and its mean, by cell."""

    @property
    def weight(self) -> float:
        return sum(weight for weight, _ in self.parts.values())


@dataclass
class Run:
    """What was drawn, and the cells with their rates and effective numbers of units."""

    units: list[Unit]
    rates: dict[Cell, float]
    sizes: dict[Cell, float]
    shares: dict[Cell, float]

    @property
    def effective(self) -> float:
        return 1 / sum(unit.weight**2 for unit in self.units)

    @property
    def score(self) -> float:
        return sum(self.shares[cell] * rate for cell, rate in self.rates.items())

    def squares(self, cell: Cell) -> float:
        """Σ weight² of all that stands in a cell."""
        return sum(unit.parts[cell][0] ** 2 for unit in self.units if cell in unit.parts)


def run_of(tests: Sequence[Test]) -> Run:
    """The units of tests that weigh something."""
    tests = [test for test in tests if test[2] > 0]
    levels = {cell: cell[1] for cell, *_ in tests}
    shares = {cell: level / sum(levels.values()) for cell, level in levels.items()}
    totals = {cell: sum(test[2] for test in tests if test[0] == cell) for cell in levels}
    members: dict[object, list[Test]] = {}
    for number, test in enumerate(tests):
        members.setdefault(number if test[3] is None else test[3], []).append(test)
    units = []
    for of in members.values():
        unit = Unit({})
        for cell in {test[0] for test in of}:
            weight = sum(test[2] for test in of if test[0] == cell)
            mean = sum(test[2] * test[1] for test in of if test[0] == cell) / weight
            unit.parts[cell] = shares[cell] * weight / totals[cell], mean
        units.append(unit)
    found = Run(units, {}, {}, shares)
    for cell in levels:
        found.rates[cell] = sum(test[2] * test[1] for test in tests if test[0] == cell) / totals[cell]
        found.sizes[cell] = shares[cell] ** 2 / found.squares(cell)
    return found


def dispersion_of(run: Run, prior: float) -> tuple[float, float]:
    """How much units vary against verdicts of the same rates, and the part of it that they show themselves."""
    square = run.effective**2
    single = {cell for cell, size in run.sizes.items() if size <= 1.0001}
    parts = {cell: run.squares(cell) for cell in single}
    several = bool(parts) and sum(parts.values()) ** 2 / sum(part * part for part in parts.values()) > 1.0001
    middle = sum(part * run.rates[cell] for cell, part in parts.items()) / sum(parts.values()) if parts else 0.0
    expected = {cell: middle if cell in single else rate for cell, rate in run.rates.items()}
    told = [cell for cell in run.rates if several or cell not in single]
    found = verdicts = 0.0
    corrections, weights = [], []
    spanning = [unit for unit in run.units if len(unit.parts) > 1]
    for unit in run.units:
        held = [(weight, mean, expected[cell]) for cell, (weight, mean) in unit.parts.items() if cell in told]
        found += square * sum(weight * (mean - rate) for weight, mean, rate in held) ** 2
        verdicts += square * sum(weight * math.sqrt(rate * (1 - rate)) for weight, _, rate in held) ** 2
        if unit not in spanning and held:
            (cell,) = unit.parts
            together = sum(part * part for part in parts.values()) / sum(parts.values()) ** 2 if cell in single else 0.0
            weights.append(square * unit.weight**2)
            corrections.append(weights[-1] * (together if cell in single else 1 / run.sizes[cell]))
    over = [sum(weight for cell, (weight, _) in unit.parts.items() if cell in told) ** 2 for unit in spanning]
    if sum(over) > 0:
        weights.append(square * sum(over))
        corrections.append(square * sum(one * one for one in over) / sum(over))
    correction = sum(corrections) / sum(weights) if sum(weights) else 1.0

    def corrected(extra: float) -> float:
        if verdicts + extra <= 0 or found + extra <= 0:
            return 0.0
        ratio = min(1.0, (found + extra) / (verdicts + extra))
        return ratio / (1 - correction + correction * ratio)

    return corrected(prior), corrected(0.0) / corrected(prior)


def estimated(run: Run, prior: float = 0.125) -> tuple[float, ...]:
    """Score, variance, size, dispersion, df, measured, seen and the number of units, as in `Estimate`."""
    dispersion, seen = dispersion_of(run, prior)
    middle = (run.effective * run.score + 1) / (run.effective + 2)
    near, drawn, deviates = {}, {}, {}
    for cell, size in run.sizes.items():
        drawn[cell] = size / (size + 1)
        near[cell] = drawn[cell] * run.rates[cell] + (1 - drawn[cell]) * middle
        verdict = near[cell] * (1 - near[cell])
        deviates[cell] = math.sqrt(dispersion * verdict * size / (size - dispersion * drawn[cell] ** 2))
    variance = doubt = spanning = squares = 0.0
    alone = dict.fromkeys(run.sizes, 0.0)
    for unit in run.units:
        its = sum(weight * deviates[cell] for cell, (weight, _) in unit.parts.items()) ** 2
        variance += its
        doubt += sum(weight * deviates[cell] * drawn[cell] for cell, (weight, _) in unit.parts.items()) ** 2
        if len(unit.parts) > 1:
            spanning += its
            squares += its * its
        else:
            (cell,) = unit.parts
            alone[cell] += its
    for cell, its in alone.items():
        part = sum(unit.weight**2 for unit in run.units if list(unit.parts) == [cell]) / run.squares(cell)
        squares += its * its / max(1.0, run.sizes[cell] * part)
    measured = 1 - dispersion**2
    measured += (1 - measured) * spanning / variance
    smoothed = sum(run.shares[cell] * rate for cell, rate in near.items())
    worth = (smoothed * (1 - smoothed) + doubt) / variance
    df = max(1.5, variance * variance / squares)
    return run.score, variance, worth, dispersion, df, measured, seen, len(run.units)


def solved(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0, by halving."""
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return (low + high) / 2


def unseen_of(run: Run, log_chance: float = Z * Z) -> float:
    """The largest Σ weight·p over units lost with chance p of which none is seen with a chance of e^−`log_chance`.

    By Lagrange's rule 1 − p is the same limit over the unit's weight for all that are lost at all.
    """
    groups = [(unit.weight, 1.0) for unit in run.units if len(unit.parts) > 1]
    for cell in run.sizes:
        alone = [unit.weight for unit in run.units if list(unit.parts) == [cell]]
        if alone:
            squares = sum(weight * weight for weight in alone)
            count = max(1.0, min(len(alone), squares * run.sizes[cell] / run.squares(cell)))
            groups.append((math.sqrt(squares / count), count))
    limit = math.exp(
        solved(
            lambda log: -log_chance - sum(count * min(0.0, log - math.log(weight)) for weight, count in groups),
            -2000.0,
            0.0,
        )
    )
    return min(1.0, sum(count * max(0.0, weight - limit) for weight, count in groups))


def score_variance(true: float, found: float, discordant: float) -> float:
    """Of one pair whose true difference is `true`, at the likeliest share of losses: found by trying."""
    gained, lost, same = (discordant + found) / 2, (discordant - found) / 2, 1 - discordant

    def over(part: float, likely: float) -> float:
        return part / max(likely, 1e-300) if part else 0.0

    def slope(share: float) -> float:
        return over(gained, share + true) + over(lost, share) - 2 * over(same, 1 - 2 * share - true)

    low, high = max(0.0, -true), (1 - true) / 2
    share = solved(slope, low, high)
    return max(0.0, 2 * share + true - true * true)


def lower_bound(found: float, discordant: float, size: float, deviate: float) -> float:
    """The least true difference from which the one found is not farther than `deviate` standard errors."""
    return solved(
        lambda true: (found - true) - deviate * math.sqrt(score_variance(true, found, discordant) / size), -1.0, found
    )


def difference_of(tests: Sequence[Test]) -> dict[str, float]:
    """What `paired_difference` says of differences between −1 and 1."""
    run = run_of([(cell, (value + 1) / 2, weight, cluster) for cell, value, weight, cluster in tests])
    score, variance, _, _, df, _, seen, units = estimated(run, 0.25)
    pulls = [(unit.weight, sum(w * (2 * mean - 1) for w, mean in unit.parts.values())) for unit in run.units]
    square = run.effective**2
    jump = min(
        1.0,
        (square * sum(pull * pull for _, pull in pulls) + 1) / (square * sum(w * abs(p) for w, p in pulls) + 1),
    )
    worst = unseen_of(run)
    size = Z * Z * (1 - worst) / worst if worst < 1 else 1e-9
    difference, error, df = 2 * score - 1, 2 * math.sqrt(variance), round(df, 3)
    own = 4 * variance * seen
    found = difference / jump
    discordant = max(abs(found), size * own / jump**2 + found * found)
    half = t_quantile(df) * error
    low, high = difference - half, difference + half
    p_value = t_p(difference / error, df)
    if discordant <= 1:
        low = min(low, jump * lower_bound(found, discordant, size, t_quantile(df)))
        high = max(high, -jump * lower_bound(-found, discordant, size, t_quantile(df)))
        if found:
            p_value = max(p_value, t_p(abs(found) * math.sqrt(size / discordant), df))
    return {
        "difference": difference, "error": error, "df": df, "units": units, "variance": own, "size": size, "jump": jump,
        "low": max(-1.0, low), "high": min(1.0, high), "p": p_value,
    }  # fmt: skip


def drawn(seed: str, values: Sequence[float]) -> list[Test]:
    """Some tests of few cells: alone, in clusters within a cell and over several, of unequal weight, some of none."""
    draw = Random(seed)
    cells: list[Cell] = [(domain, level) for domain in "ab" for level in (1, 2, 5)]
    cells = draw.sample(cells, draw.randint(1, 5))
    weights = draw.choice([[1.0], [1.0, 2.0, 0.5], [1.0, 0.0, 3.0]])
    names: list[list[str | None]] = [[None], [None, None, "x", "y"], ["x", "y", "z", "u", "v"]]
    clusters = draw.choice(names)
    count = draw.randint(len(cells) + 2, 14)
    return [
        (draw.choice(cells), draw.choice(values), draw.choice(weights), draw.choice(clusters)) for _ in range(count)
    ]
