"""Weighted Scores: harder levels count by their number."""

from __future__ import annotations

from collections.abc import Mapping

from modex.core.statistics.moments import Cell


def weighted_score(levels: Mapping[Cell, float | None] | Mapping[int, float | None]) -> float | None:
    """Σ(level_score × level) / Σ(level) over the cells that have a score; None where none has.

    Keys are levels, or (domain, level) cells for the overall score.
    """
    total = weight = 0.0
    for key, score in levels.items():
        if score is None:
            continue
        level = key[1] if isinstance(key, tuple) else key
        total += score * level
        weight += level
    return total / weight if weight else None
