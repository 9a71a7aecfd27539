"""The stored runs by suite."""

from __future__ import annotations

import pytest

from modex.core.features.leaderboard.rule import Board, BoardLine, leaderboards, leaderboards_json, suite_of
from modex.core.features.leaderboard.rule import _way as leaderboard_way
from modex.core.features.noise.rule import AGAIN
from modex.core.statistics.intervals import wilson
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.core.features.compare.test_compare import failing, scored
from tests.core.reports.conftest import Store
from tests.rows import each_row


def errored(test_id: str, kind: str) -> EvaluationSample:
    sample = failing(test_id)
    sample.error_type = kind
    return sample


@each_row(
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


def test_a_run_alone_stands_over_its_own_tests_and_leaves_none_out(manager: DBDataManager, store: Store) -> None:
    store("only", [scored(str(n), float(n < 3)) for n in range(4)])
    (board,) = leaderboards(manager.reader)
    assert (board.common, board.left_out) == (None, 0)
    assert [(line.score, line.tests, line.apart) for line in board.lines] == [(0.75, 4, "")]


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


def named(manager: DBDataManager, run: RunRow, model: str, **selection: object) -> None:
    """Give a stored run a model, and what it was chosen by."""
    config = {**run.config, "selection": {**run.config.get("selection", {}), **selection}}
    manager.update_run(run.id, model=model, config=config)


@each_row(
    ("selection", "config", "why"),
    [
        ({}, {}, ""),
        ({"without_layers": ["a", "b"]}, {}, "without layer a, b"),
        ({"variant": 0}, {}, "variant 0"),
        ({}, {"rollout": "tools"}, "rollout tools"),
        ({}, {"require": "2 of 3"}, "2 of 3 tries"),
        ({"limit": 5, "domains": ["a", "b"]}, {}, "part: domains a,b, limit 5"),
        ({"limit": 0, "domains": []}, {}, ""),
        ({"variant": 1, "without_layers": ["a"], "levels": [1]}, {"rollout": "x"},
         "without layer a; variant 1; rollout x; part: levels 1"),
    ],
)  # fmt: skip
def test_a_run_asked_otherwise_stands_behind_with_the_reason(
    selection: dict[str, object], config: dict[str, object], why: str
) -> None:
    assert leaderboard_way(RunRow(1, exp_id="r", config={"selection": selection, **config}), {}) == why
    assert leaderboard_way(
        RunRow(1, exp_id="r", config={"selection": selection, **config}), {"r": "race"}
    ) == "; ".join(filter(None, ("raced in race", why)))


@each_row(
    ("board", "words"),
    [
        (Board("s", ()), ""),
        (Board("s", (), lines=(BoardLine(RunRow(1), 0.5),)), ""),
        (Board("s", (), lines=(BoardLine(RunRow(1), 0.5), BoardLine(RunRow(2), 0.5))),
         "each score stands on the run's own tests, too many to read here; modex compare compares them"),
        (Board("s", (), lines=(BoardLine(RunRow(1), 0.5), BoardLine(RunRow(2), 0.5), BoardLine(RunRow(3), 0.5, apart="why")),
               common=1234, left_out=2345),
         "scores over the 1,234 tests that the 2 runs compared have in common; 2,345 left out; 1 not compared"),
        (Board("s", (), lines=(BoardLine(RunRow(1), 0.5), BoardLine(RunRow(3), 0.5, apart="why"))), "1 not compared"),
    ],
)  # fmt: skip
def test_a_board_says_what_its_scores_stand_on(board: Board, words: str) -> None:
    assert board.words == words


def test_a_run_is_ranked_by_the_least_that_its_score_can_be() -> None:
    assert BoardLine(RunRow(1), 0.5, (0.25, 0.75)).least == 0.25
    assert BoardLine(RunRow(1), 0.5).least == 0.5
    assert BoardLine(RunRow(1), None).least == 0.0


def test_each_model_has_its_newest_run_of_the_way_that_most_models_were_asked(
    manager: DBDataManager, store: Store
) -> None:
    tests = [scored(str(n), float(n < 5)) for n in range(10)]
    better = [scored(str(n), float(n < 8)) for n in range(10)]
    for name, model, given, selection in (
        ("a1", "a", better, {}), ("a2", "a", tests, {}), ("a3", "a", better, {"limit": 10}),
        ("b1", "b", better, {}), ("c1", "c", tests, {"variant": 2}), (f"a2{AGAIN}", "a", better, {}),
    ):  # fmt: skip
        named(manager, store(name, given), model, **selection)
    (board,) = leaderboards(manager.reader)
    assert [(line.run.exp_id, line.score, line.apart) for line in board.lines] == [
        ("b1", 0.8, ""), ("a2", 0.5, ""), ("c1", 0.5, "variant 2"),
    ]  # fmt: skip
    assert {model: [run.exp_id for run in runs] for model, runs in board.history.items()}["a"][:3] == ["a1", "a2", "a3"]
    assert (board.suite, board.common, board.left_out) == ("bundled", 10, 0)
    (said,) = leaderboards_json([board])
    assert [(one["run"], one["n"], one["total_tests"], one["apart"]) for one in said["models"]] == [
        ("b1", 10, 10, None), ("a2", 10, 10, None), ("c1", 10, 10, "variant 2"),
    ]  # fmt: skip


def test_where_the_runs_are_too_many_to_read_each_stands_on_its_own_tests(
    manager: DBDataManager, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, right in (("a", 5), ("b", 3)):
        named(manager, store(name, [scored(str(n), float(n < right)) for n in range(right + 1)]), name)
    for most, common in ((10, 4), (9, None)):
        monkeypatch.setattr("modex.core.features.leaderboard.rule._MOST_READ", most)
        (board,) = leaderboards(manager.reader)
        assert (board.common, board.lines[0].tests) == (common, 4 if common else 6)


def test_what_was_read_of_runs_that_do_not_change_is_read_once(
    manager: DBDataManager, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        named(manager, store(name, [scored(str(n), float(n < 5)) for n in range(10)]), name)
    known: dict[object, object] = {}
    (first,) = leaderboards(manager.reader, known=known)  # type: ignore[arg-type]
    monkeypatch.setattr("modex.core.features.leaderboard.rule._read_common", lambda *_: pytest.fail("read again"))
    (second,) = leaderboards(manager.reader, known=known)  # type: ignore[arg-type]
    assert (len(known), second.lines) == (1, first.lines)


def test_tests_weigh_as_the_suite_says_and_a_test_that_lacks_a_verdict_outside_the_model_is_left_out(
    manager: DBDataManager, store: Store
) -> None:
    for name, right in (("a", 30), ("b", 20)):
        samples = [scored(str(n), float(n < right)) for n in range(40)]
        if name == "b":
            samples[39] = errored("39", "connection")
        named(manager, store(name, samples), name)
    manager.database.run("UPDATE individual_test_results SET weight = 3 WHERE test_id < '2'", [])
    (board,) = leaderboards(manager.reader)
    heavy = [n for n in range(39) if str(n) < "2"]
    whole = 39 + 2 * len(heavy)
    expected = [(right + 2 * sum(n < right for n in heavy)) / whole for right in (30, 20)]
    assert (board.common, board.left_out, [line.tests for line in board.lines]) == (39, 1, [39, 39])
    assert [line.score for line in board.lines] == pytest.approx(expected)
    assert all(line.interval is not None and line.interval[0] < line.least < line.interval[1] for line in board.lines)
