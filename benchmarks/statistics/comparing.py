"""How often comparisons say that equal models differ, and how often they find a difference that is there."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from benchmarks.statistics.simulation import Promise, repeated
from core.reports.difference import PairedScores
from core.reports.pairs import Match, Side

LARGEST = 0.055
"""The type I error that 5 % may come to."""


def side(draw: random.Random, rate: float, luck: float, epochs: int = 1) -> Side:
    """One test in one run: with `luck` below its rate it passes; further epochs are drawn anew."""
    scores = tuple(float((luck if epoch == 0 else draw.random()) < rate) for epoch in range(epochs))
    return Side(scores, tuple("passed" if score else "failed" for score in scores))


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


def clusters(draw: random.Random, correlation: float = 0.7) -> PairedScores:
    """Two equal models on 50 documents of 10 questions each; what one makes of a document holds for its questions."""
    found = PairedScores()
    for document in range(50):
        common = [draw.random() < 0.7 for _ in range(2)]
        for question in range(10):
            sides = []
            for its in common:
                passed = its if draw.random() < correlation**0.5 else draw.random() < 0.7
                sides.append(Side((float(passed),), ("passed" if passed else "failed",)))
            key = ("suite", "d", 1 + question % 2, f"{document}-{question}")
            found.add(Match(key, sides[0], sides[1], 0, cluster=("suite", str(document))))
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
    }


def claims(draw: random.Random, make: Make) -> bool:
    """Whether `compare` would say that one is better."""
    found = make(draw).settled().difference()
    return found is not None and found.decision is not None


def errors(times: int) -> list[Promise]:
    """The type I error of the headline's difference, by case."""
    return [
        Promise(f"compare: {name}", repeated(name, times, partial(claims, make=make)), high=LARGEST)
        for name, make in cases().items()
    ]
