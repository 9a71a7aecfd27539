"""Stored verdicts that failed for what a sandbox lacked: how many, and of what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from modex.core.evaluators.code.lacked import lacked
from modex.core.store.reader import Reader

_PAGE = 200
_SHOWN = 5


def lacking_in(reader: Reader, run_id: int) -> dict[int, str]:
    """What the sandbox of then lacked, by the samples' ids.

    Raises:
        StoreError: they cannot be read.
    """
    ids = reader.ids_with_part(run_id, "cases", "failed")
    found: dict[int, str] = {}
    for start in range(0, len(ids), _PAGE):
        for sample in reader.samples_by_id(ids[start : start + _PAGE]):
            if sample.id is not None and (name := lacked(sample)) is not None:
                found[sample.id] = name
    return found


def lacking_words(found: Mapping[int, str]) -> str:
    """`3 verdicts failed for what their sandbox lacked (module heapq 2, yield expressions 1)`; empty where none did."""
    if not found:
        return ""
    counted = Counter(found.values()).most_common()
    named = [f"{name} {count}" for name, count in counted[:_SHOWN]]
    named += [f"{len(counted) - _SHOWN} more"] if len(counted) > _SHOWN else []
    verdicts = "1 verdict" if len(found) == 1 else f"{len(found):,} verdicts"
    return f"{verdicts} failed for what the sandbox lacked, and not for the answer ({', '.join(named)})"
