"""What a set of questions can decide between models at all, whatever is answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from modex.core.statistics.moments import Cell, Gathered
from modex.core.statistics.paired import paired_difference
from modex.core.statistics.racing import LOOKS, look_at
from modex.core.suite.definitions import TestCase

_MOST = 1000
"""Questions of one kind that are tried: the most pairs for which there is a boundary need a tenth of that."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a difference counts it."""

    cell: Cell
    weight: float = 1.0
    cluster: str | None = None

    @classmethod
    def of(cls, test: TestCase) -> Asked:
        """That of a test; one without its own cluster is in none."""
        cluster = None if test.cluster is None else f"{test.source}//{test.cluster}"
        return cls((test.domain, test.level), test.weight, cluster)


@dataclass(frozen=True, slots=True)
class Showing:
    """What a race over these questions can decide."""

    questions: int
    models: int
    units: int
    """Questions and clusters of questions, which are drawn independently."""
    cells: int
    """Domains' levels that they stand in."""
    least: int | None
    """Units by which one model must be ahead, none going the other way; None where nothing can be decided."""
    difference: float | None
    """The difference of the Weighted Scores then, 0 to 1: the smallest that can be shown."""
    needed: int
    """How many questions of one cell can decide anything."""


def showing(questions: Iterable[Asked], models: int) -> Showing:
    """What `questions` can decide between so many models at the last look of a race: where one is right on some that the
    other misses, and never the other way round.

    The order of the questions is the order in which they are gained, so that drawn ones stand for all.
    """
    found, pairs = list(questions), models * (models - 1) // 2
    units = list(dict.fromkeys(_unit(one, place) for place, one in enumerate(found)))
    cells = len({one.cell for one in found})

    def ahead(number: int) -> float | None:
        return _decided(found, set(islice(units, number)), pairs)

    least: int | None = None
    if ahead(len(units)) is not None:
        low, least = 0, len(units)
        while least - low > 1:
            middle = (low + least) // 2
            low, least = (low, middle) if ahead(middle) is not None else (middle, least)
    return Showing(
        len(found), models, len(units), cells, least, None if least is None else ahead(least), _needed(pairs)
    )


def _unit(one: Asked, place: int) -> str | int:
    return place if one.cluster is None else one.cluster


def _decided(questions: Sequence[Asked], gained: set[str | int], pairs: int) -> float | None:
    """The difference where these units are gained and the others are as before; None where it would not be decided."""
    gathered = Gathered()
    alone: Counter[tuple[Cell, float, bool]] = Counter()
    for place, one in enumerate(questions):
        ahead = _unit(one, place) in gained
        if one.cluster is None:
            alone[one.cell, one.weight, ahead] += 1
        else:
            gathered.add(one.cell, float(ahead), one.weight, one.cluster)
    for (cell, weight, ahead), number in alone.items():
        gathered.add(cell, float(ahead), weight, number=number)
    found = paired_difference(*gathered.settled())
    if found is None or look_at(found, found, found, LOOKS, pairs).decision != "better":
        return None
    return found.difference


def _needed(pairs: int) -> int:
    """The least number of questions of one cell that can decide anything."""
    cell = ("", 1)
    every = range(1, _MOST)
    return next(n for n in every if _decided([Asked(cell)] * n, set(range(n)), pairs) is not None)


def showing_words(found: Showing) -> str:
    """What the set can decide, in a sentence."""
    questions = f"{found.questions:,} question{'' if found.questions == 1 else 's'}"
    if found.units < found.questions:
        questions += f" in {found.units:,} independent clusters"
    if found.least is None or found.difference is None:
        decide = "decides" if found.questions == 1 else "decide"
        kinds = f" of {found.cells} cells (domain and level)" if found.cells > 1 else ""
        return (
            f"cannot tell: {questions}{kinds} {decide} nothing between {found.models} models, whatever is answered;"
            f" {found.needed} of one level are the fewest that can"
        )
    what = "questions" if found.units == found.questions else "clusters"
    return (
        f"{questions} can decide between {found.models} models where one is ahead by {100 * found.difference:.0f} points or more:"
        f" right on {found.least:,} {what} that another misses, and never the other way round; less stays open"
    )


def showing_json(found: Showing) -> dict[str, object]:
    """For `--json`; `least_points` is null where nothing can be decided."""
    return {
        "questions": found.questions,
        "units": found.units,
        "cells": found.cells,
        "least_units": found.least,
        "least_points": None if found.difference is None else 100 * found.difference,
        "needed": found.needed,
    }
