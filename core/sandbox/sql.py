"""Run SQL that nobody vouches for: in a disposable child, on a copy, bounded in time, memory and output."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from modex.core.sandbox.worker import WorkerPool, shared_pool

SqlFault = Literal["sql", "denied", "timeout", "memory", "died", "fixture"]
MAX_QUERY_CHARS = 100 * 1024
_WALL_FACTOR = 20.0
MADE_TABLES = (
    "SELECT sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
)
"""What gives the statements that made a database's tables, in their order."""


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
    after twenty times that. Never raises for anything in `query`.

    Raises:
        WorkerError: no child process can be started.
    """
    found = _run(fixture, (query,), max_rows=max_rows, deadline_s=deadline_s, pool=pool)
    return found if isinstance(found, SqlResult) else found[0]


def run_after(
    fixture: Fixture | Path,
    trusted: str,
    query: str,
    *,
    max_rows: int = 1000,
    deadline_s: float = 2.0,
    pool: WorkerPool | None = None,
) -> tuple[SqlResult, SqlResult]:
    """What `run_sql` gives for each of the two, of which the second is nobody's: one way to the child where both go well.

    Raises:
        WorkerError: no child process can be started.
    """
    found = _run(fixture, (trusted, query), max_rows=max_rows, deadline_s=deadline_s, pool=pool)
    if isinstance(found, SqlResult):
        # Which of the two ended the child nobody knows; alone each answers for itself.
        return (
            run_sql(fixture, trusted, max_rows=max_rows, deadline_s=deadline_s, pool=pool),
            run_sql(fixture, query, max_rows=max_rows, deadline_s=deadline_s, pool=pool),
        )
    return found[0], found[1]


def _run(
    fixture: Fixture | Path, queries: tuple[str, ...], *, max_rows: int, deadline_s: float, pool: WorkerPool | None
) -> list[SqlResult] | SqlResult:
    """The results of the queries, one after the other in one child; a single one says what befell the child."""
    if any(len(query) > MAX_QUERY_CHARS for query in queries):
        return SqlResult(error=f"the query is longer than {MAX_QUERY_CHARS:,} characters", fault="sql")
    where = {"file": str(fixture.absolute())} if isinstance(fixture, Path) else _text(fixture)
    request = {"fixture": where, "queries": queries, "max_rows": max_rows, "deadline_s": deadline_s}
    seconds = deadline_s * len(queries)
    try:
        reply = (pool or shared_pool("modex.core.sandbox.sql_child")).ask(
            request, wall_s=seconds * _WALL_FACTOR, cpu_s=seconds + 1
        )
    except ValueError as error:
        return SqlResult(error=f"the fixture is too large: {error}", fault="fixture")
    if reply.data is not None:
        if "failed" in reply.data:
            return SqlResult(error=reply.data["failed"], fault="sql")
        return [_read(result) for result in reply.data["results"]]
    if reply.status == "timeout":
        return SqlResult(error="the query takes too long", fault="timeout")
    died = "the query ended its process: it needs more time or memory than it may have"
    return SqlResult(error=died, fault="died")


def _read(result: dict[str, Any]) -> SqlResult:
    """A result as the child says it."""
    if "error" in result:
        return SqlResult(error=result["error"], fault=result["kind"])
    if result["blobs"]:
        rows = tuple(
            tuple(bytes.fromhex(v["hex"]) if isinstance(v, dict) else v for v in row) for row in result["rows"]
        )
    else:
        rows = tuple(map(tuple, result["rows"]))
    return SqlResult(tuple(result["columns"]), rows, truncated=result["truncated"])


def _text(fixture: Fixture) -> dict[str, str]:
    return {"schema": fixture.schema, "seed": fixture.seed}
