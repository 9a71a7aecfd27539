"""What the search screen asks: the index brought in step a little at a time, the samples found, the lines in sight."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path

from modex.core.foundation.errors import StoreError
from modex.core.store.reader import Reader
from modex.core.store.search.find import Found, Hit, Search, find, hits
from modex.core.store.search.index import SearchIndex

_STEP_S = 0.15
"""For so long the index is brought in step before what is there is searched again."""
_KEPT = threading.local()


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What was found, and how much is not indexed yet."""

    found: Found
    behind: int
    """Samples that are not in the index yet."""


def _index(database: Path) -> SearchIndex:
    """This thread's connection to the index."""
    known: dict[Path, SearchIndex] = _KEPT.__dict__.setdefault("open", {})
    if database not in known:
        known[database] = SearchIndex(database)
    return known[database]


def look(reader: Reader, search: Search) -> SearchAnswer:
    """Take a little of what was stored since into the index, then search; empty where nothing is looked for.

    Raises:
        StoreError: the index or the store cannot be used.
    """
    index = _index(reader.path)
    until = time.monotonic() + _STEP_S
    behind = sorted(index.behind(reader), key=lambda one: -one.run_id)
    left = sum(one.samples for one in behind)
    for one in behind:
        try:
            while time.monotonic() < until:
                taken = index.take_batch(reader, one.run_id)
                left -= taken
                if taken == 0:
                    break
        except StoreError:
            break  # another process is taking the same in
    found = Found((), more=False) if search.wants_nothing else find(reader, index, search)
    return SearchAnswer(found, max(0, left))


def lines(reader: Reader, ids: tuple[int, ...], search: Search) -> list[Hit]:
    """These samples with the lines in which the words stand."""
    return hits(reader, ids, search)
