"""`modex show`."""

from __future__ import annotations

import pytest

from tests.cli import call
from tests.tui import transcripts as t
from tests.tui.commands.conftest import Shell, assert_clean
from tests.tui.stores import StoreMaker


def test_a_run_is_shown_as_its_matrix_and_totals(mixed: Shell) -> None:
    called = mixed("show", "e")
    assert called.code == 0
    assert called.err == ""
    assert called.out.startswith("e  openai/test-model  completed\n")
    assert "3 passed  1 failed  1 error" in called.out
    row = next(line for line in called.out.splitlines() if line.startswith("d "))
    assert (row.split()[0], row.split()[1], row.split()[-1]) == ("d", "100.0", "4")


def test_a_test_is_shown_with_its_whole_story(mixed: Shell) -> None:
    called = mixed("show", "e", "--test", "w")
    for part in (
        "d / 2 / w",
        "failed 0.",
        "[user: pass1]",
        "[assistant: pass1]",
        "[verdict: keyword]",
        "does not mention ok",
    ):
        assert part in called.out


@pytest.mark.parametrize("words", [(), ("--test", "capital"), ("--status", "failed")])
def test_what_a_plugin_found_is_shown_as_it_is(store: StoreMaker, words: tuple[str, ...]) -> None:
    store.run("e", samples=[t.capitals()])
    called = call("show", "e", *words, "--db", store.path)
    assert called.code == 0
    assert ('["Paris"]' in called.out) is ("--test" in words)
    for said in (called.out, call("show", "e", *words, "--json", "--db", store.path).out):
        assert "mentions everything" not in said


def test_json_holds_what_a_plugin_found(store: StoreMaker) -> None:
    store.run("e", samples=[t.capitals()])
    (sample,) = call("show", "e", "--test", "capital", "--json", "--db", store.path).data
    assert sample["details"] == {"matched": ["Paris"], "missing": []}
    assert not sample["reason"]


def test_how_fast_each_cell_was_answered(mixed: Shell) -> None:
    called = mixed("show", "e", "--speed")
    title, every, *cells = called.out.splitlines()
    assert title.split("  ")[0] == "median"
    assert every.startswith("all ")
    assert [line.split()[0] for line in cells] == sorted(line.split()[0] for line in cells)
    data = mixed("show", "e", "--speed", "--json").data
    assert data["first_ms"]["n"] >= 4
    assert {cell["domain"] for cell in data["cells"]} == {"d"}
    assert mixed("show", "e", "--speed", "--domain", "d", "--json").data == data
    assert mixed("runs", "--json").data[0]["pace"] == {name: data[name] for name in data if name != "cells"}
    assert " tok/s " in mixed("runs").out


def test_a_run_that_was_not_streamed_has_no_speed(mixed: Shell) -> None:
    mixed.run("--no-stream", exp_id="whole")
    called = mixed("show", "whole", "--speed")
    assert (called.code, called.out) == (0, "")
    assert "no answer of these was streamed" in called.err


def test_a_test_is_found_by_its_place_too(mixed: Shell) -> None:
    assert mixed("show", "e", "--test", "d/2/w").out == mixed("show", "e", "--test", "w").out
    assert mixed("show", "e", "--test", "d/1/w").code == 2


def test_an_empty_list_says_why(mixed: Shell) -> None:
    for words, said in (
        (["--domain", "dd"], "e: no domain 'dd'"),
        (["--domain", "zzz"], "it has d"),
        (["--status", "skipped"], "e: no such sample"),
    ):
        called = mixed("show", "e", *words)
        assert (called.code, called.out) == (0, "")
        assert said in called.err


def test_json_holds_every_field_of_a_test(mixed: Shell) -> None:
    (sample,) = mixed("show", "e", "--test", "r", "--json").data
    assert (sample["status"], sample["error_type"], sample["stage"]) == ("error", "content_filter", "init")
    assert sample["transcript"][0]["content"] == "refused"
    assert sample["earlier_verdicts"] == []


def test_samples_are_listed_by_status_and_domain(mixed: Shell) -> None:
    for words, expected in (
        (["--status", "failed"], ["w"]),
        (["--status", "failed", "--status", "error"], ["r", "w"]),
        (["--domain", "d", "--status", "passed"], ["h", "t0", "t1"]),
        (["--domain", "nope"], []),
    ):
        called = mixed("show", "e", *words, "--json")
        assert called.code == 0
        assert sorted(row["test_id"] for row in called.data) == expected
        assert len(mixed("show", "e", *words).out.splitlines()) == len(expected)


def test_a_part_of_the_name_is_enough(mixed: Shell) -> None:
    mixed.run(exp_id="longer-name")
    assert mixed("show", "long").out.startswith("longer-name")


def test_what_is_not_there_is_said(mixed: Shell) -> None:
    for words, said in (
        (["nope"], "no run named 'nope'"),
        (["e", "--test", "nope"], "no test 'nope'"),
        ([], "EXP"),
        (["e", "--status", "fine"], "passed"),
    ):
        called = mixed("show", *words)
        assert called.code == 2
        assert said in called.err
        assert called.out == ""


def test_without_a_database_it_says_how_to_make_one(shell: Shell) -> None:
    called = shell("show", "e")
    assert called.code == 2
    assert "modex run" in called.err
    assert not shell.database.exists()


def test_hostile_text_reaches_no_terminal(mixed: Shell) -> None:
    for words in (
        [],
        ["--test", "h"],
        ["--status", "passed"],
        ["--test", "h", "--json"],
    ):
        assert_clean(mixed("show", "e", *words))
