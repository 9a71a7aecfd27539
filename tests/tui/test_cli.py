"""The command line as a whole: quick, complete, and never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from modex.tui.cli import BELOW, COMMANDS
from tests.cli import call, keyword_tests, write_suite
from tests.rows import each_row
from tests.server import Reply, serve

ROOT = Path(__file__).parents[2]
HEAVY = ("textual", "litellm")


def imported(*words: str) -> set[str]:
    """The packages that a command imports, in a process of its own."""
    finished = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "modex.tui.cli", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr[-2000:]
    lines = [line for line in finished.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.process
@pytest.mark.parametrize("words", [["--version"], ["--help"], ["run", "--help"]])
def test_version_and_help_import_nothing_heavy(words: list[str]) -> None:
    found = imported(*words)
    assert not found & {*HEAVY, "peewee", "sqlglot", "rich"}


@pytest.mark.process
def test_the_first_frame_imports_no_pydantic_no_verdicts_and_no_planning() -> None:
    shown = ("cli", "commands.run", "start.fork", "opening", "app", "screens.starting", "screens.runs")
    code = f"import sys, {', '.join(f'modex.tui.{name}' for name in shown)}; print(*sys.modules)"
    finished = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    modules = set(finished.stdout.split())
    assert not modules & {
        "pydantic",
        "litellm",
        "sqlglot",
        "modex.core.verdict",
        "modex.core.config.runconfig",
        "modex.core.config.configuration",
    }
    assert not [
        name
        for name in modules
        if name.startswith(("modex.tui.planning", "modex.core.pipeline", "modex.core.evaluators"))
    ]


@pytest.mark.long
@pytest.mark.process
def test_a_run_in_the_foreground_imports_neither_the_screens_nor_litellm(tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(2))
    with serve(Reply("ok")) as server:
        words = ["run", "--model", "openai/m", "--api-base", server.url, "--suite", str(suite), "--exp-id", "e"]
        database = ["--db", str(tmp_path / "modex.db")]
        assert not imported(*words, "--headless", *database) & set(HEAVY)
        assert not imported(*words, "--json", *database) & set(HEAVY)
    for other in (["show", "e"], ["runs", "--json"], ["export", "e"], ["compare", "e", "e"]):
        assert not imported(*other, *database) & set(HEAVY), other


def test_the_version_is_printed() -> None:
    called = call("--version")
    assert (called.code, called.err) == (0, "")
    assert called.out.startswith("modex ")


def test_help_lists_every_command() -> None:
    called = call("--help")
    assert called.code == 0
    shown = [line.split()[0] for line in called.out.splitlines() if line.startswith("  ") and line[2].isalpha()]
    for name, (_, text) in COMMANDS.items():
        if name in BELOW:
            assert name not in shown
            assert name in called.out
        else:
            assert name in shown
            assert text.split(",")[0] in called.out
    assert len([name for name in COMMANDS if name not in BELOW]) <= 25


def test_a_command_below_another_is_called_by_both_words_or_by_its_own(tmp_path: Path) -> None:
    for name, above in BELOW.items():
        assert call(above, name, "--help").out.startswith(f"Usage: modex {above} {name}")
        assert call(name, "--help").out.startswith(f"Usage: modex {name}")
        assert f"  {name} " in call(above, "--help").out
    other = call("runs", "gate", "--db", str(tmp_path / "no.db"))
    assert "gate" not in other.err, "below another command it is a word like any other"


def test_an_unknown_word_is_answered_with_what_is_typed_now() -> None:
    assert "Did you mean runs rename?" in call("renam").err


@each_row("name", COMMANDS)
def test_every_command_has_help_and_says_what_each_option_takes(name: str) -> None:
    called = call(name, "--help")
    assert called.code == 0
    assert called.out.startswith(f"Usage: modex {name}")


DATA = {"run", "runs", "show", "compare", "judge", "stat", "resume", "check", "prompt", "models", "doctor"}


@each_row("name", sorted(DATA))
def test_every_command_that_prints_data_prints_json(name: str) -> None:
    assert "--json" in call(name, "--help").out


def test_an_unknown_command_is_answered_with_the_nearest() -> None:
    called = call("shwo")
    assert called.code == 2
    assert "Did you mean show" in called.err
    assert "`modex --help`" in call("xyzzy").err


def test_without_a_terminal_and_a_command_help_is_shown() -> None:
    called = call()
    assert called.code == 2
    assert "Usage: modex" in called.out
    assert "--headless" in called.err


def test_a_wrong_settings_file_is_named_without_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "config.toml"
    monkeypatch.setenv("MODEX_CONFIG", str(path))
    for text in ("concurrency = 0\n", "not toml\n", "colour = 1\n"):
        path.write_text(text)
        called = call("runs")
        assert called.code == 2
        assert str(path) in called.err
        assert "Traceback" not in called.err


@pytest.mark.long
@pytest.mark.process
def test_an_interrupt_ends_with_130(tmp_path: Path) -> None:
    import signal

    suite = write_suite(tmp_path / "suite", keyword_tests(200))
    with serve(Reply("ok", latency=0.05)) as server:
        words = ["run", "--model", "openai/m", "--api-base", server.url, "--suite", str(suite), "--headless"]
        with subprocess.Popen(
            [sys.executable, "-m", "modex.tui.cli", *words, "--concurrency", "2", "--db", str(tmp_path / "modex.db")],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stderr is not None
            while "d/1/t" not in process.stderr.readline():
                pass
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "waiting" in out
    assert "modex resume" in err


@pytest.mark.process
def test_a_closed_pipe_is_no_error_message(tmp_path: Path) -> None:
    finished = subprocess.run(
        f"{sys.executable} -m modex.tui.cli schema | head -c 10",
        shell=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.stderr == ""


def test_the_version_says_on_demand_where_things_are(tmp_path: Path) -> None:
    assert call("--version").out.startswith("modex ")
    said = call("--version", "-v", "--db", tmp_path / "here.db").out
    assert str(tmp_path / "here.db") in said
    assert "suite     /" in said
    assert sys.executable in said
