"""How many instructions a source's answers followed, by prompt and by instruction, strictly and loosely: IFEval's figures."""

from __future__ import annotations

from collections import Counter
from typing import Any

from modex.core.store.manager import DBDataManager
from modex.core.store.summary import verdicts_with
from modex.core.verdict import Instructions, find, parts_of

INSTRUCTIONS = "instructions"
"""The metric; absent where a source has no such verdicts."""
_LEVELS = ("strict", "loose")


def instruction_rates(manager: DBDataManager, run_id: int, source: str) -> dict[str, Any] | None:
    """`{"by_prompt": {"strict", "loose"}, "by_instruction": {…}, "by_type": {name: {…}}}`, each `{"rate", "passed", "n"}`.

    A prompt is followed where all of its instructions are; each epoch counts as a prompt. None without such verdicts.
    """
    passed: Counter[tuple[str, ...]] = Counter()
    asked: Counter[tuple[str, ...]] = Counter()
    for _, details in verdicts_with(manager.database, run_id, source, Instructions.kind):
        found = find(parts_of(details), Instructions)
        if found is None or not found.items:
            continue
        for level in _LEVELS:
            verdicts = [(one.id, one.strict if level == "strict" else one.loose) for one in found.items]
            for place, right in (
                (("by_prompt", level), all(right for _, right in verdicts)),
                *((("by_instruction", level), right) for _, right in verdicts),
                *((("by_type", name, level), right) for name, right in verdicts),
            ):
                asked[place] += 1
                passed[place] += right
    if not asked:
        return None
    rates: dict[str, Any] = {}
    for place in sorted(asked):
        inner = rates
        for name in place[:-1]:
            inner = inner.setdefault(name, {})
        inner[place[-1]] = {"rate": passed[place] / asked[place], "passed": passed[place], "n": asked[place]}
    return rates
