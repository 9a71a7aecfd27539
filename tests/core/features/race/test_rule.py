"""A race's state: who leads, who leaves, and what is said of both."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.comparison.difference import PairedScores, Settled
from modex.core.comparison.pairs import Match, RunSide
from modex.core.features.race import rule as race
from modex.core.features.race.rule import RaceState, pairs_of
from modex.core.features.race.words import Saved, race_json, race_words, saved_by, saved_words, standing_words
from modex.core.statistics.paired import PairedDifference
from modex.core.statistics.racing import LOOKS, Decision, PairLook
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.core.features.compare.test_compare import scored
from tests.core.reports.conftest import Store
from tests.rows import each_row

SAVED = Saved(tests=100, models=3, each=200, calls=230, cost_usd=0.5)


def side(passed: bool) -> RunSide:
    return RunSide((float(passed),), ("passed" if passed else "failed",))


def after(tests: int, rates: dict[str, int]) -> tuple[dict[tuple[str, str], Settled], dict[str, float]]:
    """Models that pass the first so many tests of every ten."""
    scores = {pair: PairedScores() for pair in combinations(rates, 2)}
    for number in range(tests):
        for (one, other), paired in scores.items():
            sides = [side(number % 10 < rates[name]) for name in (one, other)]
            paired.add(Match(("s", "d", 1, str(number)), sides[0], sides[1], number))
    return {pair: paired.settled() for pair, paired in scores.items()}, {
        name: rate / 10 for name, rate in rates.items()
    }


def run(state: RaceState, rates: dict[str, int]) -> RaceState:
    while state.ending is None:
        state.advance(*after(state.tests_at(state.look + 1), {name: rates[name] for name in state.still_in}))
    return state


def test_a_clearly_worse_model_leaves_and_equals_stay_undecided() -> None:
    rates = {"poor": 2, "good": 9, "twin": 9}
    state = run(RaceState(list(rates), 200), rates)
    (left,) = state.dropped
    assert (left.exp_id, left.leader) == ("poor", "good")
    assert left.bound[1] < 0
    assert state.still_in == ["good", "twin"]
    assert state.ending == "futile"
    words = race_words(state, SAVED)
    assert words[0].startswith("poor is worse than good: decided at look ")
    assert words[1].startswith("not decided: twin against good")
    assert state.saved()["poor"] == 200 - left.tests > 100
    assert race_json(state, SAVED)["not_decided"][0]["run"] == "twin"


def test_looking_at_any_moment_decides_on_passes_and_failures() -> None:
    rates = {"good": 9, "poor": 2}
    state = run(RaceState(list(rates), 200, peek=True), rates)
    assert state.dropped[0].by_looking
    assert "e-process" in race_words(state, SAVED)[0]


@pytest.mark.parametrize(("clustered", "every", "decided"), [(False, 2, False), (True, 2, False), (False, 30, True)])
def test_a_model_wins_no_race_by_answers_that_no_judge_can_rate(clustered: bool, every: int, decided: bool) -> None:
    """One fails every third test; the other is right wherever it has a verdict, and has none for one test of `every`."""

    def pair(tests: int) -> dict[tuple[str, str], Settled]:
        paired = PairedScores()
        for number in range(tests):
            unrated = number % every == every - 1
            sides = side(number % 3 > 0), RunSide((), ("error",)) if unrated else side(True)
            cluster = ("s", str(number // 2)) if clustered else None
            paired.add(Match(("s", "d", 1, str(number)), *sides, number, cluster=cluster))
        return {("honest", "unrated"): paired.settled()}

    for peek in (True, False):
        state = RaceState(["honest", "unrated"], 120, peek=peek, ends=range(2, 121, 2) if clustered else ())
        while state.ending is None:
            state.advance(pair(state.tests_at(state.look + 1)), {"unrated": 1.0, "honest": 0.67})
        assert bool(state.dropped) is decided, peek
        assert decided or all(one.bound[0] < 0 < one.bound[1] for one in state.open.values())


def test_without_a_shared_verdict_nothing_is_decided() -> None:
    state = RaceState(["a", "b"], 20)
    while state.ending is None:
        state.advance({("a", "b"): PairedScores().settled()}, {})
    assert (state.ending, state.dropped) == ("all asked", [])


def test_pairs_are_the_same_however_often_they_were_looked_at_before() -> None:
    looked_at, fresh = PairedScores(), PairedScores()
    for number in range(40):
        match = Match(("s", "d", number % 2 + 1, str(number)), side(number % 3 == 0), side(number % 4 == 0), number)
        looked_at.add(match)
        looked_at.settled()
        fresh.add(match)
    assert looked_at.settled().difference() == fresh.settled().difference()
    assert looked_at.settled().paired() == fresh.settled().paired()


def test_a_race_looks_where_clusters_are_whole() -> None:
    state = RaceState(["a", "b"], 100, ends=[30, 60, 100])
    assert [state.tests_at(look) for look in (1, 6, 7, 12, 13, 20)] == [30, 30, 60, 60, 100, 100]


def standing(decision: Decision) -> PairLook:
    return PairLook(decision, 0.0, 0.0, (-0.5, 0.25))


def test_a_model_that_leaves_once_another_one_left_is_not_open_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {"good": 9, "mid": 5, "poor": 1}
    differences = {"mid": -0.4, "poor": -0.8}

    def look(found: PairedDifference, low: object, high: object, look: int, pairs: int) -> PairLook:
        poor = round(-found.difference, 1) == -differences["poor"]
        return standing("worse" if poor or pairs == 1 else "open")

    monkeypatch.setattr(race, "look_at", look)
    state = RaceState(list(rates), 200)
    state.advance(*after(10, rates))
    assert [one.exp_id for one in state.dropped] == ["poor", "mid"]
    assert (state.still_in, state.open, state.ending) == (["good"], {}, "decided")


@pytest.mark.parametrize(("tests", "dropped"), [(4, []), (10, ["poor"])])
def test_looking_at_any_moment_decides_nothing_on_too_few_tests(
    monkeypatch: pytest.MonkeyPatch, tests: int, dropped: list[str]
) -> None:
    monkeypatch.setattr(race, "peek_at", lambda *_: "worse")
    rates = {"good": 9, "poor": 0}
    state = RaceState(list(rates), 200, peek=True)
    state.advance(*after(tests, rates))
    assert [one.exp_id for one in state.dropped] == dropped


def test_a_model_is_judged_alike_on_whichever_side_of_the_leader_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    for rates, decision in (({"good": 9, "poor": 1}, "worse"), ({"poor": 1, "good": 9}, "better")):
        for said in ("better", "worse"):
            monkeypatch.setattr(race, "look_at", lambda *_, said=said: standing(said))
            state = RaceState(list(rates), 200)
            state.advance(*after(10, rates))
            assert [one.exp_id for one in state.dropped] == (["poor"] if said == decision else [])
            (against,) = [*state.dropped, *state.open.values()]
            assert against.gap == pytest.approx(-0.8)
            assert against.bound == ((-0.5, 0.25) if decision == "worse" else (-0.25, 0.5))


def test_the_leader_has_the_best_score_and_of_equal_ones_the_first_leads() -> None:
    state = RaceState(["a", "b", "c"], 200)
    state.advance(after(10, {"a": 5, "b": 7, "c": 7})[0], {"a": 0.5, "b": 0.7, "c": 0.7})
    assert (state.leader, state.look, state.asked) == ("b", 1, 10)
    state.advance(after(20, {"a": 5, "b": 7, "c": 7})[0], {"c": 0.8})
    assert (state.leader, state.look, state.asked) == ("c", 2, 20)
    assert state.scores == {"a": 0.5, "b": 0.7, "c": 0.8}


def test_tests_are_saved_by_those_who_left_and_by_all_once_the_race_is_over() -> None:
    rates = {"good": 9, "poor": 2, "stored": 2}
    state = RaceState(list(rates), 200, stored=["stored"])
    state.advance(*after(state.tests_at(1), rates))
    assert state.saved() == {"good": 0, "poor": 0}
    run(state, rates)
    (poor,) = [one for one in state.dropped if one.exp_id == "poor"]
    assert state.saved() == {"good": 200 - state.asked, "poor": 200 - poor.tests}
    assert state.asked == state.tests_at(state.look) < 200


def test_a_line_says_who_leads_who_left_at_this_look_and_what_is_left() -> None:
    rates = {"good": 9, "poor": 1}
    state = RaceState(list(rates), 200)
    while not state.dropped:
        assert standing_words(state).startswith("good leads; poor -80.0 points (") if state.look else True
        state.advance(*after(state.tests_at(state.look + 1), rates))
    assert standing_words(state) == f"good leads; poor is out; 0 looks left; {2 * (200 - state.asked)} tests saved"
    state.ending, state.look = None, LOOKS - 1
    assert standing_words(state).startswith("good leads; 1 look left; ")
    assert race_words(state, SAVED)[-1].startswith("the race goes on; ")


def test_models_that_share_no_verdict_are_named_once_the_race_is_over() -> None:
    state = RaceState(["a", "b", "c"], 20)
    state.leader = "a"
    assert race_words(state, SAVED)[:-1] == []
    state.ending = "all asked"
    assert race_words(state, SAVED)[:-1] == [
        f"not decided: {name} against a; no two verdicts on the same tests" for name in ("b", "c")
    ]


@each_row(
    ("saved", "words"),
    [
        (Saved(520, 4, 200, 1040, 0.31), "520 of 4 × 200 tests need not be asked: about 1,040 calls and $0.31 saved"),
        (Saved(0, 1, 200, 0, 0.0), "0 of 200 tests need not be asked"),
        (Saved(1, 1, 200, 1, None), "1 of 200 tests need not be asked: about 1 call saved"),
    ],
)
def test_what_need_not_be_asked_in_words(saved: Saved, words: str) -> None:
    assert saved_words(saved) == words


def test_calls_and_money_are_saved_as_the_tests_that_were_asked_took(monkeypatch: pytest.MonkeyPatch) -> None:
    took = {1: (10, 4, 6), 2: (30, 0, 0), 3: (1, 1, 1)}
    calls = {id_: SimpleNamespace(model=one, pass2=two, judged=three) for id_, (one, two, three) in took.items()}
    monkeypatch.setattr("modex.core.features.race.words.calls_of", lambda _, id_: calls[id_])
    spared = {"a": 50, "b": 25, "c": 0, "d": 100}
    state: Any = SimpleNamespace(saved=lambda: spared, total=100)
    runs = [RunRow(id_, exp_id=name, cost_usd=1.0 + id_) for id_, name in enumerate("abcde", 1)]
    reader: Any = None
    assert saved_by(reader, state, runs) == Saved(175, 4, 100, 30, 3.0)
    unpriced = [runs[0], RunRow(2, exp_id="b", cost_usd=3.0, unpriced_calls=1)]
    assert saved_by(reader, state, unpriced).cost_usd is None
    assert saved_by(reader, state, [runs[0], RunRow(3, exp_id="c", unpriced_calls=1)]).cost_usd == 2.0
    spared["a"] = 99  # what one test took, 99 times
    assert saved_by(reader, state, runs[:1]) == Saved(224, 4, 100, 1980, 198.0)


def test_models_are_paired_over_the_tests_asked_for_that_all_have(manager: DBDataManager, store: Store) -> None:
    def samples(*names: str, right: str) -> list[EvaluationSample]:
        return [scored(name, float(name in right)) for name in names]

    runs = [store("a", samples(*"1234", right="124")), store("b", samples(*"1234", right="1")),
            store("c", samples(*"124", right="14"))]  # fmt: skip
    keys = {("suite", "d", 1, name) for name in "123"}
    pairs, scores = pairs_of(manager.reader, runs, keys)
    assert list(pairs) == [("a", "b"), ("a", "c"), ("b", "c")]
    found = {names: pair.difference() for names, pair in pairs.items()}
    assert {names: (one.n, one.lost, one.gained) for names, one in found.items() if one} == {
        ("a", "b"): (2, 1, 0), ("a", "c"): (2, 1, 0), ("b", "c"): (2, 0, 0),
    }  # fmt: skip
    assert scores == {"a": 1.0, "b": 0.5, "c": 0.5}
