"""Files of version 0.1.0: read as they are, brought up to date with a backup, never losing anything."""

from __future__ import annotations

import hashlib
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import peewee as pw
import pytest
from playhouse.schema_diff import diff_models

from modex.core.foundation.errors import StoreError
from modex.core.store import migrations
from modex.core.store.database import open_database
from modex.core.store.details_of_010 import parts_of_keys, with_parts
from modex.core.store.exact import decode_json, encode_json
from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from modex.core.store.sample import SAMPLE_FIELDS
from modex.core.store.tables import TABLES
from tests.fixtures.old_databases import NAMES, unpack


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def everything(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: [dict(row) for row in connection.execute(f'SELECT * FROM "{name}"')] for name in tables}


def backups(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.before-*"))


LATER = ("host", "host_limits", "ttft_ms", "reason", "cluster")
"""Columns of samples that came later: an older file lacks some, and they are read as None."""


@pytest.mark.parametrize("name", NAMES)
def test_a_reader_understands_an_older_file_and_changes_no_byte(name: str, tmp_path: Path) -> None:
    path = unpack(name, tmp_path)
    before = digest(path)
    stored = {row["id"]: row for row in everything(path)["individual_test_results"]}
    assert any(column not in row for column in LATER for row in stored.values())
    reader = Reader(path)
    for run in reader.runs():
        assert (run.kind, run.note, run.archived, run.pace, run.hosts) == ("evaluation", None, 0, {}, [])
        samples = list(reader.samples(run.id))
        assert len(samples) == run.total_tests
        for item in samples:
            for column in LATER:
                assert getattr(item, column) == stored[item.id or 0].get(column), column
        assert reader.heads(run.id, limit=1)
    reader.close()
    assert digest(path) == before


@pytest.mark.parametrize("name", NAMES)
def test_writing_brings_an_older_file_up_to_date_and_loses_nothing(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = unpack(name, tmp_path)
    old = everything(path)
    manager = DBDataManager(path)
    with manager.database.bind_ctx(TABLES):
        assert str(diff_models(manager.database, list(TABLES))) == ""
    manager.close()
    new = everything(path)
    for table, rows in old.items():
        kept = [{column: row[column] for column in before} for before, row in zip(rows, new[table], strict=False)]
        assert kept == [_with_parts(row) for row in rows], table
    (backup,) = backups(path)
    assert everything(backup) == old
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert str(backup) in caplog.text


def _with_parts(row: dict[str, Any]) -> dict[str, Any]:
    """A row as it is after the migrations: details of 0.1.0 become parts."""
    if '"kind"' in (stored := row.get("details", '"kind"')):
        return row
    return {**row, "details": encode_json(with_parts(decode_json(stored)))}


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_verdicts_are_shown_alike_before_and_after(name: str, tmp_path: Path) -> None:
    path = unpack(name, tmp_path)
    raw = [row for row in everything(path)["individual_test_results"] if row["details"] != "{}"]
    of_010 = [row["id"] for row in raw if '"kind"' not in row["details"]]

    def verdicts() -> list[tuple[Any, ...]]:
        reader = Reader(path)
        samples = [sample for run in reader.runs() for sample in reader.samples(run.id)]
        said = [dict(zip(SAMPLE_FIELDS, one, strict=True)) for run in reader.runs() for one in reader.documents(run.id)]
        earlier = [reader.earlier_verdicts(sample.id or 0) for sample in samples]
        reader.close()
        return [
            (one.id, one.parts, one.why, document["reason"], before)
            for one, document, before in zip(samples, said, earlier, strict=True)
        ]

    before = verdicts()
    open_database(path).close()
    assert verdicts() == before
    parts = {id_: found for id_, found, *_ in before}
    for row in raw:
        if row["id"] in of_010:
            assert parts[row["id"]] == parts_of_keys(decode_json(row["details"]))
    assert bool(of_010) is (name != "first_020")


def test_a_file_is_brought_up_to_date_once(tmp_path: Path) -> None:
    path = unpack("finished", tmp_path)
    open_database(path).close()
    after = everything(path)
    open_database(path).close()
    assert everything(path) == after
    assert len(backups(path)) == 1


KILLED = """
import os, sys
from pathlib import Path
from modex.core.store import migrations
from modex.core.store.database import open_database
at = int(sys.argv[2]) if len(sys.argv) > 2 else 1  # the first that a file of 0.1.0 has not had: every backup is of that file
step = migrations.MIGRATIONS[at]
def killed(database):
    step(database)
    os.kill(os.getpid(), 9)
killed.__name__ = step.__name__
migrations.MIGRATIONS[at] = killed
open_database(Path(sys.argv[1]))
"""


@pytest.mark.process
def test_a_migration_that_was_killed_is_done_by_the_next_opener(tmp_path: Path) -> None:
    path = unpack("finished", tmp_path)
    old = everything(path)
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, capture_output=True)
    assert ended.returncode == -9, ended.stderr
    reader = Reader(path)
    assert [run.kind for run in reader.runs()] == ["evaluation"] * 2
    reader.close()
    open_database(path).close()
    new = everything(path)
    assert [row["exp_id"] for row in new["evaluation_runs"]] == [row["exp_id"] for row in old["evaluation_runs"]]
    assert {row["kind"] for row in new["evaluation_runs"]} == {"evaluation"}
    assert all(everything(backup) == old for backup in backups(path))


@pytest.mark.process
def test_verdicts_are_rewritten_all_or_none_where_that_is_killed(tmp_path: Path) -> None:
    path = unpack("finished", tmp_path)
    old = everything(path)
    at = migrations.MIGRATIONS.index(migrations.m0014_parts_of_010)
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path), str(at)], check=False, capture_output=True)
    assert ended.returncode == -9, ended.stderr
    for table in ("individual_test_results", "earlier_verdicts"):
        assert [row["details"] for row in everything(path)[table]] == [row["details"] for row in old[table]]
    open_database(path).close()
    for table in ("individual_test_results", "earlier_verdicts"):
        wanted = [_with_parts(row)["details"] for row in old[table]]
        assert [row["details"] for row in everything(path)[table]] == wanted


