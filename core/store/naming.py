"""A test of a run as people name it."""

from __future__ import annotations

from modex.core.store.selecting import SampleQuery


def test_query(text: str) -> SampleQuery:
    """Samples by `id` or `domain/level/id`."""
    parts = text.split("/", 2)
    if len(parts) == 3 and parts[1].isdigit():
        return SampleQuery(domains=(parts[0],), levels=(int(parts[1]),), test_ids=(parts[2],))
    return SampleQuery(test_ids=(text,))
