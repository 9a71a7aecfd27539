"""Agreement beyond chance between judges.

Cohen: https://doi.org/10.1177/001316446002000104. Fleiss: https://doi.org/10.1037/h0031619.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def cohens_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Cohen's κ of two raters over the same items (Cohen 1960); 1 is full agreement, 0 what chance gives.

    None for no items, and where both raters used one and the same category throughout (κ is undefined there).

    Raises:
        ValueError: the raters did not rate the same number of items.
    """
    if len(first) != len(second):
        raise ValueError("both raters rate the same items")
    n = len(first)
    if n == 0:
        return None
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    left, right = Counter(first), Counter(second)
    chance = sum(left[category] * right[category] for category in left) / n**2
    return None if chance == 1 else (observed - chance) / (1 - chance)


def fleiss_kappa(ratings: Sequence[Sequence[Hashable]]) -> float | None:
    """Fleiss' κ (1971): `ratings` holds for each item the categories its raters chose, the same number of raters each.

    None for no items, fewer than two raters, or a single category throughout.

    Raises:
        ValueError: the items have different numbers of ratings.
    """
    if not ratings:
        return None
    raters = len(ratings[0])
    if any(len(item) != raters for item in ratings):
        raise ValueError("every item has the same number of ratings")
    if raters < 2:
        return None
    counts = [Counter(item) for item in ratings]
    pairs = raters * (raters - 1)
    observed = sum(sum(n * (n - 1) for n in count.values()) / pairs for count in counts) / len(counts)
    totals = Counter(category for item in ratings for category in item)
    chance = sum((n / (raters * len(ratings))) ** 2 for n in totals.values())
    return None if chance == 1 else (observed - chance) / (1 - chance)
