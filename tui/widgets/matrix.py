"""The matrix: domains × levels, each cell its tests' states and its score, painted as one widget."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from core.store.tallies import CellTally
from tui import format as fmt
from tui.actions import bindings
from tui.frame import painter
from tui.paint import Part, strip
from tui.run_feed import Matrix, MatrixRow
from tui.text import fit
from tui.widgets.marks import ORDER, painted
from tui.widgets.matrix_layout import MatrixLayout, lay_out

_HEADER = 1
_FOOTER = 2
"""A blank line and the levels' own scores."""


class MatrixView(ScrollView, can_focus=True):
    """Shows a `Matrix`; the selection is a cell, a whole domain (column -1) or a whole level (the last row)."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("matrix")
    DEFAULT_CSS = """
    MatrixView { width: 1fr; height: auto; overflow-x: hidden; scrollbar-size-vertical: 1; }
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
        self._layout_now: MatrixLayout = lay_out(self.matrix, 80)

    # what the owner tells and asks

    def show(self, matrix: Matrix) -> None:
        """Show `matrix`; only rows that differ are repainted."""
        old, self.matrix = self.matrix, matrix
        layout = lay_out(matrix, max(1, self.size.width))
        if layout != self._layout_now or len(old.rows) != len(matrix.rows) or old.levels != matrix.levels:
            self._layout_now = layout
            self._resized()
            self.refresh(layout=True)
            return
        changed = [_HEADER + i for i, (a, b) in enumerate(zip(old.rows, matrix.rows, strict=True)) if a != b]
        if old.level_scores != matrix.level_scores or old.overall != matrix.overall:
            changed.append(_HEADER + len(matrix.rows) + 1)
        self._refresh_lines(changed)

    @property
    def selection(self) -> tuple[str | None, int | None]:
        """The selected domain and level; None means all."""
        domain = self.matrix.rows[self.row].domain if self.row < len(self.matrix.rows) else None
        level = self.matrix.levels[self.column] if 0 <= self.column < len(self.matrix.levels) else None
        return domain, level

    @property
    def lines(self) -> int:
        """How many lines everything takes."""
        return _HEADER + len(self.matrix.rows) + _FOOTER

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Every row, where the parent has room."""
        return self.lines

    # moving

    def select(self, row: int, column: int) -> None:
        """Select a cell; out of range goes to the edge."""
        row = max(0, min(len(self.matrix.rows), row))
        first = -1 if row < len(self.matrix.rows) else 0
        column = max(first, min(len(self.matrix.levels) - 1, column))
        if (row, column) == (self.row, self.column):
            return
        before = self._line_of(self.row)
        self.row, self.column = row, column
        self._reveal()
        self._refresh_lines([before, self._line_of(row), 0])
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

    def on_click(self, event: events.Click) -> None:
        """Select what is under the mouse; a click on the selection opens it."""
        line = event.y + self.scroll_offset.y if event.y else 0
        row = min(line - _HEADER, len(self.matrix.rows))
        column = self._layout_now.column_at(event.x)
        if line < _HEADER or column is None:
            return
        event.stop()
        if (row, column) == (self.row, self.column):
            self.action_open()
        else:
            self.select(row, column)

    def on_focus(self) -> None:
        """The selection is drawn stronger."""
        self._refresh_lines([self._line_of(self.row)])

    def on_blur(self) -> None:
        """The selection is drawn weaker."""
        self._refresh_lines([self._line_of(self.row)])

    def _line_of(self, row: int) -> int:
        return _HEADER + row + (1 if row >= len(self.matrix.rows) else 0)

    def _reveal(self) -> None:
        line, height, top = self._line_of(self.row), max(2, self.size.height), self.scroll_offset.y
        if line - _HEADER < top:
            self.scroll_to(y=line - _HEADER, animate=False, immediate=True)
        elif line >= top + height:
            self.scroll_to(y=line - height + 1, animate=False, immediate=True)

    # painting

    def on_resize(self) -> None:
        """Lay out for the new width."""
        self._layout_now = lay_out(self.matrix, max(1, self.size.width))
        self._resized()
        self.refresh()

    def _resized(self) -> None:
        self.virtual_size = Size(self.size.width, self.lines)
        self._reveal()

    def _refresh_lines(self, lines: list[int]) -> None:
        top = self.scroll_offset.y
        regions = [Region(0, line - top if line else 0, self.size.width, 1) for line in set(lines)]
        if regions := [region for region in regions if 0 <= region.y < self.size.height]:
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:
        """The levels stand still on top; domains scroll under them; the levels' scores come last."""
        frame = painter(self)
        line = y + self.scroll_offset.y if y else 0
        index = line - _HEADER
        if line == 0:
            parts = self._header()
        elif index < len(self.matrix.rows):
            return self._paint_row(self.matrix.rows[index], selected=self.leads and index == self.row)
        elif index == len(self.matrix.rows) + 1:
            return self._paint_levels(selected=self.leads and self.row == len(self.matrix.rows))
        else:
            parts = []
        return strip(parts, frame.palette, self.size.width)

    def _header(self) -> list[Part]:
        layout = self._layout_now
        parts: list[Part] = [(" " * (1 + layout.name), "text")]
        if layout.cell:
            for level in self.matrix.levels:
                parts.append((fit(str(level), layout.cell, "right"), "faint"))
        elif layout.bar:
            parts.append((" " * (2 + layout.bar), "text"))
        parts.append((fit("all", 5, "right"), "faint"))
        return parts

    def _paint_row(self, row: MatrixRow, *, selected: bool) -> Strip:
        frame, layout = painter(self), self._layout_now
        strong = selected and self.has_focus
        name_role = "title" if selected else "text"
        parts: list[Part] = [
            (frame.glyphs.bar if selected else " ", "bar"),
            (fit(row.domain, layout.name, ellipsis=frame.glyphs.ellipsis), name_role),
        ]
        pieces = [strip(parts, frame.palette, 1 + layout.name)]
        if layout.cell:
            for index, (cell, letters) in enumerate(zip(row.cells, row.marks, strict=True)):
                pieces.append(self._paint_cell(cell, letters, selected=strong and index == self.column))
        elif layout.bar:
            total = {status: sum(getattr(c, status) for c in row.cells if c) for status in ORDER}
            signs = painted(total, None, layout.bar, frame.glyphs)
            pieces.append(strip([("  ", "text"), *signs], frame.palette, 2 + layout.bar))
        forming = any(cell.pending + cell.running for cell in row.cells if cell)
        own: list[Part] = [("  ", "text"), _score_part(row.score, forming=forming)]
        chosen = strong and (self.column < 0 or not layout.cell)
        pieces.append(strip(own[:1], frame.palette, 2))
        pieces.append(strip(own[1:], frame.palette, 3, selected=chosen))
        if layout.count:
            pieces.append(
                strip(
                    [(fit(f"n {fmt.compact(row.scored)}", layout.count, "right"), "faint")], frame.palette, layout.count
                )
            )
        return _joined(pieces, self.size.width, frame.palette.style("text"))

    def _paint_cell(self, cell: CellTally | None, letters: str | None, *, selected: bool) -> Strip:
        frame, layout = painter(self), self._layout_now
        gap = strip((), frame.palette, layout.cell - (layout.marks + 4 if layout.marks else 3))
        if cell is None:
            return Strip.join([gap, strip((), frame.palette, layout.cell - gap.cell_length)])
        parts: list[Part] = []
        if layout.marks:
            counts = {status: getattr(cell, status) for status in ORDER}
            signs = painted(counts, letters, layout.marks, frame.glyphs)
            parts += [*signs, (" " * (layout.marks - sum(len(text) for text, _ in signs) + 1), "text")]
        parts.append(_score_part(cell.score, forming=bool(cell.pending or cell.running), errors=cell.error))
        return Strip.join([gap, strip(parts, frame.palette, layout.cell - gap.cell_length, selected=selected)])

    def _paint_levels(self, *, selected: bool) -> Strip:
        frame, layout = painter(self), self._layout_now
        strong = selected and self.has_focus
        parts: list[Part] = [
            (frame.glyphs.bar if selected else " ", "bar"),
            (fit("all", layout.name), "title" if selected else "muted"),
        ]
        pieces = [strip(parts, frame.palette, 1 + layout.name)]
        if layout.cell:
            for index, score in enumerate(self.matrix.level_scores):
                pieces.append(strip((), frame.palette, layout.cell - 3))
                painted_score = [_score_part(score, forming=False)]
                pieces.append(strip(painted_score, frame.palette, 3, selected=strong and index == self.column))
        elif layout.bar:
            pieces.append(strip((), frame.palette, 2 + layout.bar))
        pieces.append(
            strip([("  ", "text"), (fit(fmt.hundred(self.matrix.overall), 3, "right"), "title")], frame.palette, 5)
        )
        return _joined(pieces, self.size.width, frame.palette.style("text"))


def _score_part(score: float | None, *, forming: bool, errors: int = 0) -> Part:
    """A score in three columns; dim while it forms. A cell of nothing but errors says so."""
    if score is None:
        return ("err", "error") if errors and not forming else ("  –", "faint")
    return (fit(fmt.hundred(score), 3, "right"), "muted" if forming else "text")


def _joined(pieces: list[Strip], width: int, style: object) -> Strip:
    joined = Strip.join(pieces)
    return joined.crop(0, width) if joined.cell_length > width else joined.adjust_cell_length(width, style)  # type: ignore[arg-type]
