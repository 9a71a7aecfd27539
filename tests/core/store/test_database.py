"""Opening the file, and plain words for what can be wrong with it."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import peewee as pw
import pytest

from modex.core.foundation.errors import StoreError
from modex.core.store import connection as module
from modex.core.store.connection import Database
from modex.core.store.database import open_database
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from modex.core.store.tables import EvaluationRun as Run
from modex.core.store.tables import IndividualTestResult as Sample
from modex.core.store.words import explain, is_full, is_locked


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "runs.db")
    yield opened
    opened.close()


def _statements() -> Iterator[pw.BaseQuery]:
    """One of each kind that the store makes, and columns at every place of it."""
    score = pw.fn.AVG(Sample.score).filter(Sample.status == "passed")
    other = Sample.alias("other")
    inner = Sample.select(Sample.run, score.alias("mean")).where(Sample.test_id.in_(["a", "b"])).group_by(Sample.run)
    yield Run.select().where((Run.exp_id == "e") | Run.status.is_null()).order_by(Run.id.desc()).limit(2)
    yield Sample.select(Sample.id, Run.exp_id, other.score).join(Run).join(other, on=(other.test_id == Sample.test_id))
    yield Run.select(Run.id, inner.c.mean).join(inner, on=(inner.c.run_id == Run.id)).having(score > 0.5)
    yield Run.select().where(pw.fn.EXISTS(Sample.select(pw.SQL("1")).where(Sample.run == Run.id)))
    first = Sample.select(Sample.id, Sample.score).where(Sample.run == 1).cte("first", columns=("id", "score"))
    yield Sample.select(first.c.score).join(first, on=(first.c.id == Sample.id)).with_cte(first)
    yield Run.select(Run.id) | Sample.select(Sample.id).where(pw.Case(None, [(Sample.score > 1, Sample.seq)], 0) == 0)
    yield Sample.update(score=Sample.score + 1, status="passed").where(Sample.run.in_(Run.select(Run.id)))
    yield Sample.insert(run=1, score=1.0).on_conflict(
        conflict_target=[Sample.id], update={Sample.score: pw.EXCLUDED.score}
    )
    yield Sample.delete().where(Sample.run == 3)


@pytest.mark.parametrize("number", range(9))
def test_a_statement_is_the_one_that_peewee_makes(database: Database, number: int) -> None:
    statement = list(_statements())[number]
    context: Any = database.get_sql_context()
    made = context.sql(statement).query()
    assert made == pw.Context(**database.get_context_options()).sql(statement).query()  # type: ignore[no-untyped-call]
    assert made[0].count('"') > 4


def test_reading_what_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="`modex run` makes one"):
        Reader(tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    open_database(tmp_path / "a" / "b" / "modex.db").close()
    assert (tmp_path / "a" / "b" / "modex.db").exists()


@pytest.mark.parametrize("read_only", [True, False])
def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "notes.txt"
    for content in (b"not a database at all, but long enough for a header " * 20, b"x", b"\0", b"SQLite"):
        path.write_bytes(content)
        with pytest.raises(StoreError, match=r"notes\.txt"):
            open_database(path, read_only=read_only)
        assert path.read_bytes() == content


@pytest.mark.parametrize("read_only", [True, False])
def test_another_programs_database_is_left_alone(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE other (a)")
    connection.close()
    with pytest.raises(StoreError, match="not a modex database"):
        open_database(path, read_only=read_only)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("other",)]
    connection.close()


@pytest.mark.parametrize("read_only", [True, False])
def test_a_newer_modexs_database_is_not_touched(manager: DBDataManager, read_only: bool) -> None:
    manager.database.run("INSERT INTO schema_migrations (name, applied) VALUES ('0099_future', '2030-01-01')")
    manager.close()
    with pytest.raises(StoreError, match=r"written by a newer modex \(schema 0099_future"):
        open_database(manager.path, read_only=read_only)


def test_a_damaged_file_is_said_to_be_damaged_with_a_way_out(manager: DBDataManager, run_id: int) -> None:
    manager.database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    manager.close()
    with manager.path.open("r+b") as file:
        file.seek(100)
        file.write(os.urandom(8000))
    with pytest.raises(StoreError, match=r"damaged.*\.recover"):
        open_database(manager.path, read_only=True)


def test_a_reader_cannot_write(manager: DBDataManager, run_id: int) -> None:
    reader = Reader(manager.path)
    with pytest.raises(Exception, match="readonly"):
        reader.database.run("DELETE FROM evaluation_runs")
    reader.close()


def pragmas(database: Database, *names: str) -> list[object]:
    return [database.rows(f"PRAGMA {name}")[0][0] for name in names]


def test_a_connection_that_writes_keeps_what_it_was_told_is_stored(database: Database) -> None:
    names = ("journal_mode", "synchronous", "foreign_keys", "cache_size", "journal_size_limit", "query_only")
    assert pragmas(database, *names) == ["wal", 2, 1, -32_000, 64 * 1024 * 1024, 0]


def test_a_connection_that_reads_holds_little_and_writes_nothing(database: Database) -> None:
    with contextlib.closing(open_database(database.path, read_only=True)) as reading:
        assert pragmas(reading, "cache_size", "temp_store", "query_only") == [-8_000, 2, 1]
        reading.keep_in_memory(500)
        assert pragmas(reading, "cache_size") == [-500]


@pytest.mark.parametrize("writable", [True, False])
def test_a_file_that_nobody_can_write_is_read_without_looking_for_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writable: bool
) -> None:
    path = tmp_path / "runs.db"
    open_database(path).close()  # and with it what was not yet in the file
    monkeypatch.setattr(module, "_writable_beside", lambda path: writable)
    with contextlib.closing(Database(path, read_only=True)) as reading:
        assert ("immutable=1" in str(reading.database)) is not writable


def test_a_connection_that_nothing_refers_to_is_closed() -> None:
    connection = sqlite3.connect(":memory:", factory=module._Connection)
    connection.__del__()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")
    module._Connection.__new__(module._Connection).__del__()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="--db"):
            open_database(tmp_path / "modex.db")
    finally:
        tmp_path.chmod(0o700)


def test_a_path_through_a_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        open_database(tmp_path / "file" / "modex.db")


def test_names_that_look_like_addresses_are_files(tmp_path: Path) -> None:
    path = tmp_path / "50% ?mode=rw#x.db"
    DBDataManager(path).close()
    reader = Reader(path)
    assert reader.runs() == []
    reader.close()


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("database disk image is malformed", "damaged"),
        ("database is locked", "locked"),
        ("attempt to write a readonly database", "cannot be written"),
        ("database or disk is full", "make room"),
        ("unable to open database file", "name another file with --db"),
    ],
)
def test_sqlites_errors_become_words(tmp_path: Path, message: str, words: str) -> None:
    assert words in explain(tmp_path / "a.db", sqlite3.OperationalError(message))


def test_a_full_disk_and_a_lock_are_told_apart() -> None:
    full, locked = sqlite3.OperationalError("database or disk is full"), sqlite3.OperationalError("database is locked")
    assert (is_full(full), is_locked(full)) == (True, False)
    assert (is_full(locked), is_locked(locked)) == (False, True)


def test_ctrl_c_ends_the_wait_for_another_process_that_writes(database: Database) -> None:
    with contextlib.closing(sqlite3.connect(database.path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        done = threading.Timer(8.0, other.execute, ["COMMIT"])
        done.start()
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            with pytest.raises(KeyboardInterrupt), database.atomic("IMMEDIATE"):
                raise AssertionError("another process writes")
            assert other.in_transaction
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            done.cancel()
            done.join()


def test_who_waits_for_another_process_that_writes_gets_its_turn_when_that_is_done(database: Database) -> None:
    with contextlib.closing(sqlite3.connect(database.path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        done = threading.Timer(0.5, other.execute, ["COMMIT"])  # longer than one piece of the wait
        done.start()
        with database.atomic("IMMEDIATE"):
            pass
        done.join()


def test_the_wait_for_another_process_that_writes_has_an_end(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modex.core.store.connection.BUSY_TIMEOUT_S", 0.3)
    with contextlib.closing(sqlite3.connect(database.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(pw.OperationalError, match="locked"), database.atomic("IMMEDIATE"):
            raise AssertionError("another process writes")


def test_what_ends_the_beginning_of_a_transaction_leaves_none_open(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, calls = database.run, iter([None, KeyboardInterrupt])

    def interrupted(sql: str, parameters: tuple[object, ...] = ()) -> int:
        if error := next(calls, None):
            raise error
        return run(sql, parameters)

    monkeypatch.setattr(database, "run", interrupted)
    with pytest.raises(KeyboardInterrupt), database.atomic("IMMEDIATE"):
        pass
    with database.atomic("IMMEDIATE"):
        database.run("UPDATE evaluation_runs SET note = 'later'")
