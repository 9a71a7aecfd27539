"""Which samples are looked at, and in what order: drawn by a seed, so that the same draw is had again by anybody."""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, Literal, get_args

from peewee import fn

from modex.core.features.review.query import ReviewRow
from modex.core.store.reader import Reader
from modex.core.store.selecting import EVERYTHING, SampleQuery
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors

DrawOrder = Literal["random", "cells", "failures"]
ORDERS: tuple[DrawOrder, ...] = get_args(DrawOrder)
"""At random from everything; at random, from each (domain, level) cell in turn; at random from what failed."""
_CELL = (Result.domain, Result.level)
_ALL = fn.json_group_array(Result.id)
"""Ids as one value: a row for each of 200,000 takes six times as long."""


def draw(
    reader: Reader,
    run_id: int,
    order: DrawOrder = "random",
    *,
    seed: int = 0,
    number: int | None = None,
    query: SampleQuery = EVERYTHING,
) -> array[int]:
    """The ids of answered samples of a run in the order of the seed, `number` at most; a longer draw begins with a shorter one.

    What has no answer (not asked, an error, skipped) is not drawn; what was answered and has no verdict yet is.
    """
    if order == "cells":
        drawn = _by_cells(_cells(reader, run_id, query), seed)
    else:
        drawn = _shuffled(_ids(reader, run_id, query, failed=order == "failures"), Random(f"{seed}"))
    return array("q", islice(drawn, number))


def _answered(reader: Reader, run_id: int, query: SampleQuery, *, failed: bool) -> Iterator[Any]:
    """Conditions for samples with an answer: judged ones, which the index of cells tells alone, and those that wait for it."""
    yield query.of(run_id) & Result.status.in_(("failed",) if failed else ("passed", "failed"))
    run = reader.run_by_id(run_id)
    if not failed and run.done_tests < run.total_tests:
        waits = (Result.status == "pending") & (Result.stage == "rollout") & Result.response.is_null(False)
        yield query.of(run_id) & waits


def _ids(reader: Reader, run_id: int, query: SampleQuery, *, failed: bool) -> array[int]:
    ids: array[int] = array("q")
    with plain_errors(reader.path):
        for condition in _answered(reader, run_id, query, failed=failed):
            ids.extend(json.loads(reader.database.fetch(Result.select(_ALL).where(condition))[0][0]))
    return array("q", sorted(ids))


def _cells(reader: Reader, run_id: int, query: SampleQuery) -> list[Sequence[int]]:
    cells: dict[tuple[str, int], list[int]] = defaultdict(list)
    with plain_errors(reader.path):
        for condition in _answered(reader, run_id, query, failed=False):
            found = Result.select(*_CELL, _ALL).where(condition).group_by(*_CELL)
            for domain, level, ids in reader.database.fetch(found):
                cells[domain, level] += json.loads(ids)
    return [sorted(cells[cell]) for cell in sorted(cells, key=str)]


def _shuffled(ids: Sequence[int], random: Random) -> Iterator[int]:
    """`ids` in a random order, one after the other: as many steps as are taken (Fisher and Yates, lazily)."""
    moved: dict[int, int] = {}
    last = len(ids) - 1
    for place in range(len(ids)):
        chosen = place + int(random.random() * (last - place + 1))
        yield ids[moved.get(chosen, chosen)]
        moved[chosen] = moved.get(place, place)


def _by_cells(cells: Sequence[Sequence[int]], seed: int) -> Iterator[int]:
    """One of each cell in turn, cells without rest left out."""
    left = [_shuffled(ids, Random(f"{seed}/{number}")) for number, ids in enumerate(cells)]
    while left:
        going = []
        for one in left:
            if (id_ := next(one, None)) is not None:
                going.append(one)
                yield id_
        left = going


def first_unread(ids: Sequence[int], rows: Sequence[ReviewRow]) -> int:
    """Where a person left off: the place of the first sample whose answer they have not reviewed; the last where none is left."""
    read = {row.result_id for row in rows if not row.stale}
    return next((place for place, id_ in enumerate(ids) if id_ not in read), max(0, len(ids) - 1))
