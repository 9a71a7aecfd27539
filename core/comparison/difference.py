"""The difference of two runs over a group of paired tests: Weighted Scores first, pass rates and mean scores beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal

from modex.core.comparison.pairs import Match, RowsOfTest, key_of
from modex.core.statistics.discordant import Discordant
from modex.core.statistics.intervals import Interval
from modex.core.statistics.moments import Cell, Gathered, Moments, Shared
from modex.core.statistics.paired import PairedDifference, paired_difference
from modex.core.statistics.units import pooled
from modex.core.statistics.weighted import weighted_score
from modex.core.store.sample import PASS_SCORE

Decision = Literal["better", "worse"]
End = Literal["found", "low", "high"]
"""The answers with a verdict alone, or those without one all against the second run (`low`), all for it (`high`)."""
_ENDS: tuple[End, ...] = ("found", "low", "high")


Turns = dict[tuple[str, str], dict[str, list[int]]]


@dataclass(frozen=True, slots=True)
class Difference:
    """Second − first over a group of paired tests. Scores, rates and differences are 0 to 1, or −1 to 1."""

    n: int
    first_score: float
    second_score: float
    """Weighted Scores over these tests."""
    difference: float
    """Of the Weighted Scores."""
    interval: Interval | None
    """Drawn in pairs within cells; None with a single pair."""
    p_value: float | None
    """That the Weighted Scores do not differ; below 5 % exactly where `interval` leaves 0 out."""
    detectable: float | None
    """The smallest true difference that this many pairs would have shown with 80 % power."""
    bounds: Interval
    """The difference if every answer without a verdict were wrong in the second run and right in the first, and the
    other way round; both are `difference` where all have one."""
    decision: Decision | None
    """What can be said of the second run: it holds at both bounds; None where nothing can be."""
    first_rate: float
    second_rate: float
    """Pass rates: the share of the answers with a verdict that passed, every epoch of a test one answer."""
    first_passed: int
    second_passed: int
    """Tests that passed, of those with several epochs by their average: what `gained` and `lost` count."""
    several_answers: bool
    """Whether a test has more than one answer, so that tests passed are another share than answers."""
    gained: int
    lost: int
    mcnemar_p: float
    """Exact McNemar on pass and fail; with clusters the exact permutation of their signs, which is the same of single tests."""
    first_mean: float
    second_mean: float
    """Plain means of the tests' scores."""
    mean: float
    """The plain mean of the tests' differences."""
    mean_interval: Interval | None
    holm_p: float | None = None
    """`p_value` after Holm's correction over the groups it is listed with."""
    mcnemar_holm_p: float | None = None
    """`mcnemar_p` after the same."""
    units: int = 0
    """Independent pairs: tests, and clusters of tests."""
    clusters: int = 0
    """How many of them are clusters."""
    too_few: bool = False
    """Whether they are too few to decide anything."""

    def turned(self) -> Difference:
        """The same difference with the runs the other way round."""
        decisions: dict[Decision | None, Decision] = {"better": "worse", "worse": "better"}
        return replace(
            self,
            first_score=self.second_score,
            second_score=self.first_score,
            difference=-self.difference,
            interval=_turned(self.interval),
            bounds=(-self.bounds[1], -self.bounds[0]),
            decision=decisions.get(self.decision),
            first_rate=self.second_rate,
            second_rate=self.first_rate,
            first_passed=self.second_passed,
            second_passed=self.first_passed,
            gained=self.lost,
            lost=self.gained,
            first_mean=self.second_mean,
            second_mean=self.first_mean,
            mean=-self.mean,
            mean_interval=_turned(self.mean_interval),
        )


def _turned(interval: Interval | None) -> Interval | None:
    return None if interval is None else (-interval[1], -interval[0])


@dataclass(slots=True)
class _Sums:
    """One cell's pairs, counted."""

    position: int
    n: int = 0
    weight: float = 0.0
    first: float = 0.0
    second: float = 0.0
    plain_first: float = 0.0
    plain_second: float = 0.0
    passed_first: int = 0
    passed_second: int = 0
    passes_first: int = 0
    passes_second: int = 0
    judged_first: int = 0
    judged_second: int = 0
    gained: int = 0
    lost: int = 0
    alone: dict[End, list[int]] = field(default_factory=lambda: {end: [0, 0] for end in _ENDS})
    """Gained and lost of tests in no cluster."""


