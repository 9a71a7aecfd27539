"""How fast a run's answers came: medians and slow ends by cell, and what of it a run's row keeps."""

from __future__ import annotations

import math
import sqlite3
from array import array
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.config.filters import parse_query
from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import RUN_FILTERS, Reader, SampleQuery
from modex.core.store.rows import RUN_COLUMNS
from modex.core.store.sample import EvaluationSample
from modex.core.store.speeds import Figure, Pace, _figure, answer_times, pace_of, paces, with_latest_pace
from tests.core.store.stores import CONFIG, FINISHED, finished, sample, with_writer
from tests.rows import each_row


def _run(manager: DBDataManager, samples: list[EvaluationSample], exp_id: str = "timed") -> int:
    run_id = manager.create_run(exp_id, CONFIG)
    manager.plan(run_id, [sample(one.test_id, domain=one.domain, level=one.level) for one in samples])
    stored = list(manager.reader.samples(run_id))
    for known, wanted in zip(stored, samples, strict=True):
        wanted.id = known.id
    with_writer(manager, run_id, lambda writer: [writer.save(one, FINISHED, before="pending") for one in samples])
    return run_id


def _timed(number: int, first_ms: float | None, per_s: float | None = None, **fields: Any) -> EvaluationSample:
    planned = sample(f"t{number}", domain="math" if number % 2 else "sql", level=1 + number % 2)
    return finished(planned, ttft_ms=first_ms, output_tokens_per_s=per_s, **fields)


def test_a_cell_has_its_own_figures_and_the_run_those_of_all(manager: DBDataManager) -> None:
    samples = [_timed(n, 100.0 * n, 200.0 - n, thinking_ms=n if n % 2 else None) for n in range(1, 41)]
    found = paces(manager.reader, _run(manager, [*samples, _timed(41, None)]))
    whole, math = found[None], found["math", 2]
    assert (whole.first_ms, whole.tokens_per_s) == (Figure(40, 2050.0, 3800.0), Figure(40, 179.5, 162.0))
    assert math.first_ms == Figure(20, 2000.0, 3700.0)
    assert math.thinking_ms == Figure(20, 20.0, 37.0)
    assert found["sql", 1].thinking_ms is None
    assert set(found) == {None, ("math", 2), ("sql", 1)}


def test_a_selection_has_the_figures_of_its_samples(manager: DBDataManager) -> None:
    run_id = _run(manager, [_timed(n, float(n), flags=["speed_estimated"] if n > 8 else []) for n in range(1, 11)])
    found = pace_of(manager.reader, run_id, SampleQuery(domains=("sql",)))
    assert found == Pace(Figure(5, 6.0, 10.0), None, None, 1)
    assert pace_of(manager.reader, run_id, SampleQuery(domains=("none",))) is None


def _listed(manager: DBDataManager) -> Pace | None:
    (run,) = with_latest_pace(manager.reader, manager.reader.runs())
    return Pace.of(run.pace)


def test_a_run_that_goes_on_has_the_pace_of_its_newest_answers(manager: DBDataManager) -> None:
    old = [_timed(n, 9000.0, 1.0) for n in range(5)]
    new = [_timed(n, 200.0, 50.0, flags=["speed_estimated"] if n == 1004 else []) for n in range(5, 1005)]
    run_id = _run(manager, [*old, *new, _timed(1005, None)])
    assert _listed(manager) is None
    with RunLock(manager.path, run_id, "timed"):
        assert _listed(manager) == Pace(Figure(1000, 200.0, 200.0), Figure(1000, 50.0, 50.0), None, 1)


def test_a_run_that_goes_on_without_a_streamed_answer_keeps_what_it_had(manager: DBDataManager) -> None:
    run_id = _run(manager, [_timed(n, None) for n in range(3)])
    kept = Pace(Figure(1, 5.0, 5.0), None, None)
    with RunLock(manager.path, run_id, "timed"):
        assert _listed(manager) is None
        manager.update_run(run_id, pace=kept.as_dict())
        assert _listed(manager) == kept


def test_the_newest_answers_are_found_by_an_index_and_their_number_is_bounded(manager: DBDataManager) -> None:
    asked: list[str] = []
    run_id = _run(manager, [_timed(n, 5.0) for n in range(3)])
    with RunLock(manager.path, run_id, "timed"):
        connection: sqlite3.Connection = manager.reader.database.connection()  # type: ignore[no-untyped-call]
        connection.set_trace_callback(asked.append)
        assert _listed(manager) is not None
        connection.set_trace_callback(None)
    (query,) = [words for words in asked if "ttft_ms" in words]
    steps = [row[3] for row in manager.database.rows(f"EXPLAIN QUERY PLAN {query}")]
    assert len(steps) == 1, steps
    assert "USING INDEX individual_test_results_run_id_seq (run_id=?)" in steps[0]
    assert "LIMIT 2000" in query


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60))
def test_nineteen_of_twenty_are_not_slower_than_the_slow_end(values: list[float]) -> None:
    late, slow = _figure(array("d", values)), _figure(array("d", values), low=True)
    assert late is not None
    assert slow is not None
    assert late.median == slow.median == pytest.approx(median(values))
    assert sum(value <= late.p95 for value in values) >= 0.95 * len(values)
    assert sum(value >= slow.p95 for value in values) >= 0.95 * len(values)


