"""A query that is asked again and again with other numbers in it: Peewee makes its SQL once.

For the 20 columns of a head Peewee takes longer (1 ms of processor time beside a model that takes both cores) than SQLite does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import peewee as pw

from modex.core.store.connection import Database

_STANDS_IN = -9_007_199_254_740_000
"""The first of the numbers that stand for those to come: none that a query has of its own."""


class Again:
    """One query; used by any thread, on any database."""

    def __init__(self, query: Callable[..., pw.BaseQuery], numbers: int) -> None:
        """`query` makes it of so many whole numbers, each of which stands in it once or more, and decides nothing else."""
        self._query = query
        self._stand_ins = range(_STANDS_IN, _STANDS_IN + numbers)
        self._made: tuple[str, list[Any], list[tuple[int, int]]] | None = None

    def rows(self, database: Database, *numbers: int) -> list[tuple[Any, ...]]:
        """All its rows with these numbers, as tuples of raw column values."""
        if self._made is None:
            sql, parameters = database.sql_of(self._query(*self._stand_ins))
            places = [(at, one - _STANDS_IN) for at, one in enumerate(parameters) if one in self._stand_ins]
            self._made = sql, parameters, places
        sql, parameters, places = self._made
        given = parameters.copy()
        for at, number in places:
            given[at] = numbers[number]
        return database.rows(sql, given)
