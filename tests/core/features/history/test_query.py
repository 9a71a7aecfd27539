"""A test, a cell and a suite over all runs: the run that was started last first, each with how far it moved."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.features.history.query import HistoryPoint, cell_history, history, suite_history
from modex.core.foundation.errors import StoreError
from modex.core.store.reader import Reader
from modex.core.store.summary import Scores, replace_scores
from tests.tui.stores import StoreMaker, sample

OLDER, NEWER = "2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path_factory.mktemp("history") / "m.db")
    samples = [
        sample("b", 1, 1, "passed", test_id="t"), sample("b", 1, 1, "failed", test_id="t", epoch=2),
        sample("a", 2, 1, "passed", test_id="t"), sample("a", 1, 1, "passed", test_id="t"),
        sample("a", 1, 1, "passed", test_id="alphabet"),
    ]  # fmt: skip
    maker.run("new", samples=samples, started_at=NEWER)
    maker.run("old", samples=samples[:1], started_at=OLDER)
    maker.run("same", samples=samples[:1], started_at=OLDER)
    maker.run("unstarted", samples=samples[:1], started_at=None)
    yield maker
    maker.close()


@pytest.fixture
def reader(store: StoreMaker) -> Reader:
    return store.manager.reader


def test_a_tests_samples_come_by_run_then_by_place_and_epoch(reader: Reader) -> None:
    found = [(one.run.exp_id, one.head.domain, one.head.level, one.head.epoch) for one in history(reader, "t")]
    assert found == [
        ("new", "a", 1, 1), ("new", "a", 2, 1), ("new", "b", 1, 1), ("new", "b", 1, 2), ("same", "b", 1, 1),
        ("old", "b", 1, 1), ("unstarted", "b", 1, 1),
    ]  # fmt: skip
    assert [(one.head.domain, one.head.level) for one in history(reader, "t", "a")] == [("a", 1), ("a", 2)]
    assert [one.head.level for one in history(reader, "t", "a", 2)] == [2]
    assert [one.head.domain for one in history(reader, "t", level=2)] == ["a"]


@pytest.mark.parametrize(
    ("asked", "hint"),
    [("alpabet", "; did you mean alphabet?"), ("entirely other", "; `modex show EXP --status failed` lists some")],
)
def test_a_test_that_no_run_has_is_told_with_near_ones(reader: Reader, asked: str, hint: str) -> None:
    with pytest.raises(StoreError) as caught:
        history(reader, asked)
    assert str(caught.value) == f"no run in {reader.path} has a test {asked!r}{hint}"


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreMaker]:
    """Runs of a suite, the oldest first: their scores, and whether a sample without a verdict bounds them."""
    maker = StoreMaker(tmp_path_factory.mktemp("scored") / "m.db")
    runs: list[tuple[str, float | None, bool]] = [
        ("one", 0.5, False), ("two", 0.25, False), ("one", 0.75, False), ("one", None, False), ("one", 0.875, False),
        ("one", 0.5, True), ("one", 1.0, False), ("one", 0.25, False),
    ]  # fmt: skip
    for number, (model, score, bounded) in enumerate(runs):
        samples = [sample("d", 1, 1, "passed"), sample("e", 1, 1, "passed")]
        samples += [sample("d", 1, 2, "error", error_type="timeout"), sample("d", 1, 3, "failed")] if bounded else []
        config = RunConfig(model=ModelSpec(model=model), selection=Selection(suite="mine"))
        run = maker.run(
            f"r{number}", samples=samples, config=config, model=model, started_at=f"2026-01-0{number + 1}T00:00:00.000Z"
        )
        row = {
            "domain": "d",
            "level": 1,
            "average_score": score,
            "weight": 1.0,
            "ci_low": 0.125,
            "ci_high": 0.9,
            "passed_tests": number,
            "total_tests": 9,
        }
        replace_scores(maker.manager.database, run, Scores([row], [], score, (0.125, 0.9), {}))
    maker.run("bundled", model="one", overall_score=0.125)
    yield maker
    maker.close()


def told(found: list[HistoryPoint]) -> list[tuple[str, float | None, float | None, tuple[float, float] | None]]:
    return [(one.run.exp_id, one.score, one.change, one.bounds) for one in found]


def test_a_cell_moved_against_the_same_models_last_score_that_is_settled(scored: StoreMaker) -> None:
    found = cell_history(scored.manager.reader, "d", 1)
    assert told(found) == [
        ("r7", 0.25, -0.75, None), ("r6", 1.0, None, None), ("r5", 0.5, None, (1 / 3, 2 / 3)), ("r4", 0.875, 0.125, None),
        ("r3", None, None, None), ("r2", 0.75, 0.25, None), ("r1", 0.25, None, None), ("r0", 0.5, None, None),
    ]  # fmt: skip
    assert {(one.low, one.high, one.total) for one in found} == {(0.125, 0.9, 9)}
    assert [one.passed for one in found] == [7, 6, 5, 4, 3, 2, 1, 0]


def test_a_suites_runs_are_its_own_with_what_bounds_them(scored: StoreMaker) -> None:
    reader = scored.manager.reader
    scored.manager.update_run(scored.run_id("r5"), unsettled=1, bound_low=0.25, bound_high=0.75)
    found = suite_history(reader, "mine")
    assert [one.run.exp_id for one in found] == [f"r{number}" for number in range(7, -1, -1)]
    assert [one.change for one in found] == [-0.75, None, None, 0.125, None, 0.25, None, None]
    assert [one.bounds for one in found if one.bounds] == [(0.25, 0.75)]
    assert (found[2].low, found[2].high, found[2].passed, found[2].total) == (0.125, 0.9, 2, 4)
    assert [one.run.exp_id for one in suite_history(reader, None)] == ["bundled"]
    assert suite_history(reader, "other") == []


@pytest.mark.parametrize(
    ("domain", "level", "hint"), [("dd", 1, "; did you mean d/1?"), ("q", 77, "; `modex show EXP` lists the cells")]
)
def test_a_cell_that_no_run_has_is_told_with_near_ones(scored: StoreMaker, domain: str, level: int, hint: str) -> None:
    with pytest.raises(StoreError) as caught:
        cell_history(scored.manager.reader, domain, level)
    assert str(caught.value).endswith(f"has a score of the cell {domain}/{level}{hint}")
