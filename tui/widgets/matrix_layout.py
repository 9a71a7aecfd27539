"""How a matrix of domains × levels fits into a width: marks and scores, scores alone, or one bar a domain."""

from __future__ import annotations

from dataclasses import dataclass

from modex.tui.look.text import width_of
from modex.tui.reading.run import Matrix

_SCORE = 3
_GAP = 2
_MOST_MARKS = 30
_DOMAIN = _GAP + _SCORE
_COUNT = 7
"""Width of `  n 11`."""
_LEAST_ROOM = 100
"""What the lines above and below the matrix take, and from where on names are cut only at a quarter of the width."""


@dataclass(frozen=True, slots=True)
class MatrixLayout:
    """Where everything stands. Columns: bar, name, one per level, the domain's own."""

    width: int
    name: int
    marks: int
    """Signs a cell; 0 where a cell is only its score."""
    cell: int
    """Width of a level's column, its gap included; 0 where levels have no columns of their own."""
    levels: int
    count: int
    """Width of the column that says how many tests were scored; 0 where there is no room."""
    bar: int = 0
    """Signs of a domain's bar where levels have no columns."""


def lay_out(matrix: Matrix, width: int) -> MatrixLayout:
    """The best layout for `matrix` in `width` columns; it changes only with the width and the number of tests."""
    longest = max((width_of(row.domain) for row in matrix.rows), default=8)
    levels = max(1, len(matrix.levels))
    fullest = _fullest(matrix)
    count = _COUNT if width >= 72 else 0
    name = min(longest, max(8, width // 5 if width < 100 else width // 4))
    room = width - 1 - name - _DOMAIN - count - 1
    each = room // levels
    marks = min(each - _SCORE - 1 - _GAP, _MOST_MARKS, max(4, fullest))
    if marks >= 2:
        return MatrixLayout(width, name, marks, marks + _SCORE + 1 + _GAP, levels, count)
    if each >= _SCORE + 1:
        return MatrixLayout(width, name, 0, min(each, _SCORE + _GAP), levels, count)
    name = min(longest, max(4, width // 2))
    bar = max(0, min(width - 1 - name - _DOMAIN - 2, _MOST_MARKS))
    return MatrixLayout(width, name, 0, 0, levels, 0, bar)


def shows_as_much(one: MatrixLayout, other: MatrixLayout) -> bool:
    """Whether nothing of what `other` shows is missing in `one`."""
    pairs = ((one.name, other.name), (one.marks, other.marks), (one.cell, other.cell), (one.count, other.count))
    return all(mine >= theirs for mine, theirs in pairs)


def room_for(matrix: Matrix) -> int:
    """The width from which on more width changes nothing."""
    longest = max((width_of(row.domain) for row in matrix.rows), default=8)
    fullest = _fullest(matrix)
    marks = min(_MOST_MARKS, max(4, fullest))
    cells = max(1, len(matrix.levels)) * (marks + _SCORE + 1 + _GAP)
    return max(_LEAST_ROOM, 4 * longest, 1 + longest + _DOMAIN + _COUNT + 1 + cells)


def _fullest(matrix: Matrix) -> int:
    """The most signs that a cell has: one a test, where its tests are few."""
    both = ((cell, marks) for row in matrix.rows for cell, marks in zip(row.cells, row.marks, strict=True) if cell)
    return max((cell.total if marks is None else len(marks) for cell, marks in both), default=1)
