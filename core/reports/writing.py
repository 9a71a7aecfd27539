"""A file written whole or not at all: beside it first, on the disk, then in its place."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

from core.errors import ConfigurationError

_COMPANIONS = ("", "-wal", "-shm", "-journal", ".runner.log", ".runner.log.1", ".search", ".search-wal", ".search-shm")


def write_whole(out: Path, pieces: Iterable[str], *, database: Path) -> None:
    """Write `pieces` to `out`; whatever happens meanwhile, `out` is the old file or the new one.

    A device or a pipe is written to as it is. A new file is readable by its owner only; an old one keeps its mode.

    Raises:
        ConfigurationError: `out` is the database or belongs to it, or cannot be written.
    """
    path = Path(os.path.realpath(out))  # through a link the file behind it is replaced, not the link
    _refuse_database(out, path, Path(os.path.realpath(database)))
    try:
        mode = path.stat().st_mode if path.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            _write_into(path, pieces)
        else:
            _replace(path, pieces, 0o600 if mode is None else stat.S_IMODE(mode))
    except OSError as error:
        raise ConfigurationError(f"{out}: cannot be written ({error.strerror or error}); name another place") from error


def _refuse_database(out: Path, path: Path, database: Path) -> None:
    for companion in _COMPANIONS:
        own = database.with_name(database.name + companion)
        if path == own or (path.exists() and own.exists() and path.samefile(own)):
            raise ConfigurationError(f"{out}: that is the database or belongs to it; name another file")


def _replace(path: Path, pieces: Iterable[str], mode: int) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.writelines(pieces)
            file.flush()
            os.fchmod(file.fileno(), mode)
            # The rename may reach the disk before the content does, unless the content is there already.
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _write_into(path: Path, pieces: Iterable[str]) -> None:
    # A pipe that nobody reads would hold the opening for ever.
    descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="") as file:
        file.writelines(pieces)
