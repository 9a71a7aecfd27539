"""How far a run's score moved since the run before of the same model; nothing is imported where there was none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.story import run_before

if TYPE_CHECKING:
    from modex.core.features.compare.compare import Comparison

_COMPARED_UP_TO = 50_000
"""Tests beyond which nothing is compared by itself: `modex compare` does, and says that it takes long."""


def change_since(reader: Reader, run: RunRow) -> Comparison | None:
    """The comparison with the run before of the same model; None where there is none, or it shares no test."""
    before = run_before(reader, run) if run.total_tests <= _COMPARED_UP_TO else None
    if before is None or before.total_tests > _COMPARED_UP_TO:
        return None
    from modex.core.features.compare.compare import compare

    found = compare(reader, before, run, tools=False)
    return found if found.overall is not None else None
