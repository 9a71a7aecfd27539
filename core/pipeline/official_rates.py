"""How many of a source's answers are right by its benchmark's own rule, and by our reading."""

from __future__ import annotations

from collections import Counter
from typing import Any

from modex.core.evaluators.official.rules import rule_of
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import PASS_SCORE
from modex.core.store.summary import verdicts_with
from modex.core.verdict import Official, find, parts_of

OFFICIAL = "official"
"""The metric; absent where a source's benchmark has no rule here, or no answer was read by it."""


def official_rates(manager: DBDataManager, run_id: int, source: str) -> dict[str, Any] | None:
    """`{"rule", "scored", "right", "ours", "differ", "unread"}` over the scored answers: how many are right by the rule and by
    us, in how many both differ, and of how many the rule reads nothing. None where there is no such answer."""
    if source == "suite" or rule_of(source) is None:
        return None
    rule = ""
    found: Counter[str] = Counter(scored=0, right=0, ours=0, differ=0, unread=0)
    for status, details in verdicts_with(manager.database, run_id, source, Official.kind):
        part = find(parts_of(details), Official)
        if part is None or status not in ("passed", "failed"):
            continue
        rule = part.rule
        ours = status == "passed" if part.ours is None else part.ours >= PASS_SCORE
        found.update(scored=1, right=part.right, ours=ours, differ=part.right != ours, unread=part.read is None)
    return {"rule": rule, **found} if rule else None
