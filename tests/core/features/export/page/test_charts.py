"""Charts of a page, by the places of what they show."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from modex.core.features.export.page.charts import scatter, timeline


def _circles(drawn: str) -> list[tuple[str, float, float]]:
    found = re.findall(r'<circle class="(\w+)" cx="([\d.]+)" cy="([\d.]+)"', drawn)
    return [(kind, float(x), float(y)) for kind, x, y in found]


@pytest.mark.parametrize(
    ("points", "places"),
    [
        ([("a", 1.0, True)], [("here", 40.0, 10.0)]),
        (
            [("a", 0.0, False), ("b", 0.5, True), ("c", 1.0, False)],
            [("dot", 0.0, 100.0), ("here", 0.5, 55.0), ("dot", 1.0, 10.0)],
        ),
    ],
)
def test_scores_stand_from_the_first_to_the_last_and_from_none_to_all(
    points: Sequence[tuple[str, float, bool]], places: list[tuple[str, float, float]]
) -> None:
    found = _circles(timeline("t", points))
    last = found[-1][1]
    assert last == (40.0 if len(points) == 1 else 390.0)
    room = last - 40 if len(points) > 1 else 1
    assert [(kind, round((x - 40) / room, 6) if len(points) > 1 else x, y) for kind, x, y in found] == places


def test_lines_stand_where_all_half_and_none_of_the_score_are() -> None:
    named = [("a", 1.0, True), ("b", 0.5, False), ("c", 0.0, False)]
    for drawn in (timeline("t", named), scatter("s", [(name, 1.0, value) for name, value, _ in named])):
        lines = re.findall(r'<line class="grid" x1="\d+" x2="\d+" y1="([\d.]+)" y2="([\d.]+)"/>', drawn)
        assert [float(y) for pair in lines for y in pair] == [y for _, _, y in _circles(drawn) for _ in range(2)]
        assert re.findall(r'<text class="label"[^>]*>(\d+)<', drawn) == ["100", "50", "0"]


def test_costs_are_shares_of_the_greatest() -> None:
    found = _circles(scatter("s", [("a", 0.0, 1.0), ("b", 2.0, 0.5), ("c", 4.0, 0.0)]))
    assert [y for _, _, y in found] == [10.0, 95.0, 180.0]
    first, half, whole = (x for _, x, _ in found)
    assert first == 40.0
    assert half - 40 == pytest.approx((whole - 40) / 2)
    free = _circles(scatter("s", [("a", 0.0, 1.0)]))
    assert free == [("here", 40.0, 10.0)]
    assert "$1" in scatter("s", [("a", 0.0, 1.0)])
