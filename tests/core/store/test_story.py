"""What a finished run's story asks of its samples, and which run it is set beside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from modex.core.store.reader import Reader
from modex.core.store.selecting import SampleQuery
from modex.core.store.story import count_errors, count_reasons, ids_without_reason, measured, run_before, took_most
from tests.tui.stores import StoreMaker, sample

ONLY_D = SampleQuery(domains=("d",))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path_factory.mktemp("story") / "m.db")
    reasons: list[Any] = [
        "b", "b", "a", "expected 4, got 5", "expected 6, got 7", "expected 8, got 9", "expected nothing", "so, got ", None, "",
        "x" * 199 + "yz", "x" * 199 + "yy", "b\0",
    ]  # fmt: skip
    failed = [sample("d", 1, number, "failed", reason=reason) for number, reason in enumerate(reasons)]
    rest = [
        sample("d", 2, 1, "passed", reason="b"),
        sample("e", 1, 1, "failed", reason="b"),
        sample("e", 1, 2, "failed", reason=None),
        *(sample("d", 3, number, "error", error_type=kind) for number, kind in enumerate(("z", "a", None, "a", "b"))),
        sample("e", 3, 9, "error", error_type="z"),
    ]
    maker.run("r", samples=[*failed, *rest])
    maker.run("s", samples=[*failed, *rest])
    yield maker
    maker.close()


@pytest.fixture
def reader(store: StoreMaker) -> Reader:
    return store.manager.reader


def test_reasons_are_counted_and_those_that_name_two_values_together(store: StoreMaker, reader: Reader) -> None:
    run = store.run_id("r")
    assert count_reasons(reader, run) == [
        ("", 3), ("b", 3), ("x" * 199 + "y", 2), ("a", 1), ("expected nothing", 1), ("so, got ", 1), ("b\0", 1),
    ]  # fmt: skip
    assert count_reasons(reader, run, ONLY_D, 3) == [("", 3), ("b", 2), ("x" * 199 + "y", 2)]


def test_verdicts_without_a_reason_come_in_planning_order(store: StoreMaker, reader: Reader) -> None:
    run = store.run_id("r")
    tests = [reader.sample(one).test_id for one in ids_without_reason(reader, run)]
    assert tests == ["d_1_8", "d_1_9", "e_1_2"]
    assert ids_without_reason(reader, run, ONLY_D, 1) == ids_without_reason(reader, run)[:1]
    assert len(ids_without_reason(reader, run, ONLY_D)) == 2


def test_kinds_of_error_are_counted_the_most_frequent_first(store: StoreMaker, reader: Reader) -> None:
    assert count_errors(reader, store.run_id("r")) == [("a", 2), ("z", 2), ("b", 1), ("error", 1)]
    assert count_errors(reader, store.run_id("r"), ONLY_D) == [("a", 2), ("b", 1), ("error", 1), ("z", 1)]


def test_the_samples_that_took_most_come_first_and_those_that_took_none_not_at_all(store: StoreMaker) -> None:
    figures: list[tuple[int, float | None]] = [(10, 0.5), (1, 0.0), (30, 0.5), (0, None), (10, 0.75)]
    samples = [
        sample("d", 1, number, "passed", duration_ms=took, cost_usd=cost) for number, (took, cost) in enumerate(figures)
    ]
    samples += [sample("d", 1, 8, "error", duration_ms=5, cost_usd=0.0), sample("d", 1, 9, "pending")]
    run, reader = store.run("took", samples=samples), store.manager.reader
    assert [head.test_id for head in took_most(reader, run, "time", 9)] == ["d_1_2", "d_1_0", "d_1_4", "d_1_8", "d_1_1"]
    assert [head.test_id for head in took_most(reader, run, "cost", 2)] == ["d_1_4", "d_1_0"]
    assert measured(reader, run) == figures
    assert measured(reader, run, 2) == figures[:2]


def test_a_run_is_set_beside_the_newest_one_before_it_that_came_to_its_end(store: StoreMaker) -> None:
    changed: list[dict[str, Any]] = [
        {}, {}, {"archived": True}, {"kind": "speed"}, {"status": "stopped"}, {"model": "other/model"}, {}, {},
    ]  # fmt: skip
    for number, columns in enumerate(changed):
        store.run(f"before-{number}", **{"model": "one/model", **columns})
    reader = store.manager.reader
    before = run_before(reader, reader.run("before-6"))
    assert before is not None
    assert before.exp_id == "before-1"
    assert run_before(reader, replace(reader.run("before-6"), model="two/model")) is None
