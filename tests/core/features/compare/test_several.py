"""Several runs: the best, and those that cannot be told apart from it."""

from __future__ import annotations

import re

import pytest

from modex.core.comparison.pairs import RunSide
from modex.core.config.filters import parse_query
from modex.core.features.compare.compare import compare
from modex.core.features.compare.several import (
    TEST_FILTERS,
    SeveralTest,
    compare_several,
    open_lines,
    several_json,
    shared_tests,
)
from modex.core.features.export.compared import compared
from modex.core.features.export.export import comparison
from modex.core.features.history.query import suite_history
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from modex.tui.features.compare.command import several_lines
from tests.core.features.compare.test_compare import failing, scored
from tests.core.reports.conftest import Store
from tests.rows import each_row


def test_the_best_is_marked_with_those_that_may_be_as_good(manager: DBDataManager, store: Store) -> None:
    poor = store("poor", [scored(str(n), float(n < 10)) for n in range(40)])
    good = store("good", [scored(str(n), float(n < 36)) for n in range(40)])
    twin = store("twin", [scored(str(n), float(n < 35)) for n in range(40)])
    found = compare_several(manager.reader, [poor, good, twin])
    assert [place.run.exp_id for place in found.places] == ["good", "twin", "poor"]
    assert [place.worse for place in found.places] == [False, False, True]
    pair = compare(manager.reader, good, poor).overall
    assert pair is not None
    last = found.places[-1]
    assert last.against_best is not None
    assert last.against_best.difference == pytest.approx(pair.difference)
    assert last.against_best.interval == pytest.approx(pair.interval)
    assert last.holm_p is not None
    assert pair.p_value is not None
    assert last.holm_p > pair.p_value
    assert several_json(found)["best"] == "good"


def test_what_answers_without_a_verdict_could_turn_is_not_told_apart(manager: DBDataManager, store: Store) -> None:
    good = store("good", [scored(str(n), 1.0) for n in range(40)])
    unsure = store("unsure", [*(scored(str(n), 0.0) for n in range(3)), *(failing(str(n)) for n in range(3, 40))])
    other = store("other", [scored(str(n), 1.0) for n in range(40)])
    found = compare_several(manager.reader, [good, unsure, other])
    assert found.n == 3
    assert not any(place.worse for place in found.places)


def test_a_test_without_a_verdict_in_one_run_is_in_no_score(manager: DBDataManager, store: Store) -> None:
    runs = [store(name, [scored("1", 1.0), scored("2", 0.0)]) for name in ("a", "b")]
    runs.append(store("c", [scored("1", 1.0), failing("2")]))
    found = compare_several(manager.reader, runs)
    assert (found.n, [place.score for place in found.places]) == (1, [1.0, 1.0, 1.0])


def test_what_lacks_a_verdict_bounds_a_runs_score_beside_its_place(manager: DBDataManager, store: Store) -> None:
    def unread(test_id: str) -> EvaluationSample:
        found = failing(test_id)
        found.error_type = "judge_error"
        return found

    sure = store("sure", [scored(str(n), 1.0) for n in range(4)])
    other = store("other", [scored(str(n), 0.0) for n in range(4)])
    open_ = store("open", [scored("0", 1.0), *(unread(str(n)) for n in range(1, 4))])
    found = compare_several(manager.reader, [sure, other, open_])
    assert list(open_lines(found)) == ["open: 3 without a verdict leave it between 25.0 and 100.0 over all its tests"]
    assert [one["run_bounds"] for one in several_json(found)["runs"]].count(None) == 2
    by_run = {one.run.exp_id: one.bounds for one in suite_history(manager.reader, None)}
    assert by_run == {"sure": None, "other": None, "open": (0.25, 1.0)}


