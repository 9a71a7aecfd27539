"""What a run's row says of it, and what damage of a row comes to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from modex.core.store.manager import DBDataManager
from modex.core.store.rows import (
    HEAD_FIELDS,
    RUN_COLUMNS,
    RunRow,
    head_from_row,
    is_damaged,
    known_status,
    run_from_row,
    sample_from_row,
    values_from_row,
    whole_level,
)
from modex.core.store.sample import SAMPLE_COLUMNS, EvaluationSample
from modex.core.store.tables import TABLES
from tests.rows import each_row


@each_row(
    ("status", "alive", "live", "state"),
    [
        ("completed", True, {"starting": 1}, "completed"), ("running", False, {"starting": 1}, "interrupted"),
        ("running", True, {"starting": 1}, "starting"), ("running", True, {}, "running"), ("paused", True, {}, "paused"),
        ("paused", False, {}, "interrupted"), ("stopped", False, {}, "stopped"),
    ],
)  # fmt: skip
def test_a_run_that_nobody_holds_is_interrupted_and_one_before_its_first_work_starting(
    status: Any, alive: bool, live: dict[str, Any], state: str
) -> None:
    run = RunRow(1, status=status, alive=alive, live=live)
    assert (run.state, run.going) == (state, alive)


@each_row(
    ("unsettled", "low", "high", "bounds"),
    [
        (2, 0.25, 0.75, (0.25, 0.75)),
        (0, 0.25, 0.75, None),
        (None, 0.25, 0.75, None),
        (2, None, 0.75, None),
        (2, 0.25, None, None),
        (2, 0.0, 0.0, (0.0, 0.0)),
    ],
)
def test_bounds_stand_in_place_of_the_interval_and_their_low_end_is_what_is_certain(
    unsettled: int | None, low: float | None, high: float | None, bounds: tuple[float, float] | None
) -> None:
    run = RunRow(1, overall_score=0.5, ci_low=0.4, ci_high=0.6, unsettled=unsettled, bound_low=low, bound_high=high)
    assert run.bounds == bounds
    assert (run.interval, run.least_score) == ((0.4, 0.6) if bounds is None else None, 0.5 if bounds is None else low)
    assert replace(run, ci_low=None).interval is None
    assert replace(run, ci_high=None).interval is None


@each_row(
    ("config", "suite"),
    [
        ({"selection": {"suite": "s"}}, "s"),
        ({"selection": {"suite": 3}}, None),
        ({"selection": ["suite"]}, None),
        ({}, None),
        ({"selection": {}}, None),
    ],
)
def test_a_runs_suite_stands_in_its_selection(config: dict[str, Any], suite: str | None) -> None:
    assert RunRow(1, config=config).suite == suite


def test_what_is_done_needs_nothing_more() -> None:
    run = RunRow(1, total_tests=99, passed_tests=1, failed_tests=20, error_tests=300, skipped_tests=4000)
    assert run.done_tests == 4321


def test_nothing_is_counted_before_it_was_done() -> None:
    run, sample = RunRow(1), EvaluationSample()
    assert {getattr(run, name) for name in RUN_COLUMNS if RUN_COLUMNS[name].kind in (int, float) and name != "id"} == {
        0,
        None,
    }
    begun = {name: getattr(sample, name) for name, column in SAMPLE_COLUMNS.items() if column.kind in (int, float)}
    assert {name: value for name, value in begun.items() if value} == {"level": 1, "epoch": 1, "weight": 1.0}


@each_row(
    ("stored", "status", "level"),
    [("passed", "passed", 1), ("odd", "error", 1), (None, "error", 1), (3, "error", 3), (2.5, "error", 1)],
)
def test_what_is_no_status_is_an_error_and_what_is_no_level_the_first(stored: Any, status: str, level: int) -> None:
    assert (known_status(stored), whole_level(stored)) == (status, level)


def stored_row(columns: dict[str, Any], row: object, **changed: Any) -> tuple[Any, ...]:
    values = {name: column.encode(getattr(row, name)) for name, column in columns.items()}
    return tuple({**values, **changed}.values())


@each_row(
    ("low", "high", "said"),
    [
        (0.25, 0.75, None),
        (0.0, 1.0, None),
        (None, None, None),
        (0.5, 0.5, None),
        (-0.1, 0.5, "its bounds -0.1 and 0.5"),
        (0.5, 1.1, "its bounds 0.5 and 1.1"),
        (0.75, 0.25, "its bounds 0.75 and 0.25"),
        (None, 1.5, "its bounds None and 1.5"),
        (1.5, None, "its bounds 1.5 and None"),
        (0.5, None, None),
        (None, 0.5, None),
    ],
)
def test_bounds_that_are_no_scores_are_damage(low: float | None, high: float | None, said: str | None) -> None:
    run = run_from_row(
        stored_row(RUN_COLUMNS, RunRow(1, status="completed", unsettled=1, bound_low=low, bound_high=high))
    )
    if said is None:
        assert (run.status, run.reason, run.bound_low, run.bound_high) == ("completed", None, low, high)
    else:
        assert (run.status, run.bound_low, run.bound_high) == ("error", None, None)
        assert str(run.reason).startswith(f"this row of the database is damaged: {said} are no scores")


def test_everything_that_is_damaged_in_a_runs_row_is_told_together() -> None:
    changed = {"seq": "x", "live": '{"limit": "x"}', "metrics": '{"suite": 1}', "bound_low": 5.0}
    run = run_from_row(stored_row(RUN_COLUMNS, RunRow(1), **changed))
    assert (run.status, run.live, run.metrics, run.seq) == ("error", {}, {}, 0)
    assert str(run.reason) == (
        "this row of the database is damaged: `seq` holds text where a whole number belongs;"
        " `live` holds something else as limit; `metrics` holds something else as suite;"
        " its bounds 5.0 and None are no scores; `modex stat` computes them anew"
    )
    only = run_from_row(stored_row(RUN_COLUMNS, RunRow(1), live='{"limit": "x"}'))
    assert str(only.reason) == "this row of the database is damaged: `live` holds something else as limit"


def test_a_damaged_sample_is_an_error_without_a_score_and_says_so() -> None:
    sound = stored_row(SAMPLE_COLUMNS, EvaluationSample(status="passed", score=1.0))
    damaged = stored_row(SAMPLE_COLUMNS, EvaluationSample(status="passed", score=1.0), seq="x")
    read, broken = sample_from_row(sound), sample_from_row(damaged)
    assert (read.status, read.score, is_damaged(read)) == ("passed", 1.0, False)
    assert (broken.status, broken.score, broken.error_type, is_damaged(broken)) == ("error", None, "damaged_row", True)
    heads = {name: SAMPLE_COLUMNS[name] for name in HEAD_FIELDS}
    sample = EvaluationSample(id=1, status="passed", score=1.0, expected="x")
    head, broken_head = head_from_row(stored_row(heads, sample)), head_from_row(stored_row(heads, sample, seq="x"))
    assert (head.status, head.score, head.expected, head.flags) == ("passed", 1.0, '"x"', "[]")
    assert (broken_head.status, broken_head.score, broken_head.error_type) == ("error", None, "damaged_row")
    assert "`seq`" in str(broken_head.error_message)
    assert values_from_row(("seq", "flags"), ("x", '["a"]')) == {"seq": 0, "flags": ["a"]}


NULLABLE = {
    "level_scores": {"average_score", "ci_low", "ci_high"},
    "test_results": {"level", "score", "cost_usd"},
    "earlier_verdicts": {
        "judge_fingerprint",
        "score",
        "error_type",
        "error_message",
        "extracted_answer",
        "completed_at",
        "reason",
        "verdict_flags",
    },
    "reviews": {"source_fingerprint", "answer_digest", "verdict", "own_verdict", "label", "note"},
    "certificates": set(),
    "races": {"reason", "stop_wanted_at", "completed_at"},
    "run_events": {"result_id"},
    "run_commands": {"argument", "handled_at"},
}
UNIQUE = {
    "evaluation_runs": [["exp_id"]],
    "individual_test_results": [["run_id", "source", "domain", "level", "test_id", "epoch"]],
    "level_scores": [["run_id", "domain", "level"]],
    "test_results": [["run_id", "domain", "level"]],
    "races": [["exp_id"]],
}
OF_RUNS_BY = {
    "reviews": ["run_id"],
    "certificates": ["run_id"],
    "earlier_verdicts": ["run_id", "result_id"],
    "run_events": ["run_id", "seq"],
    "run_commands": ["run_id", "handled_at"],
    "individual_test_results": ["run_id", "position"],
}


def test_what_may_be_empty_what_is_unique_and_what_goes_with_a_run(manager: DBDataManager) -> None:
    for model in TABLES:
        table = str(model._meta.table_name)
        columns = manager.database.rows(f"PRAGMA table_info({table})")
        if table in NULLABLE:
            assert {row[1] for row in columns if not row[3]} == NULLABLE[table], table
        indexes = {str(row[1]): bool(row[2]) for row in manager.database.rows(f"PRAGMA index_list({table})")}
        found = {name: [row[2] for row in manager.database.rows(f"PRAGMA index_info({name})")] for name in indexes}
        assert [found[name] for name, unique in indexes.items() if unique] == UNIQUE.get(table, []), table
        assert table not in OF_RUNS_BY or OF_RUNS_BY[table] in found.values(), table
        for row in manager.database.rows(f"PRAGMA foreign_key_list({table})"):
            assert (row[6], row[2]) == (
                "CASCADE",
                {"run_id": "evaluation_runs", "result_id": "individual_test_results"}[row[3]],
            )


def test_a_row_begins_with_nothing_counted(manager: DBDataManager, run_id: int) -> None:
    from modex.core.store.tables import LevelScore, TestResult

    for model, more in ((LevelScore, {"weight": 1.0, "level": 1}), (TestResult, {})):
        manager.database.add(model.insert({"run": run_id, "domain": "d", **more}))
    (level,) = manager.database.rows("SELECT total_tests, passed_tests, average_score FROM level_scores")
    (cell,) = manager.database.rows(
        "SELECT status, total_tests, passed_tests, failed_tests, error_tests, total_tokens, duration_ms FROM test_results"
    )
    assert (level, cell) == ((0, 0, None), ("pending", 0, 0, 0, 0, 0, 0))
