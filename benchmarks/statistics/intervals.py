"""How often 95 % intervals hold the truth: every case that the project promises something for."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.statistics.simulation import Cells, Promise, Rate, cell_of, harder, repeated, verdict
from modex.core.pipeline.processers.base import SampleGroup, metrics_of
from modex.core.statistics.intervals import score_interval
from modex.core.statistics.moments import Gathered, Moments
from modex.core.statistics.paired import paired_difference

Drawn = tuple[Cells, float]
"""The cells of a simulated run, and its true score."""


def level_mean(rates: Sequence[tuple[int, float]]) -> float:
    """The Weighted Score of true rates by level."""
    return sum(level * rate for level, rate in rates) / sum(level for level, _ in rates)


def verdicts(draw: random.Random, plan: Sequence[tuple[int, int]], rate: Rate) -> Drawn:
    """Cells of verdicts by (level, tests), each with a true rate of its own."""
    cells: Cells = {}
    rates = []
    for number, (level, tests) in enumerate(plan):
        true = rate(draw, level)
        rates.append((level, true))
        cells[str(number), level] = cell_of(level, [verdict(draw, true) for _ in range(tests)])
    return cells, level_mean(rates)


def always_80(_draw: random.Random, _level: int) -> float:
    """The same rate everywhere."""
    return 0.8


def fractions(draw: random.Random, tests: int, score: Callable[[random.Random], float], mean: float) -> Drawn:
    """One cell of continuous scores."""
    return {("a", 1): cell_of(1, [score(draw) for _ in range(tests)])}, mean


def epochs(draw: random.Random, tests: int, of: int, a: float, b: float) -> list[tuple[int, float]]:
    """Each test's passes in `of` epochs, its own rate drawn from Beta(a, b)."""
    found = []
    for _ in range(tests):
        rate = draw.betavariate(a, b)
        found.append((sum(draw.random() < rate for _ in range(of)), rate))
    return found


@dataclass(frozen=True, slots=True)
class Case:
    """A kind of run whose score's interval is to hold the truth."""

    name: str
    make: Callable[..., Drawn]
    given: tuple[Any, ...]
    low: float = 0.93
    high: float = 1.0

    def holds(self, draw: random.Random) -> bool:
        """Whether it does in one drawn run."""
        cells, true = self.make(draw, *self.given)
        interval = score_interval(cells)
        return interval is not None and interval[0] <= true <= interval[1]


_SHAPES: list[tuple[str, Callable[[random.Random], float], float]] = [
    ("uniform", lambda draw: draw.random(), 0.5),
    ("Beta(8, 2)", lambda draw: draw.betavariate(8, 2), 0.8),
    ("Beta(5, 1)", lambda draw: draw.betavariate(5, 1), 5 / 6),
    ("Beta(½, ½)", lambda draw: draw.betavariate(0.5, 0.5), 0.5),
    ("60 % full marks, else uniform", lambda draw: 1.0 if draw.random() < 0.6 else draw.random(), 0.8),
]


def score_cases() -> Iterator[Case]:
    """Every case of the Weighted Score."""
    bundled = [(number % 5 + 1, 4 + number * 7 % 5) for number in range(50)]
    yield Case("50 cells of 4–8 tests", verdicts, (bundled, harder), high=0.97)
    single = [(number % 5 + 1, 1 if number < 27 else 2 + number * 5 % 7) for number in range(60)]
    yield Case("60 cells, 27 with a single test", verdicts, (single, harder), high=0.98)
    for tests in (1, 2, 3, 4, 8):
        yield Case(f"9 × 5 cells of {tests}", verdicts, ([(n % 5 + 1, tests) for n in range(45)], harder))
    for tests in (1, 2, 4, 8):
        yield Case(f"one domain × 5 levels of {tests}", verdicts, ([(n, tests) for n in range(1, 6)], harder))
    yield Case("level 1 with 20 tests, level 5 with 4, p = .8", verdicts, ([(1, 20), (5, 4)], always_80))
    for shape, score, mean in _SHAPES:
        for tests in (5, 10, 20, 50):
            name = f"continuous scores, {shape}, n = {tests}"
            yield Case(name, fractions, (tests, score, mean), low=0.90 if tests == 5 else 0.93)
    for tests in (10, 20):
        for a, b in ((0.5, 0.5), (2.0, 1.0), (4.0, 1.0)):
            yield Case(f"5 epochs, {tests} tests, rates Beta({a:g}, {b:g})", epoch_means, (tests, 5, a, b))
    for share in (0.3, 0.7):
        yield Case(f"30 clusters of 1–10 tests, intra-cluster correlation {share:g}", clustered, (share,))


@dataclass(frozen=True, slots=True)
class Spanning:
    """Clusters with a test (or two) at each of five levels, whose tests agree with their cluster's own verdict."""

    clusters: int
    tests: int
    correlation: float
    rate: float

    @property
    def name(self) -> str:
        """The row's name."""
        return (
            f"{self.clusters} clusters × {5 * self.tests} tests over 5 levels, correlation {self.correlation:g},"
            f" p {self.rate:g}"
        )

    def gathered(self, draw: random.Random) -> Gathered:
        """One drawn run."""
        found = Gathered()
        for cluster in range(self.clusters):
            common = verdict(draw, self.rate)
            for number in range(5 * self.tests):
                own = common if draw.random() < self.correlation**0.5 else verdict(draw, self.rate)
                found.add(("d", number % 5 + 1), own, 1.0, cluster)
        return found

    def holds(self, draw: random.Random) -> bool:
        """Whether the Weighted Score's interval holds the truth."""
        interval = score_interval(*self.gathered(draw).settled())
        return interval is not None and interval[0] <= self.rate <= interval[1]

    def accuracy_holds(self, draw: random.Random) -> bool:
        """Whether that of a dataset's accuracy does."""
        cells, shared = self.gathered(draw).settled()
        found = metrics_of([], cells, shared)["accuracy"]
        return bool(found["ci_low"] <= self.rate <= found["ci_high"])


