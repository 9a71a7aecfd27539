"""pass@k and pass^k, against counting all choices."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.statistics.epochs import ScoredEpochs, is_flaky, pass_at_k, pass_hat_k, repeated
from tests.rows import each_row


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(1, n))))
def test_both_are_the_share_of_all_choices(counts: tuple[int, int, int]) -> None:
    passed, total, k = counts
    tries = [index < passed for index in range(total)]
    chosen = list(combinations(tries, k))
    assert pass_at_k(passed, total, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))
    assert pass_hat_k(passed, total, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


def test_the_published_example() -> None:
    assert pass_at_k(3, 10, 5) == pytest.approx(11 / 12)


@pytest.mark.parametrize("k", [0, 4])
def test_more_tries_than_there_were_have_no_value(k: int) -> None:
    assert pass_at_k(1, 3, k) is None
    assert pass_hat_k(1, 3, k) is None


@each_row(("passed", "total", "flaky"), [(0, 3, False), (1, 3, True), (3, 3, False), (0, 0, False)])
def test_flaky_is_neither_always_nor_never(passed: int, total: int, flaky: bool) -> None:
    assert is_flaky(passed, total) is flaky


def test_a_test_counts_for_every_k_that_it_has_enough_tries_for() -> None:
    found = repeated([ScoredEpochs(1, 1), ScoredEpochs(0, 2), ScoredEpochs(0, 0)])
    assert (found.tests, found.epochs, found.flaky) == (2, 3, 0)
    assert (found.n, found.pass_at, found.pass_hat) == ({1: 2, 2: 1}, {1: 0.5, 2: 0.0}, {1: 0.5, 2: 0.0})
    assert repeated([]).pass_at == {}
