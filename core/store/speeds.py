"""How fast a run's answers came: columns of numbers, and their medians and p95 by cell."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from peewee import fn

from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow, whole_level
from modex.core.store.selecting import EVERYTHING
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors

_NUMBERS = (int, float, type(None))
_FIGURES = ("first_ms", "tokens_per_s", "thinking_ms")
_LATEST = 1000
"""Answers whose pace is that of a run that goes on."""
_LOOKED_AT = 2 * _LATEST
"""Newest changes among which they are looked for: the others are calls under way and answers that were not streamed."""

_MEASURED = (
    Result.ttft_ms,
    Result.output_tokens_per_s,
    Result.thinking_ms,
    fn.instr(Result.flags, '"speed_estimated"') > 0,
)
"""A sample's figures, and whether its tokens were estimated."""


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

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Pace | None:
        """What `as_dict` gave; None where it holds no figure, or one of another form."""
        first, speed, thinking = (_read(stored.get(name)) for name in _FIGURES)
        estimated = stored.get("estimated")
        found = cls(first, speed, thinking, estimated if isinstance(estimated, int) else 0)
        return found if first or speed or thinking else None


def answer_times(reader: Reader, run_id: int) -> Figure | None:
    """Milliseconds of a rollout, over the samples that have one."""
    wanted = Result.select(Result.duration_ms).where(Result.run == run_id, Result.duration_ms > 0)
    values = array("d")
    with plain_errors(reader.path):
        values.extend(row[0] for row in reader.database.each(wanted) if isinstance(row[0], int | float))
    return _figure(values)


def pace_of(reader: Reader, run_id: int, query: SampleQuery = EVERYTHING) -> Pace | None:
    """The pace over the samples of the run that match; None where none of them was streamed."""
    return paces(reader, run_id, query).get(None)


def paces(reader: Reader, run_id: int, query: SampleQuery = EVERYTHING) -> dict[tuple[str, int] | None, Pace]:
    """The pace of all samples that match (under None) and of each cell; empty where nothing was streamed."""
    wanted = Result.select(Result.domain, Result.level, *_MEASURED).where(
        query.of(run_id), Result.ttft_ms.is_null(False)
    )
    whole = _Gathered()
    cells: dict[tuple[str, int], _Gathered] = {}
    with plain_errors(reader.path):
        for domain, level, *figures, guessed in reader.database.each(wanted):
            if all(isinstance(value, _NUMBERS) for value in figures):  # a damaged value is that row's own fault
                cell = cells.setdefault((str(domain), whole_level(level)), _Gathered())
                whole.add(figures, guessed)
                cell.add(figures, guessed)
    if not cells:
        return {}
    return {None: whole.pace(), **{key: cell.pace() for key, cell in cells.items()}}


def with_latest_pace(reader: Reader, runs: Sequence[RunRow]) -> list[RunRow]:
    """The runs; in `pace` of each that goes on stands the pace of its newest answers, where any of them was streamed."""
    found = []
    for run in runs:
        pace = _latest(reader, run.id) if run.alive else None
        found.append(run if pace is None else replace(run, pace=pace.as_dict()))
    return found


def _latest(reader: Reader, run_id: int) -> Pace | None:
    """The pace of the newest streamed answers; reads a bounded number of rows, by the index of changes."""
    newest = Result.select(*_MEASURED).where(Result.run == run_id).order_by(Result.seq.desc()).limit(_LOOKED_AT)
    with plain_errors(reader.path):
        rows = reader.database.fetch(newest)
    gathered, number = _Gathered(), 0
    for *figures, guessed in rows:
        if figures[0] is not None and all(isinstance(value, _NUMBERS) for value in figures):
            gathered.add(figures, guessed)
            number += 1
            if number == _LATEST:
                break
    return gathered.pace() if number else None


@dataclass(slots=True)
class _Gathered:
    """The figures of many samples, eight bytes each."""

    columns: tuple[array[float], ...] = field(default_factory=lambda: tuple(array("d") for _ in _FIGURES))
    estimated: int = 0

    def add(self, figures: list[Any], guessed: object) -> None:
        for column, value in zip(self.columns, figures, strict=True):
            if value is not None and value >= 0:
                column.append(value)
        self.estimated += bool(guessed)

    def pace(self) -> Pace:
        first, speed, thinking = self.columns
        return Pace(_figure(first), _figure(speed, low=True), _figure(thinking), self.estimated)


def _figure(values: array[float], *, low: bool = False) -> Figure | None:
    """Median, and the value at the slow end (nearest rank)."""
    if not values:
        return None
    found = sorted(values)
    middle = len(found) // 2
    median = found[middle] if len(found) % 2 else (found[middle - 1] + found[middle]) / 2
    rank = -(-95 * len(found) // 100) - 1
    return Figure(len(found), median, found[len(found) - 1 - rank] if low else found[rank])


def _read(stored: Any) -> Figure | None:
    """A stored figure; None where something else stands there."""
    if not isinstance(stored, Mapping):
        return None
    n, median, p95 = (stored.get(name) for name in ("n", "median", "p95"))
    if not isinstance(n, int) or not isinstance(median, int | float) or not isinstance(p95, int | float):
        return None
    return Figure(n, float(median), float(p95))
