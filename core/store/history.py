"""One test over all runs of a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from core.errors import StoreError
from core.store.exact import decode_text
from core.store.reader import Reader
from core.store.rows import RunRow, SampleHead
from core.store.tables import IndividualTestResult as Result
from core.store.words import plain_errors


@dataclass(frozen=True, slots=True)
class Attempt:
    """One epoch of a test in one run."""

    run: RunRow
    head: SampleHead


def history(reader: Reader, test_id: str, domain: str | None = None, level: int | None = None) -> list[Attempt]:
    """Every sample of a test, that of the run that was started last first; epochs in their order.

    Raises:
        StoreError: no run has such a test; the message names near ones.
    """
    # The ids come first and alone: the unique index holds all that this asks, so that no row with a transcript is read.
    condition: Any = Result.test_id == test_id
    if domain is not None:
        condition &= Result.domain == domain
    if level is not None:
        condition &= Result.level == level
    with plain_errors(reader.path):
        rows = reader.database.fetch(Result.select(Result.id, Result.run).where(condition))
    if not rows:
        raise StoreError(f"no run in {reader.path} has a test {test_id!r}{_near(reader, test_id)}")
    runs = {run_id: reader.run_by_id(run_id) for run_id in {run_id for _, run_id in rows}}
    heads = {head.id: head for head in reader.heads_by_id([id_ for id_, _ in rows])}
    found = [Attempt(runs[run_id], heads[id_]) for id_, run_id in rows if id_ in heads]
    found.sort(key=lambda one: (one.head.domain, one.head.level, one.head.epoch))
    found.sort(key=lambda one: (one.run.started_at or "", one.run.id), reverse=True)
    return found


def _near(reader: Reader, test_id: str) -> str:
    with plain_errors(reader.path):
        rows: Sequence[tuple[Any, ...]] = reader.database.fetch(Result.select(Result.test_id).distinct())
    near = get_close_matches(test_id, [decode_text(str(row[0])) for row in rows], n=3, cutoff=0.5)
    return f"; did you mean {', '.join(near)}?" if near else "; `modex show EXP --status failed` lists some"
