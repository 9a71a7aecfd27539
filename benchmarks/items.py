"""The bundled suite as an instrument: does each test tell abler models from less able ones, and how well are two told apart?

python -m benchmarks items        written into docs/suite.md; ends with 1 where a cell does not discriminate
python -m benchmarks.items [--quick]

Two kinds of models take it. The demo model's profiles run through the whole product. Simulated models of graded ability
answer each test with one of its kept answers, a right one the more often the abler they are, and the product's own
evaluators judge it: where a grader passes what is wrong, the correlation falls.
"""

from __future__ import annotations

import json
import math
import os
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import mean

from benchmarks.measure import run
from benchmarks.server import ROOT
from benchmarks.statistics.comparing import side
from benchmarks.statistics.simulation import SEED, repeated
from benchmarks.tables import Table
from benchmarks.trees import python_path
from modex.core.comparison.difference import PairedScores
from modex.core.comparison.pairs import Match
from modex.core.statistics.items import Items
from modex.core.statistics.items import item_rest as correlations
from modex.core.store.sample import PASS_SCORE
from tests.suite.kept_answers import cases, judged, kept_answers

PROFILES = ("weak", "default", "strong", "perfect")
"""The demo model's, from the least able to the ablest."""
MODELS = 60
_ABLEST = 4.0
_STEEPNESS = 1.3
Scores = dict[str, dict[str, float]]
"""By model, then by test: 1 where it passed."""
_missed: list[str] = []


def measure(*, quick: bool = False) -> list[Table]:
    """The tables; `missed` says afterwards what does not hold."""
    profiles, simulated = demo_runs(), graded(20 if quick else MODELS)
    return [
        _profiles(profiles),
        _cells(profiles, simulated),
        power(200 if quick else 1000),
    ]


def missed() -> list[str]:
    """What the last `measure` found wrong with cells and tests."""
    return list(_missed)


def demo_runs() -> Scores:
    """What each profile of the demo model passes, in runs of the product."""
    with tempfile.TemporaryDirectory() as folder:
        return {profile: _demo_run(Path(folder), profile) for profile in PROFILES}


def _demo_run(folder: Path, profile: str) -> dict[str, float]:
    database = folder / f"{profile}.db"
    cost = run(
        [
            sys.executable, "-m", "modex.tui.cli", "run", "--model", f"demo/{profile}", "--judge-model", "demo/judge",
            "--suite", str(ROOT), "--headless", "--exp-id", profile, "--db", str(database), "--concurrency", "8",
        ],
        env={"PYTHONPATH": python_path(), "MODEX_CONFIG": os.devnull, "MODEX_DEMO_LATENCY": "0"},
        timeout_s=600,
    )  # fmt: skip
    from modex.core.store.reader import Reader

    reader = Reader(database)
    try:
        samples = list(reader.samples(reader.run(profile).id))
    finally:
        reader.close()
    errors = [sample.test_id for sample in samples if sample.status == "error" and sample.source == "suite"]
    if errors or not samples:
        raise SystemExit(f"demo/{profile}: errors in {', '.join(errors) or 'the run'}: {cost.output[-1500:]}")
    return {sample.test_id: float(sample.status == "passed") for sample in samples if sample.source == "suite"}


def graded(models: int) -> Scores:
    """Simulated models, the least able first: a kept answer for each test, judged by the product."""
    verdicts: dict[str, dict[str, list[float]]] = defaultdict(lambda: {"pass": [], "fail": []})
    for kept in (one for answers in kept_answers().values() for one in answers):
        verdicts[kept.test][kept.verdict].append(float(judged(kept).score >= PASS_SCORE))
    draw = random.Random(f"{SEED} items")
    difficulty = {name: test.level - 3 + draw.gauss(0, 0.5) for name, test in cases().items()}
    found: Scores = {}
    for number in range(models):
        ability = _ABLEST * (2 * number / (models - 1) - 1)
        found[f"model {number + 1}"] = {
            name: draw.choice(verdicts[name]["pass" if draw.random() < _chance(ability - hard) else "fail"])
            for name, hard in difficulty.items()
            if verdicts[name]["pass"] and verdicts[name]["fail"]
        }
    return found


def _chance(ahead: float) -> float:
    return 1 / (1 + math.exp(-_STEEPNESS * ahead))


def item_rest(scores: Scores) -> dict[str, float | None]:
    """By test, the correlation over models of its score with the mean of all other tests; None where all score alike."""
    tests = Items({test: {model: own[test] for model, own in scores.items()} for test in next(iter(scores.values()))})
    return {test: None if one is None else one.r for test, one in correlations(tests).items()}


def _profiles(profiles: Scores) -> Table:
    _missed[:] = [f"demo/perfect does not pass {name}" for name, score in profiles["perfect"].items() if not score]
    rows = []
    for level in range(1, 6):
        here = [name for name in profiles["perfect"] if cases()[name].level == level]
        shares = [mean(profiles[profile][name] for name in here) for profile in PROFILES]
        if any(less >= more for less, more in pairwise(shares)):
            _missed.append(f"the profiles do not separate at level {level}")
        rows.append([str(level), str(len(here)), *(f"{share:.0%}" for share in shares)])
    header = ["level", "tests", *(f"`demo/{profile}`" if profile != "default" else "`demo`" for profile in PROFILES)]
    return Table("The demo model's profiles: share of tests passed", header, rows)