@dataclass(slots=True)
class PairedScores:
    """Paired tests as they are counted: sums by cell, and the differences as they are and at both bounds."""

    sums: dict[Cell, _Sums] = field(default_factory=dict)
    _certain: Gathered = field(default_factory=Gathered)
    """Pairs of which nothing is missing: the same as they are and at both bounds, so they are counted once."""
    _actual: Gathered = field(default_factory=Gathered)
    _lowest: Gathered = field(default_factory=Gathered)
    _highest: Gathered = field(default_factory=Gathered)
    _turns: dict[End, Turns] = field(default_factory=lambda: {end: {} for end in _ENDS})
    """By cluster and domain: tests gained less tests lost, and scored pairs."""
    _differing: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """Σd² and Σ|d| of the tests."""

    def bound(self, match: Match, number: int = 1) -> None:
        """Count a test that both runs have in the bounds alone."""
        first, second = match.first, match.second
        assert first is not None
        assert second is not None
        if first.counts and second.counts:
            cell, weight, cluster = match.key[1:3], match.weight, match.cluster
            self._lowest.add(cell, second.at_worst - first.at_best, weight, cluster, number)
            self._highest.add(cell, second.at_best - first.at_worst, weight, cluster, number)
            self._turned(match, first.at_best, second.at_worst, ("low",), number)
            self._turned(match, first.at_worst, second.at_best, ("high",), number)

    def _turned(self, match: Match, first: float, second: float, ends: Sequence[End], number: int) -> None:
        """Count whether a test's pass was gained or lost."""
        gained = number * (second >= PASS_SCORE > first)
        lost = number * (first >= PASS_SCORE > second)
        cell, cluster = match.key[1:3], match.cluster
        if cluster is None and not gained and not lost:
            return
        for end in ends:
            if cluster is None:
                alone = self._sums(match).alone[end]
                alone[0] += gained
                alone[1] += lost
            else:
                turned = self._turns[end].setdefault(cluster, {}).setdefault(cell[0], [0, 0])
                turned[0] += gained - lost
                turned[1] += number

    def _sums(self, match: Match) -> _Sums:
        cell = match.key[1:3]
        sums = self.sums.get(cell)
        if sums is None:
            sums = self.sums[cell] = _Sums(match.position)
        return sums

    def add(self, match: Match, number: int = 1) -> None:
        """Count a test that both runs have, or a `number` of them that went as `match` did, the first of them."""
        first, second = match.first, match.second
        assert first is not None
        assert second is not None
        cell, weight, cluster = match.key[1:3], match.weight, match.cluster
        one, two = first.mean, second.mean
        if one is None or two is None:
            self.bound(match, number)
            return
        if first.missing or second.missing:
            self.bound(match, number)
            self._actual.add(cell, two - one, weight, cluster, number)
            self._turned(match, one, two, ("found",), number)
        else:
            self._certain.add(cell, two - one, weight, cluster, number)
            self._turned(match, one, two, _ENDS, number)
        sums = self._sums(match)
        sums.position = min(sums.position, match.position)
        sums.n += number
        sums.weight += number * weight
        sums.first += number * weight * one
        sums.second += number * weight * two
        sums.plain_first += number * one
        sums.plain_second += number * two
        sums.passed_first += number * bool(first.passed)
        sums.passed_second += number * bool(second.passed)
        sums.passes_first += number * first.passes
        sums.passes_second += number * second.passes
        sums.judged_first += number * first.judged
        sums.judged_second += number * second.judged
        gained = number * bool(second.passed and not first.passed)
        lost = number * bool(first.passed and not second.passed)
        sums.gained += gained
        sums.lost += lost
        if one != two:
            self._differing[0] += number * (two - one) ** 2
            self._differing[1] += number * abs(two - one)

    def settled(self) -> Settled:
        """What was counted so far, ready for differences of any group of cells; more may be counted after it."""
        if self._actual.empty and self._lowest.empty and self._highest.empty:
            actual = lowest = highest = self._whole(self._actual).settled()
        else:
            actual, lowest, highest = (
                self._whole(side).settled() for side in (self._actual, self._lowest, self._highest)
            )
        jump = (self._differing[0] + 1) / (self._differing[1] + 1) if self._turns["found"] else None
        return Settled(self.sums, actual, lowest, highest, self._turns, jump)

    def _whole(self, side: Gathered) -> Gathered:
        """One side with the pairs of which nothing is missing."""
        whole = Gathered()
        whole.include(self._certain)
        whole.include(side)
        return whole


