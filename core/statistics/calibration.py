"""How well stated confidence agrees with being right.

The expected calibration error: https://arxiv.org/abs/1706.04599, section 2, where the bins are of equal width.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

_BINS = 10


def calibration(stated: Sequence[tuple[float, bool]]) -> dict[str, Any] | None:
    """`{"n", "confidence", "accuracy", "error"}` of pairs (stated confidence from 0 to 1, right?); None without pairs.

    `error` is the expected calibration error (Naeini et al. 2015): the answers in order of confidence, cut into at most ten
    bins of equal size, and the mean of |accuracy − confidence| by the bins' sizes. Answers of the same confidence stay in
    one bin.
    """
    if not stated:
        return None
    ordered = sorted(stated)
    count = len(ordered)
    edges = sorted({_edge(ordered, round(count * number / _BINS)) for number in range(_BINS + 1)})
    error = 0.0
    for start, end in pairwise(edges):
        members = ordered[start:end]
        sure = sum(confidence for confidence, _ in members) / len(members)
        right = sum(passed for _, passed in members) / len(members)
        error += len(members) / count * abs(right - sure)
    return {
        "n": count,
        "confidence": round(sum(confidence for confidence, _ in stated) / count, 6),
        "accuracy": round(sum(passed for _, passed in stated) / count, 6),
        "error": round(error, 6),
    }


def _edge(ordered: Sequence[tuple[float, bool]], index: int) -> int:
    """The nearest place from `index` on at which the confidence changes."""
    while 0 < index < len(ordered) and ordered[index][0] == ordered[index - 1][0]:
        index += 1
    return index
