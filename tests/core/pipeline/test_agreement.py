"""How far judges agreed is told of the largest panel that judged together."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.pipeline.agreement import agreement, by_judge, votes_in
from modex.core.verdict import Vote, Votes, Weighted, WeightedPart
from tests.rows import each_row


def rated(**scores: float) -> dict[str, float]:
    return scores


@each_row(
    ("ratings", "told"),
    [
        ([], None),
        ([rated(a=1)], None),
        ([{}], None),
        ([rated(a=1, b=1), rated(a=0, b=0)], (["a", "b"], 2, 1.0, "Cohen's κ")),
        ([rated(a=1, b=0), rated(a=0, b=0), rated(a=1)], (["a", "b"], 2, 0.5, "Cohen's κ")),
        ([rated(a=1, b=1), rated(a=1, b=0), rated(a=1, b=1, c=0)], (["a", "b", "c"], 1, 0.0, "Fleiss' κ")),
        ([rated(a=1, b=1), rated(a=1, b=0), rated(a=1, c=0)], (["a", "b"], 2, 0.5, "Cohen's κ")),
        ([rated(a=1, b=1), rated(a=1, c=0)], (["a", "c"], 1, 0.0, "Cohen's κ")),
        (
            [rated(a=1, b=1, c=1), rated(a=1, b=1), rated(a=0, b=0, c=0), rated(a=1, b=1, c=0)],
            (["a", "b", "c"], 3, 2 / 3, "Fleiss' κ"),
        ),
    ],
)
def test_the_largest_panel_is_told_of_then_the_more_frequent_one(
    ratings: list[dict[str, float]], told: tuple[list[str], int, float, str] | None
) -> None:
    found = agreement(ratings)
    if told is None:
        assert found is None
    else:
        assert found is not None
        assert (found["panel"], found["n"], found["unanimous"], found["statistic"]) == told
        assert found["judges"] == len(told[0])


@pytest.mark.parametrize(
    ("ratings", "kappa"),
    [
        ([rated(a=1, b=1), rated(a=0, b=0), rated(a=1, b=0), rated(a=0, b=0)], 0.5),
        ([rated(a=1, b=1, c=1), rated(a=0, b=0, c=0)], 1.0),
    ],
)
def test_two_judges_are_told_by_cohen_and_more_by_fleiss(ratings: list[Any], kappa: float) -> None:
    found = agreement(ratings)
    assert found is not None
    assert found["kappa"] == pytest.approx(kappa)


def test_a_model_that_was_asked_twice_is_two_judges_and_one_without_a_verdict_none() -> None:
    votes = Votes((Vote("m", 1.0), Vote("m", None), Vote("n", 0.5), Vote("m", 0.0)))
    assert by_judge(votes) == {"m": 1.0, "n": 0.5, "m #3": 0.0}


def test_votes_within_a_verdict_of_several_evaluators_are_votes_too() -> None:
    one, two, three = Votes(why="1"), Votes(why="2"), Votes(why="3")
    deep = Weighted((WeightedPart(parts=(two, Weighted((WeightedPart(parts=(three,)),)))), WeightedPart()))
    assert [*votes_in((one, deep))] == [one, two, three]
