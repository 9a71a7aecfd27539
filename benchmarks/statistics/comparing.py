"""How often comparisons say that equal models differ, and how often they find a difference that is there."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks.statistics.simulation import Promise, repeated
from modex.core.comparison.difference import PairedScores
from modex.core.comparison.pairs import Match, RunSide
from modex.core.statistics.distributions import ALPHA
from modex.core.statistics.gating import rule
from modex.core.statistics.racing import LOOKS, look_at

LARGEST = 0.055
"""The type I error that 5 % may come to."""


def side(draw: random.Random, rate: float, luck: float, epochs: int = 1) -> RunSide:
    """One test in one run: with `luck` below its rate it passes; further epochs are drawn anew."""
    scores = tuple(float((luck if epoch == 0 else draw.random()) < rate) for epoch in range(epochs))
    return RunSide(scores, tuple("passed" if score else "failed" for score in scores))


def paired_runs(
    draw: random.Random, sizes: Callable[[int], int], *, gain: float = 0.0, same_luck: float = 0.6, domains: int = 9
) -> PairedScores:
    """Two models over domains × 5 levels; `same_luck` is the chance that a test's luck is the same for both."""
    found = PairedScores()
    number = 0
    for domain in range(domains):
        for level in range(1, 6):
            rate = min(0.97, max(0.03, 1.0 - 0.13 * level + 0.05 * (domain % 5 - 2)))
            for _ in range(sizes(level)):
                luck = draw.random()
                other = luck if draw.random() < same_luck else draw.random()
                number += 1
                key = ("suite", f"d{domain}", level, str(number))
                match = Match(key, side(draw, rate, luck), side(draw, min(1.0, rate + gain), other), number)
                found.add(match)
    return found


def document(
    draw: random.Random,
    name: str,
    tests: int,
    *,
    levels: int,
    correlation: float = 0.7,
    rate: float = 0.7,
    worse: float = 0.0,
    epochs: int = 1,
) -> Iterator[Match]:
    """Several questions on a document for two models; what one makes of the document holds for its questions.

    The second passes `worse` less of them.
    """
    rates = (rate, rate - worse)
    common = [draw.random() < its for its in rates]
    for question in range(tests):
        sides = []
        for whole, its in zip(common, rates, strict=True):
            scores = tuple(
                float(whole if draw.random() < correlation**0.5 else draw.random() < its) for _ in range(epochs)
            )
            sides.append(RunSide(scores, tuple("passed" if score else "failed" for score in scores)))
        key = ("suite", "d", 1 + question % levels, f"{name}-{question}")
        yield Match(key, sides[0], sides[1], 0, cluster=("suite", name))


def clusters(draw: random.Random, of: int = 50, tests: int = 10, *, levels: int = 2, **how: Any) -> PairedScores:
    """Two models on so many documents."""
    found = PairedScores()
    for number in range(of):
        for match in document(draw, str(number), tests, levels=levels, **how):
            found.add(match)
    return found


Make = Callable[[random.Random], PairedScores]


def alike(tests: int) -> Callable[[int], int]:
    """As many tests at every level."""
    return lambda _level: tests


def cases() -> dict[str, Make]:
    """Comparisons of equal models."""
    return {
        "9 × 5 cells of 4": partial(paired_runs, sizes=alike(4)),
        "9 × 5 cells of 1": partial(paired_runs, sizes=alike(1)),
        "9 × 5 cells of 4, independent answers": partial(paired_runs, sizes=alike(4), same_luck=0),
        "9 × 5 cells of 20 (level 1) to 4 (level 5)": partial(paired_runs, sizes=lambda level: 24 - 4 * level),
        "one domain × 5 levels of 10": partial(paired_runs, sizes=alike(10), domains=1),
        "50 clusters × 10 tests over 2 levels, correlation .7": clusters,
        **clustered_cases(),
    }


def clustered_cases() -> dict[str, Make]:
    """Comparisons of equal models over few clusters."""
    return {
        "10 clusters × 10 tests, correlation .7": partial(clusters, of=10, levels=1),
        "5 clusters × 20 tests, correlation .7": partial(clusters, of=5, tests=20, levels=1),
        "20 clusters × 5 tests × 3 epochs over 5 levels, correlation .7": partial(
            clusters, of=20, tests=5, levels=5, epochs=3
        ),
        "20 clusters × 5 tests over 5 levels, correlation .7, p .95": partial(
            clusters, of=20, tests=5, levels=5, rate=0.95
        ),
    }


def claims(draw: random.Random, make: Make) -> bool:
    """Whether `compare` would say that one is better."""
    found = make(draw).settled().difference()
    return found is not None and found.decision is not None


def passes_claim(draw: random.Random, make: Make) -> bool:
    """Whether the p-value of passes and failures is below 5 %."""
    found = make(draw).settled().difference()
    return found is not None and found.mcnemar_p < ALPHA


def few_decide(draw: random.Random) -> bool:
    """Whether three tests decide anything."""
    found = PairedScores()
    for number in range(3):
        verdict = side(draw, 0.05, draw.random()), side(draw, 0.95, draw.random())
        found.add(Match(("s", "d", 1, str(number)), *verdict, number))
    settled = found.settled()
    paired, difference = settled.paired(), settled.difference()
    assert paired is not None
    assert difference is not None
    return (
        difference.decision is not None
        or rule(*paired, 0.03).answer != "undecided"
        or look_at(*paired, LOOKS).decision in ("better", "worse")
    )


def errors(times: int) -> list[Promise]:
    """The type I error of the headline's difference, and of the test of passes and failures beside it, by case."""
    found = [
        Promise(f"compare: {name}", repeated(name, times, partial(claims, make=make)), high=LARGEST)
        for name, make in cases().items()
    ]
    for name, make in clustered_cases().items():
        share = repeated(f"passes {name}", times, partial(passes_claim, make=make))
        found.append(Promise(f"passes and failures (McNemar by clusters): {name}", share, high=LARGEST))
    found.append(Promise("three tests, .05 against .95: decided", repeated("three", times, few_decide), high=0.0))
    return found
