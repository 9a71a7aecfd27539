"""The matrix: domains × levels, each cell its tests' states and its score.

One widget a column: Textual sends a changed line from its widget's left edge on, so a changed cell costs its own
column and not the whole line. The titles stand still above, everything's scores below, domains scroll between.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from modex.core.store.bounds import Ends
from modex.tui.actions import bindings
from modex.tui.frame import painter
from modex.tui.reading.run import Matrix, MatrixRow
from modex.tui.widgets import matrix_paint as paint
from modex.tui.widgets.matrix_layout import MatrixLayout, lay_out, room_for

_NAMES, _TOTALS = -2, -1
_LEVELS, _MOST_LEVELS = 5, 10
_EDGES = 3
"""Lines that are not domains: the titles, a blank one, everything's scores."""


class MatrixColumn(Widget):
    """One column of the matrix; what it shows is painted by its view."""

    DEFAULT_CSS = """
    MatrixColumn { height: 100%; width: 0; }
    """
    ALLOW_SELECT = False

    def __init__(self, view: MatrixView, index: int) -> None:
        super().__init__()
        self._view, self._index = view, index

    def render_line(self, y: int) -> Strip:
        """One line."""
        return self._view.paint_line(self._index, y, self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Select or open what is under the mouse."""
        event.stop()
        self._view.clicked(max(-1, self._index), event.y)


class MatrixView(Widget, can_focus=True):
    """Shows a `Matrix`; the selection is a cell, a whole domain (column -1) or a whole level (the last row)."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("matrix")
    DEFAULT_CSS = """
    MatrixView { layout: horizontal; width: 1fr; height: auto; }
    """
    ALLOW_SELECT = False

    class Opened(Message):
        """The selection was opened; None means all of that direction."""

        def __init__(self, view: MatrixView, domain: str | None, level: int | None) -> None:
            super().__init__()
            self.view, self.domain, self.level = view, domain, level

        @property
        def control(self) -> MatrixView:
            """The matrix."""
            return self.view

    class Moved(Message):
        """Another cell is selected."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.matrix = Matrix()
        self.row, self.column = 0, 0
        self.leads = True
        """Whether the selection is drawn: of several matrices one has it."""
        self.placed: MatrixLayout = lay_out(self.matrix, 80)
        self._top = 0
        self._columns = {index: MatrixColumn(self, index) for index in (_NAMES, *range(_LEVELS), _TOTALS)}

    def compose(self) -> Iterable[Widget]:
        """Names, levels, totals."""
        return self._columns.values()

    # what the owner tells and asks

    def show(self, matrix: Matrix) -> None:
        """Show `matrix`; only cells that differ are repainted."""
        old, self.matrix = self.matrix, matrix
        layout = lay_out(matrix, max(1, self.size.width))
        if layout != self.placed or len(old.rows) != len(matrix.rows) or old.levels != matrix.levels:
            self._place()
            self.refresh(layout=True)
            return
        dirty: dict[int, list[int]] = {}
        for index, (before, after) in enumerate(zip(old.rows, matrix.rows, strict=True)):
            if before != after and (y := self._y_of(index)) is not None:
                for column in _changed(before, after, cells=layout.cell > 0):
                    dirty.setdefault(column, []).append(y)
        bottom = max(0, self.size.height - 1)
        for column, (one, other) in enumerate(zip(_levels(old), _levels(matrix), strict=True)):
            if one != other:
                dirty.setdefault(column, []).append(bottom)
        if (old.overall, old.bounds) != (matrix.overall, matrix.bounds):
            dirty.setdefault(_TOTALS, []).append(bottom)
        self._refresh(dirty)

    @property
    def selection(self) -> tuple[str | None, int | None]:
        """The selected domain and level; None means all."""
        domain = self.matrix.rows[self.row].domain if self.row < len(self.matrix.rows) else None
        level = self.matrix.levels[self.column] if 0 <= self.column < len(self.matrix.levels) else None
        return domain, level

    @property
    def lines(self) -> int:
        """How many lines everything takes."""
        return len(self.matrix.rows) + _EDGES

    @property
    def room(self) -> int:
        """How many columns it can use."""
        return room_for(self.matrix)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Every row, where the parent has room."""
        return self.lines

    # moving

    def select(self, row: int, column: int) -> None:
        """Select a cell; out of range goes to the edge."""
        row = max(0, min(len(self.matrix.rows), row))
        first = -1 if row < len(self.matrix.rows) and self.placed.cell else 0
        column = max(first, min(len(self.matrix.levels) - 1, column))
        if (row, column) == (self.row, self.column):
            return
        before, self.row, self.column = self.row, row, column
        if self._scroll_to_row(row):
            self._refresh_all()
        else:
            self._refresh_rows(before, row)
        self.post_message(self.Moved())

    def action_move(self, columns: int, rows: int) -> None:
        """Move the selection."""
        self.select(self.row + rows, self.column + columns)

    def action_edge(self, direction: int) -> None:
        """Go to the first or last row."""
        self.select(0 if direction < 0 else len(self.matrix.rows), self.column)

    def action_open(self) -> None:
        """Open the selection."""
        if self.matrix.rows:
            self.post_message(self.Opened(self, *self.selection))

    def clicked(self, column: int, y: int) -> None:
        """The mouse selects; a click on the selection opens it."""
        row = self._row_at(y)
        if row is None:
            return
        if (row, column) == (self.row, self.column):
            self.action_open()
        else:
            self.select(row, column)

    def on_focus(self) -> None:
        """The selection is drawn stronger."""
        self._refresh_rows(self.row)

    def on_blur(self) -> None:
        """The selection is drawn weaker."""
        self._refresh_rows(self.row)

    def lead(self, leads: bool) -> None:
        """Draw the selection, or leave it to another matrix."""
        if leads != self.leads:
            self.leads = leads
            self._refresh_rows(self.row)

    # places

    @property
    def _room(self) -> int:
        """Lines for domains."""
        return max(0, self.size.height - _EDGES)

    def _y_of(self, row: int) -> int | None:
        """The line where a row stands, None where it is out of sight."""
        if row >= len(self.matrix.rows):
            return max(0, self.size.height - 1)
        y = row - self._top + 1
        return y if 1 <= y <= self._room else None

    def _row_at(self, y: int) -> int | None:
        if y == self.size.height - 1:
            return len(self.matrix.rows)
        row = y - 1 + self._top
        return row if 1 <= y <= self._room and row < len(self.matrix.rows) else None

    def _scroll_to_row(self, row: int) -> bool:
        """Bring a row into sight; whether that moved the others."""
        before, last = self._top, max(0, len(self.matrix.rows) - self._room)
        if row < len(self.matrix.rows):
            # Before its first layout it has no room at all, where even the first row would be scrolled out of sight.
            self._top = max(min(self._top, row), row - max(1, self._room) + 1)
        self._top = max(0, min(self._top, last))
        return self._top != before

    def on_resize(self) -> None:
        """Lay out for the new size."""
        self._place()

    def _place(self) -> None:
        """Give every column its width."""
        layout = self.placed = lay_out(self.matrix, max(1, self.size.width))
        more = [index for index in range(min(_MOST_LEVELS, len(self.matrix.levels))) if index not in self._columns]
        if more and self.is_attached:  # suites have five levels, mostly; further columns come when there are more
            added = {index: MatrixColumn(self, index) for index in more}
            self.mount(*added.values(), before=self._columns[_TOTALS])
            self._columns |= added
        for index, column in self._columns.items():
            width = paint.column_width(layout, index, len(self.matrix.levels))
            column.styles.width = width
            column.display = width > 0
        self.row = min(self.row, len(self.matrix.rows))
        self._scroll_to_row(self.row)
        self._refresh_all()

    # painting

    def _refresh_all(self) -> None:
        for column in self._columns.values():
            column.refresh()

    def _refresh_rows(self, *rows: int) -> None:
        lines = [y for row in set(rows) if (y := self._y_of(row)) is not None]
        self._refresh(dict.fromkeys(self._columns, lines))

    def _refresh(self, dirty: dict[int, list[int]]) -> None:
        for index, lines in dirty.items():
            column = self._columns.get(index)
            if column is not None and lines and column.size.width:
                column.refresh(*(Region(0, y, column.size.width, 1) for y in lines))

    def paint_line(self, index: int, y: int, width: int) -> Strip:
        """Line `y` of column `index`."""
        frame, rows = painter(self), self.matrix.rows
        canvas = paint.Canvas(frame.palette, frame.glyphs, self.placed, width)
        row = self._row_at(y)
        if not width or index >= len(self.matrix.levels) or not rows:
            return canvas.blank()
        if y == 0:
            return canvas.title(index, self.matrix.levels)
        if row is None:
            hidden = len(rows) - self._room - self._top
            more = f" {hidden} more" if index == _NAMES and hidden > 0 and y == self.size.height - 2 else ""
            return canvas.blank(more)
        here = self.leads and row == self.row
        strong = here and self.has_focus
        if index == _NAMES:
            return canvas.name(rows[row].domain if row < len(rows) else "all", selected=here, last=row == len(rows))
        if row == len(rows):
            score, ends = (self.matrix.overall, self.matrix.bounds) if index == _TOTALS else _levels(self.matrix)[index]
            return canvas.total(score, ends, selected=strong and index == self.column, strong=index == _TOTALS)
        found = rows[row]
        if index == _TOTALS:
            return canvas.domain(found, selected=strong and (self.column < 0 or not self.placed.cell))
        ends = found.ends[index] if found.ends else None
        return canvas.cell(found.cells[index], found.marks[index], ends, selected=strong and index == self.column)


def _levels(matrix: Matrix) -> list[tuple[float | None, Ends]]:
    """Each level's score, and what samples without a verdict leave it between."""
    ends = matrix.level_bounds or (None,) * len(matrix.level_scores)
    return list(zip(matrix.level_scores, ends, strict=True))


def _changed(before: MatrixRow, after: MatrixRow, *, cells: bool) -> list[int]:
    """The columns in which two states of a row differ."""
    found = [_TOTALS]
    if before.domain != after.domain:
        found.append(_NAMES)
    if cells:
        none = (None,) * len(before.cells)
        ends = zip(before.ends or none, after.ends or none, strict=True)
        both = zip(before.cells, after.cells, before.marks, after.marks, ends, strict=True)
        found += [
            index for index, (a, b, one, other, (was, now)) in enumerate(both) if a != b or one != other or was != now
        ]
    return found
