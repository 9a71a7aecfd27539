"""The store's SQLite file as the rest of the store sees it: pragmas, statements, transactions that hear signals.

The write-ahead log: https://www.sqlite.org/wal.html; what `full` keeps: https://www.sqlite.org/pragma.html#pragma_synchronous.
Waiting for others: https://www.sqlite.org/c3ref/busy_timeout.html.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import peewee as pw

from modex.core.store.words import ended_by_interrupt, hear_signals, is_locked

BUSY_TIMEOUT_S = 10.0
_PIECE_MS = 200
_MAPPED = 1 << 26
"""Bytes of the file that may be mapped: they count as memory of the process, and with four times as many a comparison
takes a tenth less time, where the file is no larger than that."""


class _Connection(sqlite3.Connection):
    """A connection that is closed with the thread, or the database, that it belongs to; Python 3.13 warns of one that is not."""

    def __del__(self) -> None:
        with contextlib.suppress(sqlite3.ProgrammingError):  # it was never opened
            self.close()


class _Context(pw.Context):
    """The SQL that Peewee makes, sooner: the columns of tables, most of a statement, cost no state of their own."""

    __slots__ = ()

    def sql(self, obj: Any) -> Any:
        if type(obj) is pw.Column:
            source, name = obj.source, obj.name
        elif isinstance(obj, pw.Field) and type(obj).__sql__ is pw.Field.__sql__:
            source, name = obj.model._meta.table, obj.column_name
        else:
            return super().sql(obj)  # type: ignore[no-untyped-call]
        if self.state.scope == pw.SCOPE_VALUES:
            self.literal(f'"{name}"')
        elif type(source) is pw.Table and not source._alias:  # type: ignore[attr-defined]
            self.literal(f'"{self.alias_manager[source]}"."{name}"')
        else:
            return super().sql(obj)  # type: ignore[no-untyped-call]
        return self


class Database(pw.SqliteDatabase):
    """The store's SQLite file; connections are per thread."""

    context_class = _Context

    def __init__(
        self, path: Path, *, read_only: bool = False, views: Sequence[str] = (), lacks: Sequence[str] = ()
    ) -> None:
        """`views` are statements that every new connection begins with: what an older file lacks, as its defaults."""
        self.path = path
        self.read_only = read_only
        self._views = tuple(views)
        self.lacks = tuple(lacks)
        """The migrations that a file opened for reading has not had."""
        if read_only:
            # Each thread of a screen that stays open has a connection, and beside a large file its cache fills for hours: this is
            # enough for what leads to the rows, and 32 MB made nothing faster.
            pragmas: dict[str, object] = {"temp_store": 2, "cache_size": -8_000, "mmap_size": _MAPPED}
            target = read_only_address(path, immutable=not _writable_beside(path))
            super().__init__(
                target, pragmas=pragmas, uri=True, timeout=BUSY_TIMEOUT_S, check_same_thread=False, factory=_Connection
            )
        else:
            pragmas = {
                "journal_mode": "wal",
                "synchronous": "full",
                "foreign_keys": 1,
                "cache_size": -32_000,
                "mmap_size": _MAPPED,
                "journal_size_limit": 64 << 20,
            }
            super().__init__(
                str(path), pragmas=pragmas, timeout=BUSY_TIMEOUT_S, check_same_thread=False, factory=_Connection
            )

    def _initialize_connection(self, connection: sqlite3.Connection) -> None:
        hear_signals(connection)
        if self.read_only:
            if self._views:
                from modex.core.store.details_of_010 import add_function  # verdicts take long to import

                add_function(connection)
            for view in self._views:
                connection.execute(view)
            connection.execute("PRAGMA query_only = 1")

    def place(self) -> tuple[int, int] | None:
        """Which file the name leads to now: device and number, zeros where there is none; None where nobody can tell."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return (0, 0)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def keep_in_memory(self, kilobytes: int) -> None:
        """Let this thread's connection keep so much of the file at most, beside what is mapped of it."""
        self.execute_sql(f"PRAGMA cache_size = -{kilobytes}")  # type: ignore[no-untyped-call]

    @contextlib.contextmanager
    def ended_when(self, asked: Callable[[], bool]) -> Iterator[None]:
        """Within it `asked` ends a statement of this thread that lasts, with KeyboardInterrupt: where signals only leave word."""
        connection: sqlite3.Connection = self.connection()  # type: ignore[no-untyped-call]
        hear_signals(connection, asked)
        try:
            yield
        finally:
            hear_signals(connection)

    def begin(self, lock_type: str | None = None) -> None:
        """Begin a transaction; where it takes the write lock, wait in short pieces: SQLite's own wait hears no signal."""
        if lock_type is None:
            super().begin()
            return
        try:
            self._begin_in_pieces(lock_type)
        except BaseException:
            if not self.is_closed():
                self.rollback()  # where it had begun: nobody else would end it, and the next could not begin
            raise

    def _begin_in_pieces(self, lock_type: str) -> None:
        until = time.monotonic() + BUSY_TIMEOUT_S
        self.run(f"PRAGMA busy_timeout = {_PIECE_MS}")
        try:
            while True:
                try:
                    super().begin(lock_type)
                except pw.OperationalError as error:
                    if not is_locked(error) or time.monotonic() > until:
                        raise
                else:
                    return
        finally:
            self.run(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_S * 1000:.0f}")

    def rollback(self) -> None:
        """Roll back, unless SQLite has done so itself, as it does on a full disk."""
        connection: sqlite3.Connection = self.connection()  # type: ignore[no-untyped-call]
        if connection.in_transaction:
            super().rollback()

    def fetch(self, query: pw.BaseQuery) -> list[tuple[Any, ...]]:
        """All rows of a Peewee query, as tuples of raw column values."""
        return self.rows(*self.sql_of(query))

    def each(self, query: pw.BaseQuery) -> Iterator[tuple[Any, ...]]:
        """The rows of a Peewee query as they are read, for results of any size; write nothing meanwhile."""
        return self.stream(*self.sql_of(query))

    def change(self, query: pw.BaseQuery) -> int:
        """Do a Peewee insert, update or delete; the number of rows it changed."""
        return self.run(*self.sql_of(query))

    def add(self, query: pw.BaseQuery) -> int:
        """Do a Peewee insert of one row; its id."""
        cursor = self._execute(*self.sql_of(query))
        return int(cursor.lastrowid or 0)

    def sql_of(self, query: pw.BaseQuery) -> tuple[str, list[Any]]:
        """A Peewee query as SQL, with its parameters in order."""
        context: Any = self.get_sql_context()
        sql, parameters = context.sql(query).query()
        return sql, parameters

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of one statement, as tuples of raw column values."""
        cursor = self._execute(sql, parameters)
        with ended_by_interrupt():
            return cursor.fetchall()

    def stream(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of one statement as they are read, for results of any size; write nothing meanwhile."""
        cursor = self._execute(sql, parameters)
        try:
            with ended_by_interrupt():
                yield from cursor
        finally:
            cursor.close()

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Execute one statement; the number of rows it changed."""
        return self._execute(sql, parameters).rowcount

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute one statement for each of `rows`."""
        connection: sqlite3.Connection = self.connection()  # type: ignore[no-untyped-call]
        with ended_by_interrupt():
            connection.executemany(sql, rows)

    def _execute(self, sql: str, parameters: Sequence[Any]) -> sqlite3.Cursor:
        with ended_by_interrupt():
            cursor: sqlite3.Cursor = self.execute_sql(sql, parameters)  # type: ignore[no-untyped-call]
            return cursor


def read_only_address(path: Path, *, immutable: bool) -> str:
    """The file as a URI that SQLite opens for reading only; `immutable` makes no companion files, where no log is there."""
    alone = immutable and not Path(f"{path}-wal").exists()
    return f"file:{quote(os.fsencode(path.absolute()))}?mode=ro{'&immutable=1' if alone else ''}"


def _writable_beside(path: Path) -> bool:
    return os.access(path.parent, os.W_OK) and os.access(path, os.W_OK)
