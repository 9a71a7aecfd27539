"""`modex init` and `modex tests`; `modex completion`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli import call
from tests.tui.commands.conftest import MIXED, Shell


def test_a_first_suite_passes_its_check_and_runs_on_the_scripted_model(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0")
    root = shell.root / "first"
    called = call("init", root)
    assert called.code == 0
    assert f"modex check {root}" in called.err
    (own,) = [line.split()[-1] for line in called.err.splitlines() if line.startswith("ask yours:")]
    with Path(own).open("a") as questions:
        questions.write('{"question": "7 * 6?", "answer": "42"}\n')
    checked = call("check", root, "--notes")
    assert (checked.code, checked.out) == (0, "")
    ran = shell("run", "--suite", root, "--model", "demo/perfect", "--headless", "--exp-id", "e")
    assert ran.code == 0
    assert "7 passed" in ran.out


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    called = call("init", tmp_path)
    assert called.code == 2
    assert "there is a suite already (prompts)" in called.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["prompts"]


def test_tests_are_listed_as_a_run_would_take_them(shell: Shell) -> None:
    root = shell.suite([*MIXED, {"id": "j", "prompt": "why?", "expected": "because", "evaluator_id": "llm_judge"}])
    rows = call("tests", root, "--exclude-level", "3", "--exclude-test", "t0", "--json").data
    assert [row["id"] for row in rows] == ["d/1/t1", "d/1/j", "d/2/w", "d/2/h"]
    assert [row["judged"] for row in rows] == [False, True, False, False]
    assert len(call("tests", root, "--no-judge", "--json").data) == len(MIXED)
    plain = call("tests", root)
    assert plain.out.count("\n") == 6
    assert "6 tests, 1 by a judge" in plain.err


def test_a_test_with_a_mistake_is_listed_with_it(shell: Shell) -> None:
    root = shell.suite([*MIXED, {"id": "x", "prompt": "?", "expected": 1, "evaluator_id": "nobody"}])
    (row,) = [row for row in call("tests", root, "--json").data if row["mistake"]]
    assert "nobody" in row["mistake"]


@pytest.mark.parametrize("shell_name", ["bash", "zsh", "fish"])
def test_a_completion_script_is_printed(shell_name: str) -> None:
    assert "_MODEX_COMPLETE" in call("completion", shell_name).out


def test_what_is_begun_is_completed(mixed: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.shell_completion import ShellComplete

    from modex.tui.cli import cli

    monkeypatch.setenv("MODEX_DB", str(mixed.database))
    for line, found in (
        ("modex sho", ["show"]),
        ("modex show e", ["e"]),
        ("modex run --suite SUITE --domain ", ["d"]),
        ("modex run --suite SUITE --test d/2/", ["d/2/w", "d/2/h"]),
        ("modex run --model demo/per", ["demo/perfect"]),
        ("modex run --user-model demo/ha", ["demo/hasty"]),
        ("modex show e --test d/2/", ["d/2/w", "d/2/h"]),
        ("modex resume e --test h", ["d/2/h"]),
        ("modex judge e --test d/2/w", ["d/2/w"]),
        ("modex export e --domain ", ["d"]),
        ("modex history math/1/pl", ["math/1/plain_equation"]),
        ("modex run --exclude-l", ["--exclude-level"]),
    ):
        words = line.replace("SUITE", str(mixed.root / "suite")).split(" ")
        completing = ShellComplete(cli, {}, "modex", "_MODEX_COMPLETE")
        assert [item.value for item in completing.get_completions(words[1:-1], words[-1])] == found


@pytest.mark.process
def test_the_script_is_one_that_bash_can_read() -> None:
    script = call("completion", "bash").out
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0
