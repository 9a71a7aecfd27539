"""The copy of an older file before it is brought up to date."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from modex.core.foundation.errors import StoreError
from modex.core.store import backup
from modex.core.store.backup import back_up, backups, partial_copies, prepare
from modex.core.store.migrations import HISTORY, known


def _file(path: Path, *, applied: int = -1) -> Path:
    """A file with its first migrations applied, all but the last where nothing is said, and one run of it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f'CREATE TABLE "{HISTORY}" (name TEXT)')
        connection.executemany(f'INSERT INTO "{HISTORY}" VALUES (?)', [(name,) for name in known()[:applied]])
        connection.execute("CREATE TABLE evaluation_runs (id INTEGER PRIMARY KEY, exp_id TEXT, status TEXT)")
        connection.execute("INSERT INTO evaluation_runs VALUES (1, 'e', 'running')")
        connection.execute("CREATE TABLE other (x)")
        connection.execute("INSERT INTO other VALUES (1), (2)")
        connection.commit()
    return path


def _change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


def _silent(_: str) -> None:
    return


def test_a_file_that_lacks_nothing_is_left_alone(tmp_path: Path) -> None:
    path = _file(tmp_path / "m.db", applied=len(known()))
    said: list[str] = []
    assert prepare(path, said.append) is None
    assert (said, backups(path)) == ([], [])


def test_a_file_that_lacks_a_migration_is_kept_as_it_was_for_its_owner_alone(tmp_path: Path) -> None:
    path = _file(tmp_path / "m.db")
    said: list[str] = []
    found = prepare(path, said.append)
    assert found == tmp_path / f"m.db.before-{known()[-1]}.backup"
    assert stat.S_IMODE(found.stat().st_mode) == 0o600
    assert (len(said), str(found) in said[0]) == (1, True)
    with closing(sqlite3.connect(found)) as copy:
        assert copy.execute("SELECT exp_id FROM evaluation_runs").fetchall() == [("e",)]
    assert partial_copies(path) == []
    first = prepare(_file(tmp_path / "old.db", applied=1), _silent)
    assert first == tmp_path / f"old.db.before-{known()[1]}.backup"


@pytest.mark.parametrize(
    ("statement", "again"),
    [
        ("SELECT 1", True),
        ("UPDATE evaluation_runs SET status = 'completed'", False),
        ("DELETE FROM evaluation_runs", False),
        ("INSERT INTO other VALUES (3)", False),
        ("DELETE FROM other WHERE x = 2", False),
        ("CREATE TABLE more (y)", False),
    ],
)
def test_an_earlier_copy_of_the_same_content_is_taken_instead_of_another(
    tmp_path: Path, statement: str, again: bool
) -> None:
    path = _file(tmp_path / "m.db")
    first = prepare(path, _silent)
    _change(path, statement)
    second = prepare(path, _silent)
    assert (first == second) == again
    assert len(backups(path)) == (1 if again else 2)
    if not again:
        assert second == tmp_path / f"m.db.before-{known()[-1]}-2.backup"


def test_of_several_copies_the_latest_is_compared_and_one_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    path = _file(tmp_path / "m.db")
    first, second = back_up(path, known()[-1]), back_up(path, known()[-1])
    _change(first, "INSERT INTO other VALUES (3)")
    for one, when in ((first, 100), (second, 200)):
        os.utime(one, (when, when))
    assert prepare(path, _silent) == second
    os.utime(first, (300, 300))
    third = prepare(path, _silent)
    assert third not in (first, second)
    assert third is not None
    third.write_bytes(b"no database" * 100)
    os.utime(third, (400, 400))
    assert prepare(path, _silent) not in (first, second, third)


def test_copies_of_another_file_or_before_another_migration_are_not_taken(tmp_path: Path) -> None:
    path = _file(tmp_path / "m[1].db")
    other = back_up(_file(tmp_path / "m1.db"), known()[-1])
    earlier = back_up(path, known()[0])
    assert (backups(path), backups(tmp_path / "m1.db")) == ([earlier], [other])
    assert prepare(path, _silent) not in (earlier, other)


def test_partial_copies_of_whoever_was_killed_are_removed(tmp_path: Path) -> None:
    path = _file(tmp_path / "m.db")
    left = tmp_path / "m.db.before-x.backup.partial-1"
    left.write_bytes(b"")
    (tmp_path / "m.db.before-folder.backup").mkdir()
    assert (partial_copies(path), backups(path)) == ([left], [])
    prepare(path, _silent)
    assert not left.exists()


def test_nothing_is_changed_while_an_older_modex_works_on_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _file(tmp_path / "m.db")
    asked: list[int] = []

    def held(_: Path, run_id: int) -> bool:
        asked.append(run_id)
        return True

    monkeypatch.setattr(backup, "is_held", held)
    for status in ("running", "paused"):
        _change(path, f"UPDATE evaluation_runs SET status = '{status}'")
        with pytest.raises(StoreError, match="works on e in this file"):
            prepare(path, _silent)
    _change(path, "UPDATE evaluation_runs SET status = 'stopped'")
    assert backups(path) == []
    assert prepare(path, _silent) is not None
    assert asked == [1, 1]


def test_whoever_else_would_write_waits_until_the_copy_is_made(tmp_path: Path) -> None:
    path = _file(tmp_path / "m.db")
    refused: list[str] = []

    def meanwhile(_: str) -> None:
        with closing(sqlite3.connect(path, timeout=0)) as other:
            try:
                other.execute("INSERT INTO other VALUES (3)")
            except sqlite3.OperationalError as error:
                refused.append(str(error))

    prepare(path, meanwhile)
    assert refused == ["database is locked"]
    _change(path, "INSERT INTO other VALUES (3)")


def test_the_wait_for_somebody_who_writes_has_an_end_and_another_error_ends_it_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _file(tmp_path / "m.db")
    monkeypatch.setattr(backup, "_WAIT_S", 0.0)
    monkeypatch.setattr(backup, "_PIECE_S", 0.0)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            prepare(path, _silent)
        other.execute("ROLLBACK")
    with closing(sqlite3.connect(path, isolation_level=None)) as mine:
        mine.execute("BEGIN")
        monkeypatch.setattr(backup, "_WAIT_S", 60.0)
        with pytest.raises(sqlite3.OperationalError, match="within a transaction"):
            backup._lock(mine)


def test_a_copy_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _file(tmp_path / "m.db")

    def full(_: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "_sync", full)
    with pytest.raises(StoreError, match="no backup could be made"):
        prepare(path, _silent)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["m.db"]
