"""Whether a test tells abler models from less able ones: its correlation with how each did on everything else.

A test's mean is taken off its scores first, so that models that took other tests can be put beside each other; where all took
the same ones, this is the item–rest correlation (R. L. Ebel & D. A. Frisbie, Essentials of Educational Measurement, 1991).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from statistics import correlation, fmean
from typing import TypeVar

from modex.core.statistics.distributions import Z

Test = TypeVar("Test", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ItemRest:
    """A test's correlation with the rest, over the models that took it."""

    r: float
    models: int

    @property
    def high(self) -> float:
        """The upper end of its interval (Fisher's z); 1 where too few models say anything."""
        if self.models < 4:
            return 1.0
        z = math.atanh(max(-0.999999, min(0.999999, self.r)))
        return math.tanh(z + Z / math.sqrt(self.models - 3))


class Items(dict[Test, Mapping[str, float]]):
    """By test, each model's score from 0 to 1."""

    def centred(self) -> dict[str, tuple[float, int]]:
        """By model, how far it lies above the tests' means, summed up, and on how many tests."""
        found: dict[str, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
        for scores in self.values():
            middle = fmean(scores.values()) if scores else 0.0
            for model, score in scores.items():
                total, number = found[model]
                found[model] = total + score - middle, number + 1
        return dict(found)

    def rest_of(self, test: Test, centred: Mapping[str, tuple[float, int]]) -> dict[str, float]:
        """How able each model that took `test` is by its other tests; models without any are left out."""
        scores = self[test]
        middle = fmean(scores.values())
        return {
            model: (centred[model][0] - (score - middle)) / (centred[model][1] - 1)
            for model, score in scores.items()
            if centred[model][1] > 1
        }


def item_rest(items: Items[Test]) -> dict[Test, ItemRest | None]:
    """By test, its correlation with the rest; None where all models score alike on it, or on everything else."""
    centred = items.centred()
    found: dict[Test, ItemRest | None] = {}
    for test, scores in items.items():
        rest = items.rest_of(test, centred) if scores else {}
        own = [scores[model] for model in rest]
        others = [round(value, 12) for value in rest.values()]
        told = len(set(own)) > 1 and len(set(others)) > 1
        found[test] = ItemRest(correlation(own, others), len(own)) if told else None
    return found
