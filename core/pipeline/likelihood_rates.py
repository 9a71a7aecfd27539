"""How many of a source's options were chosen rightly by likelihood: lm-eval's `acc`, `acc_norm` and `acc_bytes`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from modex.core.store.manager import DBDataManager
from modex.core.store.summary import verdicts_with
from modex.core.verdict import Likelihood, find, parts_of

LIKELIHOOD = "likelihood"
"""The metric; absent where a source's options were not compared by likelihood."""


def likelihood_rates(manager: DBDataManager, run_id: int, source: str) -> dict[str, Any] | None:
    """`{"way", "n", "acc", "acc_norm", "acc_bytes"}`, the figures as shares of `n`.

    The last two are None where letters were compared; the whole is None where nothing was compared so.
    """
    right: Counter[str] = Counter()
    way = ""
    for status, details in verdicts_with(manager.database, run_id, source, Likelihood.kind):
        part = find(parts_of(details), Likelihood)
        if part is None or status not in ("passed", "failed"):
            continue
        way = part.way
        right.update(
            n=1,
            acc=part.right(part.chosen),
            acc_norm=part.right(part.by_length),
            acc_bytes=part.right(part.by_bytes),
        )
    if not way:
        return None
    n = right["n"]
    by_length = way == "continuation"
    return {
        "way": way,
        "n": n,
        "acc": right["acc"] / n,
        "acc_norm": right["acc_norm"] / n if by_length else None,
        "acc_bytes": right["acc_bytes"] / n if by_length else None,
    }