def test_only_places_that_what_lacks_a_verdict_could_turn_are_marked(manager: DBDataManager, store: Store) -> None:
    top = store("top", [scored(str(n), 1.0) for n in range(40)])
    near = store("near", [*(scored(str(n), float(n < 36)) for n in range(38)), *(failing(str(n)) for n in (38, 39))])
    next_ = store("next", [scored(str(n), float(n < 35)) for n in range(40)])
    poor = store("poor", [scored(str(n), 0.0) for n in range(40)])
    found = compare_several(manager.reader, [poor, next_, near, top])
    assert [(place.run.exp_id, place.open_place) for place in found.places] == [
        ("top", False),
        ("near", False),
        ("next", False),
        ("poor", False),
    ]
    wide = store(
        "wide", [*(scored(str(n), float(n < 36)) for n in range(37)), *(failing(str(n)) for n in (37, 38, 39))]
    )
    level = store("level", [scored(str(n), float(n < 36 or n == 39)) for n in range(40)])
    found = compare_several(manager.reader, [poor, level, wide, top])
    told = {place.run.exp_id: place.open_place for place in found.places}
    assert told == {"top": False, "wide": True, "level": True, "poor": False}
    assert {one["run"]: one["place_open"] for one in several_json(found)["runs"]} == told
    lines = "\n".join(several_lines(found))
    assert re.search(r"wide +97\.3\? ", lines)
    assert re.search(r"top +100\.0 +best", lines)
    for kind in ("md", "csv", "html"):
        said = "".join(
            comparison(manager.reader, [poor, level, wide, top])
            if kind == "html"
            else compared(manager.reader, [poor, level, wide, top], kind)
        )
        assert ("97.3?" in said) == (kind != "csv")
    assert not compare_several(manager.reader, [poor, next_, top]).places[0].open_place


def test_runs_without_a_common_test_have_no_best(manager: DBDataManager, store: Store) -> None:
    runs = [store(name, [scored(name, 1.0)]) for name in "abc"]
    assert (compare_several(manager.reader, runs).n, several_json(compare_several(manager.reader, runs))["best"]) == (
        0,
        None,
    )


def test_each_domain_has_its_best_and_the_numbers_of_the_pair_comparison(manager: DBDataManager, store: Store) -> None:
    def samples(right: int) -> list[EvaluationSample]:
        return [
            *(scored(f"m{n}", float(n < right), domain="math") for n in range(40)),
            *(scored(f"s{n}", float(n < 40 - right), domain="sql") for n in range(40)),
        ]

    low, high, near = store("low", samples(4)), store("high", samples(39)), store("near", samples(38))
    found = compare_several(manager.reader, [low, high, near])
    order = [place.run.exp_id for place in found.places]
    pair = compare(manager.reader, low, high).domains
    for row in found.domains:
        scores = dict(zip(order, row.scores, strict=True))
        assert (scores["low"], scores["high"]) == pytest.approx(
            (pair[row.domain].first_score, pair[row.domain].second_score)
        )
        best, worst = ("high", "low") if row.domain == "math" else ("low", "high")
        assert order[row.best] == best
        told = dict(zip(order, row.worse, strict=True))
        assert told == {best: False, worst: True, "near": row.domain == "sql"}
    assert several_json(found)["domains"]["math"]["told_apart_from_best"] == ["low"]


def test_tests_are_those_that_runs_disagree_about_and_a_filter_narrows_them(
    manager: DBDataManager, store: Store
) -> None:
    runs = [store(f"r{k}", [scored(str(n), float(n > k)) for n in range(6)]) for k in range(3)]
    assert [test.key[3] for test in shared_tests(manager.reader, runs, "disagree")] == ["1", "2"]
    assert [test.key[3] for test in shared_tests(manager.reader, runs, "all failed")] == ["0"]
    every = shared_tests(manager.reader, runs, "all")
    assert len(every) == 6
    query = parse_query("passed=2", TEST_FILTERS)
    assert [test.key[3] for test in every if query.holds(test.fields(), "")] == ["2"]


_P, _F, _N = RunSide((1.0,), ("passed",)), RunSide((0.25,), ("failed",)), RunSide((), ("error",))


@each_row(
    ("sides", "disagree", "failed", "passed", "spread"),
    [
        ((_P, _F), True, False, 1, 0.75), ((_P, _P), False, False, 2, 0.0), ((_F, _F), False, True, 0, 0.0),
        ((_F, _N), False, True, 0, 0.0), ((_N, None), False, False, 0, 0.0), ((_P, None, _F), True, False, 1, 0.75),
    ],
)  # fmt: skip
def test_a_test_in_several_runs_is_of_those_that_are_asked_for(
    sides: tuple[RunSide | None, ...], disagree: bool, failed: bool, passed: int, spread: float
) -> None:
    key = ("s", "d", 1, "t")
    test = SeveralTest(key, sides, (key,) * len(sides))
    assert (test.is_of("disagree"), test.is_of("all failed"), test.is_of("all")) == (disagree, failed, True)
    fields = test.fields()
    assert set(fields) == set(TEST_FILTERS)
    assert (fields["passed"], fields["spread"], fields["id"], fields["test"]) == (passed, spread, "t", "t")
    assert fields["status"] == [side.status for side in sides if side is not None]
