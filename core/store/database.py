"""Opening the one SQLite file: permissions, schema version, and plain words for what can be wrong with it."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from modex.core.foundation.errors import StoreError
from modex.core.store import migrations
from modex.core.store.backup import prepare
from modex.core.store.connection import Database
from modex.core.store.schema import look_at
from modex.core.store.words import plain_errors


def open_database(path: Path, *, read_only: bool = False) -> Database:
    """Open (and where writing, create or migrate) the database at `path` and bind the tables to it.

    Raises:
        StoreError: missing, not a file, not a database of ours, damaged, written by a newer modex, or not writable.
    """
    schema = look_at(path)
    if read_only and schema is None:
        raise StoreError(f"{path}: no database here yet; `modex run` makes one (or name another with --db)")
    if read_only and schema is not None and not schema.objects:
        raise StoreError(f"{path}: nothing is stored in this file yet; `modex run` begins one")
    if not read_only:
        _make_writable(path)
        if schema is not None and schema.objects and schema.pending:
            with plain_errors(path):
                prepare(path, _announce)
    database = Database(path, read_only=read_only)
    if schema is not None and read_only:
        database = Database(path, read_only=True, views=schema.views, lacks=schema.pending)
    try:
        with plain_errors(path):
            database.connect(reuse_if_open=True)
            if not read_only and (schema is None or not schema.objects):
                migrations.create(database)
            elif not read_only and schema is not None and schema.pending:
                migrations.migrate(database)
    except BaseException:
        database.close()
        raise
    return database


def _announce(words: str) -> None:
    """Tell whoever listens: the last resort of `logging` is standard error, a screen shows it as a notification."""
    import logging

    logging.getLogger("modex.store").warning(words)


def _make_writable(path: Path) -> None:
    """Make an empty file with mode 0600, so that SQLite makes its companions like it.

    A file that is there is not opened: closing it would drop every POSIX lock that this process's other connections
    hold on it, and the next process to close the database would delete the log they write to.
    """
    try:
        _make_folder(path.parent)
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


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, f"{folder} is no folder") from error
