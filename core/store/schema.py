"""What a file is before anything is done to it: looked at read-only, so that nothing of a foreign file ever changes."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from modex.core.foundation.errors import StoreError
from modex.core.store import migrations
from modex.core.store.connection import read_only_address
from modex.core.store.tables import TABLES
from modex.core.store.words import explain

_MAGIC = b"SQLite format 3\0"
_PAGE = 512
"""The smallest page of a SQLite file, in bytes: no database is smaller, however damaged."""
_OURS = {migrations.HISTORY, "evaluation_runs", "individual_test_results"}


@dataclass(frozen=True, slots=True)
class Schema:
    """A file of ours as it is."""

    objects: frozenset[str]
    """Names of its tables and indexes; empty where nothing was stored yet."""
    pending: tuple[str, ...]
    """The migrations that it has not had."""
    views: tuple[str, ...]
    """Statements that let a reader see what it lacks as its defaults; no byte of the file changes by them."""


def look_at(path: Path) -> Schema | None:
    """The schema of the file at `path`; None where there is no file.

    Raises:
        StoreError: not a regular file, not a database of ours, damaged, or written by a newer modex.
    """
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror}); name another file with --db") from error
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path}: this is no file that can hold a database; name another with --db")
    if found.st_size == 0:
        return Schema(frozenset(), tuple(migrations.known()), ())
    if found.st_size < _PAGE and not _begins_as_sqlite(path):
        # SQLite itself takes a file of one byte for an empty database, and writes over it.
        raise StoreError(f"{path}: this is no database, and nothing of it was changed; name another file with --db")
    try:
        return _read(path, immutable=True)
    except sqlite3.DatabaseError:  # another process may be writing: look again under its locks
        try:
            return _read(path, immutable=False)
        except sqlite3.DatabaseError as error:
            raise StoreError(explain(path, error)) from error


def _begins_as_sqlite(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror}); name another file with --db") from error


def _read(path: Path, *, immutable: bool) -> Schema:
    with closing(sqlite3.connect(read_only_address(path, immutable=immutable), uri=True, timeout=10.0)) as connection:
        objects = {str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master")}
        if not objects:
            return Schema(frozenset(), tuple(migrations.known()), ())
        if not objects >= _OURS:
            raise StoreError(f"{path}: this is a SQLite file, but not a modex database; name another with --db")
        history = connection.execute(f'SELECT name, applied FROM "{migrations.HISTORY}"')
        applied = {str(name): str(moment) for name, moment in history}
        known = migrations.known()
        if newer := sorted(applied.keys() - set(known)):
            raise StoreError(
                f"{path}: written by a newer modex (schema {newer[-1]}, this one knows {known[-1]}); "
                "upgrade modex, or use another file with --db"
            )
        pending = tuple(name for name in known if name not in applied)
        return Schema(frozenset(objects), pending, tuple(_views(connection, applied)) if pending else ())


def _views(connection: sqlite3.Connection, applied: Mapping[str, str]) -> Iterator[str]:
    from modex.core.store import details_of_010  # verdicts take long to import, and only older files need them here

    as_they_are = migrations.name_of(migrations.m0014_parts_of_010) not in applied
    for model in TABLES:
        meta = model._meta
        there = [str(row[1]) for row in connection.execute(f'PRAGMA table_info("{meta.table_name}")')]
        missing = [field for field in meta.sorted_fields if field.column_name not in there]
        read = {name: f'"{name}"' for name in there}
        if as_they_are and meta.table_name in details_of_010.TABLES:
            of_010 = details_of_010.judged_by_010(applied.get(details_of_010.FIRST_WITH_PARTS))
            read["details"] = f'CASE WHEN {of_010} THEN {details_of_010.REWRITTEN} ELSE "details" END AS "details"'
        elif not missing:
            continue
        columns = [*read.values()]
        columns += [f'{migrations.literal(field)} AS "{field.column_name}"' for field in missing]
        source = f'FROM main."{meta.table_name}"' if there else "WHERE 0"
        yield f'CREATE TEMP VIEW "{meta.table_name}" AS SELECT {", ".join(columns)} {source}'
