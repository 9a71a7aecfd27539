"""The stored runs by suite."""

from __future__ import annotations

import pytest

from core.reports.leaderboard import Board, leaderboards, suite_of
from core.store.manager import DBDataManager
from core.store.rows import RunRow
from tests.core.reports.conftest import Store
from tests.core.reports.test_compare import scored


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
