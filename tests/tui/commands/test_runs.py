"""`modex runs`."""

from __future__ import annotations

import contextlib
import re

from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from modex.tui.look.glyphs import UNICODE
from modex.tui.plain.runs_table import runs_table
from tests.cli import keyword_tests
from tests.tui.commands.conftest import Shell


def test_runs_are_listed_with_their_figures(mixed: Shell) -> None:
    called = mixed("runs")
    assert called.code == 0
    header, row = called.out.splitlines()
    assert header.split()[:2] == ["run", "state"]
    assert (row.split()[:2], row.split()[3:5]) == (["e", "completed"], ["3/5", "1"])


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


def test_a_filter_is_that_of_the_list_of_runs(shell: Shell) -> None:
    shell.suite(keyword_tests(1))
    for name, model in (("alpha", "openai/a"), ("beta", "openai/b")):
        shell.run(exp_id=name, model=model)
    shell("archive", "beta")
    for words, expected in (
        (["--filter", "model:/a"], ["alpha"]),
        (["--filter", "alp", "--filter", "status:completed,error"], ["alpha"]),
        (["alp", "--filter", "errors>0"], []),
        (["--filter", "archived:yes"], ["beta"]),
        (["--filter", "archived:no,yes"], ["beta", "alpha"]),
    ):
        assert [run["exp_id"] for run in shell("runs", *words, "--json").data] == expected, words
    called = shell("runs", "--filter", "modle:a")
    assert (called.code, called.out) == (2, "")
    assert "did you mean model?" in called.err


def test_nothing_found_says_how_many_runs_there_are(mixed: Shell) -> None:
    called = mixed("runs", "nothing-like-this")
    assert (called.code, called.out) == (0, "")
    assert "none of the 1 runs here matches" in called.err
    assert "none of the 1 runs" in mixed("runs", "--status", "running").err


def test_an_empty_store_says_how_to_start_a_run(mixed: Shell) -> None:
    mixed("delete", "e", "--yes")
    assert "modex run --model demo" in mixed("runs").err


def test_a_run_that_goes_on_has_its_speed(mixed: Shell) -> None:
    with contextlib.closing(DBDataManager(mixed.database)) as manager:
        run_id = manager.reader.run("e").id
        manager.update_run(run_id, status="running", pace={})
        manager.database.run("UPDATE individual_test_results SET ttft_ms = 410, output_tokens_per_s = 52")
        with RunLock(mixed.database, run_id, "e"):
            header, row = mixed("runs").out.splitlines()
            (run,) = mixed("runs", "--json").data
    assert {"first", "tok/s"} < set(header.split())
    assert "0.41 s" in row
    assert (run["state"], run["pace"]["first_ms"]["median"]) == ("running", 410.0)


def test_the_table_fits_the_terminal(mixed: Shell) -> None:
    mixed("rename", "e", "a-name-that-takes-nearly-forty-columns-x")
    mixed.run(exp_id="b")
    with contextlib.closing(Reader(mixed.database)) as reader:
        runs = reader.runs()
    for width in (60, 80, 100, 200):
        table = runs_table(runs, width=width, glyphs=UNICODE)
        assert max(map(len, table.splitlines())) <= width
        assert "completed" in table


SERVED = [{"name": "b", "file": "small-q4.gguf", "quantization": "Q4_K_M", "server": "llama-server"}]


def test_what_was_served_stands_last_where_there_is_room_and_nowhere_where_nothing_was(mixed: Shell) -> None:
    assert "served" not in mixed("runs").out
    with contextlib.closing(DBDataManager(mixed.database)) as manager:
        run = manager.reader.run("e")
        manager.update_run(run.id, served=[{**SERVED[0], "name": run.model}])
        mixed.run(exp_id="b")
        other, run = manager.reader.runs()
        wide, narrow = (runs_table([other, run], width=width, glyphs=UNICODE).splitlines() for width in (240, 80))
    header, first, second = mixed("runs").out.splitlines()
    assert header.endswith("served")
    assert second.endswith("small-q4.gguf, Q4_K_M, llama-server")
    assert "gguf" not in first
    assert (wide[0].endswith("served"), "served" in narrow[0]) == (True, False)
    assert [[one["file"] for one in run["served"]] for run in mixed("runs", "--json").data] == [[], ["small-q4.gguf"]]


def test_states_have_their_colours_where_the_terminal_has_some(mixed: Shell) -> None:
    with contextlib.closing(Reader(mixed.database)) as reader:
        runs = reader.runs()
        plain, coloured = (runs_table(runs, width=80, glyphs=UNICODE, colour=colour) for colour in (False, True))
    assert "\x1b[" not in plain
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


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