def every_two(number: int, tests: Iterable[RowsOfTest], *, together: bool) -> dict[tuple[int, int], Settled]:
    """Every two of a number of runs by their places, the baseline first, over the tests that all of them have.

    With `together` a test without a verdict in any run counts in the bounds alone, so that all pairs stand on the same tests.
    """
    pairs = {(one, other): PairedScores() for one, other in combinations(range(number), 2)}
    for stored, rows in tests:
        sides = [row for row in rows if row is not None]
        if len(sides) < number:
            continue
        key = key_of(stored)
        bounds_alone = together and any(row.side.mean is None for row in sides)
        for (one, other), paired in pairs.items():
            first = sides[one]
            match = Match(key, first.side, sides[other].side, first.position, first.weight, first.cluster)
            (paired.bound if bounds_alone else paired.add)(match)
    return {places: paired.settled() for places, paired in pairs.items()}


def own_scores(found: Mapping[tuple[int, int], Difference]) -> dict[int, tuple[float, float]]:
    """Each run's Weighted Score and pass rate by its place, from the first pair that it is in."""
    scores: dict[int, tuple[float, float]] = {}
    for (one, other), difference in found.items():
        scores.setdefault(one, (difference.first_score, difference.first_rate))
        scores.setdefault(other, (difference.second_score, difference.second_rate))
    return scores


@dataclass(frozen=True, slots=True)
class Settled:
    """Everything that differences are made of."""

    sums: dict[Cell, _Sums]
    actual: tuple[dict[Cell, Moments], list[Shared]]
    lowest: tuple[dict[Cell, Moments], list[Shared]]
    highest: tuple[dict[Cell, Moments], list[Shared]]
    turns: Mapping[End, Turns] = field(default_factory=dict)
    jump_of_tests: float | None = None
    """By how much tests differ where they differ; None where none is in a cluster."""

    @property
    def domains(self) -> list[str]:
        """The domains with a scored pair, in planning order."""
        first: dict[str, int] = {}
        for (domain, _), sums in ((cell, sums) for cell, sums in self.sums.items() if sums.n):
            first[domain] = min(sums.position, first.get(domain, sums.position))
        return sorted(first, key=lambda domain: first[domain])

    def difference(self, domains: Collection[str] | None = None) -> Difference | None:
        """The difference over all cells, or those of some `domains`; None where they hold no scored pair."""
        cells = [
            cell for cell, sums in self.sums.items() if (domains is None or cell[0] in domains) and sums.weight > 0
        ]
        if not cells:
            return None
        sums = [self.sums[cell] for cell in cells]
        count = sum(one.n for one in sums)
        gained, lost = sum(one.gained for one in sums), sum(one.lost for one in sums)
        discordant = self.discordant(domains)
        first = weighted_score({cell: self.sums[cell].first / self.sums[cell].weight for cell in cells})
        second = weighted_score({cell: self.sums[cell].second / self.sums[cell].weight for cell in cells})
        assert first is not None
        assert second is not None
        found = _paired(self.actual, domains)
        low, high = (found if side is self.actual else _paired(side, domains) for side in (self.lowest, self.highest))
        difference = found.difference if found else second - first
        plain_first, plain_second = sum(one.plain_first for one in sums), sum(one.plain_second for one in sums)
        return Difference(
            n=count,
            first_score=first,
            second_score=second,
            difference=difference,
            interval=found.interval if found else None,
            p_value=found.p_value if found else None,
            detectable=found.detectable() if found else None,
            bounds=(min(difference, low.difference), max(difference, high.difference))
            if low and high
            else (difference, difference),
            decision=decided(found, low, high),
            first_rate=sum(one.passes_first for one in sums) / (sum(one.judged_first for one in sums) or 1),
            second_rate=sum(one.passes_second for one in sums) / (sum(one.judged_second for one in sums) or 1),
            first_passed=sum(one.passed_first for one in sums),
            second_passed=sum(one.passed_second for one in sums),
            several_answers=any(max(one.judged_first, one.judged_second) > one.n for one in sums),
            gained=gained,
            lost=lost,
            mcnemar_p=discordant.p_value,
            first_mean=plain_first / count,
            second_mean=plain_second / count,
            mean=(plain_second - plain_first) / count,
            mean_interval=self._mean_interval(domains),
            units=found.units if found else 1,
            clusters=len(discordant.clusters),
            too_few=found is None or found.too_few,
        )

    def discordant(self, domains: Collection[str] | None = None, end: End = "found") -> Discordant:
        """What was gained and lost in passes, over all cells or those of some `domains`, at one of its ends."""
        sums = [one.alone[end] for cell, one in self.sums.items() if domains is None or cell[0] in domains]
        found = []
        for by_domain in self.turns.get(end, {}).values():
            held = [turned for domain, turned in by_domain.items() if domains is None or domain in domains]
            if held:
                found.append((sum(net for net, _ in held), sum(number for _, number in held)))
        return Discordant(sum(gained for gained, _ in sums), sum(lost for _, lost in sums), tuple(found))

    def ends(self) -> Iterator[Discordant]:
        """What was gained and lost in passes as it is and at both ends."""
        return (self.discordant(end=end) for end in _ENDS)

    def paired(
        self, domains: Collection[str] | None = None
    ) -> tuple[PairedDifference, PairedDifference, PairedDifference] | None:
        """The paired difference as it is, at its lower and at its upper bound; None with fewer than two pairs."""
        found = _paired(self.actual, domains)
        low, high = (found if side is self.actual else _paired(side, domains) for side in (self.lowest, self.highest))
        return (found, low, high) if found and low and high else None

    def _mean_interval(self, domains: Collection[str] | None) -> Interval | None:
        """Of the mean difference: every test weighs the same whatever its level, as in one cell."""
        cells, shared = self.actual
        if domains is not None:
            cells = {cell: moments for cell, moments in cells.items() if cell[0] in domains}
        found = paired_difference({("", 1): pooled(cells, shared)})
        return found.interval if found else None


