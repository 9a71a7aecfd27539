"""Samples whose model called tools, as the sums over a run's tool use need them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import peewee as pw
from peewee import fn

from modex.core.store.reader import Reader
from modex.core.store.readers import Readers, parts_of
from modex.core.store.rows import values_from_row
from modex.core.store.selecting import Part
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.tables import fields_of
from modex.core.store.words import plain_errors

_PAGE = 500
_PART = 20_000
"""Samples that are counted at once."""
_NAMES = ("position", "status", "flags", "transcript", "expected", "response")
_CALLED, _SYNTHESIS = '"role":"tool"', '"phase":"synthesis"'
_BASE = 1 << 31
"""More than a run can have of samples."""


def _holds(words: str) -> Any:
    """The condition that a transcript holds `words`, a name and its value as JSON.

    Told by its value first: `glob` goes from colon to colon as fast as the processor compares, `instr` looks at every character.
    """
    value = words[words.index(":") :]
    return fn.glob(f"*{value}*", Result.transcript) & (fn.instr(Result.transcript, words) > 0)


def with_calls(reader: Reader, run_id: int) -> Iterator[dict[str, Any]]:
    """`position`, `status`, `flags`, `transcript`, `expected` and `response` of the samples that called a tool.

    A page is in memory at a time; what is damaged in a row reads as empty.
    """
    wanted = (
        Result.select(*fields_of(Result, _NAMES))
        .where(Result.run == run_id, _holds(_CALLED))
        .order_by(Result.position)
        .limit(_PAGE)
    )
    after = -1
    while True:
        with plain_errors(reader.path):
            rows = reader.database.fetch(wanted.where(Result.position > after))
        for row in rows:
            after = row[0]
            yield values_from_row(_NAMES, row)
        if len(rows) < _PAGE:
            return


def counts(readers: Readers, run_id: int) -> tuple[int, int]:
    """How many samples called a tool, and how many agentic ones asked for none; every transcript is read once."""
    found = readers.each(partial(_count, run_id), parts_of(readers.reader, run_id, _PART))
    return divmod(sum(found), _BASE)


def _count(run_id: int, reader: Reader, part: Part) -> int:
    # Both in one sum, as a search through a transcript costs more than all else and two sums would search it three times.
    either = pw.Case(None, [(_holds(_CALLED), _BASE), (_holds(_SYNTHESIS), 1)], 0)
    query = Result.select(fn.sum(either)).where(Result.run == run_id, part.of(Result.position))
    with plain_errors(reader.path):
        return int(reader.database.fetch(query)[0][0] or 0)
