"""How the pieces of the matrix are painted: titles, names, cells, totals."""

from __future__ import annotations

from dataclasses import dataclass

from textual.strip import Strip

from modex.core.store.bounds import Ends
from modex.core.store.tallies import CellTally
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Part, strip
from modex.tui.look.text import fit
from modex.tui.look.theme import Palette
from modex.tui.reading.run import MatrixRow
from modex.tui.widgets.marks import ORDER, painted
from modex.tui.widgets.matrix_layout import MatrixLayout

SCORE = 3
_TOTAL = 5
"""Two spaces and a score."""


def column_width(layout: MatrixLayout, index: int, levels: int) -> int:
    """The width of the names (-2), a level (0 and on) or the totals (-1); 0 where there is no such column."""
    if index == -2:
        return 1 + layout.name
    if index == -1:
        return _TOTAL + layout.count + (layout.bar + 2 if layout.bar else 0)
    return layout.cell if index < levels else 0


@dataclass(frozen=True, slots=True)
class Canvas:
    """Paints lines of one column of `width`."""

    palette: Palette
    glyphs: Glyphs
    layout: MatrixLayout
    width: int

    def blank(self, text: str = "") -> Strip:
        """An empty line, or a remark."""
        return strip([(text, "faint")], self.palette, self.width)

    def title(self, index: int, levels: tuple[int, ...]) -> Strip:
        """What stands above a column."""
        if index == -2 or index >= len(levels):
            return self.blank()
        if index >= 0:
            return strip([(fit(str(levels[index]), self.width, "right"), "faint")], self.palette, self.width)
        bar = " " * (2 + self.layout.bar) if self.layout.bar else ""
        return strip([(bar, "text"), (fit("all", _TOTAL, "right"), "faint")], self.palette, self.width)

    def name(self, name: str, *, selected: bool, last: bool) -> Strip:
        """A domain's name, or the last row's."""
        role = "title" if selected else "muted" if last else "text"
        text = fit(name, self.layout.name, ellipsis=self.glyphs.ellipsis)
        return strip([(self.glyphs.bar if selected else " ", "bar"), (text, role)], self.palette, self.width)

    def cell(self, cell: CellTally | None, letters: str | None, ends: Ends = None, *, selected: bool) -> Strip:
        """A cell: its tests' signs where there is room, and its score; what is certain of it where some lack a verdict."""
        if cell is None:
            return self.blank()
        layout = self.layout
        body = layout.marks + 1 + SCORE if layout.marks else SCORE
        parts: list[Part] = []
        if layout.marks:
            counts = {status: getattr(cell, status) for status in ORDER}
            signs = painted(counts, letters, layout.marks, self.glyphs)
            parts += [*signs, (" " * (layout.marks + 1 - sum(len(text) for text, _ in signs)), "text")]
        forming = bool(cell.pending or cell.running)
        parts.append(self._score(cell.score, ends, forming=forming, errors=cell.error))
        return self._behind_gap(
            parts, body, self.palette.heated(ends[0] if ends and cell.scored else cell.score), selected=selected
        )

    def domain(self, row: MatrixRow, *, selected: bool) -> Strip:
        """A domain's bar (where levels have no columns), Weighted Score and number of scored tests."""
        layout = self.layout
        before: list[Part] = []
        if layout.bar:
            total = {status: sum(getattr(c, status) for c in row.cells if c) for status in ORDER}
            signs = painted(total, None, layout.bar, self.glyphs)
            spare = layout.bar - sum(len(text) for text, _ in signs)
            before = [("  ", "text"), *signs, (" " * spare, "text")]
        forming = any(cell.pending + cell.running for cell in row.cells if cell)
        sure = row.between[0] if row.between is not None else row.score
        heated = self.palette if layout.cell else self.palette.heated(sure)
        pieces = [
            strip([*before, ("  ", "text")], self.palette, self.width - SCORE - layout.count),
            strip([self._score(row.score, row.between, forming=forming)], heated, SCORE, selected=selected),
        ]
        if layout.count:
            said = fit(f"n {fmt.compact(row.scored)}", layout.count, "right")
            pieces.append(strip([(said, "faint")], self.palette, layout.count))
        return Strip.join(pieces)

    def _score(self, score: float | None, ends: Ends, *, forming: bool, errors: int = 0) -> Part:
        return score_part(score, ends, forming=forming, errors=errors, sign=self.glyphs.at_least)

    def total(self, score: float | None, ends: Ends = None, *, selected: bool, strong: bool) -> Strip:
        """The score of a level, or of everything; what is certain of it where some lack a verdict."""
        text = fit(fmt.hundred(score) if ends is None else sure_score(ends, self.glyphs.at_least), SCORE, "right")
        role = "faint" if score is None else "title" if strong else "text"
        if strong:
            before = strip((), self.palette, self.width - SCORE - self.layout.count)
            after = strip((), self.palette, self.layout.count)
            return Strip.join([before, strip([(text, role)], self.palette, SCORE, selected=selected), after])
        return self._behind_gap([(text, role)], SCORE, self.palette, selected=selected)

    def _behind_gap(self, parts: list[Part], body: int, palette: Palette, *, selected: bool) -> Strip:
        gap = strip((), self.palette, max(0, self.width - body))
        return Strip.join([gap, strip(parts, palette, body, selected=selected)])


def sure_score(ends: tuple[float, float], sign: str) -> str:
    """`≥83`: what a score is at least, rounded down: it is never 100."""
    return f"{sign}{min(99, int(100 * ends[0] + 1e-9))}"


def score_part(score: float | None, ends: Ends = None, *, forming: bool, errors: int = 0, sign: str = "≥") -> Part:
    """A score in three columns; dim while it forms. A cell of nothing but errors says so."""
    if score is None:
        return ("err", "error") if errors and not forming else ("  –", "faint")
    if ends is not None:
        return (fit(sure_score(ends, sign), SCORE, "right"), "muted" if forming else "text")
    return (fit(fmt.hundred(score), SCORE, "right"), "muted" if forming else "text")
