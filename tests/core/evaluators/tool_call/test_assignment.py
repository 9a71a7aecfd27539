"""The heaviest matching, against all matchings tried one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from modex.core.evaluators.tool_call.assignment import best_assignment, best_in_order

MATRICES = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda size: st.lists(
        st.lists(st.sampled_from([0, 0, 1, 2, 3, 5]), min_size=size[1], max_size=size[1]),
        min_size=size[0],
        max_size=size[0],
    )
)


def matchings(weights: list[list[int]]) -> Iterator[dict[int, int]]:
    """Every choice of pairs with a weight in which no row and no column stands twice."""
    pairs = [(r, c) for r, row in enumerate(weights) for c, weight in enumerate(row) if weight]
    for count in range(min(len(weights), len(weights[0])) + 1):
        for chosen in combinations(pairs, count):
            if len({r for r, _ in chosen}) == len({c for _, c in chosen}) == count:
                yield dict(chosen)


def worth(weights: list[list[int]], matching: dict[int, int]) -> int:
    return sum(weights[r][c] for r, c in matching.items())


def in_order(matching: dict[int, int], turns: Sequence[int]) -> bool:
    columns = [turns[matching[row]] for row in sorted(matching)]
    return all(one < other for one, other in pairwise(columns))


@given(MATRICES)
def test_no_matching_is_heavier_than_the_best(weights: list[list[int]]) -> None:
    best = best_assignment(weights)
    every = list(matchings(weights))
    assert best in every
    assert worth(weights, best) == max(worth(weights, one) for one in every)


@given(MATRICES, st.data())
def test_no_matching_in_order_is_heavier_than_the_best_in_order(weights: list[list[int]], data: st.DataObject) -> None:
    columns = len(weights[0])
    turns = sorted(data.draw(st.lists(st.integers(0, 3), min_size=columns, max_size=columns)))
    for given_turns, order in ((None, range(columns)), (turns, turns)):
        best = best_in_order(weights, given_turns)
        every = [one for one in matchings(weights) if in_order(one, order)]
        assert best in every
        assert worth(weights, best) == max(worth(weights, one) for one in every)


def test_among_equals_the_earlier_row_and_column_are_taken() -> None:
    assert best_in_order([[1, 1], [1, 1]]) == {0: 0, 1: 1}
    assert best_in_order([[1], [1]]) == {0: 0}
    assert best_in_order([[0, 2, 2]]) == {0: 1}


def test_where_nothing_stands_nothing_is_matched() -> None:
    assert best_assignment([]) == best_in_order([]) == {}
    assert best_assignment([[], []]) == best_in_order([[], []]) == {}
    assert best_assignment([[0, 0]]) == best_in_order([[0, 0]]) == {}
