"""The child behind `sql.py`: one query on a private copy of a fixture, with every door closed. Never in-process.

SQLite's own advice for SQL of others: https://www.sqlite.org/security.html; https://www.sqlite.org/c3ref/set_authorizer.html.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any
from urllib.parse import quote

from modex.core.sandbox.child import Confinement, serve

HEAP_BYTES = 64 * 1024 * 1024
MAX_OUTPUT_BYTES = 1024 * 1024
_CACHED_FIXTURES = 8
_PARENT = os.getppid()
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE, sqlite3.SQLITE_FUNCTION}
_DENIED_FUNCTIONS = frozenset(
    [
        "load_extension",
        "readfile",
        "writefile",
        "edit",
        "fts3_tokenizer",
        "fts5",
        "fts5_source_id",
        "zeroblob",
        "randomblob",
        "sqlite_log",
        "sqlite_offset",
        "sqlite_compileoption_get",
        "sqlite_compileoption_used",
        "icu_load_collation",
    ]
)
_QUERY_LIMITS = {
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_LENGTH: 256 * 1024,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100 * 1024,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 50,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 16,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_WIDE = re.compile(r"%[^%a-zA-Z]*(?:\*|\d{3})")
_fixtures: OrderedDict[str, bytes] = OrderedDict()
_kept: OrderedDict[str, tuple[sqlite3.Connection, bool]] = OrderedDict()
"""Fixtures that stay open between queries: what they hold counts to the memory that a query may have, so only small ones."""
_KEPT_OPEN = 4
_KEPT_BYTES = 256 * 1024


class _FixtureError(Exception):
    """The suite's own SQL does not run."""


def handle(request: dict[str, Any]) -> dict[str, Any]:
    """Answer `{"fixture": {"schema", "seed"} | {"file"}, "queries", "max_rows", "deadline_s"}` with `{"results"}`."""
    return {"results": [_result(request, query) for query in request["queries"]]}


def _result(request: dict[str, Any], query: str) -> dict[str, Any]:
    deadline = time.process_time() + request["deadline_s"]
    denied: list[str] = []
    try:
        with _opened(request["fixture"], denied, deadline) as database:
            return _select(database, query, request["max_rows"])
    except _FixtureError as error:
        return _failure("fixture", str(error))
    except MemoryError:
        return _failure("memory", "the query needs more memory than it may have")
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
        return _explained(error, denied, timed_out=time.process_time() > deadline)


@contextmanager
def _opened(fixture: dict[str, str], denied: list[str], deadline: float) -> Iterator[sqlite3.Connection]:
    """The fixture with every door closed; small ones stay open for the next query.

    Nothing but SELECT runs on them, so the next query finds them as new; one that ended with an error is closed all the same.
    """
    if "file" in fixture:
        with closing(_file(fixture["file"])) as database:
            _close_doors(database)
            _guard(database, denied, deadline)
            yield database
        return
    text = f"{len(fixture['schema'])}\0{fixture['schema']}{fixture['seed']}"
    key = hashlib.blake2b(text.encode("utf-8", "surrogatepass")).hexdigest()
    database, small = _kept.pop(key) if key in _kept else _fresh(key, fixture, deadline)
    keep = False
    try:
        _guard(database, denied, deadline)
        yield database
        keep = small
    finally:
        if keep:
            _kept[key] = (database, small)
        else:
            database.close()
        while len(_kept) > _KEPT_OPEN:
            _kept.popitem(last=False)[1][0].close()


def _fresh(key: str, fixture: dict[str, str], deadline: float) -> tuple[sqlite3.Connection, bool]:
    """The fixture opened anew, and whether it is small enough to stay open."""
    image = _image(key, fixture["schema"], fixture["seed"], deadline)
    database = sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)
    try:
        database.deserialize(image)
        _close_doors(database)
    except BaseException:
        database.close()
        raise
    return database, len(image) <= _KEPT_BYTES


def _file(path: str) -> sqlite3.Connection:
    address = f"file:{quote(path)}?mode=ro&immutable=1"
    try:
        database = sqlite3.connect(address, uri=True, isolation_level=None)
        database.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except sqlite3.Error as error:
        raise _FixtureError(f"cannot open the database file: {error}") from None
    return database


def _image(key: str, schema: str, seed: str, deadline: float) -> bytes:
    """The fixture's bytes, built once by its text."""
    if key in _fixtures:
        _fixtures.move_to_end(key)
        return _fixtures[key]
    part = "schema"
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.execute(f"PRAGMA hard_heap_limit={HEAP_BYTES}")
        database.execute("PRAGMA temp_store=2")
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        database.set_authorizer(_fixture_authorizer)
        database.set_progress_handler(_over(deadline), 1000)
        try:
            database.executescript(schema)
            part = "seed"
            database.executescript(seed)
            if database.in_transaction:
                database.commit()
            database.set_authorizer(None)  # serialize() asks a PRAGMA of its own
            image = database.serialize()
        except (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError) as error:
            late = time.process_time() > deadline
            raise _FixtureError(f"the {part} does not run: {'it takes too long' if late else error}") from None
    _fixtures[key] = image
    while len(_fixtures) > _CACHED_FIXTURES:
        _fixtures.popitem(last=False)
    return image


