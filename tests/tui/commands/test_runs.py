"""`modex runs`."""

from __future__ import annotations

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
