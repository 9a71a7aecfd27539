"""Rows of another tool's SQLite database, which is only read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from modex.core.foundation.errors import ConfigurationError
from modex.core.store.connection import read_only_address


def foreign_rows(
    path: Path, query: str, *values: Any, fault: Callable[[str], str], may_lack: bool = False
) -> Iterator[dict[str, Any]]:
    """The rows of a query, each by column; none of a table that is not there where the database `may_lack` it.

    `fault` makes a message of what SQLite says.

    Raises:
        ConfigurationError: there is no such file, it is no database, or lacks the table.
    """
    if not path.is_file():
        raise ConfigurationError(fault("there is no such file"))
    try:
        with closing(sqlite3.connect(read_only_address(path, immutable=False), uri=True)) as database:
            database.row_factory = sqlite3.Row
            yield from (dict(row) for row in database.execute(query, values))
    except sqlite3.Error as error:
        if may_lack and "no such table" in str(error):
            return
        raise ConfigurationError(fault(str(error))) from None
