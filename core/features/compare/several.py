"""Several runs over the tests that all have: the best one, and which of the others cannot be told apart from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter
from typing import Any, Literal

from modex.core.comparison.difference import Difference, Settled, difference_json, every_two, own_scores
from modex.core.comparison.pairs import RowsOfTest, RunSide, TestKey, key_of, rows_by_test
from modex.core.comparison.questions import same_questions
from modex.core.comparison.wording import unsettled_words
from modex.core.statistics.distributions import ALPHA
from modex.core.statistics.paired import holm
from modex.core.store.bounds import with_bounds
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow


@dataclass(frozen=True, slots=True)
class RankedRun:
    """One run among several."""

    run: RunRow
    score: float | None
    """Its Weighted Score over the tests that all have a verdict for."""
    rate: float | None
    against_best: Difference | None
    """Its difference to the best run; None for the best itself."""
    holm_p: float | None
    """The p-value of that difference after Holm's correction over all pairs of runs: the best was chosen by looking."""
    worse: bool
    """Whether it is told apart from the best: by `holm_p`, and whatever the answers without a verdict are."""
    open_place: bool = False
    """Whether tests that lack a verdict in a run could turn its order with another run."""


@dataclass(frozen=True, slots=True)
class DomainRow:
    """One domain in several runs, in the order of `Several.places`."""

    domain: str
    n: int
    """Tests that all have a verdict for."""
    scores: tuple[float, ...]
    """Weighted Scores over these tests."""
    best: int
    """The place of the highest score here."""
    worse: tuple[bool, ...]
    """Whether each run is told apart from the best here, by Holm's correction over all pairs of runs and all domains."""


@dataclass(frozen=True, slots=True)
class Several:
    """Runs by score, the best first; those that are not `worse` may be as good as it."""

    places: list[RankedRun]
    n: int
    """Tests that all have a verdict for."""
    domains: tuple[DomainRow, ...] = ()
    """In planning order."""

    @property
    def best(self) -> RankedRun:
        """The first."""
        return self.places[0]


_SAME = 1e-9
"""Scores nearer to each other than this differ by rounding alone."""


def compare_several(reader: Reader, runs: Sequence[RunRow]) -> Several:
    """Compare every two of `runs` over the tests that all of them have."""
    runs = with_bounds(reader, runs)
    return _compared(runs, rows_by_test(reader, runs, _same(reader, runs)))


def _same(reader: Reader, runs: Sequence[RunRow]) -> list[Mapping[TestKey, TestKey]]:
    """What each run calls the tests that the first calls otherwise."""
    return [{}, *(same_questions(reader, runs[0], run) for run in runs[1:])]


def compare_and_list(reader: Reader, runs: Sequence[RunRow], which: Which) -> tuple[Several, list[SeveralTest]]:
    """`compare_several` and `shared_tests` in one reading of the runs; the tests' sides are in the order of the places."""
    found: list[tuple[int, SeveralTest]] = []
    runs = with_bounds(reader, runs)

    def noting(rows: Iterable[RowsOfTest]) -> Iterator[RowsOfTest]:
        for row in rows:
            _note(found, row, which)
            yield row

    several = _compared(runs, noting(rows_by_test(reader, runs, _same(reader, runs))))
    ids = [run.id for run in runs]
    order = [ids.index(place.run.id) for place in several.places]
    return several, [
        SeveralTest(test.key, tuple(test.sides[n] for n in order), tuple(test.keys[n] for n in order))
        for test in _in_order(found)
    ]


def _compared(runs: Sequence[RunRow], tests: Iterable[RowsOfTest]) -> Several:
    settled = every_two(len(runs), tests, together=True)
    found = {names: one.difference() for names, one in settled.items()}
    shared = {names: difference for names, difference in found.items() if difference is not None}
    if not shared:
        return Several([RankedRun(run, None, None, None, None, worse=False) for run in runs], 0)
    scores = own_scores(shared)
    order = sorted(scores, key=lambda number: (-scores[number][0], number))
    p_values = holm({f"{one} {other}": _p(shared[one, other]) for one, other in shared})
    turning = _turning(shared, order)
    places = []
    for number in order:
        score, rate = scores[number]
        one, other = min(number, order[0]), max(number, order[0])
        difference = shared.get((one, other))
        if difference is None:
            places.append(RankedRun(runs[number], score, rate, None, None, False, number in turning))
            continue
        against = difference.turned() if number == one else difference
        p_value = p_values[f"{one} {other}"]
        worse = p_value < ALPHA and against.decision == "worse"
        places.append(RankedRun(runs[number], score, rate, against, p_value, worse, number in turning))
    return Several(places, next(iter(shared.values())).n, _domains(settled, order))


def _turning(shared: dict[tuple[int, int], Difference], order: Sequence[int]) -> set[int]:
    """The runs whose order with another could turn: of two, the lower would be higher at an end of what lacks a verdict."""
    found: set[int] = set()
    for higher, lower in combinations(order, 2):
        difference = shared.get((higher, lower)) or shared[lower, higher].turned()
        if difference.bounds[1] > _SAME:
            found |= {higher, lower}
    return found


