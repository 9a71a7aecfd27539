"""Comparing pairs: known values and what must hold for any data."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.paired import holm, mcnemar_exact, paired_difference, smallest_detectable


def binomial_tail(smaller: int, total: int) -> float:
    """The two-sided p-value by counting."""
    return min(1.0, 2 * sum(comb(total, k) for k in range(smaller + 1)) * 0.5**total)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemars_test_is_the_binomial_tail(one: int, other: int) -> None:
    expected = binomial_tail(min(one, other), one + other) if one + other else 1.0
    assert mcnemar_exact(one, other) == pytest.approx(expected, rel=1e-9)
    assert mcnemar_exact(one, other) == mcnemar_exact(other, one)


def test_mcnemars_published_example() -> None:
    assert mcnemar_exact(9, 1) == pytest.approx(0.021484, abs=1e-6)
    assert mcnemar_exact(0, 5) == pytest.approx(0.0625)


def test_thousands_of_flips_do_not_overflow() -> None:
    assert mcnemar_exact(5000, 5100) == pytest.approx(0.325, abs=0.005)
    assert mcnemar_exact(0, 20000) < 1e-300


@given(st.lists(st.floats(-1, 1), max_size=40))
def test_the_mean_difference_lies_in_its_interval(differences: list[float]) -> None:
    mean, interval = paired_difference(differences)
    assert (interval is None) == (len(differences) < 2)
    if interval is not None:
        assert min(differences) - 1e-9 <= interval[0] <= interval[1] <= max(differences) + 1e-9
        assert mean == pytest.approx(sum(differences) / len(differences))


def test_no_pairs_have_no_difference() -> None:
    assert paired_difference([]) == (0.0, None)
    assert smallest_detectable([0.5]) is None


def test_many_pairs_agree_with_few_in_spread() -> None:
    few = paired_difference([1.0, -1.0, 0.0, 0.5] * 1200)[1]
    many = paired_difference([1.0, -1.0, 0.0, 0.5] * 1300)[1]
    assert few is not None
    assert many is not None
    assert few == pytest.approx(many, abs=0.004)


def test_the_detectable_difference_shrinks_with_the_root_of_n() -> None:
    some, four_times = smallest_detectable([1.0, -1.0] * 50), smallest_detectable([1.0, -1.0] * 200)
    assert some is not None
    assert four_times is not None
    assert some / four_times == pytest.approx(2, rel=0.01)


def test_holms_published_example() -> None:
    adjusted = holm({"h1": 0.01, "h2": 0.04, "h3": 0.03, "h4": 0.005})
    assert adjusted == pytest.approx({"h1": 0.03, "h2": 0.06, "h3": 0.06, "h4": 0.02})
    assert list(adjusted) == ["h1", "h2", "h3", "h4"]


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=8))
def test_holms_correction_never_lowers_a_p_value_and_keeps_the_order(values: dict[str, float]) -> None:
    adjusted = holm(values)
    assert set(adjusted) == set(values)
    ordered = sorted(values, key=lambda key: values[key])
    assert [adjusted[key] for key in ordered] == sorted(adjusted[key] for key in ordered)
    for key, value in values.items():
        assert value <= adjusted[key] <= 1.0
