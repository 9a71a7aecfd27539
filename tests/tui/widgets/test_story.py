from __future__ import annotations

import pytest

from tui.look.paint import Line
from tui.widgets.story import Chapter, told


def _items(*names: str) -> list[Line]:
    return [[(name, "text")] for name in names]


FOUND = [Chapter("why", _items("a", "b", "c")), Chapter("slowest", _items("x", "y"))]


def _text(lines: list[Line]) -> list[list[str]]:
    return ["".join(text for text, _ in line).split() for line in lines]


@pytest.mark.parametrize(
    ("room", "lines"),
    [
        (0, []),
        (1, [["why", "a", "b", "c"]]),
        (2, [["why", "a", "b", "c"], ["slowest", "x", "y"]]),
        (3, [["why", "a"], ["b", "c"], ["slowest", "x", "y"]]),
        (5, [["why", "a"], ["b"], ["c"], ["slowest", "x"], ["y"]]),
        (9, [["why", "a"], ["b"], ["c"], ["slowest", "x"], ["y"]]),
    ],
)
def test_every_subject_has_a_line_before_one_has_two(room: int, lines: list[list[str]]) -> None:
    assert _text(told(FOUND, 60, room)) == lines


def test_what_does_not_fit_beside_is_left_out_whole() -> None:
    assert _text(told(FOUND[:1], 18, 1)) == [["why", "a", "b"]]
