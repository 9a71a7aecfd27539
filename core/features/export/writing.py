"""Where an export is written to: any file, device or pipe but the database and what belongs to it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from modex.core.foundation.atomic_write import PRIVATE, not_written, write_whole
from modex.core.foundation.errors import ConfigurationError

_COMPANIONS = ("", "-wal", "-shm", "-journal", ".runner.log", ".runner.log.1", ".search", ".search-wal", ".search-shm")


def write_export(out: Path, pieces: Iterable[str], *, database: Path) -> None:
    """Write `pieces` to `out`, whole or not at all; a new file is readable by its owner only.

    Raises:
        ConfigurationError: `out` is the database or belongs to it, or cannot be written.
    """
    refuse_database(out, database)
    try:
        write_whole(out, pieces, mode=PRIVATE)
    except OSError as error:
        raise not_written(out, error, "name another place") from error


def refuse_database(out: Path, database: Path) -> None:
    """Refuse the database, and what belongs to it, as a file to write to.

    Raises:
        ConfigurationError: `out` is one of them.
    """
    path, database = Path(os.path.realpath(out)), Path(os.path.realpath(database))
    for companion in _COMPANIONS:
        own = database.with_name(database.name + companion)
        if path == own or (path.exists() and own.exists() and path.samefile(own)):
            raise ConfigurationError(f"{out}: that is the database or belongs to it; name another file")
