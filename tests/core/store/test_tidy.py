"""Room on the disk is given back, and no result with it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from modex.core.config.runconfig import DatasetSpec, ModelSpec, RunConfig, Selection
from modex.core.foundation.errors import StoreError
from modex.core.store import tidy
from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager
from modex.core.store.search.index import index_path
from modex.core.store.tidy import Kind, Leftover, free_words, leftovers, remove
from tests.cli import call
from tests.core.store.stores import CONFIG, sample
from tests.rows import each_row

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
    monkeypatch.setattr("modex.core.store.tidy.shutil.disk_usage", lambda _: usage._replace(free=1000))
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


def a_leftover(size: int, *, dead: bool = True) -> Leftover:
    return Leftover("backup", Path("x"), size, "", dead=dead)


@each_row(
    ("found", "words"),
    [
        ([a_leftover(1 << 20)], "1 MB that nothing needs"),
        ([a_leftover((1 << 20) - 1)], ""),
        ([a_leftover(1 << 19), a_leftover(1 << 19)], "1 MB that nothing needs"),
        ([a_leftover(1 << 30, dead=False)], ""),
        ([a_leftover(2_500_000_000), a_leftover(1, dead=False)], "2,500 MB that nothing needs"),
        ([], ""),
    ],
)
def test_from_a_megabyte_on_it_is_said_what_can_be_freed(found: list[Leftover], words: str) -> None:
    assert free_words(found) == words


def test_what_takes_room_is_listed_the_largest_first_and_what_is_used_is_not(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    used, unused, damaged = (
        path.with_name("m.db.imported") / name / "task.jsonl" for name in ("used", "unused", "damaged")
    )
    for number, file in enumerate((used, unused, damaged), 1):
        file.parent.mkdir(parents=True)
        file.write_text("x" * 100 * number)
    (unused.parent / "more").write_text("x" * 7)
    (used.parent.parent / "empty").mkdir()
    (used.parent.parent / "link").symlink_to(unused.parent)
    (used.parent.parent / "file").write_text("x")
    selection = Selection(datasets=(DatasetSpec(path=str(used)),))
    manager = DBDataManager(path)
    manager.create_run("a", RunConfig(model=ModelSpec(model="m"), selection=selection))
    for name, config in (
        ("b", "{"),
        ("c", '{"selection": {"datasets": [{}]}}'),
        ("d", '{"selection": {"datasets": 3}}'),
    ):
        run_id = manager.create_run(name, CONFIG)
        manager.database.run("UPDATE evaluation_runs SET config = ? WHERE id = ?", [config, run_id])
    manager.close()
    for suffix, size in (("", 1000), ("-wal", 20), ("-shm", 3)):
        index_path(path).with_name(index_path(path).name + suffix).write_bytes(b"x" * size)
    path.with_name("m.db.before-0002_x.backup.partial-x").write_bytes(b"x" * 5)
    found = leftovers(path)
    assert [(one.kind, one.bytes, one.dead) for one in found] == [
        ("search index", 1023, False), ("questions", 300, True), ("questions", 207, True), ("partial copy", 5, True),
    ]  # fmt: skip
    assert [one.path for one in found[1:3]] == [damaged.parent, unused.parent]
    folder = path.with_name("m.db.imported")
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert not [one for one in leftovers(path) if one.kind == "questions"]  # what a link leads to is somebody else's


def test_a_file_is_rewritten_where_a_megabyte_can_be_freed_and_there_is_room_for_twice_what_it_keeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.db"
    filled(path)
    free = Leftover("free pages", path, 0, "", dead=True)
    before = path.stat().st_size
    assert remove(path, free) == 0  # nothing is free
    manager = DBDataManager(path)
    manager.delete_run(manager.reader.run("run-0").id)
    manager.close()
    spare, used = tidy._pages(path)
    monkeypatch.setattr("modex.core.store.tidy._WORTH", spare + 1)
    assert (remove(path, free), path.stat().st_size) == (0, before)
    monkeypatch.setattr("modex.core.store.tidy._WORTH", spare)
    assert spare + used == path.stat().st_size
    assert spare > before / 3
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr("modex.core.store.tidy.shutil.disk_usage", lambda _: usage._replace(free=int(used * 2.2) - 1))
    with pytest.raises(StoreError, match="shrinking it needs"):
        remove(path, free)
    monkeypatch.setattr("modex.core.store.tidy.shutil.disk_usage", lambda _: usage._replace(free=int(used * 2.2) + 1))
    assert remove(path, free) == before - path.stat().st_size > 0
