"""Run SQL that nobody vouches for: in a disposable child, on a copy, bounded in time, memory and output."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.sandbox.worker import WorkerPool, shared_pool

SqlFault = Literal["sql", "denied", "timeout", "memory", "died", "fixture"]
MAX_QUERY_CHARS = 100 * 1024
_WALL_FACTOR = 2.0
_WALL_EXTRA_S = 0.7


@dataclass(frozen=True, slots=True)
class Fixture:
    """A database as SQL text: `schema` is run first, then `seed`."""

    schema: str
    seed: str = ""


@dataclass(frozen=True, slots=True)
class SqlResult:
    """Column names and rows, or why there are none.

    Values are int, float, str, None or bytes. `truncated` says that rows beyond `max_rows` or 1 MB were left out.
    `fault` is None where the query ran; `fixture` means that the suite's own SQL is at fault.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    error: str | None = None
    truncated: bool = False
    fault: SqlFault | None = None


def run_sql(
    fixture: Fixture | Path,
    query: str,
    *,
    max_rows: int = 1000,
    deadline_s: float = 2.0,
    pool: WorkerPool | None = None,
) -> SqlResult:
    """The result of one SELECT on a fresh copy of `fixture`, or on the SQLite file, which is opened read-only.

    `deadline_s` is processor time, so that a busy machine does not change verdicts; by the clock the child is killed
    after twice that and a little. Never raises for anything in `query`.

    Raises:
        WorkerError: no child process can be started.
    """
    if len(query) > MAX_QUERY_CHARS:
        return SqlResult(error=f"the query is longer than {MAX_QUERY_CHARS:,} characters", fault="sql")
    where = {"file": str(fixture.absolute())} if isinstance(fixture, Path) else _text(fixture)
    request = {"fixture": where, "query": query, "max_rows": max_rows, "deadline_s": deadline_s}
    try:
        reply = (pool or shared_pool("core.sandbox.sql_child")).ask(
            request, wall_s=deadline_s * _WALL_FACTOR + _WALL_EXTRA_S, cpu_s=deadline_s + 1
        )
    except ValueError as error:
        return SqlResult(error=f"the fixture is too large: {error}", fault="fixture")
    if reply.data is None:
        if reply.status == "timeout":
            return SqlResult(error="the query takes too long", fault="timeout")
        return SqlResult(
            error="the query ended its process: it needs more time or memory than it may have", fault="died"
        )
    data = reply.data
    if "failed" in data:
        return SqlResult(error=data["failed"], fault="sql")
    if "error" in data:
        return SqlResult(error=data["error"], fault=data["kind"])
    rows = tuple(tuple(bytes.fromhex(v["hex"]) if isinstance(v, dict) else v for v in row) for row in data["rows"])
    return SqlResult(tuple(data["columns"]), rows, truncated=data["truncated"])


def _text(fixture: Fixture) -> dict[str, str]:
    return {"schema": fixture.schema, "seed": fixture.seed}
