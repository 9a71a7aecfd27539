"""95 % intervals: Wilson for pass rates, a bootstrap clustered by test for scores."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from core.statistics.weighted import ScoredTest, by_cell, level_score, weighted_score

Z95 = 1.959963984540054
RESAMPLES = 1000
_EXACT_LIMIT = 2000
"""Above this many tests the bootstrap's normal limit (the delta method over cells) is used: it is the same to 3 digits."""

Interval = tuple[float, float]


def wilson(passed: int, total: int) -> Interval | None:
    """The Wilson score interval of a pass rate (E. B. Wilson, JASA 22, 1927); None without trials."""
    if total <= 0:
        return None
    rate = passed / total
    centre = rate + Z95**2 / (2 * total)
    spread = Z95 * math.sqrt(rate * (1 - rate) / total + Z95**2 / (4 * total**2))
    scale = 1 + Z95**2 / total
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def score_interval(tests: Sequence[ScoredTest], *, seed: int = 0) -> Interval | None:
    """The percentile bootstrap interval of the Weighted Score of `tests`, resampled by test within each cell.

    A test keeps its epochs together (they are not independent). With one cell this is the level score's interval.
    None with fewer than two scored tests.
    """
    scored = [test for test in tests if test.scores and test.weight > 0]
    if len(scored) < 2:
        return None
    cells = by_cell(scored)
    levels = {cell: float(cell[1]) for cell in cells}
    if len(scored) > _EXACT_LIMIT:
        return _normal(cells, levels)
    rng = random.Random(seed)
    pools = [
        ([(test.weight * test.mean, test.weight) for test in members], len(members), levels[cell])
        for cell, members in cells.items()
    ]
    total_level = sum(levels.values())
    draws = []
    for _ in range(RESAMPLES):
        total = 0.0
        for pool, size, level in pools:
            picked = rng.choices(pool, k=size)
            total += level * sum(p[0] for p in picked) / sum(p[1] for p in picked)
        draws.append(total / total_level)
    draws.sort()
    return draws[int(0.025 * RESAMPLES)], draws[min(RESAMPLES - 1, int(0.975 * RESAMPLES))]


def _normal(cells: dict[tuple[str, int], list[ScoredTest]], levels: dict[tuple[str, int], float]) -> Interval:
    total_level = sum(levels.values())
    variance = 0.0
    scores: dict[tuple[str, int], float | None] = {}
    for cell, members in cells.items():
        score = level_score(members)
        scores[cell] = score
        assert score is not None
        weight = sum(test.weight for test in members)
        spread = sum((test.weight * (test.mean - score)) ** 2 for test in members) / weight**2
        variance += (levels[cell] / total_level) ** 2 * spread
    centre = weighted_score(scores)
    assert centre is not None
    half = Z95 * math.sqrt(variance)
    return max(0.0, centre - half), min(1.0, centre + half)
