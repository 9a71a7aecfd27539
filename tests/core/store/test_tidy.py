"""Room on the disk is given back, and no result with it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from core.errors import StoreError
from core.store.lock import RunLock
from core.store.manager import DBDataManager
from core.store.tidy import Kind, Leftover, leftovers, remove
from tests.cli import call
from tests.core.store.stores import CONFIG, sample

LONG = "word " * 4000


def filled(path: Path, runs: int = 2, samples: int = 100) -> None:
    manager = DBDataManager(path)
    for number in range(runs):
        run_id = manager.create_run(f"run-{number}", CONFIG)
        manager.plan(run_id, [sample(f"t{test}", prompt=LONG) for test in range(samples)])
    manager.close()


def test_the_file_shrinks_after_a_run_was_deleted_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path)
    manager = DBDataManager(path)
    manager.delete_run(manager.reader.run("run-0").id)
    manager.close()
    before = path.stat().st_size
    called = call("tidy", "--db", path)
    assert (called.code, "free pages: m.db" in called.out) == (0, True)
    assert path.stat().st_size < before * 0.7
    manager = DBDataManager(path)
    assert [len(list(manager.reader.samples(manager.reader.run("run-1").id)))] == [100]
    assert manager.reader.damage() is None
    manager.close()


def test_dead_copies_and_questions_of_deleted_runs_go_and_what_is_used_stays(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path, samples=1)
    dead = path.with_name("m.db.before-0002_x.backup.partial-4194304")
    dead.write_bytes(b"x" * 1000)
    alive = path.with_name(f"m.db.before-0002_x.backup.partial-{os.getpid()}")
    alive.write_bytes(b"x" * 1000)
    backup = path.with_name("m.db.before-0002_x.backup")
    backup.write_bytes(b"x" * 1000)
    gone = path.with_name("m.db.imported") / "gone" / "task.jsonl"
    gone.parent.mkdir(parents=True)
    gone.write_text("{}")
    listed = call("tidy", "--dry-run", "--db", path)
    assert [one.exists() for one in (dead, alive, backup, gone)] == [True] * 4
    assert listed.out.count("would go") == 2
    called = call("tidy", "--db", path, "--json")
    assert [one.exists() for one in (dead, alive, backup, gone)] == [False, True, True, False]
    states = {one["kind"]: one["state"] for one in json.loads(called.out)["leftovers"]}
    assert states == {"partial copy": "removed", "questions": "removed", "backup": "kept"}
    call("tidy", "--backups", "--db", path)
    assert not backup.exists()


def test_a_file_whose_run_is_worked_on_is_not_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path)
    manager = DBDataManager(path)
    manager.delete_run(manager.reader.run("run-0").id)
    other = manager.reader.run("run-1").id
    manager.close()
    before = path.stat().st_size
    with RunLock(path, other, "run-1"):
        called = call("tidy", "--db", path)
    assert (called.code, "run-1 is being worked on" in called.err) == (1, True)
    assert path.stat().st_size == before


def test_a_disk_without_room_for_the_new_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.db"
    filled(path)
    manager = DBDataManager(path)
    manager.delete_run(manager.reader.run("run-0").id)
    manager.close()
    (free,) = (one for one in leftovers(path) if one.kind == "free pages")
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr("core.store.tidy.shutil.disk_usage", lambda _: usage._replace(free=1000))
    with pytest.raises(StoreError, match="shrinking it needs"):
        remove(path, free)


def test_the_doctor_says_how_much_could_be_freed(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path)
    path.with_name("m.db.before-0002_x.backup.partial-4194304").write_bytes(bytes(3_000_000))
    assert "3 MB that nothing needs: modex tidy" in call("doctor", "--db", path).out


@pytest.mark.parametrize(("kind", "left"), [("search index", ["m.db"]), ("backup", ["m.db", "x-shm", "x-wal"])])
def test_an_index_goes_with_what_lies_beside_it_and_a_backup_alone(tmp_path: Path, kind: Kind, left: list[str]) -> None:
    for name in ("m.db", "x", "x-wal", "x-shm"):
        (tmp_path / name).write_text("1234")
    assert remove(tmp_path / "m.db", Leftover(kind, tmp_path / "x", 4, "", dead=True)) == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == left
    assert remove(tmp_path / "m.db", Leftover(kind, tmp_path / "x", 4, "", dead=True)) == 4  # gone already


def test_kept_questions_go_with_their_folder_and_what_cannot_be_removed_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "questions"
    folder.mkdir()
    (folder / "one").write_text("")
    one = Leftover("questions", folder, 0, "", dead=True)
    remove(tmp_path / "m.db", one)
    assert not folder.exists()
    with pytest.raises(StoreError, match="remove it yourself"):
        remove(tmp_path / "m.db", one)
