"""Opening the one SQLite file: pragmas, permissions, schema version, and plain words for what can be wrong with it."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import peewee as pw

from core.errors import StoreError
from core.store.tables import TABLES, EvaluationRun

BUSY_TIMEOUT_S = 10.0
_MIGRATIONS = Path(__file__).parent / "migrations"
_HISTORY = "schema_migrations"


class Database(pw.SqliteDatabase):
    """The store's SQLite file; connections are per thread."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        if read_only:
            pragmas: dict[str, object] = {"query_only": 1, "cache_size": -32_000, "mmap_size": 1 << 28}
            target = f"file:{_quoted(path)}?mode=ro"
            if not _writable_beside(path):
                target += "&immutable=1" if not Path(f"{path}-wal").exists() else ""
            super().__init__(target, pragmas=pragmas, uri=True, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
        else:
            pragmas = {
                "journal_mode": "wal",
                "synchronous": "full",
                "foreign_keys": 1,
                "cache_size": -32_000,
                "mmap_size": 1 << 28,
                "journal_size_limit": 64 << 20,
            }
            super().__init__(str(path), pragmas=pragmas, timeout=BUSY_TIMEOUT_S, check_same_thread=False)

    def rollback(self) -> None:
        """Roll back, unless SQLite has done so itself, as it does on a full disk."""
        connection: sqlite3.Connection = self.connection()  # type: ignore[no-untyped-call]
        if connection.in_transaction:
            super().rollback()

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of one statement, as tuples of raw column values."""
        cursor = self.execute_sql(sql, parameters)  # type: ignore[no-untyped-call]
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows

    def stream(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of one statement as they are read, for results of any size; write nothing meanwhile."""
        cursor = self.execute_sql(sql, parameters)  # type: ignore[no-untyped-call]
        try:
            yield from cursor
        finally:
            cursor.close()

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Execute one statement; the number of rows it changed."""
        cursor = self.execute_sql(sql, parameters)  # type: ignore[no-untyped-call]
        return int(cursor.rowcount)

    def run_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute one statement for each of `rows`."""
        connection: sqlite3.Connection = self.connection()  # type: ignore[no-untyped-call]
        connection.executemany(sql, rows)


def open_database(path: Path, *, read_only: bool = False) -> Database:
    """Open (and where writing, create or migrate) the database at `path` and bind the tables to it.

    Raises:
        StoreError: missing, not a database, corrupt, written by a newer modex, or not writable.
    """
    if read_only and not _is_there(path):
        raise StoreError(f"{path}: no database here yet; `modex run` makes one (or name another with --db)")
    if not read_only:
        _create(path)
    database = Database(path, read_only=read_only)
    try:
        with plain_errors(path):
            database.connect(reuse_if_open=True)
            database.rows("SELECT count(*) FROM sqlite_master")
            _check_schema(database)
    except BaseException:
        database.close()
        raise
    return database


def _is_there(path: Path) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror}); name another file with --db") from error
    return True


def _quoted(path: Path) -> str:
    from urllib.parse import quote

    return quote(os.fsencode(path.absolute()))


def _writable_beside(path: Path) -> bool:
    return os.access(path.parent, os.W_OK) and os.access(path, os.W_OK)


def _create(path: Path) -> None:
    """Make an empty file with mode 0600, so that SQLite makes its companions like it.

    A file that is there is not opened: closing it would drop every POSIX lock that this process's other connections
    hold on it, and the next process to close the database would delete the log they write to.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreError(
            f"{path}: cannot be written ({error.strerror}); name another file with --db, or only look at it"
        ) from error


def _check_schema(database: Database) -> None:
    """Create the tables, bring them up to date, or refuse what a newer modex wrote."""
    tables = set(database.get_tables())
    known = sorted(file.stem for file in _MIGRATIONS.glob("[0-9]*.py"))
    applied: set[str] = set()
    if _HISTORY in tables:
        applied = {row[0] for row in database.rows(f"SELECT name FROM {_HISTORY}")}
    if newer := sorted(applied - set(known)):
        raise StoreError(
            f"{database.path}: written by a newer modex (schema {newer[-1]}, this one knows {known[-1]}); "
            "upgrade modex, or use another file with --db"
        )
    if database.read_only:
        if EvaluationRun._meta.table_name not in tables:
            raise StoreError(f"{database.path}: this is a SQLite file, but not a modex database")
        return
    foreign = tables - {_HISTORY, "sqlite_sequence"}
    if _HISTORY not in tables and foreign:
        raise StoreError(f"{database.path}: this is a SQLite file, but not a modex database; name another with --db")
    if applied == set(known):
        return
    from playhouse.migrations import Runner

    runner = Runner(database, str(_MIGRATIONS), table_name=_HISTORY)
    with database.bind_ctx(TABLES), database.atomic("IMMEDIATE"):
        if not set(database.get_tables()) - {"sqlite_sequence"}:
            database.create_tables(TABLES)
            runner.fake()
        else:
            runner.up()


@contextlib.contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into words that say what to do."""
    try:
        yield
    except (pw.DatabaseError, sqlite3.DatabaseError) as error:
        raise StoreError(explain(path, error)) from error
    except UnicodeEncodeError as error:
        raise StoreError(f"{path}: a name that is asked for holds bytes that are no text") from error


def explain(path: Path, error: BaseException) -> str:
    """What a person should know about a SQLite error on `path`."""
    text = str(error).lower()
    if "malformed" in text or "not a database" in text or "corrupt" in text:
        return (
            f"{path}: the database is damaged ({error}). Nothing was changed. To save what can be read: "
            f"`sqlite3 {path.name} .recover | sqlite3 recovered.db`, then `--db recovered.db`"
        )
    if "locked" in text or "busy" in text:
        holders = who_has(path)
        return (
            f"{path}: the database is locked{' by ' + ', '.join(holders) if holders else ''}; try again when it is done"
        )
    if "readonly" in text or "read-only" in text:
        return f"{path}: the database cannot be written; viewing works, running needs a writable folder (--db)"
    if is_full(error):
        return f"{path}: the disk is full; make room"
    return f"{path}: {error}"


def is_full(error: BaseException) -> bool:
    """Whether SQLite ran out of room."""
    text = str(error).lower()
    return "full" in text or "disk i/o error" in text or "no space" in text


def is_locked(error: BaseException) -> bool:
    """Whether another connection holds the write lock."""
    text = str(error).lower()
    return "locked" in text or "busy" in text


def who_has(path: Path) -> list[str]:
    """Processes that have the file open, as `pid (name)`; empty where the system does not tell."""
    holders = []
    try:
        target = path.resolve()
        for process in Path("/proc").iterdir():
            if not process.name.isdigit() or int(process.name) == os.getpid():
                continue
            with contextlib.suppress(OSError):
                if any(fd.readlink() == target for fd in (process / "fd").iterdir()):
                    holders.append(f"process {process.name} ({(process / 'comm').read_text().strip()})")
    except OSError:
        return []
    return holders