def spanning_cases() -> list[Spanning]:
    """Clusters over levels, up to near perfection."""
    return [
        Spanning(clusters, tests, correlation, rate)
        for clusters, tests, correlation in (
            (20, 1, 0.3),
            (20, 1, 0.7),
            (20, 1, 1.0),
            (30, 2, 0.7),
            (10, 4, 0.7),
            (10, 4, 1.0),
            (6, 5, 0.7),
        )
        for rate in (0.7, 0.8, 0.9, 0.95, 0.99)
    ]


def counted_coverage(tests: int, rate: float) -> float:
    """How often the interval of one cell of verdicts holds the truth: counted over all that may pass."""
    share = 0.0
    for passed in range(tests + 1):
        low, high = score_interval({("a", 1): cell_of(1, [1.0] * passed + [0.0] * (tests - passed))}) or (0.0, 1.0)
        if low <= rate <= high:
            share += math.comb(tests, passed) * rate**passed * (1 - rate) ** (tests - passed)
    return share


def near_perfect(draw: random.Random, tests: int, worse: float) -> bool:
    """Whether the interval of a paired difference holds the truth where the first run is all right."""
    return difference_holds(draw, tests, 0.0, worse)


def epoch_means(draw: random.Random, tests: int, of: int, a: float, b: float) -> Drawn:
    """One cell of tests with several epochs each."""
    return {("a", 1): cell_of(1, [passed / of for passed, _ in epochs(draw, tests, of, a, b)])}, a / (a + b)


def clustered(draw: random.Random, share: float) -> Drawn:
    """30 clusters whose tests agree with their cluster's own verdict in `share` of the cases; the rate is .7."""
    cell = Moments(1)
    for _ in range(30):
        common, size = verdict(draw, 0.7), draw.randint(1, 10)
        tests = [common if draw.random() < share**0.5 else verdict(draw, 0.7) for _ in range(size)]
        cell.add(sum(tests) / size, size)
    return {("a", 1): cell}, 0.7


def accuracy_holds(draw: random.Random, tests: int, of: int, a: float, b: float) -> bool:
    """Whether a dataset's accuracy, as its processer reports it, holds the truth."""
    rates = Moments(1)
    for passed, _ in epochs(draw, tests, of, a, b):
        rates.add(passed / of, of)
    group = SampleGroup(status="passed", count=round(rates.w), no_answer=0, tokens=0, duration_ms=0, cost_usd=0.0)
    found = metrics_of([group], {("a", 1): rates})["accuracy"]
    return bool(found["ci_low"] <= a / (a + b) <= found["ci_high"])


def pairs(draw: random.Random, tests: int, gained: float, lost: float) -> Cells:
    """One cell of differences: +1 with chance `gained`, −1 with chance `lost`."""
    scores = []
    for _ in range(tests):
        chance = draw.random()
        scores.append(1.0 if chance < gained else -1.0 if chance < gained + lost else 0.0)
    return {("a", 1): cell_of(1, scores)}


def difference_holds(draw: random.Random, tests: int, gained: float, lost: float) -> bool:
    """Whether the interval of a paired difference holds the truth."""
    found = paired_difference(pairs(draw, tests, gained, lost))
    return found is not None and found.interval[0] <= gained - lost <= found.interval[1]


def coverage(times: int) -> list[Promise]:
    """Every promise about intervals."""
    found = [Promise(case.name, repeated(case.name, times, case.holds), case.low, case.high) for case in score_cases()]
    for tests in (3, 5, 10, 20, 100):
        for rate in (0.8, 0.95, 0.98, 0.99):
            name = f"one cell of {tests} verdicts, p {rate:g} (counted, not drawn)"
            found.append(Promise(name, counted_coverage(tests, rate), 0.93))
    found += [Promise(case.name, repeated(case.name, times, case.holds), 0.93) for case in spanning_cases()]
    case = Spanning(20, 2, 0.7, 0.8)
    name = f"a dataset's accuracy, {case.name}"
    found.append(Promise(name, repeated(name, times, case.accuracy_holds), 0.93))
    for tests, worse in ((100, 0.02), (198, 0.01), (67, 0.03), (20, 0.05)):
        name = f"a paired difference, n = {tests}, the first all right, {worse:.0%} lost"
        found.append(Promise(name, repeated(name, times, partial(near_perfect, tests=tests, worse=worse)), 0.93))
    for tests, a, b in ((20, 2.0, 1.0), (20, 0.3, 0.1), (100, 2.0, 1.0)):
        name = f"a dataset's accuracy, {tests} tests × 10 epochs, rates Beta({a:g}, {b:g})"
        found.append(Promise(name, repeated(name, times, partial(accuracy_holds, tests=tests, of=10, a=a, b=b)), 0.93))
    for tests in (5, 10, 20):
        for gained, lost in ((0.10, 0.05), (0.2, 0.1), (0.3, 0.3)):
            name = f"a paired difference, n = {tests}, {gained:.0%} gained, {lost:.0%} lost"
            share = repeated(name, times, partial(difference_holds, tests=tests, gained=gained, lost=lost))
            found.append(Promise(name, share, 0.90 if tests == 5 else 0.93))
    return found
