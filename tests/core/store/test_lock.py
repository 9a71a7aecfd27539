"""One process works on a run; its death frees the run."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from modex.core.foundation.errors import RunBusyError, StoreError
from modex.core.store.lock import RunLock, holder, holder_pid, holders_here, is_held, lock_path

HOLDING = """
import sys
from pathlib import Path
from modex.core.store.lock import RunLock
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
        with pytest.raises(StoreError, match=r"No space left on device.*make room") as refused:
            RunLock(database, 1, "e")
    assert not is_held(database, 1)  # while the error still refers to it
    assert refused.value.__traceback__ is not None
    RunLock(database, 1, "e").release()


def test_a_lock_that_nothing_refers_to_any_more_is_free(database: Path) -> None:
    lock = RunLock(database, 1, "e")
    del lock
    assert not is_held(database, 1)
    assert not lock_path(database, 1).exists()


def test_a_copy_in_a_forked_process_gives_nothing_free(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = RunLock(database, 1, "e")
    descriptor = lock.descriptor
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: -7)
        del lock
    assert is_held(database, 1)
    assert lock_path(database, 1).exists()
    os.close(descriptor)
    assert not is_held(database, 1)


def test_who_was_given_the_lock_goes_on_with_it_and_children_do_not_inherit_it(database: Path) -> None:
    starter = RunLock(database, 1, "e")
    given = os.dup(starter.descriptor)
    os.set_inheritable(given, True)
    starter.hand_over()
    assert (starter.descriptor, is_held(database, 1)) == (-1, True)
    lock_path(database, 1).write_text("x" * 500)  # longer than what is written in its place
    runner = RunLock(database, 1, "e", descriptor=given)
    assert not os.get_inheritable(runner.descriptor)
    assert holder_pid(database, 1) == os.getpid()
    runner.release()
    assert not is_held(database, 1)


def test_runs_and_races_of_one_number_are_held_apart(database: Path) -> None:
    with RunLock(database, 1, "r", kind="race"):
        assert is_held(database, 1, "race")
        assert not is_held(database, 1)
        assert holder_pid(database, 1, "race") == os.getpid()
        assert holder_pid(database, 1) is None
        RunLock(database, 1, "e").release()
        with pytest.raises(RunBusyError, match=r"working on this race.*modex stop r"):
            RunLock(database, 1, "r", kind="race")


def test_a_look_that_holds_the_file_for_a_moment_keeps_nobody_out(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    RunLock(database, 1, "e").release()
    path = lock_path(database, 1)
    path.touch()
    looking = os.open(path, os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            os.close(looking)

    monkeypatch.setattr("modex.core.store.lock.time.sleep", sleep)
    RunLock(database, 1, "e").release()
    assert len(slept) == 3


def test_a_file_that_was_removed_between_opening_and_locking_is_opened_anew(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    RunLock(database, 1, "e").release()
    path, flock, removed = lock_path(database, 1), fcntl.flock, list[int]()

    def late(descriptor: int, how: int) -> None:
        flock(descriptor, how)
        if len(removed) < 2:
            path.unlink()
            if removed:
                path.touch()  # another one is at its place
            removed.append(descriptor)

    monkeypatch.setattr("modex.core.store.lock.fcntl.flock", late)
    with RunLock(database, 1, "e"):
        assert path.exists()
        monkeypatch.undo()
        assert is_held(database, 1)
    assert len(removed) == 2


@pytest.mark.parametrize(("mode", "refused"), [(0o707, True), (0o770, False), (0o755, False)])
def test_a_folder_that_anybody_may_write_is_refused(database: Path, mode: int, refused: bool) -> None:
    RunLock(database, 1, "e").release()
    lock_path(database, 1).parent.chmod(mode)
    if refused:
        with pytest.raises(StoreError, match="others may write there"):
            RunLock(database, 1, "e")
    else:
        RunLock(database, 1, "e").release()


def test_a_folder_of_another_user_than_ours_and_the_databases_is_refused(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    RunLock(database, 1, "e").release()
    me = os.geteuid()
    monkeypatch.setattr("modex.core.store.lock.os.geteuid", lambda: me + 1)
    RunLock(database, 1, "e").release()  # root may work on a user's runs
    monkeypatch.setattr("modex.core.store.lock._owner_beside", lambda _: me + 2)
    with pytest.raises(StoreError, match="others may write there"):
        RunLock(database, 1, "e")


def test_what_is_no_lock_of_ours_is_no_holder_here(database: Path) -> None:
    with RunLock(database, 1, "e"):
        folder = lock_path(database, 1).parent
        for name in ("run-x.lock", "other-1.lock", "run-2.txt"):
            (folder / name).write_text("{}")
        assert holders_here(database) == []
        for written in ("", "[]", "{}", '{"pid": "x"}', '{"pid": null}'):
            lock_path(database, 1).write_text(written)
            if written != '{"pid": null}':
                assert holder_pid(database, 1) is None


def test_no_link_is_followed_to_a_lock_or_to_their_folder(database: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    folder = lock_path(database, 1).parent
    folder.symlink_to(elsewhere)
    with pytest.raises(StoreError, match="no folder of modex"):
        RunLock(database, 1, "e")
    folder.unlink()
    folder.mkdir(mode=0o700)
    (elsewhere / "file").write_text("kept")
    lock_path(database, 1).symlink_to(elsewhere / "file")
    with pytest.raises(StoreError, match="cannot be written"):
        RunLock(database, 1, "e")
    assert not is_held(database, 1)
    assert (elsewhere / "file").read_text() == "kept"