def _domains(settled: dict[tuple[int, int], Settled], order: Sequence[int]) -> tuple[DomainRow, ...]:
    """Every domain with a scored test, its runs in `order`."""
    names = next(iter(settled.values())).domains
    found = {
        (domain, *pair): difference
        for domain in names
        for pair, one in settled.items()
        if (difference := one.difference((domain,))) is not None
    }
    p_values = holm({repr(name): _p(difference) for name, difference in found.items()})
    rows = []
    for domain in names:
        shared = {(one, other): found[named] for named in found if named[0] == domain for one, other in [named[1:]]}
        if not shared:
            continue
        own = own_scores(shared)
        scores = [own[number][0] for number in order]
        best = scores.index(max(scores))
        worse = [
            place != best and _told_apart(domain, order[place], order[best], found, p_values)
            for place in range(len(order))
        ]
        rows.append(DomainRow(domain, next(iter(shared.values())).n, tuple(scores), best, tuple(worse)))
    return tuple(rows)


def _told_apart(
    domain: str,
    number: int,
    best: int,
    found: dict[tuple[str, int, int], Difference],
    p_values: dict[str, float],
) -> bool:
    name = (domain, min(number, best), max(number, best))
    against = found[name].turned() if number < best else found[name]
    return p_values[repr(name)] < ALPHA and against.decision == "worse"


Which = Literal["disagree", "all failed", "all"]


@dataclass(frozen=True, slots=True)
class SeveralTest:
    """One test in several runs."""

    key: TestKey
    sides: tuple[RunSide | None, ...]
    """How it went in each run; None where a run has no such test."""
    keys: tuple[TestKey, ...]
    """What each run calls it."""

    @property
    def passed(self) -> tuple[bool, ...]:
        """Of the runs that have a verdict, whether each passed."""
        return tuple(side.passed for side in self.sides if side is not None and side.passed is not None)

    @property
    def means(self) -> tuple[float, ...]:
        """The scores that there are."""
        return tuple(side.mean for side in self.sides if side is not None and side.mean is not None)

    def is_of(self, which: Which) -> bool:
        """Whether runs disagree about it, all fail it, or any test is meant."""
        if which == "all":
            return True
        return len(set(self.passed)) == 2 if which == "disagree" else bool(self.passed) and not any(self.passed)

    def fields(self) -> dict[str, Any]:
        """What a filter of `TEST_FILTERS` can name; where every run has its own value, any of them counts."""
        source, domain, level, test_id = self.key
        means = self.means
        return {
            "source": source,
            "domain": domain,
            "level": level,
            "test": test_id,
            "id": test_id,
            "status": [side.status for side in self.sides if side is not None],
            "score": list(means),
            "passed": sum(self.passed),
            "spread": max(means, default=0.0) - min(means, default=0.0),
        }


TEST_FILTERS = ("source", "domain", "level", "test", "id", "status", "score", "passed", "spread")
"""What a filter of a comparison's tests can name: `passed` is how many runs pass, `spread` the highest score less the lowest."""


def shared_tests(reader: Reader, runs: Sequence[RunRow], which: Which) -> list[SeveralTest]:
    """The tests of several runs, in planning order; of a million only those asked for are kept."""
    found: list[tuple[int, SeveralTest]] = []
    for row in rows_by_test(reader, runs, _same(reader, runs)):
        _note(found, row, which)
    return _in_order(found)


def _note(found: list[tuple[int, SeveralTest]], row: RowsOfTest, which: Which) -> None:
    """Keep the test with its place, where it is of those asked for."""
    stored, rows = row
    if which == "disagree":  # of a million tests most agree: they are passed over before anything is made of them
        passed = [one.side.passed for one in rows if one is not None]
        if True not in passed or False not in passed:
            return
    key = key_of(stored)
    sides = tuple(one.side if one is not None else None for one in rows)
    test = SeveralTest(key, sides, tuple(key if one is None or one.other is None else one.other for one in rows))
    if test.is_of(which):
        found.append((min(one.position for one in rows if one is not None), test))


def _in_order(found: list[tuple[int, SeveralTest]]) -> list[SeveralTest]:
    return [test for _, test in sorted(found, key=itemgetter(0))]


def _p(difference: Difference) -> float:
    return 1.0 if difference.p_value is None else difference.p_value


OPEN_PLACE = "?"
"""Stands behind a score whose place is open."""


def open_place_words(found: Several) -> str:
    """What `OPEN_PLACE` says; empty where no place is open."""
    if not any(place.open_place for place in found.places):
        return ""
    return f"{OPEN_PLACE} the place is open: tests without a verdict, whatever the error, could turn the order with another run"


def open_lines(found: Several) -> Iterator[str]:
    """What `OPEN_PLACE` says where one stands, then each run that answers without a verdict leave open, and between what."""
    if words := open_place_words(found):
        yield words
    for place in found.places:
        if words := unsettled_words(place.run.unsettled, place.run.bounds):
            yield f"{place.run.exp_id}: {words} over all its tests"


def several_json(found: Several) -> dict[str, Any]:
    """Several runs as scripts get them, the best first."""
    return {
        "n": found.n,
        "best": found.best.run.exp_id if found.n else None,
        "runs": [
            {
                "run": place.run.exp_id,
                "model": place.run.model,
                "weighted_score": place.score,
                "run_score": place.run.overall_score,
                "run_bounds": place.run.bounds,
                "pass_rate": place.rate,
                "told_apart_from_best": place.worse,
                "place_open": place.open_place,
                "holm_p": place.holm_p,
                "against_best": difference_json(place.against_best),
                "cost_usd": place.run.cost_usd,
            }
            for place in found.places
        ],
        "domains": {
            row.domain: {
                "n": row.n,
                "best": found.places[row.best].run.exp_id,
                "weighted_scores": {
                    place.run.exp_id: score for place, score in zip(found.places, row.scores, strict=True)
                },
                "told_apart_from_best": [
                    place.run.exp_id for place, worse in zip(found.places, row.worse, strict=True) if worse
                ],
            }
            for row in found.domains
        },
    }
