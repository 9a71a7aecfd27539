"""What `--help` shows of a command with many options, how models are named, and a file for a CI."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from modex.core.config.options import OPTIONS
from tests.cli import call
from tests.tui.commands.conftest import Shell


@pytest.mark.parametrize("command", ["run", "race", "ablate"])
def test_help_shows_the_common_options_and_says_how_to_see_the_others(command: str) -> None:
    short, whole = call(command, "--help").out, call(command, "--help-all").out
    there = [option for option in OPTIONS if f"{option.flag} " in whole or f"{option.flag}\n" in whole]
    assert {option.name for option in there if f"{option.flag} " not in short} == {
        option.name for option in there if not option.common
    }
    hidden = sum(not option.common for option in there)
    assert f"{hidden} more options: modex {command} --help-all" in short
    assert "more options" not in whole


def test_so_many_are_common() -> None:
    assert 20 <= sum(option.common for option in OPTIONS) <= 27


def test_a_command_with_few_options_shows_them_all() -> None:
    assert "--help-all" not in call("tests", "--help").out


@pytest.mark.long
def test_models_are_named_alike_and_as_before(shell: Shell) -> None:
    shell.suite([{"id": "a", "prompt": "?", "expected": {"keywords": ["ok"]}}])
    common = ("--suite", shell.root / "suite", "--headless")
    for words in (("--model", "demo", "--model", "demo/weak"), ("demo", "demo/weak"), ("demo", "--model", "demo/weak")):
        done = shell("race", *words, *common, "--exp-id", f"r{len(words)}{words[0][0]}")
        assert done.code == 0, done.err
    refused = shell("race", "--model", "demo", *common)
    assert refused.code == 2
    assert "--model A --model B" in refused.err
    assert shell("ablate", "--model", "demo", "--model", "demo/weak", *common).code == 2
    assert "MODEL" not in call("race", "--help").out.splitlines()[0]


def test_junit_is_written_when_the_run_has_ended_whatever_came_of_it(shell: Shell, tmp_path: Path) -> None:
    shell.suite([{"id": name, "prompt": name, "expected": {"keywords": ["ok"]}} for name in ("right", "wrong")])
    file = tmp_path / "out.xml"
    done = shell.run("--junit", str(file), "--fail-under", "90")
    assert done.code == 1
    root = ET.fromstring(file.read_text())
    assert (root.get("tests"), root.get("failures")) == ("2", "1")


def test_of_several_models_each_has_a_file(shell: Shell, tmp_path: Path) -> None:
    shell.suite([{"id": "a", "prompt": "?", "expected": {"keywords": ["ok"]}}])
    shell.run("--model", "openai/other", "--junit", str(tmp_path / "out.xml"))
    assert len(list(tmp_path.glob("out-*.xml"))) == 2


@pytest.mark.parametrize(
    ("words", "why"),
    [(("--junit", "nowhere/out.xml"), "no folder nowhere"), (("--junit", "out.xml", "--detach"), "--detach")],
)
def test_a_file_that_cannot_be_is_refused_before_anything_is_asked(
    shell: Shell, words: tuple[str, ...], why: str
) -> None:
    shell.suite([{"id": "a", "prompt": "?", "expected": {"keywords": ["ok"]}}])
    done = shell.run(*words)
    assert done.code == 2
    assert why in done.err
    assert not shell.server.requests


def test_the_database_is_no_such_file(shell: Shell) -> None:
    shell.suite([{"id": "a", "prompt": "?", "expected": {"keywords": ["ok"]}}])
    assert "that is the database" in shell.run("--junit", str(shell.database)).err
