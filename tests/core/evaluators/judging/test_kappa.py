from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.evaluators.judging.kappa import cohens_kappa, fleiss_kappa


def test_cohens_kappa_of_the_textbook_table() -> None:
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    first, second = zip(*pairs, strict=True)
    assert cohens_kappa(first, second) == pytest.approx(0.4)


def test_fleiss_kappa_of_the_1971_example() -> None:
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    ratings = [[category for category, n in enumerate(row) for _ in range(n)] for row in table]
    assert fleiss_kappa(ratings) == pytest.approx(0.210, abs=0.001)


def test_what_is_undefined_is_none() -> None:
    assert cohens_kappa([], []) is None
    assert cohens_kappa([1, 1], [1, 1]) is None
    assert fleiss_kappa([]) is None
    assert fleiss_kappa([[1], [0]]) is None


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="same"):
        cohens_kappa([1], [])
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa([[1, 0], [1]])


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40))
def test_kappa_is_symmetric_and_at_most_one(pairs: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    one, other = cohens_kappa(first, second), cohens_kappa(second, first)
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one == pytest.approx(other)
        assert one <= 1


def test_fleiss_kappa_of_judges_who_agree_on_every_item_and_of_two_who_never_do() -> None:
    assert fleiss_kappa([[1, 1], [0, 0]]) == pytest.approx(1.0)
    assert fleiss_kappa([[1, 0], [0, 1]]) == pytest.approx(-1.0)
    assert fleiss_kappa([[1, 1, 0], [0, 0, 0]]) == pytest.approx(0.25)
    assert fleiss_kappa([[1, 1], [1, 1]]) is None
