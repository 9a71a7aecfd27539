"""Several epochs of the same test: pass@k, pass^k, flakiness.

pass@k: https://arxiv.org/abs/2107.03374, section 2.1; pass^k: https://arxiv.org/abs/2406.12045.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from statistics import fmean


def pass_at_k(passed: int, total: int, k: int) -> float | None:
    """The unbiased chance that at least one of `k` epochs passes (Chen et al. 2021, eq. 1); None where k > total."""
    if k > total or k < 1:
        return None
    return 1.0 - comb(total - passed, k) / comb(total, k)


def pass_hat_k(passed: int, total: int, k: int) -> float | None:
    """The unbiased chance that all of `k` epochs pass (Yao et al. 2024, τ-bench); None where k > total."""
    if k > total or k < 1:
        return None
    return comb(passed, k) / comb(total, k)


def is_flaky(passed: int, total: int) -> bool:
    """Whether some epochs passed and some did not."""
    return 0 < passed < total


@dataclass(frozen=True, slots=True)
class ScoredEpochs:
    """The scored epochs of one test."""

    passed: int
    total: int

    @property
    def flaky(self) -> bool:
        """See `is_flaky`."""
        return is_flaky(self.passed, self.total)


@dataclass(frozen=True, slots=True)
class Repeated:
    """What several epochs of each test say together."""

    tests: int
    """Those with at least one scored epoch."""
    epochs: int
    flaky: int
    """Tests of which some epochs passed and some did not."""
    pass_at: dict[int, float]
    """pass@k by k: the mean over the tests that have at least k scored epochs."""
    pass_hat: dict[int, float]
    """pass^k by k, over the same tests."""
    n: dict[int, int]
    """How many tests those are, by k."""


def repeated(tests: Iterable[ScoredEpochs]) -> Repeated:
    """Sum up the epochs of each test; each test counts once, whatever its weight."""
    known = [one for one in tests if one.total]
    most = max((one.total for one in known), default=0)
    at: dict[int, float] = {}
    hat: dict[int, float] = {}
    n: dict[int, int] = {}
    for k in range(1, most + 1):
        enough = [one for one in known if one.total >= k]
        n[k] = len(enough)
        at[k] = fmean(value for one in enough if (value := pass_at_k(one.passed, one.total, k)) is not None)
        hat[k] = fmean(value for one in enough if (value := pass_hat_k(one.passed, one.total, k)) is not None)
    return Repeated(len(known), sum(one.total for one in known), sum(one.flaky for one in known), at, hat, n)
