"""Inserting many rows at once: binding a value costs SQLite more than storing it, so what all rows share is said once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import repeat
from typing import Any

from modex.core.store.connection import Database

_LONGEST = 40
"""Characters of a text that stands in a statement."""


def insert_rows(database: Database, table: str, columns: dict[str, Sequence[Any]]) -> None:
    """Insert the rows whose values `columns` hold by name, one column after the other, all of the same length, none empty."""
    names, places, bound = list(columns), [], []
    for values in columns.values():
        shared = _literal(values[0])
        if shared is not None and values.count(values[0]) == len(values):
            places.append(shared)
        else:
            places.append("?")
            bound.append(values)
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(places)})"
    count = len(columns[names[0]])
    database.run_many(sql, zip(*bound, strict=True) if bound else repeat((), count))


def _literal(value: Any) -> str | None:
    """The value as it is written in a statement; None for one that is bound."""
    if value is None:
        return "NULL"
    kind = type(value)
    if kind is int or kind is bool:
        return str(int(value))
    if kind is float and math.isfinite(value):
        return repr(value)
    if kind is str and len(value) <= _LONGEST and value.isascii() and value.isprintable() and "'" not in value:
        return f"'{value}'"
    return None
