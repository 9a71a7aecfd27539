"""Passes and failures that differ: tests and clusters, by exact enumeration."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.discordant import Discordant, mcnemar_exact, sign_permutation

NETS = st.lists(st.integers(-4, 4), min_size=1, max_size=9)


@given(st.integers(0, 30), st.integers(0, 30))
def test_clusters_of_one_test_are_tests(gained: int, lost: int) -> None:
    alone = Discordant(gained, lost)
    grouped = Discordant(0, 0, ((1, 1),) * gained + ((-1, 1),) * lost)
    assert grouped.p_value == pytest.approx(alone.p_value)
    assert grouped.evidence == pytest.approx(alone.evidence, abs=2e-3)


@given(NETS, st.integers(0, 3), st.integers(0, 3))
def test_the_permutation_counts_every_choice_of_signs(nets: list[int], gained: int, lost: int) -> None:
    units = [*nets, *[1] * gained, *[-1] * lost]
    total = abs(sum(units))
    signs = list(product((1, -1), repeat=len(units)))
    far = sum(abs(sum(s * abs(u) for s, u in zip(sign, units, strict=True))) >= total for sign in signs)
    found = Discordant(gained, lost, tuple((net, 5) for net in nets))
    assert found.p_value == pytest.approx(far / len(signs))


def test_very_many_clusters_have_the_p_value_of_the_exact_test() -> None:
    sizes = [1 + number % 7 for number in range(1200)]
    few, root = sizes[:150], math.sqrt(1200 / 150)
    near = sign_permutation(few, 60)
    assert sign_permutation(sizes, round(60 * root)) == pytest.approx(near, rel=0.05)


def test_ten_questions_on_one_text_are_one_piece_of_evidence() -> None:
    assert mcnemar_exact(10, 0) < 0.01
    one_text = Discordant(0, 0, ((10, 10),))
    assert (one_text.p_value, one_text.evidence < math.log(2)) == (1.0, True)


def test_evidence_is_the_same_for_gains_as_for_losses_beside_clusters_too() -> None:
    for gained, lost, clusters in ((2, 5, ((3, 4),)), (0, 3, ((1, 2), (-1, 5))), (4, 0, ((-2, 2),)), (6, 1, ())):
        turned = tuple((-net, number) for net, number in clusters)
        one, other = Discordant(gained, lost, clusters), Discordant(lost, gained, turned)
        assert one.evidence == pytest.approx(other.evidence)
        assert one.p_value == pytest.approx(other.p_value)
        assert one.gains is not other.gains
    assert (
        Discordant(0, 9, ((-2, 2),)).evidence
        > Discordant(0, 8, ((-2, 2),)).evidence
        > Discordant(1, 8, ((-2, 2),)).evidence
    )


def test_what_is_too_much_to_count_out_comes_near_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [9] * 10 + [1] * 40
    exact = {total: sign_permutation(sizes, total) for total in (0, 10, -10, 40, 90, 130)}
    monkeypatch.setattr("core.statistics.discordant._EXACT", 0)
    for total, value in exact.items():
        assert sign_permutation(sizes, total) == pytest.approx(value, abs=0.03)
    assert sign_permutation(sizes, 130) < 1e-4
    assert sign_permutation(sizes, 10) == sign_permutation(sizes, -10)


def test_as_much_gained_as_lost_is_no_gain() -> None:
    assert not Discordant(3, 3).gains
    assert not Discordant(2, 1, ((-2, 2),)).gains
    assert Discordant(3, 1, ((-2, 2),)).gains
