"""The page on extending, tried as written."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.generate import FOLDER
from tests.docs.blocks import files, write
from tests.forked import ran
from tests.server import Reply, Request, ServerHandle, serve

pytestmark = pytest.mark.process

PAGE = "extending.md"
ROOT = FOLDER.parent
DOMAIN = {"test_definitions/poetry/domain.json": '{"id": "poetry"}'}


def modex(*words: str | Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """`modex` in a process of its own; with more packages on its `path` it is an interpreter of its own too."""
    if path is None:
        return ran(*words)
    search = f"{ROOT}{os.pathsep}{path}"
    return subprocess.run(
        [sys.executable, "-m", "modex.tui.cli", *map(str, words)],
        env={**os.environ, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def rows(database: Path, columns: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        return connection.execute(f"SELECT {columns} FROM individual_test_results ORDER BY position").fetchall()
    finally:
        connection.close()


def poet(request: Request) -> Reply:
    """Knows one haiku, with a line too long, and one riddle."""
    if "haiku" in request.prompt:
        return Reply("old silent pond\na frog jumps into the pond\nsplash silence again")
    return Reply("It dries you.\nAnswer: towel")


@pytest.fixture
def server() -> Iterator[ServerHandle]:
    with serve(poet) as started:
        yield started


@pytest.mark.parametrize("name", [name for name in files(PAGE) if name.endswith(".py")])
def test_an_example_is_shorter_than_thirty_lines(name: str) -> None:
    assert len(files(PAGE)[name].splitlines()) < 30


def test_the_examples_work_as_plugins(tmp_path: Path, server: ServerHandle) -> None:
    suite = write(tmp_path / "my-suite", {**DOMAIN, **files(PAGE)})
    database = tmp_path / "modex.db"
    words = ("--api-base", server.url, "--suite", suite, "--exp-id", "e", "--db", database, "--headless")
    done = modex(
        "run",
        "--model",
        "openai/m",
        *words,
        "--dataset",
        suite / "riddles.jsonl",
        "--evaluator",
        "match",
        "--allow-plugins",
    )
    assert done.returncode == 0, done.stderr
    found = rows(database, "test_id, status, round(score, 2), prompt LIKE '%Answer: <one word>%'")
    assert sorted(found, key=str) == [("haiku", "failed", 0.67, 0), ("r1", "passed", 1.0, 1)]
    shown = modex("show", "e", "--db", database).stdout
    assert "riddles (Riddles)" in shown
    assert "long_winded" in shown


def test_an_edited_plugin_judges_again_and_asks_nothing(tmp_path: Path, server: ServerHandle) -> None:
    suite = write(tmp_path / "my-suite", {**DOMAIN, **files(PAGE)})
    database = tmp_path / "modex.db"
    words = ("run", "--model", "openai/m", "--api-base", server.url, "--suite", suite, "--exp-id", "e", "--db", database,
             "--headless", "--allow-plugins")  # fmt: skip
    modex(*words)
    server.forget()
    plugin = suite / "plugins/haiku.py"
    plugin.write_text(plugin.read_text().replace("EvaluationResult(score", "EvaluationResult(score / 2"))
    modex(*words)
    assert server.hits == 0
    assert rows(database, "round(score, 2)") == [(0.33,)]


def test_the_evaluators_check_is_part_of_modex_check(tmp_path: Path, server: ServerHandle) -> None:
    suite = write(tmp_path / "my-suite", {**DOMAIN, **files(PAGE)})
    database = tmp_path / "modex.db"
    modex(
        "run", "--model", "openai/m", "--api-base", server.url, "--suite", suite, "--db", database, "--headless",
        "--allow-plugins",
    )  # fmt: skip
    test = suite / "test_definitions/poetry/level_1/test_haiku.json"
    test.write_text(test.read_text().replace("[3, 4, 3]", "10"))
    checked = modex("check", suite)
    assert checked.returncode == 2
    assert "test_haiku.json:1: expected must be a list" in checked.stdout


@pytest.mark.long
def test_the_examples_work_as_an_installed_package(tmp_path: Path, server: ServerHandle) -> None:
    contents = files(PAGE)
    classes = {
        f"my_package/{Path(name).name}": "".join(
            line for line in contents[name].splitlines(keepends=True) if not line.startswith("@")
        )
        for name in contents
        if name.endswith(".py")
    }
    groups = contents["pyproject.toml"].replace("project.entry-points.", "").replace('"', "")
    site = write(
        tmp_path / "site",
        {
            **classes,
            "my_package/__init__.py": "",
            "my_package-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n",
            "my_package-1.0.dist-info/entry_points.txt": groups,
        },
    )
    suite = write(
        tmp_path / "suite", {**DOMAIN, **{k: v for k, v in contents.items() if not k.endswith((".py", "toml"))}}
    )
    database = tmp_path / "modex.db"
    done = modex(
        "run", "--model", "openai/m", "--api-base", server.url, "--suite", suite, "--dataset", suite / "riddles.jsonl",
        "--evaluator", "match", "--exp-id", "e", "--db", database, "--headless",
        path=site,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert {row[0] for row in rows(database, "evaluator_id")} == {"haiku", "match"}
    assert "riddles (Riddles)" in modex("show", "e", "--db", database, path=site).stdout


@pytest.mark.long
def test_a_broken_package_is_named(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "bad-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n",
            "bad-1.0.dist-info/entry_points.txt": "[modex.processers]\nbad = no_such_module_x:Bad\n",
        },
    )
    called = modex("run", "--model", "demo", "--level", "1", "--headless", "--db", tmp_path / "a.db", path=site)
    assert called.returncode == 2
    assert "'bad' (no_such_module_x:Bad) cannot be loaded" in called.stderr
    assert "Traceback" not in called.stderr
