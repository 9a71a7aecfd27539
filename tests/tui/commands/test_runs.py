"""`modex runs`."""

from __future__ import annotations

import contextlib

from core.store.manager import DBDataManager
from tests.cli import keyword_tests
from tests.tui.commands.conftest import Shell


def test_runs_are_listed_with_their_figures(mixed: Shell) -> None:
    called = mixed("runs")
    assert called.code == 0
    header, row = called.out.splitlines()
    assert header.split()[:2] == ["run", "state"]
    assert (row.split()[:2], row.split()[4:6]) == (["e", "completed"], ["3/5", "1"])


def test_json_is_a_list_of_runs(mixed: Shell) -> None:
    (run,) = mixed("runs", "--json").data
    assert (run["exp_id"], run["state"], run["total_tests"]) == ("e", "completed", 5)


def test_words_and_flags_narrow_the_list(shell: Shell) -> None:
    shell.suite(keyword_tests(1))
    for name, model in (("alpha", "openai/a"), ("beta", "openai/b")):
        shell.run(exp_id=name, model=model)
    for words, expected in ((["alp"], ["alpha"]), (["--model", "/b"], ["beta"]), (["--limit", "1"], ["beta"])):
        assert [run["exp_id"] for run in shell("runs", *words, "--json").data] == expected
    assert shell("runs", "--status", "paused", "--json").data == []


def test_no_runs_say_how_to_start_one(mixed: Shell) -> None:
    called = mixed("runs", "nothing-like-this")
    assert (called.code, called.out) == (0, "")
    assert "modex run" in called.err


def test_the_state_that_is_shown_is_the_one_to_look_for(mixed: Shell) -> None:
    with contextlib.closing(DBDataManager(mixed.database)) as manager:
        manager.update_run(manager.reader.run("e").id, status="running")
    assert mixed("runs", "--json").data[0]["state"] == "interrupted"
    assert [run["exp_id"] for run in mixed("runs", "--status", "interrupted", "--json").data] == ["e"]
    assert mixed("runs", "--status", "running", "--json").data == []


def test_an_unknown_state_lists_the_known_ones(mixed: Shell) -> None:
    called = mixed("runs", "--status", "finished")
    assert called.code == 2
    assert "completed" in called.err
