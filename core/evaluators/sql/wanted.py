"""What a SQL test wants: the gold's result on one instance, run once and kept for the judgements that follow."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modex.core.evaluators.sql.gold import GoldError, SqlGold
from modex.core.evaluators.sql.parsed import is_ordered, ordering, runs_of
from modex.core.sandbox.sql import Fixture, SqlResult, run_after, run_sql

_CHANGING = re.compile(r"random|now|current_|date|time|julianday", re.IGNORECASE)
"""In a gold whose result may be another one the next time."""
_KEPT_VALUES = 200_000
"""Values of kept results, all together: a few tens of megabytes at most."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The gold's result on one instance, and how it is ordered."""

    names: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    width: int
    query: str | None = None
    """The gold, where it is ordered; its sort keys are read only where rows differ, as that takes a millisecond."""
    each: bool = False
    """Whether every row must stand in its place."""

    @property
    def ordered(self) -> bool:
        """Whether the order of the rows counts."""
        return self.each or self.query is not None

    def runs(self, instance: Fixture | Path) -> tuple[int, ...] | None:
        """The stretches of equal sort keys; each row its own where the keys cannot be seen; None where order does not count."""
        if self.each:
            return (1,) * len(self.rows)
        order = ordering(self.query, self.names) if self.query is not None else None
        if order is None:
            return None
        if not order.known:
            return (1,) * len(self.rows)
        if order.probe is None:
            return tuple(runs_of(self.rows, order.columns))
        probed = run_sql(instance, order.probe)
        same = [row[: len(self.names)] for row in probed.rows] == list(self.rows)
        return tuple(runs_of(probed.rows, order.columns)) if same else (1,) * len(self.rows)


class _Kept:
    """The results used last; for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: OrderedDict[Any, Wanted] = OrderedDict()
        self._values = 0

    def get(self, key: Any) -> Wanted | None:
        with self._lock:
            if (wanted := self._found.get(key)) is not None:
                self._found.move_to_end(key)
            return wanted

    def put(self, key: Any, wanted: Wanted) -> None:
        with self._lock:
            if key not in self._found:
                self._found[key] = wanted
                self._values += _size(wanted)
            while self._values > _KEPT_VALUES:
                self._values -= _size(self._found.popitem(last=False)[1])


def _size(wanted: Wanted) -> int:
    """Values it holds, long texts counted for what they take, and something for the key."""
    long = sum(len(value) for row in wanted.rows for value in row if isinstance(value, str | bytes))
    return 20 + len(wanted.rows) * wanted.width + long // 50


_kept = _Kept()


def wanted_on(gold: SqlGold, instance: Fixture | Path, number: int) -> Wanted:
    """The gold's result on the `number`-th instance.

    Raises:
        GoldError: the fixture does not build, or the gold query does not run.
    """
    key = _key(gold, instance)
    if (known := _kept.get(key)) is not None:
        return known
    return _keep(key, _read(gold, number, run_sql(instance, _query_of(gold))))


def wanted_and_got(gold: SqlGold, instance: Fixture | Path, number: int, query: str) -> tuple[Wanted, SqlResult]:
    """The gold's result on the `number`-th instance, and that of `query`.

    Raises:
        GoldError: the fixture does not build, or the gold query does not run.
    """
    key = _key(gold, instance)
    if (known := _kept.get(key)) is not None:
        return known, run_sql(instance, query)
    first, got = run_after(instance, _query_of(gold), query)
    return _keep(key, _read(gold, number, first)), got


def _keep(key: Any, wanted: Wanted) -> Wanted:
    if key is not None:
        _kept.put(key, wanted)
    return wanted


def _query_of(gold: SqlGold) -> str:
    """What is run for the gold: with rows in its place only whether the fixture builds is asked."""
    return gold.query if gold.query is not None else "SELECT 1"


def _key(gold: SqlGold, instance: Fixture | Path) -> Any:
    """What the result depends on; None where it may change by itself."""
    if gold.query is not None and _CHANGING.search(gold.query):
        return None
    if not isinstance(instance, Path):
        return instance, gold.query, gold.rows, gold.ordered
    try:
        found = instance.stat()
    except OSError:
        return None
    return instance, found.st_mtime_ns, found.st_size, gold.query, gold.rows, gold.ordered


def _read(gold: SqlGold, number: int, result: SqlResult) -> Wanted:
    place = f" on instance {number}" if len(gold.instances) > 1 else ""
    if result.fault == "fixture":
        raise GoldError(f"the fixture{place} does not build: {result.error}")
    if result.error is not None:
        raise GoldError(f"the gold query does not run{place}: {result.error}")
    if result.truncated:
        raise GoldError(f"the gold query gives more rows{place} than can be compared (1,000 rows, 1 MB)")
    if gold.rows is not None:
        return Wanted((), gold.rows, len(gold.rows[0]) if gold.rows else 0, each=gold.ordered)
    assert gold.query is not None
    query = gold.query if is_ordered(gold.query) else None
    return Wanted(result.columns, result.rows, len(result.columns), query)
