"""Plain words for what SQLite says, and what kind of trouble it is."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import peewee as pw

from modex.core.foundation.errors import StoreError
from modex.core.safety import as_words

_STEPS = 200_000
"""Steps of SQLite's machine, some milliseconds, after which a statement under way lets Python hear of a signal."""


@contextlib.contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into words that say what to do."""
    try:
        yield
    except (pw.DatabaseError, sqlite3.DatabaseError) as error:
        raise StoreError(explain(path, error)) from error
    except UnicodeEncodeError as error:
        raise StoreError(f"{path}: a name that is asked for holds bytes that are no text; write it in UTF-8") from error
    except OverflowError as error:
        raise StoreError(f"{path}: a number that is asked for has more than 18 digits; give a smaller one") from error


def hear_signals(connection: sqlite3.Connection, ended: Callable[[], bool] = lambda: False) -> None:
    """Let a signal, or `ended`, end a statement that lasts: Python calls its handlers between two of its own steps only.

    What a handler raises is lost on its way through SQLite, which then says `interrupted`: see `ended_by_interrupt`.
    """
    connection.set_progress_handler(ended, _STEPS)


@contextlib.contextmanager
def ended_by_interrupt() -> Iterator[None]:
    """Where a signal, or who spoke for one, ended a statement under way, go on as the signal would have: nothing else does."""
    try:
        yield
    except (pw.OperationalError, sqlite3.OperationalError) as error:
        if str(error) == "interrupted":
            raise KeyboardInterrupt from error
        raise


def explain(path: Path, error: BaseException) -> str:
    """What a person should know about a SQLite error on `path`."""
    text = str(error).lower()
    if "not a database" in text:
        return (
            f"{path}: this is no database, or one whose beginning is damaged. Nothing was changed. Name another with --db; "
            f"to save what can be read: `sqlite3 {as_words(str(path))} .recover | sqlite3 recovered.db`, then `--db recovered.db`"
        )
    if "malformed" in text or "corrupt" in text:
        return (
            f"{path}: the database is damaged ({error}). Nothing was changed. To save what can be read: "
            f"`sqlite3 {as_words(str(path))} .recover | sqlite3 recovered.db`, then `--db recovered.db`"
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
    if "unable to open" in text:
        return f"{path}: {_why_not_opened(path)}"
    return f"{path}: {error}; `modex doctor` looks at the database"


def _why_not_opened(path: Path) -> str:
    folder = path.parent
    try:
        owner = folder.stat().st_uid
    except OSError as error:
        return f"the folder cannot be opened ({error.strerror}); name a file elsewhere with --db"
    if not os.access(folder, os.W_OK | os.X_OK):
        return (
            f"its folder belongs to user {owner} and modex runs as user {os.geteuid()}, who may not write there; "
            f"name a file of your own with --db, or give the folder to user {os.geteuid()}"
        )
    return f"it cannot be opened as user {os.geteuid()}; look at its permissions, or name another file with --db"


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
