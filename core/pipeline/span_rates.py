"""How near a source's answers are to the spans that were asked for: DROP's exact match and F1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from modex.core.evaluators.text.spans import TITLE
from modex.core.store.manager import DBDataManager
from modex.core.store.summary import verdicts_with
from modex.core.verdict import Extra, parts_of

SPANS = "spans"
"""The metric; absent where a source has no such verdicts."""


def span_rates(manager: DBDataManager, run_id: int, source: str) -> dict[str, Any] | None:
    """`{"exact", "f1", "n"}`: the mean of both over the answers that have them, each epoch counted; None without any."""
    found = list(_found(manager, run_id, source))
    if not found:
        return None
    exact, f1 = (sum(one[place] for one in found) / len(found) for place in (0, 1))
    return {"exact": exact, "f1": f1, "n": len(found)}


def _found(manager: DBDataManager, run_id: int, source: str) -> Iterator[tuple[float, float]]:
    for status, details in verdicts_with(manager.database, run_id, source, Extra.kind):
        facts = next((one.facts for one in parts_of(details) if isinstance(one, Extra) and one.title == TITLE), {})
        exact, f1 = facts.get("exact"), facts.get("F1")
        if status in ("passed", "failed") and isinstance(exact, bool) and isinstance(f1, int | float):
            yield float(exact), float(f1)