def test_how_long_an_answer_took_counts_streamed_or_not(manager: DBDataManager) -> None:
    run_id = _run(manager, [_timed(n, None, duration_ms=1000 * n) for n in range(3)])
    assert answer_times(manager.reader, run_id) == Figure(2, 1500.0, 2000.0)


def test_what_a_run_keeps_reads_as_it_was() -> None:
    pace = Pace(Figure(3, 1.5, 2.0), None, Figure(2, 7.0, 8.0), 1)
    assert Pace.of(pace.as_dict()) == pace


@each_row("stored", [{}, {"first_ms": 3}, {"first_ms": {"n": "x", "median": 1, "p95": 2}}])
def test_what_is_no_figure_is_none(stored: dict[str, object]) -> None:
    assert Pace.of(stored) is None


@pytest.fixture
def three(manager: DBDataManager) -> DBDataManager:
    """A slow run, a fast one, and one whose answers were not streamed."""
    for name, first, per_s in (("slow", 900.0, 12.0), ("fast", 200.0, 80.0)):
        pace = Pace(Figure(1, first, first), Figure(1, per_s, per_s), None)
        manager.update_run(manager.create_run(name, CONFIG), status="completed", pace=pace.as_dict())
    manager.update_run(manager.create_run("whole", CONFIG), status="completed")
    return manager


def test_runs_are_sorted_and_found_by_speed(three: DBDataManager) -> None:
    def names(**wanted: object) -> list[str]:
        return [run.exp_id for run in three.reader.runs(**wanted)]  # type: ignore[arg-type]

    assert names(order="speed") == ["fast", "slow", "whole"]
    assert names(order="speed", turned=True) == ["slow", "fast", "whole"]
    assert names(order="first") == ["fast", "slow", "whole"]
    assert names(conditions=parse_query("speed>50", RUN_FILTERS).conditions) == ["fast"]
    assert names(conditions=parse_query("first>=0.5", RUN_FILTERS).conditions) == ["slow"]


def test_a_damaged_pace_is_the_fault_of_its_run_alone(three: DBDataManager) -> None:
    three.database.run("UPDATE evaluation_runs SET pace = '{' WHERE exp_id = 'slow'")
    reader = Reader(three.path)
    found = {run.exp_id: run for run in reader.runs(order="speed")}
    reader.close()
    assert next(iter(found)) == "fast"
    assert (found["slow"].status, found["fast"].status) == ("error", "completed")
    assert "`pace`" in str(found["slow"].reason)
    assert "pace" in RUN_COLUMNS


@each_row("count", [1, 2, 3, 19, 20, 21, 40, 41, 100])
def test_the_slow_end_is_the_nearest_rank_of_ninety_five_in_a_hundred(count: int) -> None:
    values = array("d", range(count, 0, -1))
    late, slow = _figure(values), _figure(values, low=True)
    rank = math.ceil(95 * count / 100)
    assert late == Figure(count, median(values), rank)
    assert slow == Figure(count, median(values), count + 1 - rank)
    assert _figure(array("d")) is None


def test_a_figure_of_a_damaged_row_leaves_the_others_and_what_is_below_zero_counts_nothing(
    manager: DBDataManager,
) -> None:
    run_id = _run(manager, [_timed(n, 100.0, 20.0, thinking_ms=0) for n in range(1, 5)])
    manager.database.run("UPDATE individual_test_results SET output_tokens_per_s = 'fast' WHERE test_id = 't1'")
    manager.database.run("UPDATE individual_test_results SET ttft_ms = -5 WHERE test_id = 't2'")
    found = pace_of(manager.reader, run_id)
    assert found == Pace(Figure(2, 100.0, 100.0), Figure(3, 20.0, 20.0), Figure(3, 0.0, 0.0), 0)
    manager.database.run("UPDATE individual_test_results SET duration_ms = 'long'")
    assert answer_times(manager.reader, run_id) is None


@each_row(
    "stored",
    [
        {"first_ms": {"n": 1, "median": "x", "p95": 2}}, {"first_ms": {"n": 1, "median": 1, "p95": None}},
        {"first_ms": {"n": 1.5, "median": 1, "p95": 2}}, {"estimated": 3}, {"first_ms": [1, 2, 3]},
    ],
)  # fmt: skip
def test_a_figure_is_read_whole_or_not_at_all(stored: dict[str, object]) -> None:
    assert Pace.of(stored) is None


@each_row("name", ["first_ms", "tokens_per_s", "thinking_ms"])
def test_one_figure_is_enough_for_a_pace(name: str) -> None:
    found = Pace.of({name: {"n": 1, "median": 2, "p95": 3}, "estimated": "many"})
    assert found is not None
    assert getattr(found, name) == Figure(1, 2.0, 3.0)
    assert found.estimated == Pace(None, None, None).estimated == 0
