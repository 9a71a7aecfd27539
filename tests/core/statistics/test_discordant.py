"""Passes and failures that differ: tests and clusters, by exact enumeration."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.statistics.discordant import Discordant, mcnemar_exact, sign_permutation
from tests.rows import each_row

NETS = st.lists(st.integers(-4, 4), min_size=1, max_size=6)


@each_row(("gained", "lost"), [(0, 0), (1, 0), (0, 1), (5, 2), (7, 30), (30, 30), (29, 0)])
def test_clusters_of_one_test_are_tests(gained: int, lost: int) -> None:
    alone = Discordant(gained, lost)
    grouped = Discordant(0, 0, ((1, 1),) * gained + ((-1, 1),) * lost)
    assert grouped.p_value == pytest.approx(alone.p_value)
    assert grouped.evidence == pytest.approx(alone.evidence, abs=2e-3)


@given(NETS, st.integers(0, 2), st.integers(0, 2))
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
    monkeypatch.setattr("modex.core.statistics.discordant._EXACT", 0)
    for total, value in exact.items():
        assert sign_permutation(sizes, total) == pytest.approx(value, abs=0.03)
    assert sign_permutation(sizes, 130) < 1e-4
    assert sign_permutation(sizes, 10) == sign_permutation(sizes, -10)


def test_as_much_gained_as_lost_is_no_gain() -> None:
    assert not Discordant(3, 3).gains
    assert not Discordant(2, 1, ((-2, 2),)).gains
    assert Discordant(3, 1, ((-2, 2),)).gains


def integrated(values: list[Fraction]) -> float:
    """The logarithm of ½∫Π(1 + λx)dλ from −1 to 1: a polynomial, exactly."""
    terms = [Fraction(1)]
    for value in values:
        terms = [
            (terms[power] if power < len(terms) else Fraction(0)) + (value * terms[power - 1] if power else 0)
            for power in range(len(terms) + 1)
        ]
    return math.log(sum(term / (power + 1) for power, term in enumerate(terms) if power % 2 == 0))


@each_row(
    ("gained", "lost", "clusters"),
    [
        (0, 0, ((3, 4),)), (4, 1, ((1, 2), (-1, 5), (2, 3))), (0, 7, ((-2, 2), (0, 9))), (9, 0, ((5, 6),) * 6),
        (3, 3, ()), (12, 1, ()), (0, 0, ()), (0, 0, ((0, 4),)),
    ],
)  # fmt: skip
def test_evidence_is_the_integral_over_all_bets(gained: int, lost: int, clusters: tuple[tuple[int, int], ...]) -> None:
    bets = [Fraction(1)] * gained + [Fraction(-1)] * lost + [Fraction(net, number) for net, number in clusters]
    found = Discordant(gained, lost, clusters)
    assert found.evidence == pytest.approx(integrated(bets), abs=2e-3)
    assert found.gains is (sum(bets) > 0)


def test_the_largest_ten_are_gone_through_where_there_are_too_many_to_count_and_the_rest_is_normal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("modex.core.statistics.discordant._EXACT", 0)
    sizes = [3, 9, 1, 2, 9, 5, 4, 1, 8, 2, 7, 6, 1, 9, 9]
    largest, rest = sorted(sizes)[5:], sorted(sizes)[:5]
    spread = NormalDist(0, math.sqrt(sum(size * size for size in rest)))
    for total in (0, 3, 20, -46, 76):
        sums = [sum(s * size for s, size in zip(signs, largest, strict=True)) for signs in product((1, -1), repeat=10)]
        beyond = sum(1 - spread.cdf(abs(total) - one) for one in sums) / 2**10
        assert sign_permutation(sizes, total) == pytest.approx(min(1.0, 2 * beyond), rel=1e-9)


def test_so_many_units_are_counted_out_exactly() -> None:
    assert sign_permutation([1] * 271, 31) == pytest.approx(mcnemar_exact(120, 151), rel=1e-9)
    assert sign_permutation([1] * 272, 32) != pytest.approx(mcnemar_exact(120, 152), rel=1e-3)
    assert sign_permutation([2, 2], 0) == sign_permutation([3, 1], 2) == 1.0


def test_nothing_that_differs_says_nothing() -> None:
    assert Discordant() == Discordant(0, 0, ())
    assert (Discordant().p_value, Discordant().evidence, Discordant().gains) == (1.0, 0.0, False)
    assert Discordant(3, 1, ((0, 5),)).p_value == mcnemar_exact(3, 1)


def test_thousands_of_tests_beside_clusters_overflow_nothing() -> None:
    many = Discordant(5000, 40, ((1, 2),)).evidence
    assert many == pytest.approx(Discordant(5000, 40).evidence, rel=0.01)
    assert Discordant(40, 5000, ((-1, 2),)).evidence == pytest.approx(many)
