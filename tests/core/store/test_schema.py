"""A file is looked at before anything is done to it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import peewee as pw
import pytest

from modex.core.foundation.errors import StoreError
from modex.core.store import migrations
from modex.core.store.connection import read_only_address
from modex.core.store.database import open_database
from modex.core.store.manager import DBDataManager
from modex.core.store.schema import Schema, look_at
from modex.core.store.tables import JsonText
from tests.core.store.stores import CONFIG
from tests.rows import each_row

NEW = Schema(frozenset(), tuple(migrations.known()), ())


def test_what_is_not_there_or_empty_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    assert look_at(path) is look_at(path / "below") is None
    path.touch()
    assert look_at(path) == NEW
    sqlite3.connect(path).executescript("CREATE TABLE t (a); DROP TABLE t")
    assert look_at(path) == NEW


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"x" * 511, "this is no database, and nothing of it was changed"),
        (b"x" * 512, "this is no database, or one whose beginning"),
        (b"x", "this is no database, and nothing of it was changed"),
        (b"SQLite format 3\0", "this is no database, or one whose beginning"),
        (b"SQLite format 3", "this is no database, and nothing of it was changed"),
    ],
)
def test_a_file_that_is_no_database_is_told_by_its_size_or_its_beginning(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "notes"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=said):
        look_at(path)
    assert path.read_bytes() == content
    assert [one.name for one in tmp_path.iterdir()] == ["notes"]


def test_a_folder_and_a_pipe_hold_no_database_and_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(StoreError, match="no file that can hold a database"):
            look_at(path)


def test_a_file_that_may_not_be_looked_at_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Path) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", refused)
    with pytest.raises(StoreError, match=r"cannot be read \(Permission denied\)"):
        look_at(tmp_path / "m.db")


def test_a_reader_sees_what_an_older_file_lacks_as_its_defaults(manager: DBDataManager, run_id: int) -> None:
    database = manager.database
    whole = look_at(manager.path)
    assert whole is not None
    assert (whole.pending, whole.views) == ((), ())
    database.run("ALTER TABLE evaluation_runs DROP COLUMN pace")
    database.run("DROP TABLE certificates")
    database.run("DELETE FROM schema_migrations WHERE name IN ('0008_pace', '0005_certificates')")
    found = look_at(manager.path)
    assert found is not None
    assert found.pending == ("0005_certificates", "0008_pace")
    assert len(found.views) == 2
    reading = open_database(manager.path, read_only=True)
    assert reading.lacks == found.pending
    assert reading.rows("SELECT exp_id, pace FROM evaluation_runs") == [("e", "{}")]
    assert reading.rows("SELECT id, found FROM certificates") == []
    reading.close()
    manager.close()


def test_another_programs_tables_beside_part_of_ours_are_not_ours(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE evaluation_runs (id); CREATE TABLE individual_test_results (id)")
    connection.close()
    with pytest.raises(StoreError, match="not a modex database"):
        look_at(path)


def test_an_address_for_reading_makes_no_companions_only_where_no_log_is_there(tmp_path: Path) -> None:
    path = tmp_path / "a b?.db"
    assert read_only_address(path, immutable=True) == f"file:{tmp_path}/a%20b%3F.db?mode=ro&immutable=1"
    assert read_only_address(path, immutable=False) == f"file:{tmp_path}/a%20b%3F.db?mode=ro"
    Path(f"{path}-wal").touch()
    assert read_only_address(path, immutable=True) == f"file:{tmp_path}/a%20b%3F.db?mode=ro"


@each_row(
    ("field", "literal"),
    [
        (pw.TextField(null=True), "NULL"), (pw.TextField(default="it's"), "'it''s'"), (pw.BooleanField(default=False), "0"),
        (pw.BooleanField(default=True), "1"), (pw.BigIntegerField(default=5), "5"), (pw.DoubleField(default=1), "1.0"),
        (JsonText(default=dict), "'{}'"), (JsonText(default=list), "'[]'"),
    ],
)  # fmt: skip
def test_a_default_is_written_as_sql_writes_it(field: pw.Field[object], literal: str) -> None:
    assert migrations.literal(field) == literal


def test_a_file_that_lost_what_came_later_is_brought_back_to_the_same_schema(manager: DBDataManager) -> None:
    database = manager.database
    shape = "SELECT m.name, c.name, c.type, c.pk FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'"
    empty = (
        "SELECT c.name, c.\"notnull\" FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'"
    )
    indexes = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    before = [sorted(database.rows(sql)) for sql in (shape, empty, indexes)]
    later = {
        "individual_test_results": "host cluster reason ttft_ms output_tokens_per_s thinking_ms pass_needed pass_of tool_state"
        " simulated_user host_limits verdict_flags",
        "evaluation_runs": "kind note archived judged_by pace hosts plan unsettled bound_low bound_high",
        "earlier_verdicts": "reason pass2_used verdict_flags",
    }
    for name in ("cluster", "pass_of", "simulated_user"):
        database.run(f"DROP INDEX individual_test_results_run_id_{name}")
    for table, columns in later.items():
        for column in columns.split():
            database.run(f"ALTER TABLE {table} DROP COLUMN {column}")
    for table in ("reviews", "certificates", "races"):
        database.run(f"DROP TABLE {table}")
    database.run("DELETE FROM schema_migrations WHERE name != '0001_initial'")
    migrations.migrate(database)
    after = [sorted(database.rows(sql)) for sql in (shape, empty, indexes)]
    assert after[1:] == before[1:]
    assert {row[:2] for row in after[0]} == {row[:2] for row in before[0]}
    assert list(migrations.applied(database)) == migrations.known()
    migrations.migrate(database)


def test_a_new_file_is_made_once_and_a_failed_opening_leaves_no_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_database(tmp_path / "m.db")
    migrations.create(database)
    assert database.rows("SELECT count(*) FROM schema_migrations") == [(len(migrations.known()),)]
    closed: list[object] = []
    close = type(database).close

    def counted(self: object) -> object:
        closed.append(self)
        return close(self)  # type: ignore[arg-type]

    def fails(_: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(type(database), "close", counted)
    monkeypatch.setattr(migrations, "create", fails)
    with pytest.raises(RuntimeError, match="planted"):
        open_database(tmp_path / "other.db")
    assert len(closed) == 1
    database.close()


def test_a_file_that_may_not_be_written_is_named_and_one_that_may_is_left_shut(
    manager: DBDataManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def access(path: object, mode: int) -> bool:
        asked.append(mode)
        return False

    monkeypatch.setattr("modex.core.store.database.os.access", access)
    with pytest.raises(StoreError, match=r"cannot be written \(Permission denied\); name another file with --db"):
        open_database(manager.path)
    assert asked == [os.W_OK]


def test_every_row_of_an_older_file_reads_as_its_defaults(manager: DBDataManager) -> None:
    run = manager.create_run("r", CONFIG)
    database = manager.database
    database.run("ALTER TABLE evaluation_runs DROP COLUMN archived")
    database.run("DELETE FROM schema_migrations WHERE name = '0002_reviews_timing_and_kinds'")
    migrations.migrate(database)
    assert manager.reader.run_by_id(run).archived is False