def _cells(profiles: Scores, simulated: Scores) -> Table:
    """Domains × levels: how many tests, and the mean item–rest correlation of the simulated models."""
    tests = set(profiles["perfect"])
    everybody = {name: {test: s for test, s in scores.items() if test in tests} for name, scores in simulated.items()}
    correlations = item_rest(everybody)
    by_cell: dict[tuple[str, int], list[float | None]] = defaultdict(list)
    for name, value in correlations.items():
        by_cell[cases()[name].domain, cases()[name].level].append(value)
    flat = [name for name, value in correlations.items() if value is None]
    _missed.extend(f"{name} is passed by all or by none" for name in flat)
    _missed.extend(f"{name} has no kept answers" for name in tests - set(correlations))
    rows = []
    for domain in sorted({domain for domain, _ in by_cell}):
        row = [domain]
        for level in range(1, 6):
            values = [value or 0.0 for value in by_cell[domain, level]]
            if mean(values) <= 0:
                _missed.append(f"{domain}, level {level}, does not discriminate")
            row.append(f"{len(values)}: {mean(values):.2f} ({min(values):.2f})")
        rows.append(row)
    least = min((value, name) for name, value in correlations.items() if value is not None)
    all_passed = sum(all(scores[name] for scores in profiles.values()) for name in tests)
    note = (
        f"Tests in the cell, the mean correlation of a test with the rest of the suite over {len(simulated)} simulated "
        f"models, and the smallest in brackets; of all, `{least[1]}` has the smallest, {least[0]:.2f}. Passed by every "
        f"simulated model or by none: {len(flat)}. Of the {len(tests)} tests {all_passed} are passed by all four profiles "
        f"of the demo model, and none is passed by none of them."
    )
    return Table("Item–rest correlations", ["domain", *(f"level {level}" for level in range(1, 6))], rows, note)


def sizes() -> Mapping[tuple[str, int], int]:
    """How many tests each cell of the suite has, those that a run takes only by name left out."""
    return Counter((test.domain, test.level) for test in cases().values() if test.disabled_by is None)


def models_apart(
    draw: random.Random, cells: Mapping[tuple[str, int], int], *, points: float, same_luck: float, epochs: int
) -> PairedScores:
    """Two models whose true Weighted Scores lie `points` (of 100) apart, over the suite's own cells.

    `same_luck` is the chance that a test's luck is the same for both: how alike the two err.
    """
    rates = {
        cell: min(0.97, max(0.03, 1.0 - 0.13 * cell[1] + 0.04 * (number % 5 - 2))) for number, cell in enumerate(cells)
    }
    gain = _gain(rates, points / 100)
    found = PairedScores()
    number = 0
    for (domain, level), size in cells.items():
        rate = rates[domain, level]
        for _ in range(size):
            luck = draw.random()
            other = luck if draw.random() < same_luck else draw.random()
            number += 1
            first, second = side(draw, rate, luck, epochs), side(draw, min(1.0, rate + gain), other, epochs)
            found.add(Match(("suite", domain, level, str(number)), first, second, number))
    return found


def _gain(rates: Mapping[tuple[str, int], float], points: float) -> float:
    """What every cell's rate gains so that the Weighted Score does, where no rate goes above 1."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        got = sum(cell[1] * (min(1.0, rate + middle) - rate) for cell, rate in rates.items()) / sum(c[1] for c in rates)
        low, high = (middle, high) if got < points else (low, middle)
    return high


def power(times: int) -> Table:
    """How often `compare` says rightly which of two models is better, by how far they are apart."""
    cells = sizes()
    kinds: Sequence[tuple[str, float, int]] = (
        ("models that err alike (luck shared in 6 of 10 tests)", 0.6, 1),
        ("models that err apart (luck shared in 2 of 10 tests)", 0.2, 1),
        ("models that err apart, 3 epochs", 0.2, 3),
    )
    apart = (0.0, 3.0, 5.0, 8.0, 10.0)
    rows = []
    for name, same_luck, epochs in kinds:
        shares = []
        for points in apart:
            make = partial(models_apart, cells=cells, points=points, same_luck=same_luck, epochs=epochs)
            shares.append(repeated(f"power {name} {points}", times, partial(_told_apart, make=make, points=points)))
        rows.append([name, *(f"{share:.2f}" for share in shares)])
    header = [f"{sum(cells.values())} tests", *(f"{points:.0f} points apart" for points in apart)]
    note = (
        f"The share of {times:,} drawn pairs of runs, seed {SEED}, of which `modex compare` says that the better one is "
        "better (at 0 points: that any is). A cell's rates lie around .87 at level 1 and .35 at level 5."
    )
    return Table("Two models: how often they are told apart", header, rows, note)


def _told_apart(draw: random.Random, make: Callable[[random.Random], PairedScores], points: float) -> bool:
    found = make(draw).settled().difference()
    if found is None or found.decision is None:
        return False
    return points == 0 or found.difference > 0


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
    print(json.dumps(missed(), indent=1))