def decided(
    found: PairedDifference | None, low: PairedDifference | None, high: PairedDifference | None
) -> Decision | None:
    """`better` or `worse` where the interval leaves 0 out on the same side as it is and at both bounds."""
    if found is None or low is None or high is None or found.too_few:
        return None
    intervals = [found.interval, low.interval, high.interval]
    if all(interval[0] > 0 for interval in intervals):
        return "better"
    return "worse" if all(interval[1] < 0 for interval in intervals) else None


def _paired(
    sides: tuple[dict[Cell, Moments], list[Shared]], domains: Collection[str] | None
) -> PairedDifference | None:
    cells, shared = sides
    if domains is not None:
        cells = {cell: moments for cell, moments in cells.items() if cell[0] in domains}
    return paired_difference(cells, shared)


def difference_json(found: Difference | None) -> dict[str, Any] | None:
    """A difference as scripts get it: each measure under its own name.

    The flat names are those of 0.1.0 and mean what they meant there: shares of tests passed, the mean difference of scores
    with its interval, McNemar's p.
    """
    if found is None:
        return None
    low, high = found.bounds
    return {
        "n": found.n,
        "units": found.units,
        "too_few": found.too_few,
        "weighted_score": {
            "first": found.first_score,
            "second": found.second_score,
            "difference": found.difference,
            "interval": found.interval,
            "p_value": found.p_value,
            "holm_p": found.holm_p,
            "bounds": [low, high],
            "decision": found.decision,
            "detectable": found.detectable,
        },
        "pass_rate": {
            "first": found.first_rate,
            "second": found.second_rate,
            "first_tests": found.first_passed,
            "second_tests": found.second_passed,
            "lost": found.lost,
            "gained": found.gained,
            "mcnemar_p": found.mcnemar_p,
            "mcnemar_holm_p": found.mcnemar_holm_p,
            "drawn": "clusters" if found.clusters else "tests",
        },
        "mean_score": {
            "first": found.first_mean,
            "second": found.second_mean,
            "difference": found.mean,
            "interval": found.mean_interval,
        },
        "first_rate": found.first_passed / found.n,
        "second_rate": found.second_passed / found.n,
        "mean": found.mean,
        "interval": found.mean_interval,
        "lost": found.lost,
        "gained": found.gained,
        "p_value": found.mcnemar_p,
        "adjusted_p": found.mcnemar_holm_p,
        "detectable": found.detectable,
    }
