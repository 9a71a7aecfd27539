"""The item analysis finds a test that does not go with the rest, and the simulation of power what it was told to draw."""

from __future__ import annotations

import random

import pytest

from benchmarks.items import item_rest, models_apart, sizes

CELLS = {("a", 1): 10, ("a", 5): 10, ("b", 3): 10}


def test_a_test_that_only_the_weak_pass_goes_against_the_rest() -> None:
    models = range(11)
    scores = {
        str(model): {
            **{f"test {hard}": float(model > hard) for hard in range(1, 9)},
            "for the weak": float(model < 5),
            "for all": 1.0,
        }
        for model in models
    }
    found = item_rest(scores)
    assert found["for all"] is None
    assert found["for the weak"] is not None
    assert found["for the weak"] < 0
    assert all((found[f"test {hard}"] or 0.0) > 0.5 for hard in range(1, 9))


@pytest.mark.parametrize("points", [0.0, 5.0, 20.0])
def test_two_drawn_models_lie_as_far_apart_as_asked(points: float) -> None:
    draw = random.Random(7)
    found = []
    for _ in range(300):
        pairs = models_apart(draw, CELLS, points=points, same_luck=0.5, epochs=1)
        difference = pairs.settled().difference()
        assert difference is not None
        found.append(difference.difference)
    assert sum(found) / len(found) == pytest.approx(points / 100, abs=0.02)


def test_the_suites_own_cells_are_those_that_are_simulated() -> None:
    cells = sizes()
    assert {level for _, level in cells} == {1, 2, 3, 4, 5}
    assert min(size for (_, level), size in cells.items() if level >= 4) >= 10