def _fixture_authorizer(action: int, first: str | None, second: str | None, *_: Any) -> int:
    """A fixture may build anything inside its own database; nothing outside it."""
    if action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH, sqlite3.SQLITE_CREATE_VTABLE):
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_PRAGMA and (first or "").lower() not in ("foreign_keys", "user_version", "encoding"):
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _DENIED_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _over(deadline: float) -> Callable[[], int]:
    """A progress handler that stops at the deadline, and where the parent is gone."""
    return lambda: int(time.process_time() > deadline or os.getppid() != _PARENT)


def _close_doors(database: sqlite3.Connection) -> None:
    for pragma in (f"hard_heap_limit={HEAP_BYTES}", "temp_store=2", "trusted_schema=0", "mmap_size=0", "query_only=1"):
        database.execute(f"PRAGMA {pragma}").fetchall()
    database.text_factory = lambda raw: raw.decode("utf-8", "replace")
    formatter = sqlite3.connect(":memory:", isolation_level=None)

    def bounded_format(*values: Any) -> Any:
        """SQLite's own printf, for formats that ask for no long padding: one call could outlast the progress handler."""
        if values and isinstance(values[0], str) and _WIDE.search(values[0]):
            raise ValueError("a width or precision of three digits or more")
        return formatter.execute(f"SELECT printf({','.join('?' * len(values))})", values).fetchone()[0]

    for name in ("printf", "format"):
        database.create_function(name, -1, bounded_format, deterministic=True)
    for limit, value in _QUERY_LIMITS.items():
        database.setlimit(limit, value)
        formatter.setlimit(limit, value)

    # Table-valued functions declare their table when first used, which the authorizer would take for a change.
    for function in ("json_each", "json_tree"):
        with suppress(sqlite3.OperationalError):
            database.execute(f"SELECT 1 FROM {function}('[]')").fetchall()


def _guard(database: sqlite3.Connection, denied: list[str], deadline: float) -> None:
    """Let one query read, until its deadline; what it was not allowed to do goes to `denied`."""

    def authorize(action: int, first: str | None, second: str | None, *_: Any) -> int:
        if action not in _ALLOWED:
            denied.append(_NAMES.get(action, "anything but SELECT"))
            return sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _DENIED_FUNCTIONS:
            denied.append(f"the function {second}")
            return sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_READ and (first or "").lower() in ("sqlite_dbpage", "dbstat"):
            denied.append(f"the table {first}")
            return sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_OK

    database.set_authorizer(authorize)
    database.set_progress_handler(_over(deadline), 1000)


_NAMES = {
    getattr(sqlite3, f"SQLITE_{name.replace(' ', '_')}"): name
    for name in (
        *("INSERT", "UPDATE", "DELETE", "PRAGMA", "ATTACH", "DETACH", "TRANSACTION", "SAVEPOINT", "REINDEX", "ANALYZE"),
        *("CREATE TABLE", "CREATE TEMP TABLE", "CREATE VIEW", "CREATE TEMP VIEW", "CREATE INDEX", "CREATE TRIGGER"),
        *("CREATE VTABLE", "DROP TABLE", "DROP VIEW", "DROP INDEX", "DROP TRIGGER", "DROP VTABLE", "ALTER TABLE"),
    )
}


def _select(database: sqlite3.Connection, query: str, max_rows: int) -> dict[str, Any]:
    with closing(database.execute(query)) as cursor:
        return _read(cursor, max_rows)


def _read(cursor: sqlite3.Cursor, max_rows: int) -> dict[str, Any]:
    if cursor.description is None:
        return _failure("sql", "the statement returns no rows; only SELECT queries are run")
    columns = [entry[0] for entry in cursor.description]
    rows: list[Sequence[Any]] = []
    size, truncated, blobs = 0, False, False
    for row in cursor:
        size += sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)
        if len(rows) >= max_rows or size > MAX_OUTPUT_BYTES:
            truncated = True
            break
        if any(isinstance(value, bytes) for value in row):
            blobs = True
            rows.append([{"hex": value.hex()} if isinstance(value, bytes) else value for value in row])
        else:
            rows.append(row)
    return {"columns": columns, "rows": rows, "truncated": truncated, "blobs": blobs}


def _explained(error: Exception, denied: list[str], *, timed_out: bool) -> dict[str, Any]:
    if timed_out or "interrupted" in str(error):
        return _failure("timeout", "the query takes too long")
    if denied:
        return _failure("denied", f"not allowed here: {denied[0]}; only SELECT queries are run")
    if "out of memory" in str(error):
        return _failure("memory", "the query needs more memory than it may have")
    if "one statement at a time" in str(error):
        return _failure("sql", "there is more than one statement; only one SELECT query is run")
    return _failure("sql", str(error))


def _failure(kind: str, message: str) -> dict[str, Any]:
    return {"error": message[:500], "kind": kind}


if __name__ == "__main__":
    serve(handle, Confinement())
