"""Several epochs of the same test: pass@k, pass^k, flakiness."""

from __future__ import annotations

from math import comb


def pass_at_k(passed: int, total: int, k: int) -> float | None:
    """The unbiased chance that at least one of `k` tries passes (Chen et al. 2021, eq. 1); None where k > total."""
    if k > total or k < 1:
        return None
    return 1.0 - comb(total - passed, k) / comb(total, k)


def pass_hat_k(passed: int, total: int, k: int) -> float | None:
    """The unbiased chance that all of `k` tries pass (Yao et al. 2024, τ-bench); None where k > total."""
    if k > total or k < 1:
        return None
    return comb(passed, k) / comb(total, k)


def is_flaky(passed: int, total: int) -> bool:
    """Whether some tries passed and some did not."""
    return 0 < passed < total
