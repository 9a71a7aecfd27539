"""The difference of two runs, against the same worked out in the plainest way from the pairs."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

import pytest

from modex.core.comparison.difference import (
    Difference,
    End,
    PairedScores,
    Settled,
    decided,
    difference_json,
    every_two,
    own_scores,
)
from modex.core.comparison.pairs import Match, RunSide, TestRow
from modex.core.statistics.paired import PairedDifference, paired_difference
from modex.core.statistics.weighted import weighted_score
from tests.rows import each_row


def _side(*answers: float | str) -> RunSide:
    """Of scores, and of states of answers without one."""
    scores = tuple(float(one) for one in answers if not isinstance(one, str))
    statuses = (one if isinstance(one, str) else "passed" if one >= 0.7 else "failed" for one in answers)
    return RunSide(scores, tuple(statuses))


def _match(
    first: RunSide, second: RunSide, number: int = 0, domain: str = "d", level: int = 1, **fields: object
) -> Match:
    return replace(Match(("s", domain, level, str(number)), first, second, number), **fields)  # type: ignore[arg-type]


def _drawn(seed: int, *, clusters: bool, missing: bool) -> list[Match]:
    """Pairs of two domains and three levels, one to three epochs each."""
    drawn = random.Random(seed)
    states: list[float | str] = [0.0, 0.25, 0.7, 1.0, 1.0]
    if missing:
        states += ["error", "pending", "skipped"]

    def sides() -> RunSide:
        return _side(*drawn.choices(states, k=drawn.choice((1, 1, 2, 3))))

    return [
        _match(sides(), sides(), number, drawn.choice("ba"), drawn.choice((1, 2, 3)), weight=drawn.choice((1.0, 2.0, 0.5)),
               cluster=("s", str(number // 3)) if clusters and number % 4 else None)
        for number in range(60)
    ]  # fmt: skip


def _settled(matches: Sequence[Match]) -> Settled:
    counted = PairedScores()
    for match in matches:
        counted.add(match)
    return counted.settled()


def _of(matches: Sequence[Match], domains: Sequence[str] | None = None) -> Difference:
    found = _settled(matches).difference(domains)
    assert found is not None
    return found


_KINDS = [(1, False, False), (2, False, True), (3, True, False), (4, True, True)]
each_kind = pytest.mark.parametrize(("seed", "clusters", "missing"), _KINDS)


@each_kind
def test_scores_rates_means_and_flips_are_those_of_the_pairs_with_two_verdicts(
    seed: int, clusters: bool, missing: bool
) -> None:
    matches = _drawn(seed, clusters=clusters, missing=missing)
    found = _of(matches)
    cells: defaultdict[tuple[str, int], list[tuple[float, float, float]]] = defaultdict(list)
    scored: list[tuple[tuple[RunSide, RunSide], float, float]] = []
    for match in matches:
        assert match.first is not None
        assert match.second is not None
        if match.first.scores and match.second.scores:
            one, two = fmean(match.first.scores), fmean(match.second.scores)
            cells[match.key[1:3]].append((match.weight, one, two))
            scored.append(((match.first, match.second), one, two))
    for place, score in ((1, found.first_score), (2, found.second_score)):
        means = {cell: sum(r[0] * r[place] for r in rows) / sum(r[0] for r in rows) for cell, rows in cells.items()}
        assert score == pytest.approx(weighted_score(means))
    assert found.difference == pytest.approx(found.second_score - found.first_score)
    assert found.n == len(scored)
    for place, rate in ((0, found.first_rate), (1, found.second_rate)):
        passes = sum(sides[place].statuses.count("passed") for sides, *_ in scored)
        judged = sum(
            sides[place].statuses.count("passed") + sides[place].statuses.count("failed") for sides, *_ in scored
        )
        assert rate == passes / judged
    passed = [(one >= 0.7, two >= 0.7) for _, one, two in scored]
    assert (found.first_passed, found.second_passed) == (sum(one for one, _ in passed), sum(two for _, two in passed))
    assert (found.gained, found.lost) == (passed.count((False, True)), passed.count((True, False)))
    assert found.first_mean == pytest.approx(fmean(one for _, one, _ in scored))
    assert found.second_mean == pytest.approx(fmean(two for *_, two in scored))
    assert found.mean == pytest.approx(found.second_mean - found.first_mean)
    assert (found.several_answers, found.too_few) == (True, False)


def _filled(side: RunSide | None, right: float) -> RunSide:
    assert side is not None
    missing = sum(status in ("error", "pending") for status in side.statuses)
    return _side(*side.scores, *[right] * missing)


@each_kind
def test_bounds_are_the_differences_with_each_missing_answer_against_one_run_and_for_the_other(
    seed: int, clusters: bool, missing: bool
) -> None:
    matches = _drawn(seed, clusters=clusters, missing=missing)
    found, settled = _of(matches), _settled(matches)
    ends: dict[End, Settled] = {}
    given: tuple[tuple[End, float, float], ...] = (("low", 1.0, 0.0), ("high", 0.0, 1.0))
    for name, first, second in given:
        filled = [replace(one, first=_filled(one.first, first), second=_filled(one.second, second)) for one in matches]
        ends[name] = _settled(
            [one for one in filled if one.first and one.first.scores and one.second and one.second.scores]
        )
    assert found.bounds == pytest.approx(tuple(_difference(ends[name]).difference for name in ("low", "high")))
    assert (found.bounds[0] < found.difference < found.bounds[1]) is missing
    three = settled.paired()
    assert three is not None
    assert three[0].interval == found.interval
    assert found.decision == decided(*three)
    for name, end in ends.items():
        same = end.paired()
        assert same is not None
        assert three[("found", "low", "high").index(name)].interval == pytest.approx(same[0].interval)
        one, other = settled.discordant(end=name), end.discordant()
        assert (one.gained, one.lost, sorted(one.clusters)) == (other.gained, other.lost, sorted(other.clusters))
    assert [repr(one) for one in settled.ends()] == [
        repr(settled.discordant(end=end)) for end in ("found", "low", "high")
    ]


def _difference(settled: Settled) -> Difference:
    found = settled.difference()
    assert found is not None
    return found


@each_kind
def test_the_difference_of_some_domains_is_that_of_their_pairs_alone(seed: int, clusters: bool, missing: bool) -> None:
    matches = _drawn(seed, clusters=False, missing=missing)
    some = [match for match in matches if match.key[1] == "a"]
    assert _of(matches, ["a"]) == _of(some)
    assert _of(matches, ["a", "b"]) == _of(matches)
    assert _settled(matches).difference(["c"]) is None
    assert _settled(matches).domains == sorted(
        "ab", key=lambda name: min(m.position for m in matches if m.key[1] == name)
    )


@each_kind
def test_the_runs_the_other_way_round_differ_by_as_much_the_other_way(seed: int, clusters: bool, missing: bool) -> None:
    matches = _drawn(seed, clusters=clusters, missing=missing)
    turned = _of([replace(one, first=one.second, second=one.first) for one in matches])
    assert _near(_of(matches).turned(), turned)
    assert _of(matches).turned().turned() == _of(matches)


def _near(one: Difference, other: Difference) -> bool:
    pairs = ((getattr(one, name), getattr(other, name)) for name in Difference.__dataclass_fields__)
    return all(
        first == (second if isinstance(second, str | None) else pytest.approx(second)) for first, second in pairs
    )


@each_kind
def test_the_mean_difference_is_drawn_as_one_cell_of_all_tests(seed: int, clusters: bool, missing: bool) -> None:
    matches = _drawn(seed, clusters=clusters, missing=missing)
    flat = _of([replace(one, key=("s", "", 1, one.key[3])) for one in matches])
    assert _of(matches).mean_interval == pytest.approx(flat.interval)
    within = [replace(one, key=("s", "", 1, one.key[3])) for one in matches if one.key[1] == "a" and not clusters]
    if within:
        assert _of(matches, ["a"]).mean_interval == pytest.approx(_of(within).interval)


@each_kind
def test_tests_in_no_cluster_that_went_alike_may_be_counted_at_once(seed: int, clusters: bool, missing: bool) -> None:
    matches = [replace(one, position=0) for one in _drawn(seed, clusters=clusters, missing=missing)]
    singly, at_once = PairedScores(), PairedScores()
    for number, match in enumerate(matches):
        times = number % 3 + 1 if match.cluster is None else 1
        at_once.add(match, times)
        for _ in range(times):
            singly.add(match)
    one, other = singly.settled(), at_once.settled()
    assert _near(_difference(one), _difference(other))
    assert [repr(end) for end in one.ends()] == [repr(end) for end in other.ends()]
    assert one.jump_of_tests == (pytest.approx(other.jump_of_tests) if clusters else None)


def test_how_far_tests_jump_is_told_where_some_share_a_cluster() -> None:
    pairs = [(0.0, 1.0), (0.5, 0.25), (1.0, 1.0)]
    matches = [_match(_side(one), _side(two), number) for number, (one, two) in enumerate(pairs)]
    assert _settled(matches).jump_of_tests is None
    matches[0] = replace(matches[0], cluster=("s", "c"))
    assert _settled(matches).jump_of_tests == (1 + 0.0625 + 1) / (1 + 0.25 + 1)


def test_a_single_pair_has_a_difference_and_no_interval_and_decides_nothing() -> None:
    found = _of([_match(_side(0.0), _side(1.0))])
    assert (found.n, found.difference, found.bounds, found.interval, found.p_value) == (1, 1.0, (1.0, 1.0), None, None)
    assert (found.detectable, found.decision, found.too_few, found.units, found.clusters) == (None, None, True, 1, 0)
    assert (found.several_answers, found.mean_interval) == (False, None)
    assert _settled([]).difference() is None
    assert _settled([_match(_side("error"), _side(1.0))]).difference() is None


def test_a_place_in_the_order_is_that_of_the_first_test_of_a_cell() -> None:
    places = [("b", 5), ("a", 3), ("b", 1)]
    settled = _settled([_match(_side(0.0), _side(1.0), place, domain) for domain, place in places])
    assert (settled.domains, [one.position for one in settled.sums.values()]) == (["b", "a"], [1, 3])
    unscored = _match(_side("error"), _side(1.0), 0, "c")
    assert _settled([unscored, _match(_side(0.0), _side(1.0), 1)]).domains == ["d"]


def _paired(difference: float, number: int = 40) -> PairedDifference:
    settled = _settled(
        [
            _match(_side(0.5 - difference / 2 + 0.1 * (one % 2)), _side(0.5 + difference / 2), one)
            for one in range(number)
        ]
    )
    found = paired_difference(*settled.actual)
    assert found is not None
    return found


@each_row(
    ("made", "decision"),
    [
        (lambda: (_paired(0.3), _paired(0.2), _paired(0.4)), "better"),
        (lambda: (_paired(-0.3), _paired(-0.4), _paired(-0.2)), "worse"),
        (lambda: (_paired(0.3), _paired(-0.2), _paired(0.4)), None),
        (lambda: (_paired(-0.3), _paired(-0.4), _paired(0.2)), None),
        (lambda: (_paired(0.05), _paired(0.05), _paired(0.05)), None),
        (lambda: (_paired(0.3, 4), _paired(0.3, 4), _paired(0.3, 4)), None),
        (lambda: (None, _paired(0.3), _paired(0.3)), None),
        (lambda: (_paired(0.3), None, _paired(0.3)), None),
        (lambda: (_paired(0.3), _paired(0.3), None), None),
    ],
)  # fmt: skip
def test_a_run_is_better_or_worse_where_both_bounds_agree(
    made: Callable[[], tuple[PairedDifference | None, ...]], decision: str | None
) -> None:
    assert decided(*made()) == decision


def test_scripts_get_each_measure_under_its_own_name() -> None:
    found = replace(_of(_drawn(4, clusters=True, missing=True)), holm_p=0.1, mcnemar_holm_p=0.2)
    said = difference_json(found)
    assert said is not None
    assert (said["n"], said["first_rate"], said["second_rate"]) == (
        found.n, found.first_passed / found.n, found.second_passed / found.n
    )  # fmt: skip
    assert (said["weighted_score"]["bounds"], said["weighted_score"]["holm_p"]) == ([*found.bounds], 0.1)
    assert (said["pass_rate"]["drawn"], said["pass_rate"]["first"], said["adjusted_p"]) == (
        "clusters",
        found.first_rate,
        0.2,
    )
    assert (said["mean_score"]["interval"], said["interval"]) == (found.mean_interval, found.mean_interval)
    alone = difference_json(replace(found, clusters=0))
    assert alone is not None
    assert alone["pass_rate"]["drawn"] == "tests"
    assert difference_json(None) is None


def test_a_pair_that_lacks_a_verdict_counts_once_in_both_bounds_and_nowhere_else() -> None:
    lacking = _match(_side(1.0), _side("error"), level=2)
    once, told, twice = PairedScores(), PairedScores(), PairedScores()
    once.bound(lacking)
    told.bound(lacking, 1)
    twice.bound(lacking, 2)
    assert once.settled().lowest == told.settled().lowest != twice.settled().lowest
    assert once.settled().highest == told.settled().highest != twice.settled().highest
    assert once.settled().difference() is None


def test_one_pair_with_two_verdicts_is_no_paired_difference_however_many_lack_one() -> None:
    matches = [_match(_side(1.0), _side("error"), number) for number in range(3)]
    assert _settled(matches).paired() is None
    assert _settled([*matches, _match(_side(1.0), _side(0.0), 3)]).paired() is None
    both = [_match(_side(1.0), _side(0.0), number) for number in (3, 4)]
    found = _settled([*matches, *both]).paired()
    assert found is not None
    assert found[1].difference <= found[0].difference <= found[2].difference


def test_of_a_cluster_gains_less_losses_and_the_number_of_its_pairs_are_counted() -> None:
    went = [(0.0, 1.0, "x"), (0.0, 1.0, "x"), (1.0, 0.0, "x"), (1.0, 1.0, "y"), (1.0, 0.0, "z"), (0.0, 1.0, None)]
    found = _settled([
        _match(_side(first), _side(second), number, cluster=None if name is None else ("s", name))
        for number, (first, second, name) in enumerate(went)
    ]).discordant()  # fmt: skip
    assert (found.gained, found.lost, found.clusters) == (1, 0, ((1, 3), (0, 1), (-1, 1)))


def test_of_several_runs_every_two_are_counted_over_the_tests_that_all_have_a_verdict_for_or_that_both_have() -> None:
    def row(answer: float | str, number: int) -> TestRow:
        return TestRow(_side(answer), number, 1.0, None)

    answers: list[tuple[float | str | None, ...]] = [(1, 0, 0), (0, 1, 1), (1, 1, 0), (1, 0, "error"), (0, None, 1)]
    tests = [
        (("s", "d", 1, str(number)), tuple(None if one is None else row(one, number) for one in test))
        for number, test in enumerate(answers)
    ]
    both = [_match(_side(one), _side(two), number) for number, (one, two) in enumerate([(1, 0), (0, 1), (1, 1)])]
    alone, together = (every_two(3, tests, together=value) for value in (False, True))
    assert list(alone) == list(together) == [(0, 1), (0, 2), (1, 2)]
    assert {pair: one.difference() for pair, one in alone.items()}[0, 1] == _of([*both, _match(_side(1), _side(0), 3)])
    found = {pair: difference for pair, one in together.items() if (difference := one.difference()) is not None}
    assert {one.n for one in found.values()} == {3}
    assert found[0, 1].bounds == pytest.approx((-0.25, 0.0))
    scores = own_scores(found)
    assert list(scores) == [0, 1, 2]
    assert [score for pair in scores.values() for score in pair] == pytest.approx([2 / 3] * 4 + [1 / 3] * 2)