@pytest.mark.process
def test_a_migration_killed_again_and_again_leaves_one_backup(tmp_path: Path) -> None:
    path = unpack("finished", tmp_path)
    old = everything(path)
    for _ in range(3):
        subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, capture_output=True)
    open_database(path).close()
    assert [everything(backup) == old for backup in backups(path)] == [True]


def test_copies_that_were_never_finished_are_removed_by_the_next_migration(tmp_path: Path) -> None:
    path = unpack("finished", tmp_path)
    left = path.with_name(f"{path.name}.before-0002_reviews_timing_and_kinds.backup.partial-4194304")
    left.write_bytes(b"half a copy")
    other = path.with_name("another.db.before-0002_reviews_timing_and_kinds.backup.partial-4194304")
    other.write_bytes(b"of another database")
    open_database(path).close()
    assert (left.exists(), other.exists()) == (False, True)


def test_a_file_that_an_older_modex_works_on_is_left_as_it_is(tmp_path: Path) -> None:
    path = unpack("interrupted", tmp_path)
    before = digest(path)
    with RunLock(path, 1, "cut"), pytest.raises(StoreError, match="older modex works on cut"):
        open_database(path)
    assert digest(path) == before
    assert backups(path) == []


def test_an_earlier_backup_is_never_written_over(tmp_path: Path) -> None:
    path = unpack("finished", tmp_path)
    open_database(path).close()
    (first,) = backups(path)
    before = digest(first)
    unpack("finished", tmp_path)
    for companion in ("-wal", "-shm"):
        path.with_name(path.name + companion).unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE evaluation_runs SET exp_id = exp_id || '-renamed'")
    open_database(path).close()
    assert len(backups(path)) == 2
    assert digest(first) == before


def test_without_room_for_the_backup_nothing_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = unpack("finished", tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = delete")
    before = digest(path)
    monkeypatch.setattr(Path, "rename", _no_room)
    with pytest.raises(StoreError, match="nothing was changed"):
        open_database(path)
    assert digest(path) == before
    assert backups(path) == []


def _no_room(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_natural_add_column_adds_the_column_with_its_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = unpack("finished", tmp_path)

    def m0999_colour(database: Any) -> None:
        migrations.add_column(database, "evaluation_runs", "colour", pw.TextField(default="it's blue"))
        migrations.add_column(database, "evaluation_runs", "colour", pw.TextField(default="again"))

    monkeypatch.setattr(migrations, "MIGRATIONS", [*migrations.MIGRATIONS, m0999_colour])
    open_database(path).close()
    assert {row["colour"] for row in everything(path)["evaluation_runs"]} == {"it's blue"}
    assert everything(path)["schema_migrations"][-1]["name"] == "0999_colour"
