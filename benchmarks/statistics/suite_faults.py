"""Whether faults of a suite are found where they were planted, and named nowhere else: wrong golds among graded models."""

from __future__ import annotations

import math
import random
from collections import Counter

from benchmarks.statistics.simulation import SEED, Promise
from modex.core.features.suite_faults.gather import ExaminedTest, GatheredSuite, Went
from modex.core.features.suite_faults.verdicts import against_rest, correlations, gold_suspects

TESTS, WRONG, TOP = 1000, 30, 50
DRAWS = 20
_STEEPNESS = 1.3
_MISTAKES = (1, 1, 2, 3, 5, 7, 11)
"""How far a wrong answer lies off: the likeliest mistake is made by two in seven of those that err."""


def planted(draw: random.Random, models: int, *, wrong: int = WRONG) -> tuple[GatheredSuite, frozenset[str]]:
    """Models of drawn ability over tests of drawn difficulty, of which `wrong` hold another answer to be right; and which."""
    bad = frozenset(f"t{number}" for number in draw.sample(range(TESTS), wrong))
    abilities = {f"m{number}": draw.gauss(0.8, 1.0) for number in range(models)}
    items = []
    for number in range(TESTS):
        name, hard = f"t{number}", draw.gauss(0, 1.2)
        gold = "1" if name in bad else "0"
        item = ExaminedTest(("suite", "d", 1, name), number, "", gold, None)
        for model, able in abilities.items():
            knows = draw.random() < 1 / (1 + math.exp(-_STEEPNESS * (able - hard)))
            answer = "0" if knows else str(draw.choice(_MISTAKES))
            passed = answer == gold
            item.models[model] = Went([float(passed)], Counter() if passed else Counter({answer: 1}))
        items.append(item)
    return GatheredSuite(items, models, tuple(abilities), 0), bad


def share_found(draw: random.Random, models: int) -> float:
    """The share of the planted wrong golds that stands among the first `TOP` that are doubted."""
    gathered, bad = planted(draw, models)
    doubted = [one.tests[0][3] for one in gold_suspects(gathered, correlations(gathered))][:TOP]
    return len(bad & set(doubted)) / len(bad)


def share_accused(draw: random.Random, models: int) -> float:
    """The share of the sound tests of a suite without a fault that is said to go against the rest."""
    gathered, _ = planted(draw, models, wrong=0)
    return sum(1 for _ in against_rest(gathered.items, correlations(gathered))) / TESTS


def suite_faults(draws: int = DRAWS) -> list[Promise]:
    """The rows of the table."""
    rows = []
    for models, least in ((12, 0.61), (20, 0.82)):
        draw = random.Random(f"{SEED} golds {models}")
        found = sum(share_found(draw, models) for _ in range(draws)) / draws
        name = f"{WRONG} wrong golds among {TESTS:,} tests, {models} models: in the first {TOP} doubted"
        rows.append(Promise(name, found, least))
        accused = sum(share_accused(draw, models) for _ in range(draws)) / draws
        rows.append(Promise(f"no wrong gold, {models} models: tests said to go against the rest", accused, high=0.025))
    return rows
