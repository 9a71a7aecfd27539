"""`modex leaderboard` and `modex history`."""

from __future__ import annotations

import contextlib

import pytest

from modex.core.store.manager import DBDataManager
from tests.server import Reply
from tests.tui.commands.conftest import Shell, assert_clean


@pytest.fixture
def runs(mixed: Shell) -> Shell:
    """Beside `e` a newer run of the same model in which everything passes, and one of another model."""
    mixed.run(exp_id="other", model="openai/other-model")
    mixed.server.behave(lambda _: Reply("ok"))
    mixed.run(exp_id="f")
    return mixed


def test_a_model_is_on_the_board_with_its_newest_run(runs: Shell) -> None:
    (board,) = runs("leaderboard", "--json").data
    assert [(one["model"], one["run"]) for one in board["models"]] == [
        ("openai/test-model", "f"),
        ("openai/other-model", "other"),
    ]
    first, second = board["models"]
    assert (first["score"], first["n"], second["n"], second["errors"]) == (1.0, 5, 4, 1)
    assert second["score"] == runs("show", "other", "--json").data["overall_score"]
    assert (second["interval"], second["bounds"][0] < second["score"]) == (None, True)  # one answer lacks a verdict
    lines = runs("leaderboard").out.splitlines()
    assert lines[0].startswith("suite ")
    assert [line.split()[0] for line in lines[3:5]] == ["openai/test-model", "openai/other-model"]


def test_what_is_no_result_of_a_model_is_on_no_board(runs: Shell) -> None:
    runs("archive", "f")
    with contextlib.closing(DBDataManager(runs.database)) as manager:
        manager.update_run(manager.reader.run("other").id, kind="noise")
    (board,) = runs("leaderboard", "--json").data
    assert [one["run"] for one in board["models"]] == ["e"]
    runs("archive", "e")
    called = runs("leaderboard")
    assert (called.code, called.out) == (0, "")
    assert "no completed run" in called.err


def test_a_filter_chooses_the_runs_that_count(runs: Shell) -> None:
    (board,) = runs("leaderboard", "--filter", "run:e,other", "--json").data
    assert {one["run"] for one in board["models"]} == {"e", "other"}
    assert "matches; leave --filter out" in runs("leaderboard", "--filter", "score>100").err
    called = runs("leaderboard", "--filter", "sore>1")
    assert (called.code, called.out) == (2, "")
    assert "did you mean score?" in called.err


def test_a_suite_is_named_by_its_folder_or_the_last_part_of_it(runs: Shell) -> None:
    everything = runs("leaderboard", "--json").data
    assert runs("leaderboard", "--suite", "suite", "--json").data == everything
    assert runs("leaderboard", "--suite", str(runs.root / "suite"), "--json").data == everything
    called = runs("leaderboard", "--suite", "nope")
    assert called.code == 2
    assert str(runs.root / "suite") in called.err


def test_a_test_is_shown_in_every_run_the_newest_first(runs: Shell) -> None:
    data = runs("history", "w", "--json").data
    assert [(one["run"], one["model"], one["status"]) for one in data] == [
        ("f", "openai/test-model", "passed"),
        ("other", "openai/other-model", "failed"),
        ("e", "openai/test-model", "failed"),
    ]
    assert not any("untrusted" in one for one in data), "what a model wrote comes only where it is asked for"
    written = [one["untrusted"]["answer"] for one in runs("history", "w", "--json", "--content").data]
    assert written == ["ok", "no", "no"]
    assert all(one["completed_at"] for one in data)
    assert runs("history", "d/2/w", "--json").data == data
    called = runs("history", "w")
    assert called.out.splitlines()[0] == "d/2/w: 3 runs; 2 failed, 1 passed"
    assert len(called.out.splitlines()) == 6


def test_a_test_that_no_run_has_is_answered_with_near_ones(runs: Shell) -> None:
    called = runs("history", "t00")
    assert called.code == 2
    assert "did you mean t0" in called.err


def test_hostile_answers_reach_no_terminal(runs: Shell) -> None:
    assert_clean(runs("history", "h"))
    assert_clean(runs("leaderboard"))
