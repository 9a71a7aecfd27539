"""The index: a file of its own beside the database, behind it by what was stored since, and made anew whenever in doubt.

It holds where words stand and none of the texts. SQLite takes words out of such an index only where it is given the text again: a
run's are taken out before the run is deleted (`forget_run`), or all are, where the next search makes the index anew as fast.
What an answer was before it was asked again is left in it without a document; when a third is so, it is made anew. Each batch is
one transaction together with how far it reaches, so that a killed process leaves an index that is whole and a little behind.

An index without the texts: https://www.sqlite.org/fts5.html#contentless_tables.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peewee import fn

from modex.core.foundation.errors import StoreError
from modex.core.store.reader import Reader
from modex.core.store.search.text import COLUMNS, ROLES, indexed, texts_of, tool_tag
from modex.core.store.tables import EvaluationRun as Run
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.tables import fields_of
from modex.core.store.words import ended_by_interrupt, hear_signals, plain_errors

FORMAT = "1"
"""Another number is another index: one of an older form is made anew."""
BATCH = 256
"""Samples in one transaction."""
WORD_BY_WORD = 20_000
"""The most samples whose words are taken out one by one in an index that is not much larger: that takes some two seconds."""
_MUCH_LARGER = 20
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (run_id INTEGER PRIMARY KEY, started TEXT, seq INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS documents (docid INTEGER PRIMARY KEY AUTOINCREMENT, result_id INTEGER NOT NULL UNIQUE,
  run_id INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS documents_run ON documents (run_id);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5({", ".join(ROLES)}, tags, content='',
  tokenize="unicode61 remove_diacritics 2");
"""
_TABLES = ("meta", "runs", "documents", "words")


def index_path(database: Path) -> Path:
    """Where the index of a database stands: beside it, else, where nothing can be written there, among the user's caches."""
    if os.access(database.parent, os.W_OK):
        return database.with_name(f"{database.name}.search")
    from platformdirs import user_cache_path

    name = hashlib.blake2b(os.fsencode(database.absolute()), digest_size=8).hexdigest()
    return user_cache_path("modex", appauthor=False) / f"search-{name}.db"


@dataclass(frozen=True, slots=True)
class Behind:
    """A run of which something is not in the index."""

    run_id: int
    samples: int
    """At most so many."""


