"""What the story of a finished run asks: why tests failed, counted; the samples that took most; the run before."""

from __future__ import annotations

from typing import Literal

import peewee as pw
from peewee import fn

from modex.core.store.exact import decode_text
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow, SampleHead
from modex.core.store.selecting import EVERYTHING, SampleQuery
from modex.core.store.tables import EvaluationRun as Run
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors

_LONGEST = 200
_MOST = {"time": Result.duration_ms, "cost": Result.cost_usd}


def count_reasons(
    reader: Reader, run_id: int, query: SampleQuery = EVERYTHING, limit: int = 50
) -> list[tuple[str, int]]:
    """The stored reasons of failed samples, the most frequent first; `""` stands for all `expected …, got …` together."""
    differs = Result.reason.startswith("expected ") & (fn.instr(Result.reason, ", got ") > 0)
    said = pw.Case(None, [(differs, "")], fn.substr(Result.reason, 1, _LONGEST))
    number = fn.count(Result.id)
    found = Result.select(said, number).where(
        query.of(run_id), Result.status == "failed", fn.coalesce(Result.reason, "") != ""
    )
    with plain_errors(reader.path):
        rows = reader.database.fetch(found.group_by(said).order_by(number.desc(), said).limit(limit))
    return [(decode_text(str(reason)), count) for reason, count in rows]


def ids_without_reason(reader: Reader, run_id: int, query: SampleQuery = EVERYTHING, limit: int = 2000) -> list[int]:
    """Failed samples whose verdict was stored without a sentence, in planning order, at most `limit`."""
    found = Result.select(Result.id).where(
        query.of(run_id), Result.status == "failed", fn.coalesce(Result.reason, "") == ""
    )
    with plain_errors(reader.path):
        return [row[0] for row in reader.database.fetch(found.order_by(Result.position).limit(limit))]


def count_errors(reader: Reader, run_id: int, query: SampleQuery = EVERYTHING) -> list[tuple[str, int]]:
    """The kinds of error, the most frequent first."""
    kind, number = fn.coalesce(Result.error_type, "error"), fn.count(Result.id)
    found = Result.select(kind, number).where(query.of(run_id), Result.status == "error").group_by(kind)
    with plain_errors(reader.path):
        return [(str(name), count) for name, count in reader.database.fetch(found.order_by(number.desc(), kind))]


def took_most(reader: Reader, run_id: int, what: Literal["time", "cost"], limit: int) -> list[SampleHead]:
    """The samples whose answers took most time or money, the most first; those that took none are left out."""
    field = _MOST[what]
    found = Result.select(Result.id).where(Result.run == run_id, field > 0).order_by(field.desc(), Result.position)
    with plain_errors(reader.path):
        ids = [row[0] for row in reader.database.fetch(found.limit(limit))]
    return reader.heads_by_id(ids)


def measured(reader: Reader, run_id: int, limit: int = 50_000) -> list[tuple[int | None, float | None]]:
    """How long each answer took, in milliseconds, and what it cost, in USD, of at most `limit` samples."""
    found = Result.select(Result.duration_ms, Result.cost_usd).where(
        Result.run == run_id, Result.status.in_(("passed", "failed"))
    )
    with plain_errors(reader.path):
        return list(reader.database.fetch(found.order_by(Result.position).limit(limit)))


def run_before(reader: Reader, run: RunRow) -> RunRow | None:
    """The newest run of the same model and kind that was made before this one and came to its end; archived ones count not."""
    found = Run.select(Run.id).where(
        Run.id < run.id,
        Run.model == run.model,
        Run.kind == run.kind,
        Run.status == "completed",
        Run.archived == False,  # noqa: E712
    )
    with plain_errors(reader.path):
        rows = reader.database.fetch(found.order_by(Run.id.desc()).limit(1))
    return reader.run_by_id(rows[0][0]) if rows else None
