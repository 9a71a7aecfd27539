"""The copy of an older file that is made before it is brought up to date.

It is made before the first connection of ours that writes: switching a file to its write-ahead log changes its header.

The header's bytes 18 and 19: https://www.sqlite.org/fileformat2.html#file_format_version_numbers.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from modex.core.foundation.errors import StoreError
from modex.core.store.lock import is_held
from modex.core.store.migrations import HISTORY, known
from modex.core.store.words import hear_signals, is_locked

_WAIT_S = 10.0
_PIECE_S = 0.2
_WHOLE = ("evaluation_runs", "reviews", HISTORY)
"""Tables whose rows are compared; of the others every change counts up the `seq` of a row of the first."""


def prepare(path: Path, say: Callable[[str], None]) -> Path | None:
    """Back up a file that lacks a migration; the backup, None where it lacks none.

    An earlier backup of the same content, left by a migration that was killed, is taken instead of another copy; partial
    copies that were never finished are removed.

    Raises:
        StoreError: somebody works on a run of this file, or there is no room for the backup; no byte of it was changed.
        sqlite3.Error: the file cannot be read or locked.
    """
    connection = sqlite3.connect(path, timeout=_PIECE_S, isolation_level=None)
    hear_signals(connection)
    try:
        _lock(connection)  # whoever else opens the file waits, and then finds it done
        applied = {str(row[0]) for row in connection.execute(f'SELECT name FROM "{HISTORY}"')}
        pending = [name for name in known() if name not in applied]
        if not pending:
            return None
        _refuse_while_worked_on(connection, path)
        for partial in partial_copies(path):  # the lock is ours: whoever wrote them is gone
            partial.unlink(missing_ok=True)
        backup = _same_as(connection, path, pending[0]) or back_up(path, pending[0])
        say(f"{path}: written by an older modex and now brought up to date; as it was, it is kept in {backup}")
        return backup
    finally:
        connection.close()


def _lock(connection: sqlite3.Connection) -> None:
    """Take the write lock, waiting in short pieces: SQLite's own wait hears no signal."""
    until = time.monotonic() + _WAIT_S
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not is_locked(error) or time.monotonic() > until:
                raise
        else:
            return


def backups(path: Path) -> list[Path]:
    """The whole backups of a database, by name."""
    return sorted(one for one in path.parent.glob(f"{_escaped(path.name)}.before-*.backup") if one.is_file())


def partial_copies(path: Path) -> list[Path]:
    """Copies of a database that were not finished: by a process that was killed, or one that still copies."""
    return sorted(path.parent.glob(f"{_escaped(path.name)}.before-*.backup.partial-*"))


def _escaped(name: str) -> str:
    return "".join(f"[{mark}]" if mark in "*?[" else mark for mark in name)


def _refuse_while_worked_on(connection: sqlite3.Connection, path: Path) -> None:
    """An older modex that is at work opens the file again and again, and would no longer know it."""
    running = "SELECT id, exp_id FROM evaluation_runs WHERE status IN ('running', 'paused')"
    for run_id, exp_id in connection.execute(running):
        if is_held(path, run_id):
            raise StoreError(
                f"{path}: an older modex works on {exp_id} in this file; wait until it has ended, or stop it there"
            )


def _same_as(connection: sqlite3.Connection, path: Path, before: str) -> Path | None:
    """The latest backup made before this migration, where it holds what the file holds."""
    found = [one for one in backups(path) if one.name.startswith(f"{path.name}.before-{before}")]
    if not found:
        return None
    latest = max(found, key=lambda one: one.stat().st_mtime_ns)
    try:
        with closing(sqlite3.connect(f"{latest.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as other:
            return latest if _content(other) == _content(connection) else None
    except sqlite3.Error:
        return None


def _content(connection: sqlite3.Connection) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for line in _lines(connection):
        digest.update(repr(line).encode())
    return digest.digest()


def _lines(connection: sqlite3.Connection) -> Iterator[object]:
    tables = [
        (str(name), str(sql))
        for name, sql in connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name")
    ]
    for name, sql in tables:
        quoted = '"' + name.replace('"', '""') + '"'
        yield name, sql
        if name in _WHOLE:
            yield from connection.execute(f"SELECT * FROM {quoted} ORDER BY rowid")
        else:
            yield from connection.execute(f"SELECT count(*), max(rowid) FROM {quoted}")


def back_up(path: Path, before: str) -> Path:
    """Copy the database, with what its log holds, to a file beside it that only its owner may read.

    Raises:
        StoreError: there is no room, or the folder cannot be written.
    """
    number = 1
    while (
        target := path.with_name(f"{path.name}.before-{before}{f'-{number}' if number > 1 else ''}.backup")
    ).exists():
        number += 1
    partial = target.with_name(f"{target.name}.partial-{os.getpid()}")
    try:
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
        source = sqlite3.connect(path)
        copy = sqlite3.connect(partial)
        try:
            source.backup(copy)
        finally:
            copy.close()
            source.close()
        _sync(partial)
        partial.rename(target)
        _sync(target.parent)
    except (OSError, sqlite3.Error) as error:
        partial.unlink(missing_ok=True)
        raise StoreError(
            f"{target}: no backup could be made ({error}), so nothing was changed; make room beside it"
        ) from error
    return target


def _sync(path: Path) -> None:
    """Wait until a file, or a folder's list of files, is on disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
