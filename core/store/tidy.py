"""What a database leaves on the disk that nothing needs: found with its size, and removed when asked."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from modex.core.foundation.errors import StoreError
from modex.core.store.backup import backups, partial_copies
from modex.core.store.connection import read_only_address
from modex.core.store.lock import is_held
from modex.core.store.search.index import index_path
from modex.core.store.words import hear_signals, plain_errors

Kind = Literal["partial copy", "backup", "search index", "questions", "free pages"]
_SPARE = 2.2
"""Room that VACUUM wants, as a multiple of what it keeps: the new file in the log, then in the file."""
_WORTH = 1 << 20
"""Free bytes from which on shrinking the file is worth rewriting it."""


@dataclass(frozen=True, slots=True)
class Leftover:
    """One thing that takes room."""

    kind: Kind
    path: Path
    bytes: int
    words: str
    dead: bool
    """Whether nothing will ever use it: it goes without being named."""


def leftovers(database: Path) -> list[Leftover]:
    """Everything beside and in `database` that takes room and holds no result, the largest first.

    Raises:
        StoreError: the database cannot be read.
    """
    path = database.resolve()
    found = [*_partial(path), *_backups(path), *_index(path), *_questions(path), *_free(path)]
    return sorted(found, key=lambda one: -one.bytes)


def _partial(path: Path) -> Iterator[Leftover]:
    for one in partial_copies(path):
        pid = one.name.rpartition("-")[2]
        if not (pid.isdecimal() and Path("/proc").is_dir() and Path(f"/proc/{pid}").exists()):
            yield Leftover("partial copy", one, _size(one), "a copy that was never finished", dead=True)


def _backups(path: Path) -> Iterator[Leftover]:
    for one in backups(path):
        yield Leftover("backup", one, _size(one), "as the file was before it was brought up to date", dead=False)


def _index(path: Path) -> Iterator[Leftover]:
    index = index_path(path)
    size = sum(_size(index.with_name(index.name + suffix)) for suffix in ("", "-wal", "-shm"))
    if size:
        yield Leftover("search index", index, size, "the next search makes it again", dead=False)


def _questions(path: Path) -> Iterator[Leftover]:
    """Questions of imported runs that were deleted."""
    folder = path.with_name(f"{path.name}.imported")
    if not folder.is_dir() or folder.is_symlink():
        return
    used = _datasets(path)
    for one in sorted(folder.iterdir()):
        inside = [file for file in one.rglob("*") if file.is_file()] if one.is_dir() and not one.is_symlink() else []
        if inside and not any(str(file) in used or str(file.resolve()) in used for file in inside):
            yield Leftover("questions", one, sum(map(_size, inside)), "of an imported run that was deleted", dead=True)


def _datasets(path: Path) -> set[str]:
    """The dataset files that stored runs name."""
    names: set[str] = set()
    with plain_errors(path), closing(_read_only(path)) as connection:
        for (config,) in connection.execute("SELECT config FROM evaluation_runs"):
            try:
                names |= {str(dataset["path"]) for dataset in json.loads(config)["selection"]["datasets"]}
            except (ValueError, TypeError, KeyError, RecursionError):
                continue  # a run without datasets names nothing, nor does a damaged row
    return names


def _free(path: Path) -> Iterator[Leftover]:
    free, _ = _pages(path)
    if free:
        yield Leftover("free pages", path, free, "of deleted runs, inside the file", dead=True)


def _pages(path: Path) -> tuple[int, int]:
    """Bytes of the file that are free, and those that are used."""
    with plain_errors(path), closing(_read_only(path)) as connection:
        size, free, every = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_size", "freelist_count", "page_count")
        )
    return free * size, (every - free) * size


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(read_only_address(path, immutable=False), uri=True, timeout=10.0)


def _size(path: Path) -> int:
    try:
        return path.stat(follow_symlinks=False).st_size
    except OSError:
        return 0


def remove(database: Path, one: Leftover) -> int:
    """Remove a leftover; the bytes that are free now.

    Raises:
        StoreError: it cannot be removed, a run of the database is being worked on, or there is no room to rewrite the file.
    """
    path = database.resolve()
    try:
        if one.kind == "free pages":
            return _shrink(path)
        if one.kind == "questions":
            shutil.rmtree(one.path)
        elif one.kind == "search index":
            for suffix in ("-wal", "-shm", ""):
                one.path.with_name(one.path.name + suffix).unlink(missing_ok=True)
        else:
            one.path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{one.path}: cannot be removed ({error.strerror or error}); remove it yourself") from error
    return one.bytes


def _shrink(path: Path) -> int:
    """Write the file without its free pages."""
    free, used = _pages(path)
    if free < _WORTH:
        return 0
    before = _size(path)
    room = shutil.disk_usage(path.parent).free
    if room < used * _SPARE:
        raise StoreError(
            f"{path}: shrinking it needs {int(used * _SPARE) >> 20:,} MB beside it for a while, and {room >> 20:,} MB are free; "
            "make room there"
        )
    with plain_errors(path), closing(sqlite3.connect(path, timeout=10.0, isolation_level=None)) as connection:
        hear_signals(connection)
        for run_id, exp_id in connection.execute("SELECT id, exp_id FROM evaluation_runs").fetchall():
            if is_held(path, run_id):
                raise StoreError(f"{path}: {exp_id} is being worked on; wait until it has ended")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return max(0, before - _size(path))


def free_words(found: list[Leftover]) -> str:
    """What can be freed, in a few words; empty where there is little."""
    dead = [one for one in found if one.dead]
    total = sum(one.bytes for one in dead)
    return f"{total / 1e6:,.0f} MB that nothing needs" if total >= _WORTH else ""
