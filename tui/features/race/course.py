"""A difference and its bound as a small picture on a line, and a model's course through the looks of a race."""

from __future__ import annotations

from collections.abc import Sequence

from modex.tui.features.race.reading import Told
from modex.tui.frame import painter
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Line, Part
from modex.tui.widgets.lines import Lines

_FIGURES = 42
"""Columns of a look's figures, before its picture."""


def points(value: float) -> str:
    """A difference in points: `-13.3`, six columns."""
    return f"{100 * value:+.1f}".rjust(6)


def interval_picture(one: Told, width: int, reach: float, glyphs: Glyphs) -> list[Part]:
    """The bound as a line with the difference on it, over an axis from -`reach` to +`reach` with a stroke at 0."""

    def at(value: float) -> int:
        return round((max(-reach, min(reach, value)) + reach) / (2 * reach) * (width - 1))

    low, high, mark, zero = at(one.bound[0]), at(one.bound[1]), at(one.gap), at(0.0)
    role = "failed" if one.out else "running"
    parts: list[Part] = []
    for column in range(width):
        if column == mark:
            parts.append((glyphs.passed, role))
        elif column == zero:
            parts.append((glyphs.column, "text"))
        elif low <= column <= high:
            parts.append((glyphs.full, role))
        else:
            parts.append((" ", "text"))
    return parts


def reach_of(course: Sequence[Told]) -> float:
    """How far from 0 the axis goes: to where all but the first looks' bounds end, which are as wide as the scale."""
    ends = sorted(max(abs(one.bound[0]), abs(one.bound[1])) for one in course)
    return min(1.0, max(0.1, ends[len(ends) // 2] * 1.1)) if ends else 1.0


class RaceCourse(Lines):
    """The selected model, look by look, the last first."""

    DEFAULT_CSS = """
    RaceCourse { height: 1fr; margin: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="course")
        self._title = ""
        self._course: Sequence[Told] = ()
        self._empty = ""

    def tell(self, title: str, course: Sequence[Told], empty: str) -> None:
        """Show this course; `empty` stands where there is none."""
        self._title, self._course, self._empty = title, course, empty
        self.changed()

    def lines_for(self, width: int) -> list[Line]:
        """A line a look, as many as there is room for."""
        if not self._course:
            return [[(self._empty, "muted")]] if self._empty else []
        glyphs = painter(self).glyphs
        room = width - _FIGURES
        reach = reach_of(self._course)
        scale = f"{-100 * reach:.0f}" + " points ".center(max(0, room - 8)) + f"{100 * reach:+.0f}" if room > 20 else ""
        lines: list[Line] = [
            [(self._title, "muted")],
            [("look  tests    diff  bound".ljust(_FIGURES), "faint"), (scale[:room], "faint")],
        ]
        for one in reversed(self._course):
            low, high = (points(end).strip() for end in one.bound)
            words = f"{one.look:>4}  {one.tests:>5,}  {points(one.gap)}  {f'{low} to {high}':<17}"
            line: list[Part] = [(words.ljust(_FIGURES), "failed" if one.out else "text")]
            if room > 10:
                line += interval_picture(one, room, reach, glyphs)
            lines.append(line)
        return lines
