"""The stored runs by suite."""

from __future__ import annotations

import pytest

from core.reports.leaderboard import Board, suite_of
from core.store.rows import RunRow


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
