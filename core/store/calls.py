"""How many calls the answers of a run took, by what was asked."""

from __future__ import annotations

from dataclasses import dataclass

import peewee as pw
from peewee import fn

from modex.core.store.reader import Reader
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors


@dataclass(frozen=True, slots=True)
class CallTotals:
    """What a run's stored answers took."""

    model: int
    """Attempts at the model, retries included."""
    pass2: int
    """Answers that PASS 2 read."""
    judged: int
    """Answers that an LLM judge read, and PASS 2 did not."""


def calls_of(reader: Reader, run_id: int) -> CallTotals:
    """Of the answers as they are stored now; what was asked again counts once."""
    by_pass2 = fn.sum(pw.Case(None, [(Result.pass2_used, 1)], 0))
    by_judges = fn.sum(pw.Case(None, [((Result.judge_completion_tokens > 0) & (Result.pass2_used == 0), 1)], 0))
    query = Result.select(fn.sum(Result.attempts), by_pass2, by_judges).where(Result.run == run_id)
    with plain_errors(reader.path):
        return CallTotals(*(int(number or 0) for number in reader.database.fetch(query)[0]))
