"""One process works on a run; its death frees the run."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import RunBusyError, StoreError
from core.store.lock import RunLock, holder, holder_pid, holders_here, is_held, lock_path

HOLDING = """
import sys
from pathlib import Path
from core.store.lock import RunLock
lock = RunLock(Path(sys.argv[1]), 1, "e")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "modex.db"


def test_a_held_run_names_its_holder(database: Path) -> None:
    assert not is_held(database, 1)
    with RunLock(database, 1, "e"):
        assert is_held(database, 1)
        assert holder_pid(database, 1) == os.getpid()
        assert holder(database, 1) == f"process {os.getpid()}"
        assert not is_held(database, 2)
    assert not is_held(database, 1)
    assert holder_pid(database, 1) is None
    assert holder(database, 1) == "another process"


@pytest.mark.parametrize("elsewhere", [{"host": "another"}, {"processes": "pid:[1]"}])
def test_a_holder_of_another_container_or_host_has_no_process_id_here(
    database: Path, elsewhere: dict[str, str]
) -> None:
    with RunLock(database, 1, "e"):
        path = lock_path(database, 1)
        path.write_text(json.dumps({**json.loads(path.read_text()), **elsewhere}))
        assert is_held(database, 1)
        assert holder_pid(database, 1) is None
        assert holder(database, 1) == "another process"


def test_a_lock_of_the_first_version_names_its_holder(database: Path) -> None:
    with RunLock(database, 1, "e"):
        lock_path(database, 1).write_text(json.dumps({"pid": 4321, "host": socket.gethostname()}))
        assert holder_pid(database, 1) == 4321


@pytest.mark.process
def test_the_other_processes_that_hold_something_here_are_listed(database: Path) -> None:
    assert holders_here(database) == []
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", HOLDING, str(database)]
    with (
        RunLock(database, 2, "own", kind="race"),
        subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process,
    ):
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        lock_path(database, 3).write_text(json.dumps({"pid": 1}))  # left by one that was killed
        assert holders_here(database) == [process.pid]
        process.kill()
        process.wait()
        assert holders_here(database) == []


def test_a_second_holder_is_refused_with_what_to_do(database: Path) -> None:
    with RunLock(database, 1, "e"), pytest.raises(RunBusyError, match=f"process {os.getpid()}.*modex attach e"):
        RunLock(database, 1, "e")


def test_a_released_run_can_be_taken_again_and_leaves_no_file(database: Path) -> None:
    lock = RunLock(database, 1, "e")
    lock.release()
    lock.release()
    assert not lock_path(database, 1).exists()
    RunLock(database, 1, "e").release()


@pytest.mark.process
def test_the_holders_death_frees_the_run(database: Path) -> None:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", HOLDING, str(database)]
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        assert holder_pid(database, 1) == process.pid
        process.kill()
        process.wait()
    assert not is_held(database, 1)
    with RunLock(database, 1, "e"):
        assert holder_pid(database, 1) == os.getpid()


def test_the_lock_is_the_owners_alone(database: Path) -> None:
    with RunLock(database, 1, "e"):
        path = lock_path(database, 1)
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_place_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "modex.db.locks").write_text("in the way")
    with pytest.raises(StoreError, match="another --db"):
        RunLock(tmp_path / "modex.db", 1, "e")


def test_a_lock_that_cannot_be_written_to_is_refused_in_words_and_free_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "m.db"

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(StoreError, match=r"No space left on device.*make room"):
            RunLock(database, 1, "e")
    assert not is_held(database, 1)
    RunLock(database, 1, "e").release()
