"""What a set of questions can decide: against the race's own rule, question by question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from modex.core.features.choose.showing import Asked, Showing, showing, showing_json, showing_words
from modex.core.statistics.moments import Gathered
from modex.core.statistics.paired import paired_difference
from modex.core.statistics.racing import LOOKS, look_at
from modex.core.suite.definitions import Location, TestCase

ONE = Asked(("d", 1))


def decided(gained: int, of: int, pairs: int = 1) -> bool:
    """Whether a race's last look decides, where one model is right on `gained` more."""
    gathered = Gathered()
    for place in range(of):
        gathered.add(("d", 1), float(place < gained), 1.0)
    found = paired_difference(*gathered.settled())
    return found is not None and look_at(found, found, found, LOOKS, pairs).decision == "better"


@pytest.mark.parametrize(("questions", "models"), [(9, 2), (10, 2), (20, 2), (100, 2), (20, 3), (50, 4)])
def test_the_least_is_where_the_race_begins_to_decide(questions: int, models: int) -> None:
    found = showing([ONE] * questions, models)
    pairs = models * (models - 1) // 2
    assert found.least is not None
    assert decided(found.least, questions, pairs)
    assert not decided(found.least - 1, questions, pairs)
    assert found.difference == pytest.approx(found.least / questions)
    assert (found.questions, found.units, found.cells, found.models) == (questions, questions, 1, models)


def test_what_is_needed_is_the_fewest_questions_that_can_decide_if_all_of_them_are_gained() -> None:
    found = showing([ONE] * 3, 2)
    assert (found.least, found.difference) == (None, None)
    assert decided(found.needed, found.needed)
    assert not decided(found.needed - 1, found.needed - 1)
    assert showing([ONE] * found.needed, 2).least is not None
    assert showing([ONE] * (found.needed - 1), 2).least is None
    assert showing([ONE] * 3, 3).needed > found.needed


def test_questions_of_a_cluster_are_one_unit() -> None:
    together = [Asked(("d", 1), cluster=str(place // 4)) for place in range(40)]
    found = showing(together, 2)
    assert (found.questions, found.units) == (40, 10)
    assert found.least == showing([ONE] * 10, 2).least
    assert "40 questions in 10 independent clusters" in showing_words(found)
    assert "right on 8 clusters" in showing_words(found)


def test_levels_weigh_differently_so_that_as_many_questions_over_several_decide_less() -> None:
    spread = [Asked(("d", 1 + place % 5)) for place in range(20)]
    found, alone = showing(spread, 2), showing([ONE] * 20, 2)
    assert found.cells == 5
    assert found.least is not None
    assert alone.least is not None
    assert found.least > alone.least
    none = showing(spread[:10], 2)
    assert none.least is None
    assert "10 questions of 5 cells" in showing_words(none)


def test_the_words_and_the_json() -> None:
    found = Showing(10, 2, 10, 1, 8, 0.8, 9)
    assert showing_words(found) == (
        "10 questions can decide between 2 models where one is ahead by 80 points or more: right on 8 questions that another"
        " misses, and never the other way round; less stays open"
    )
    assert showing_json(found) == {
        "questions": 10, "units": 10, "cells": 1, "least_units": 8, "least_points": 80.0, "needed": 9,
    }  # fmt: skip
    nothing = Showing(1, 2, 1, 1, None, None, 9)
    assert showing_words(nothing) == (
        "cannot tell: 1 question decides nothing between 2 models, whatever is answered; 9 of one level are the fewest that can"
    )
    assert showing_json(nothing)["least_points"] is None


def test_a_test_is_counted_by_its_cell_weight_and_cluster() -> None:
    plain = TestCase("s", "d", 3, "t", "p", "gold", "two_pass", Location("f"))
    assert Asked.of(plain) == Asked(("d", 3))
    assert Asked.of(replace(plain, weight=2.0, cluster="c")) == Asked(("d", 3), 2.0, "s//c")
