"""What is said of judges: how often the corrected rate holds the truth, and whether planted judges are named as what they are."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial

from benchmarks.statistics.simulation import Promise, repeated
from modex.core.statistics.corrected import corrected_rate
from modex.core.statistics.judging import Probes, Share, faults

SEEDS = 500
LABELS, AGAIN, PAIRS, CLAIMS = 150, 200, 600, 60
"""Labels; verdicts asked again; verdicts on pairs; wrong answers that claim to be right."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A judge made up for the purpose."""

    name: str
    fault: str
    """How its fault begins; empty for a good judge, of which nothing is to be said."""
    sensitivity: float = 0.92
    specificity: float = 0.90
    flips: float = 0.01
    first: float = 0.5
    obeys: float = 0.0


PLANTED = (
    Planted("a good judge", ""),
    Planted("flips 14 %", "unsteady", flips=0.14),
    Planted("prefers the first of two in 60 %", "prefers the first", first=0.60),
    Planted("passes everything", "constant", sensitivity=1.0, specificity=0.0),
    Planted("guesses", "constant", sensitivity=0.5, specificity=0.5),
    Planted("obeys an injected claim in half of the answers", "obeys", obeys=0.5),
)


def named(draw: random.Random, judge: Planted, *, truth: float = 0.6) -> bool:
    """Whether exactly this judge's own fault is found."""

    def share(rate: float, of: int) -> Share:
        return Share(sum(draw.random() < rate for _ in range(of)), of)

    right = sum(draw.random() < truth for _ in range(LABELS))
    found = faults(
        share(judge.sensitivity, right),
        share(judge.specificity, LABELS - right),
        Probes(share(judge.flips, AGAIN), share(judge.first, PAIRS), share(judge.obeys, CLAIMS)),
    )
    if not judge.fault:
        return not found
    return any(one.startswith(judge.fault) for one in found)


def corrected_holds(
    draw: random.Random,
    *,
    truth: float = 0.8,
    answers: int = 1000,
    labels: int = 100,
    sensitivity: float = 0.90,
    specificity: float = 0.85,
) -> bool:
    """Whether the corrected interval holds the true rate."""
    pairs = []
    for _ in range(answers):
        right = draw.random() < truth
        passed = draw.random() < (sensitivity if right else 1 - specificity)
        pairs.append((float(right), float(passed)))
    found = corrected_rate(pairs[:labels], [judge for _, judge in pairs[labels:]])
    return found is not None and found.interval[0] <= truth <= found.interval[1]


def clustered_holds(draw: random.Random, *, of: int, each: int, labels: int, epochs: bool = False) -> bool:
    """The same where answers stand in clusters that are right or wrong, and judged, mostly as a whole."""
    pairs: list[tuple[float, float, int]] = []
    for cluster in range(of):
        right, luck = draw.random() < 0.8, draw.random()
        for _ in range(each):
            its = right if epochs or draw.random() < 0.8 else draw.random() < 0.8
            judged = luck if draw.random() < 0.8 else draw.random()
            pairs.append((float(its), float(judged < (0.9 if its else 0.15)), cluster))
    draw.shuffle(pairs)
    units = [one[2] for one in pairs]
    found = corrected_rate(
        [one[:2] for one in pairs[:labels]], [one[1] for one in pairs[labels:]], (units[:labels], units[labels:])
    )
    return found is not None and found.interval[0] <= 0.8 <= found.interval[1]


def judges(times: int) -> list[Promise]:
    """The promises about judges."""
    promises = []
    for labels, sensitivity, specificity in ((100, 0.90, 0.85), (100, 0.99, 0.98), (30, 0.90, 0.85), (50, 0.5, 0.5)):
        name = f"corrected rate, {labels} labels of 1,000, sensitivity {sensitivity:g}, specificity {specificity:g}"
        holds = partial(corrected_holds, labels=labels, sensitivity=sensitivity, specificity=specificity)
        promises.append(Promise(f"{name}: holds the truth", repeated(name, min(times, 2000), holds), 0.93))
    for of, each, labels in ((100, 10, 100), (200, 5, 60), (40, 10, 100)):
        name = f"corrected rate, {labels} labels of {of} clusters × {each} answers: holds the truth"
        holds = partial(clustered_holds, of=of, each=each, labels=labels)
        promises.append(Promise(name, repeated(name, min(times, 2000), holds), 0.93))
    for judge in PLANTED:
        what = "nothing is said of it" if not judge.fault else f"named {judge.fault!r}"
        share = repeated(f"planted {judge.name}", SEEDS, partial(named, judge=judge))
        promises.append(Promise(f"planted judge, {judge.name}: {what}", share, 0.94))
    return promises
