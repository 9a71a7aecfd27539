"""What is read of a run's samples to sum them up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from modex.core.foundation.errors import StoreError
from modex.core.statistics.k_of_n import Required
from modex.core.store import summary
from modex.core.store.sample import EvaluationSample
from modex.core.store.summary import (
    Group,
    Outcome,
    Scores,
    clusters_by_test,
    flagged,
    groups,
    outcomes,
    reading,
    replace_scores,
    score_of,
    sources,
    verdicts_with,
    weight_of,
)
from tests.rows import each_row
from tests.tui.stores import StoreMaker, sample


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "m.db")
    yield maker
    maker.close()


def outcome(status: str, score: float | None, needed: int | None = None, of: int | None = None) -> Outcome:
    return Outcome("s", "d", 1, "t", status, score, 1.0, 0, 0, 0.0, 0, None, None, needed, of)


@each_row(
    ("needed", "of", "required"),
    [(2, 3, Required(2, 3)), (None, None, None), (2, None, None), (None, 3, None), (0, 3, None)],
)
def test_k_of_n_is_asked_for_where_both_numbers_stand(
    needed: int | None, of: int | None, required: Required | None
) -> None:
    assert outcome("passed", 1.0, needed, of).required == required


def test_a_tests_score_is_the_mean_of_its_scored_tries_or_the_verdict_of_k_of_n() -> None:
    tries = [("passed", 1.0), ("failed", 0.5), ("error", 0.25), ("passed", None)]
    assert score_of([outcome(*one) for one in tries]) == 0.75
    assert score_of([outcome(*one, 1, 2) for one in tries]) == 1.0
    assert score_of([outcome("failed", 0.5, 1, 2), outcome("failed", 0.5, 1, 2)]) == 0.0
    assert score_of([outcome("failed", 0.5, 1, 2)]) is None
    assert score_of([outcome("error", 1.0)]) is None


def test_a_test_weighs_the_most_that_one_of_its_scored_tries_weighs() -> None:
    """A run that went on with another weight and was broken off leaves tries of both, and perhaps one that waits."""
    waiting, low, high = outcome("pending", 0.5), outcome("failed", 0.5), outcome("passed", 1.0)
    tries = [waiting._replace(weight=3.0), low._replace(weight=1.0), high._replace(weight=2.5)]
    assert weight_of(tries) == 2.5
    assert weight_of(tries[::-1]) == 2.5
    assert weight_of(tries[:1]) == 3.0


def test_samples_come_test_by_test_with_what_they_cost(store: StoreMaker) -> None:
    samples = [
        sample("b", 1, 1, "passed", epoch=2, prompt_tokens=1, completion_tokens=20, cost_usd=0.5, weight=2.0),
        sample("a", 1, 1, "error", cost_usd=None),
        sample("b", 1, 1, "failed", judge_prompt_tokens=300, judge_completion_tokens=4000, judge_cost_usd=0.25),
    ]
    run_id = store.run("r", samples=samples)
    store.run("other", samples=[sample("c", 1, 1, "passed")])
    found = list(outcomes(store.manager.database, run_id))
    assert [(one.domain, one.position, one.status) for one in found] == [
        ("a", 1, "error"), ("b", 2, "failed"), ("b", 0, "passed"),
    ]  # fmt: skip
    assert [(one.tokens, one.cost_usd) for one in found[1:]] == [(160 + 4300, pytest.approx(0.2504)), (21, 0.5)]
    assert (found[0].cost_usd, found[2].weight) == (None, 2.0)


def test_samples_of_a_source_are_summed_up_by_status(store: StoreMaker) -> None:
    samples = [
        sample("d", 1, 1, "passed", prompt_tokens=1, completion_tokens=2, cost_usd=0.5, duration_ms=10, flags=["cut"]),
        sample(
            "d", 1, 2, "passed", prompt_tokens=4, completion_tokens=8, cost_usd=0.25, duration_ms=20, flags=["a", "b"]
        ),
        sample("d", 1, 3, "failed", prompt_tokens=0, completion_tokens=0, cost_usd=None, duration_ms=1),
        sample("d", 1, 4, "passed", source="other", flags=["cut"]),
    ]
    run_id, database = store.run("r", samples=samples), store.manager.database
    store.run("s", samples=[sample("d", 1, 1, "passed", flags=["cut"])])
    assert sorted(groups(database, run_id, "suite", ["cut", "b"])) == [
        Group("failed", 1, 0, 0, 1, None), Group("passed", 2, 2, 15, 30, 0.75),
    ]  # fmt: skip
    assert [flagged(database, run_id, "suite", flag) for flag in ("cut", "b", "cu")] == [1, 1, 0]


def test_sources_stand_in_planning_order_with_their_evaluator_where_they_have_one(store: StoreMaker) -> None:
    samples = [
        sample("d", 1, 1, "passed", source="z", evaluator_id="match"),
        sample("d", 1, 2, "passed", source="a", evaluator_id="match"),
        sample("d", 1, 3, "passed", source="z", evaluator_id="match"),
        sample("d", 1, 4, "passed", source="a", evaluator_id="regex"),
    ]
    assert sources(store.manager.database, store.run("r", samples=samples)) == [("z", "match"), ("a", "")]


def test_how_answers_were_read_is_counted_by_kind_and_of_one_source_of_one_run_alone(store: StoreMaker) -> None:
    kinds: list[dict[str, Any]] = [
        {"status": "passed"},
        {"status": "passed", "pass2_used": True},
        {"status": "passed", "pass2_used": True, "verdict_flags": ["pass2_not_in_response"]},
        {"status": "passed", "pass2_used": False, "verdict_flags": ["pass2_not_in_response"]},
        {"status": "failed", "verdict_flags": ["gold_in_answer"]},
        {"status": "passed", "verdict_flags": ["gold_in_answer"]},
        {"status": "error", "error_type": "extraction_error"},
        {"status": "error", "error_type": "timeout"},
        {"status": "passed", "pass2_used": True, "verdict_flags": None, "details": {"offered": "4"}},
        {"status": "passed", "pass2_used": True, "verdict_flags": [], "details": {"offered": "4"}},
        {"status": "failed", "pass2_used": True, "verdict_flags": ["pass2_unreadable", "gold_in_answer"]},
    ]
    every: list[EvaluationSample] = []
    for source, (number, kind) in product(("suite", "other"), enumerate(kinds)):
        if source == "suite" or number == 4:
            fields = {"verdict_flags": [], **kind}
            every.append(sample("d", 1, number, fields.pop("status"), source=source, **fields))
    run_id = store.run("r", samples=every)
    store.run("s", samples=[sample("d", 1, 1, "failed", verdict_flags=["gold_in_answer"])])
    found = reading(store.manager.database, run_id, "suite")
    assert (found.extractor_only, found.gold_in_answer, found.pass2_asked) == (2, 2, 6)
    assert found.pass2_faults["unreadable"] == 2
    other = reading(store.manager.database, run_id, "other")
    assert (other.extractor_only, other.gold_in_answer, other.pass2_asked, other.pass2_faults.get("unreadable")) == (
        0, 1, 0, None,
    )  # fmt: skip


def test_votes_are_read_page_by_page_and_damaged_rows_are_nobodys(
    store: StoreMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summary, "_PAGE", 2)
    samples = [sample("d", 1, n, "passed", details={"votes": n} if n != 3 else {"why": "none"}) for n in range(7)]
    run_id = store.run("r", samples=samples)
    store.run("s", samples=[sample("d", 1, 1, "passed", details={"votes": 9})])
    store.manager.database.run("UPDATE individual_test_results SET details = '{\"votes\"' WHERE position = 1")
    assert [one["votes"] for _, one in verdicts_with(store.manager.database, run_id, "suite", "votes")] == [
        0,
        2,
        4,
        5,
        6,
    ]
    assert list(verdicts_with(store.manager.database, run_id, "elsewhere", "votes")) == []


def test_tests_in_a_cluster_are_named_by_it_and_their_source(store: StoreMaker) -> None:
    samples = [
        sample("d", 1, 1, "passed", cluster="x"), sample("d", 1, 1, "failed", cluster="x", epoch=2),
        sample("d", 2, 2, "pending", cluster="x", source="zoo"), sample("d", 1, 3, "passed"),
        sample("e", 1, 4, "passed", cluster="y", test_id="a\0b"),
    ]  # fmt: skip
    run_id = store.run("r", samples=samples)
    store.run("s", samples=[sample("d", 1, 9, "passed", cluster="x")])
    assert clusters_by_test(store.manager.database, run_id) == {
        ("suite", "d", 1, "d_1_1"): ("suite", "x"), ("zoo", "d", 2, "d_2_2"): ("zoo", "x"),
        ("suite", "e", 1, "a\0b"): ("suite", "y"),
    }  # fmt: skip


def stored_scores(store: StoreMaker, exp_id: str) -> tuple[Any, ...]:
    run = store.manager.reader.run(exp_id)
    levels = [(row["domain"], row["average_score"]) for row in store.manager.reader.level_scores(run.id)]
    results = store.manager.database.rows("SELECT domain, score FROM test_results WHERE run_id = ?", [run.id])
    numbers = (run.overall_score, run.ci_low, run.ci_high, run.unsettled, run.bound_low, run.bound_high)
    (columns,) = store.manager.database.rows("SELECT metrics, pace, hosts FROM evaluation_runs WHERE id = ?", [run.id])
    return levels, [tuple(row) for row in results], numbers, tuple(json.loads(value) for value in columns)


def test_scores_take_the_place_of_those_that_were_there_and_leave_other_runs_alone(store: StoreMaker) -> None:
    run_id, other = store.run("r"), store.run("s")
    database = store.manager.database

    def scores(value: float, **more: Any) -> Scores:
        return Scores(
            [{"domain": "d", "level": 1, "average_score": value, "weight": 1.0}],
            [{"domain": "d", "level": None, "score": value, "status": "completed"}],
            value, (value - 0.1, value + 0.1), {"n": value}, **more,
        )  # fmt: skip

    replace_scores(database, other, scores(0.9))
    before, at = stored_scores(store, "s"), store.manager.reader.run("r").seq
    assert before == ([("d", 0.9)], [("d", 0.9)], (0.9, 0.8, 1.0, 0, None, None), ({"n": 0.9}, {}, []))
    replace_scores(
        database, run_id, scores(0.5, pace={"estimated": 1}, hosts=[{"h": 1}], unsettled=3, bounds=(0.25, 0.75))
    )
    assert stored_scores(store, "r") == (
        [("d", 0.5)], [("d", 0.5)], (0.5, 0.4, 0.6, 3, 0.25, 0.75), ({"n": 0.5}, {"estimated": 1}, [{"h": 1}]),
    )  # fmt: skip
    replace_scores(database, run_id, Scores([], [], None, None, {}))
    assert stored_scores(store, "r") == ([], [], (None, None, None, 0, None, None), ({}, {}, []))
    assert store.manager.reader.run("r").seq == at + 2
    replace_scores(database, run_id, scores(0.25))
    with pytest.raises(StoreError):
        replace_scores(database, run_id, Scores([{"domain": None, "level": 1, "weight": 1.0}], [], 1.0, None, {}))
    assert stored_scores(store, "r")[0] == [("d", 0.25)]
    assert stored_scores(store, "s") == before
