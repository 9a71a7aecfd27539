"""The stored runs by suite."""

from __future__ import annotations

import pytest

from core.reports.leaderboard import Board, leaderboards, suite_of
from core.statistics.intervals import wilson
from core.store.manager import DBDataManager
from core.store.rows import RunRow
from core.store.sample import EvaluationSample
from tests.core.reports.conftest import Store
from tests.core.reports.test_compare import failing, scored


def errored(test_id: str, kind: str) -> EvaluationSample:
    sample = failing(test_id)
    sample.error_type = kind
    return sample


@pytest.mark.parametrize(
    ("selection", "name"),
    [
        ({"suite": None}, "bundled"),
        ({"suite": "/evals/mine"}, "/evals/mine"),
        ({"suite": None, "datasets": [{"path": "/data/gsm8k.jsonl"}]}, "gsm8k.jsonl"),
        ({"suite": "/evals/mine", "datasets": [{"path": "a.csv"}]}, "/evals/mine + a.csv"),
        ("damaged", "bundled"),
    ],
)
def test_a_suite_is_called_by_its_folder_and_its_datasets(selection: object, name: str) -> None:
    assert suite_of(RunRow(1, config={"selection": selection})) == name


def test_a_board_is_meant_by_its_folder_or_the_last_part_of_it() -> None:
    board = Board("/evals/mine", ())
    assert board.is_called("/evals/mine/")
    assert board.is_called("mine")
    assert not board.is_called("evals")


def test_a_run_asked_in_other_words_stands_apart_and_one_changed_prompt_is_left_out(
    manager: DBDataManager, store: Store
) -> None:
    def run(name: str, right: int, prompts: dict[int, str] | None = None) -> None:
        given = prompts or {}
        tests = [scored(str(n), float(n < right), prompt=given.get(n, f"test {n}")) for n in range(8)]
        manager.update_run(store(name, tests).id, model=f"demo/{name}")

    run("plain", 4)
    run("edited", 8, {0: "test 0, mended"})
    run("reworded", 8, {n: f"test {n}. Think." for n in range(8)})
    (board,) = leaderboards(manager.reader)
    assert [(line.run.exp_id, line.apart) for line in board.lines] == [
        ("edited", ""),
        ("plain", ""),
        ("reworded", "other prompts than edited"),
    ]
    assert (board.common, board.left_out) == (7, 1)
    assert board.lines[1].score == 3 / 7


def test_what_a_provider_refused_counts_as_wrong_and_leaves_no_test_out(manager: DBDataManager, store: Store) -> None:
    honest = [scored(str(n), float(n < 8)) for n in range(20)]
    refused = [scored(str(n), float(n < 8)) if n < 8 else errored(str(n), "bad_request") for n in range(20)]
    manager.update_run(store("honest", honest).id, model="demo/honest")
    manager.update_run(store("refused", refused).id, model="demo/refused")
    (board,) = leaderboards(manager.reader)
    lines = {line.run.exp_id: line for line in board.lines}
    assert (board.common, board.left_out) == (20, 0)
    assert lines["honest"].score == 0.4
    assert (lines["refused"].bounds, lines["refused"].tests, lines["refused"].interval) == ((0.4, 1.0), 8, None)


def test_interval_and_number_of_tests_are_of_the_tests_that_the_score_is_of(
    manager: DBDataManager, store: Store
) -> None:
    manager.update_run(store("long", [scored(str(n), float(n < 10)) for n in range(40)]).id, model="demo/long")
    manager.update_run(store("short", [scored(str(n), float(n < 10)) for n in range(10)]).id, model="demo/short")
    (board,) = leaderboards(manager.reader)
    line = board.line_of(board.runs[0])
    assert [(one.score, one.tests) for one in board.lines] == [(1.0, 10), (1.0, 10)]
    assert line.interval == wilson(10, 10)


def test_a_run_that_the_network_kept_from_many_tests_takes_none_away_from_the_others(
    manager: DBDataManager, store: Store
) -> None:
    for name in ("one", "two"):
        manager.update_run(store(name, [scored(str(n), float(n < 8)) for n in range(20)]).id, model=f"demo/{name}")
    broken = [scored(str(n), 1.0) if n < 18 else errored(str(n), "connection") for n in range(20)]
    manager.update_run(store("broken", broken).id, model="demo/broken")
    (board,) = leaderboards(manager.reader)
    assert [(line.run.exp_id, line.apart) for line in board.lines] == [
        ("one", ""),
        ("two", ""),
        ("broken", "2 of 20 samples in error"),
    ]
    assert board.common == 20
