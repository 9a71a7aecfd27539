"""How fast a run's answers came: columns of numbers, and their medians and 95th percentiles by cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from peewee import fn

from core.store.reader import Reader
from core.store.rows import whole_level
from core.store.tables import IndividualTestResult as Result
from core.store.words import plain_errors

_NUMBERS = (int, float, type(None))


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure over several samples."""

    n: int
    median: float
    p95: float
    """The value that 95 of 100 are not worse than: the slow end, which for a speed is the low one."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The figures of a run, or of one of its cells; None where no answer was streamed."""

    first_ms: Figure | None
    tokens_per_s: Figure | None
    thinking_ms: Figure | None
    estimated: int = 0
    """Samples whose tokens were estimated by the events of their streams."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def speeds(reader: Reader, run_id: int) -> tuple[list[float], list[float], list[float]]:
    """Of the samples that have them: milliseconds to the first token, tokens a second, milliseconds of the rollout."""
    wanted = Result.select(Result.ttft_ms, Result.output_tokens_per_s, Result.duration_ms).where(Result.run == run_id)
    with plain_errors(reader.path):
        rows = reader.database.fetch(wanted)
    first, per_second, whole = (
        [float(value) for value in (row[index] for row in rows) if isinstance(value, int | float) and value > 0]
        for index in range(3)
    )
    return first, per_second, whole


def paces(reader: Reader, run_id: int) -> dict[tuple[str, int] | None, Pace]:
    """The pace of the whole run (under None) and of each cell; empty where nothing was streamed."""
    estimated = fn.instr(Result.flags, '"speed_estimated"') > 0
    query = Result.select(
        Result.domain, Result.level, Result.ttft_ms, Result.output_tokens_per_s, Result.thinking_ms, estimated
    ).where(Result.run == run_id, Result.ttft_ms.is_null(False))
    with plain_errors(reader.path):
        # A damaged value is that row's own fault, which the row says where it is shown.
        rows = [row for row in reader.database.fetch(query) if all(isinstance(value, _NUMBERS) for value in row[2:5])]
    if not rows:
        return {}
    cells: dict[tuple[str, int] | None, list[Sequence[Any]]] = {None: list(rows)}
    for row in rows:
        cells.setdefault((str(row[0]), whole_level(row[1])), []).append(row)
    return {cell: _pace(found) for cell, found in cells.items()}


def _pace(rows: Sequence[Sequence[Any]]) -> Pace:
    return Pace(
        _figure(row[2] for row in rows),
        _figure((row[3] for row in rows), low=True),
        _figure(row[4] for row in rows),
        sum(1 for row in rows if row[5]),
    )


def _figure(values: Iterable[Any], *, low: bool = False) -> Figure | None:
    """Median, and the value at the slow end (nearest rank)."""
    found = sorted(float(value) for value in values if isinstance(value, int | float) and value >= 0)
    if not found:
        return None
    middle = len(found) // 2
    median = found[middle] if len(found) % 2 else (found[middle - 1] + found[middle]) / 2
    rank = -(-95 * len(found) // 100) - 1
    return Figure(len(found), median, found[len(found) - 1 - rank] if low else found[rank])