class SearchIndex:
    """A connection to the index of a database, used from one thread; other processes may write it at the same time."""

    def __init__(self, database: Path, *, wait_s: float = 10.0, cache_kb: int = 16_000) -> None:
        """Open the index, or begin one; `cache_kb` of its pages are kept in memory at most.

        Raises:
            StoreError: it cannot be written, or this SQLite has no full text search.
        """
        self.path = index_path(database)
        self._wait_s = wait_s
        self._cache_kb = cache_kb
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            if "no such module" in str(error):
                raise StoreError(
                    "this Python's SQLite has no full text search (FTS5); `modex grep -E` works without it"
                ) from error
            self.close()
            self._forget()
            with self._plain():
                self._open()

    def _open(self) -> None:
        if not self.path.exists():
            with self._plain():
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with contextlib.suppress(FileExistsError):
                    os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        self._connection = sqlite3.connect(
            self.path, timeout=self._wait_s, isolation_level=None, check_same_thread=False
        )
        hear_signals(self._connection)
        cache = f"cache_size = -{self._cache_kb}"
        for pragma in ("journal_mode = wal", "synchronous = normal", cache, "temp_store = memory"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
        known = self._connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
        if known is None:
            self._connection.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?)", [FORMAT])
        elif known[0] != FORMAT:
            self.rebuild()

    def close(self) -> None:
        """Close the connection."""
        with contextlib.suppress(AttributeError, sqlite3.Error):
            self._connection.close()

    def _forget(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    @contextlib.contextmanager
    def _plain(self) -> Iterator[None]:
        try:
            yield
        except UnicodeEncodeError as error:
            raise StoreError("what is looked for holds bytes that are no text; write it in UTF-8") from error
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"{self.path}: the search index cannot be used ({error}); delete it, and the next search makes it anew"
            ) from error

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._plain():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def rebuild(self) -> None:
        """Forget everything, and give its room back."""
        with self._transaction() as connection:
            for table in _TABLES:
                connection.execute(f"DROP TABLE IF EXISTS {table}")
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            connection.execute("INSERT INTO meta VALUES ('format', ?)", [FORMAT])
        with (
            contextlib.suppress(sqlite3.OperationalError),
            ended_by_interrupt(),
        ):  # another process reads it: the file keeps its size for now
            self._connection.execute("VACUUM")

    def forget_run(self, reader: Reader, run_id: int, *, batch: int = BATCH) -> None:
        """Take a run's words out, before it is deleted; nothing of them is left in the file.

        Where much of the index is of this run, all is forgotten, and the next search makes it anew.

        Raises:
            StoreError: the index or the store cannot be used.
        """
        ((own, every),) = self.rows(
            "SELECT (SELECT count(*) FROM documents WHERE run_id = ?), count(*) FROM documents", [run_id]
        )
        with self._plain():
            self._connection.execute("PRAGMA secure_delete = on")
        if own * 2 > every or own > max(WORD_BY_WORD, every // _MUCH_LARGER):
            self.rebuild()
        else:
            after, more = 0, True
            while more:
                after, more = self._forget_batch(reader, run_id, after, batch)
            with self._transaction() as connection:
                # What was taken out stands in the older segments of the index until these are merged.
                connection.execute("INSERT INTO words (words) VALUES ('optimize')")
                connection.execute("DELETE FROM runs WHERE run_id = ?", [run_id])
        with self._plain():
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _forget_batch(self, reader: Reader, run_id: int, after: int, batch: int) -> tuple[int, bool]:
        """Take the words of the samples after this id out; the last id looked at, and whether there are more."""
        with self._transaction() as connection:
            # A run of which some is gone is begun from its start again, should it live after all.
            connection.execute("UPDATE runs SET seq = -1 WHERE run_id = ?", [run_id])
            found = (
                Result.select(Result.id, *fields_of(Result, COLUMNS))
                .where(Result.run == run_id, Result.id > after)
                .order_by(Result.id)
                .limit(batch)
            )
            with plain_errors(reader.path):
                rows = reader.database.fetch(found)
            taken = sum(_give_back(connection, run_id, id_, tuple(columns)) for id_, *columns in rows)
            connection.execute(
                "INSERT INTO meta VALUES ('taken_out', ?) ON CONFLICT (name) DO UPDATE SET value = value + ?",
                [taken, taken],
            )
            return (rows[-1][0] if rows else after), len(rows) == batch

    def rows(self, sql: str, parameters: list[Any]) -> list[tuple[Any, ...]]:
        """All rows of a question to the index.

        Raises:
            StoreError: the index is damaged, or the question is none.
        """
        with self._plain(), ended_by_interrupt():
            return self._connection.execute(sql, parameters).fetchall()

    # keeping in step

    def behind(self, reader: Reader) -> list[Behind]:
        """The runs of which something was stored since; runs that are gone are forgotten here."""
        newest = Result.select(fn.max(Result.seq)).where(Result.run == Run.id)  # one step into the index a run
        with plain_errors(reader.path):
            rows = reader.database.fetch(Run.select(Run.id, Run.started_at, newest))
        stored: dict[int, int] = {run: seq for run, _, seq in rows if seq is not None}
        begun: dict[int, str | None] = {run: started for run, started, _ in rows}
        known = {run: (start, seq) for run, start, seq in self.rows("SELECT run_id, started, seq FROM runs", [])}
        # A run's id may come again when the last run was deleted: its moment tells them apart.
        gone = [run for run, (start, seq) in known.items() if begun.get(run, "") != start or stored.get(run, 0) < seq]
        if gone:
            with self._transaction() as connection:
                for run in gone:
                    connection.execute("DELETE FROM documents WHERE run_id = ?", [run])
                    connection.execute("DELETE FROM runs WHERE run_id = ?", [run])
                    del known[run]
        if self._mostly_waste():
            self.rebuild()
            known = {}
        found = []
        for run, seq in stored.items():
            since = known.get(run, ("", -1))[1]
            if since < seq:
                number = Result.select(fn.count(Result.id)).where(Result.run == run, Result.seq > since)
                with plain_errors(reader.path):
                    found.append(Behind(run, int(reader.database.fetch(number)[0][0])))
        return found

    def _mostly_waste(self) -> bool:
        ((given, kept),) = self.rows(
            "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'documents'), 0)"
            " - coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'taken_out'), 0),"
            " (SELECT count(*) FROM documents)",
            [],
        )
        return bool(given > 1000 and kept < given * 2 / 3)

    def catch_up(
        self,
        reader: Reader,
        run_id: int,
        *,
        batch: int = BATCH,
        progress: Callable[[int], None] = lambda _: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Take in what was stored of a run since, `batch` by `batch`; whether it is all there, False where `stop` said so."""
        while not stop():
            taken = self.take_batch(reader, run_id, batch)
            progress(taken)
            if taken < batch:
                return True
        return False

    def take_batch(self, reader: Reader, run_id: int, batch: int = BATCH) -> int:
        """Take in the next samples of a run that changed since; how many were looked at, fewer than `batch` at the end.

        Raises:
            StoreError: the index or the store cannot be used.
        """
        with self._transaction() as connection:
            since = connection.execute("SELECT seq FROM runs WHERE run_id = ?", [run_id]).fetchone()
            found = (
                Result.select(Result.id, Result.seq, Result.stage, *fields_of(Result, COLUMNS))
                .where(Result.run == run_id, Result.seq > (since[0] if since else -1))
                .order_by(Result.seq)
                .limit(batch)
            )
            with plain_errors(reader.path):
                rows = reader.database.fetch(found)
            if not rows:
                return 0
            for id_, _, stage, *columns in rows:
                if stage != "init" or columns[-1] is not None:
                    _take(connection, run_id, id_, tuple(columns))
            if since is None:
                started = reader.run_by_id(run_id).started_at
                connection.execute("INSERT INTO runs VALUES (?, ?, ?)", [run_id, started, rows[-1][1]])
            else:
                connection.execute("UPDATE runs SET seq = ? WHERE run_id = ?", [rows[-1][1], run_id])
            return len(rows)


def _take(connection: sqlite3.Connection, run_id: int, result_id: int, columns: tuple[Any, ...]) -> None:
    # A verdict that changed leaves the texts as they were, and the digest says so before anything is cut into words.
    digest = _digest(columns)
    known = connection.execute("SELECT digest FROM documents WHERE result_id = ?", [result_id]).fetchone()
    if known is not None and known[0] == digest:
        return
    if known is not None:
        connection.execute("DELETE FROM documents WHERE result_id = ?", [result_id])
    cursor = connection.execute(
        "INSERT INTO documents (result_id, run_id, digest) VALUES (?, ?, ?)", [result_id, run_id, digest]
    )
    names, marks = ", ".join(ROLES), ", ".join("?" * len(ROLES))
    connection.execute(
        f"INSERT INTO words (rowid, {names}, tags) VALUES (?, {marks}, ?)",
        [cursor.lastrowid, *_words(run_id, columns)],
    )


def _give_back(connection: sqlite3.Connection, run_id: int, result_id: int, columns: tuple[Any, ...]) -> bool:
    """Take a sample out with all of its words; whether that could be done, which it cannot where its text is another now."""
    known = connection.execute("SELECT docid, digest FROM documents WHERE result_id = ?", [result_id]).fetchone()
    if known is None:
        return False
    connection.execute("DELETE FROM documents WHERE result_id = ?", [result_id])
    if known[1] != _digest(columns):
        return False
    names, marks = ", ".join(ROLES), ", ".join("?" * len(ROLES))
    connection.execute(
        f"INSERT INTO words (words, rowid, {names}, tags) VALUES ('delete', ?, {marks}, ?)",
        [known[0], *_words(run_id, columns)],
    )
    return True


def _digest(columns: tuple[Any, ...]) -> bytes:
    return hashlib.blake2b(
        "\0".join(str(column) for column in columns).encode(errors="replace"), digest_size=8
    ).digest()


def _words(run_id: int, columns: tuple[Any, ...]) -> list[str]:
    """A sample's texts by role and its tags, as they stand in the index."""
    texts = texts_of(columns)
    # Lone surrogates and NUL, which text for SQLite cannot hold, are part of no word.
    values = [indexed(texts.by_role[role]).encode("utf-8", "replace").decode().replace("\0", " ") for role in ROLES]
    return [*values, " ".join([f"r{run_id}", *(tool_tag(name) for name in texts.tools)])]
