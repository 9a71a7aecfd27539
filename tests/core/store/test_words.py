"""What SQLite says in words that say what to do, and which kind of trouble it is."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import peewee as pw
import pytest

from modex.core.foundation.errors import StoreError
from modex.core.store.words import ended_by_interrupt, explain, is_full, is_locked, plain_errors, who_has
from tests.rows import each_row

PLACE = Path("/nowhere/x.db")


@each_row(
    ("said", "part"),
    [
        ("file is NOT A DATABASE", "this is no database, or one whose beginning is damaged"),
        ("database disk image is malformed", "the database is damaged (database disk image is malformed)"),
        ("corrupt page", "the database is damaged (corrupt page)"),
        ("database is locked", "/nowhere/x.db: the database is locked; try again when it is done"),
        ("database table is busy", "/nowhere/x.db: the database is locked; try again when it is done"),
        ("attempt to write a readonly database", "the database cannot be written"),
        ("read-only file system", "the database cannot be written"),
        ("database or disk is full", "/nowhere/x.db: the disk is full; make room"),
        ("disk I/O error", "/nowhere/x.db: the disk is full; make room"),
        ("no space left", "/nowhere/x.db: the disk is full; make room"),
        ("unable to open database file", "/nowhere/x.db: the folder cannot be opened (No such file or directory)"),
        ("something else", "/nowhere/x.db: something else; `modex doctor` looks at the database"),
    ],
)
def test_each_trouble_of_sqlite_is_told_in_its_own_words(said: str, part: str) -> None:
    assert part in explain(PLACE, sqlite3.OperationalError(said))


@each_row(
    ("said", "full", "locked"),
    [
        ("disk is full", True, False),
        ("disk i/o error", True, False),
        ("no space left", True, False),
        ("Database is LOCKED", False, True),
        ("busy", False, True),
        ("other", False, False),
    ],
)
def test_a_full_disk_and_a_lock_are_told_apart(said: str, full: bool, locked: bool) -> None:
    error = sqlite3.OperationalError(said)
    assert (is_full(error), is_locked(error)) == (full, locked)


@each_row(
    ("error", "part"),
    [
        (pw.DatabaseError("odd"), "x.db: odd; `modex doctor`"),
        (sqlite3.DatabaseError("odd"), "x.db: odd; `modex doctor`"),
        (UnicodeEncodeError("utf-8", "\udc80", 0, 1, "odd"), "holds bytes that are no text"),
        (OverflowError("odd"), "more than 18 digits"),
    ],
)
def test_what_the_store_raises_becomes_an_error_for_a_person(error: Exception, part: str) -> None:
    with pytest.raises(StoreError) as told, plain_errors(PLACE):
        raise error
    assert part in str(told.value)


def test_what_is_no_trouble_of_the_store_goes_through() -> None:
    with pytest.raises(KeyError), plain_errors(PLACE):
        raise KeyError("own")


def test_only_a_statement_that_was_interrupted_ends_as_an_interrupt() -> None:
    for kind in (pw.OperationalError, sqlite3.OperationalError):
        with pytest.raises(KeyboardInterrupt), ended_by_interrupt():
            raise kind("interrupted")
        with pytest.raises(kind, match="database is locked"), ended_by_interrupt():
            raise kind("database is locked")


def test_another_process_that_has_the_file_open_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.db"
    path.touch()
    with path.open() as file:
        assert who_has(path) == []
        monkeypatch.setattr(os, "getpid", lambda: 0)
        name = Path("/proc/self/comm").read_text().strip()
        assert f"process {os.path.basename(os.readlink('/proc/self'))} ({name})" in who_has(path)  # noqa: PTH115, PTH119
        locked = explain(path, sqlite3.OperationalError("locked"))
        assert f"is locked by process {Path('/proc/self').readlink()} ({name})" in locked
        assert not file.closed
    assert who_has(path) == []
