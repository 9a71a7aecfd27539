"""What consent to a command or a plugin of a suite is about: the bytes of every program text below its folder, no others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from modex.core.store.lock import lock_path
from modex.core.suite.files import FileFaultError
from modex.core.suite.runnable import command_digest, programs_beside
from tests.core.suite.conftest import write_files

COMMAND = ["python", "server/serve.py"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_files(tmp_path / "suite", {"server/serve.py": "import helper", "test_definitions/d/domain.json": "{}"})


@pytest.mark.parametrize(
    "place",
    [
        "server/serve.py",
        "server/helper.py",
        "test_definitions/d/helper.py",
        "plugins/_helper.py",
        "lib.so",
        ".gitx/a.sh",
    ],
)
def test_a_program_text_anywhere_in_the_suite_counts(root: Path, place: str) -> None:
    before = command_digest(COMMAND, root)
    write_files(root, {place: "x = 2"})
    assert command_digest(COMMAND, root) != before


def test_where_a_link_to_a_folder_leads_counts(root: Path, tmp_path: Path) -> None:
    link = root / "lib"
    found = set()
    for target in ("one", "two"):
        link.unlink(missing_ok=True)
        link.symlink_to(tmp_path / target)
        (tmp_path / target).mkdir()
        found.add(command_digest(COMMAND, root))
    assert len(found) == 2


@pytest.mark.parametrize(
    "place", ["test_definitions/d/domain.json", "notes.md", "server/__pycache__/serve.cpython-311.pyc"]
)
def test_tests_and_what_python_writes_by_itself_do_not_count(root: Path, place: str) -> None:
    before = command_digest(COMMAND, root)
    write_files(root, {place: "{ }"})
    assert command_digest(COMMAND, root) == before


DATABASE = ["kept/results.db", "kept/results.db-wal", "kept/results.db.search-shm", "kept/results.db.runner.log"]


@pytest.mark.parametrize("command", [COMMAND, [*COMMAND, "--data", "kept"]])
@pytest.mark.parametrize(
    "place", [*DATABASE, str(lock_path(Path("kept/results.db"), 7)), "kept/results.db.locks/race-1.lock"]
)
def test_a_database_in_the_suites_folder_is_no_part_of_it(root: Path, command: list[str], place: str) -> None:
    write_files(root, {"kept/notes.txt": ""})
    before = command_digest(command, root)
    write_files(root, {os.path.relpath(place): "1"})
    assert command_digest(command, root) == before


@pytest.mark.parametrize("place", ["kept/state.json", "kept/out.TXT", "kept/state", "kept/a.db3", "kept/b/page.html"])
def test_what_a_server_keeps_in_a_folder_that_its_command_names_is_no_part_of_it(root: Path, place: str) -> None:
    write_files(root, {"kept/notes.txt": ""})
    command = [*COMMAND, "--data", "kept"]
    before = command_digest(command, root)
    write_files(root, {place: "1"})
    assert command_digest(command, root) == before


@pytest.mark.parametrize(
    "place", ["kept/a.yaml", "kept/package.json", "kept/a.R", "kept/run", "kept/link", "kept/a.py"]
)
def test_what_may_be_run_in_a_folder_that_its_command_names_counts(root: Path, place: str) -> None:
    write_files(root, {"kept/notes.txt": ""})
    command = [*COMMAND, "--data", "kept"]
    before = command_digest(command, root)
    if place == "kept/link":
        (root / place).symlink_to(root / "notes")
    else:
        write_files(root, {place: "#!/bin/sh"})
    assert command_digest(command, root) != before


def test_a_file_that_a_command_names_counts_unless_it_is_a_database(root: Path) -> None:
    command = [*COMMAND, "config.json", "state"]
    found = set()
    for text in ("{}", "{ }"):
        write_files(root, {"config.json": text})
        found.add(command_digest(command, root))
    assert len(found) == 2
    write_files(root, {"state": "SQLite format 3\0"})
    assert command_digest(command, root) in found


@pytest.mark.parametrize("place", ["uv.lock", "x.locks/uv.lock", "run-1.lock", "a.db.locks/run.py", "server/a.db.py"])
def test_what_only_looks_like_a_databases_file_counts(root: Path, place: str) -> None:
    before = command_digest(COMMAND, root)
    write_files(root, {place: "1"})
    assert command_digest(COMMAND, root) != before


def test_a_virtual_environment_is_not_what_a_suite_holds(root: Path) -> None:
    write_files(root, {".venv/pyvenv.cfg": "", ".venv/lib/anything.py": ""})
    found = programs_beside(root, {root / "server/serve.py"})
    assert [path.relative_to(root).as_posix() for path in found] == [".venv/pyvenv.cfg"]


def test_more_than_anybody_can_have_agreed_to_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(root, {f"{number}.py": "" for number in range(5)})
    monkeypatch.setattr("modex.core.suite.runnable.MOST_FILES", 3)
    with pytest.raises(FileFaultError, match="more than 3 files"):
        command_digest(COMMAND, root)
