"""Where every row of a transcript stands: exact for what was in sight, estimated for what was not yet."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from modex.tui.widgets.transcript_text import Block, Row, Section, cut, pieces, wrap

_EXACT = 64_000
"""Characters that are wrapped at once, so that most transcripts never hold an estimate."""


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A place in the text, which stays the same when the width changes: a character of a block, or a title."""

    section: int
    block: int = -1
    """-1 is the section's title."""
    offset: int = 0


@dataclass(slots=True, eq=False)
class _Piece:
    """A title, a stretch of a block, or an empty row (`block` is None and `section` is -1)."""

    section: int
    number: int
    block: Block | None
    start: int
    end: int
    height: int
    rows: list[Row] | None = None


@dataclass(frozen=True, slots=True)
class LaidRow:
    """What stands on a row: a section's title, or a row of a block; an empty row has neither."""

    section: int
    block: Block | None = None
    number: int = -1
    row: Row = (0, 0)
    leads: bool = False
    """Whether it is the block's first row."""


class Layout:
    """The rows of `sections` at `width` columns."""

    def __init__(self, sections: Sequence[Section], width: int) -> None:
        self.sections = sections
        self.width = max(8, width)
        self._pieces: list[_Piece] = []
        self._tops: list[int] = [0]
        budget = _EXACT
        for number, section in enumerate(sections):
            self._pieces.append(_Piece(number, -1, None, 0, 0, 1))
            if section.folded:
                continue
            for place, item in enumerate(section.blocks):
                for start, end in pieces(item.text):
                    piece = _Piece(number, place, item, start, end, 1)
                    budget -= end - start
                    if budget > 0:
                        self._measure(piece)
                    else:
                        piece.height = self._estimate(item, start, end)
                    self._pieces.append(piece)
            if section.blocks:
                self._pieces.append(_Piece(-1, -1, None, 0, 0, 1))
        self._add_up()

    @property
    def height(self) -> int:
        """All rows, some of them estimated."""
        return self._tops[-1]

    def settle(self, top: int, bottom: int, anchor: int) -> int:
        """Make rows `top` to `bottom` exact; how many rows that added (negative: took away) above the piece at `anchor`."""
        if not self._pieces:
            return 0
        first, last, here = self._index(top), self._index(bottom), self._index(anchor)
        shift = 0
        changed = False
        for index in range(first, last + 1):
            piece = self._pieces[index]
            if piece.rows is None and piece.block is not None:
                before = piece.height
                self._measure(piece)
                changed = changed or piece.height != before
                if index < here:
                    shift += piece.height - before
        if changed:
            self._add_up()
        return shift

    def at(self, y: int) -> LaidRow:
        """What stands on row `y`."""
        if not self._pieces:
            return LaidRow(-1)
        index = self._index(y)
        piece = self._pieces[index]
        if piece.block is None:
            return LaidRow(piece.section)
        self._exact(index)
        rows = piece.rows or [(piece.start, piece.end)]
        number = max(0, min(len(rows) - 1, y - self._tops[index]))
        leads = number == 0 and piece.start == 0
        return LaidRow(piece.section, piece.block, piece.number, rows[number], leads)

    def place(self, y: int) -> TextPlace:
        """The place in the text of row `y`; an empty row belongs to the part before it."""
        y = max(0, min(self.height - 1, y))
        found = self.at(y)
        if found.section < 0 and y > 0:
            return self.place(y - 1)
        return TextPlace(found.section, found.number, found.row[0])

    def y_of(self, place: TextPlace) -> int:
        """The row on which `place` stands; its section's title where that is folded."""
        title = 0
        for index, piece in enumerate(self._pieces):
            if piece.section != place.section:
                continue
            if piece.block is None:
                title = self._tops[index]
                if place.block < 0:
                    return title
            elif piece.number == place.block and piece.start <= place.offset <= piece.end:
                self._exact(index)
                rows = piece.rows or []
                below = bisect_right(rows, place.offset, key=lambda row: row[0]) - 1
                return self._tops[index] + max(0, below)
        return title

    def title_y(self, section: int) -> int:
        """The row of a section's title."""
        return self.y_of(TextPlace(section))

    def _index(self, y: int) -> int:
        return max(0, min(len(self._pieces) - 1, bisect_right(self._tops, y) - 1))

    def _exact(self, index: int) -> None:
        piece = self._pieces[index]
        if piece.rows is None and piece.block is not None:
            before = piece.height
            self._measure(piece)
            if piece.height != before:
                self._add_up()

    def _measure(self, piece: _Piece) -> None:
        item = piece.block
        if item is None:
            return
        room = max(4, self.width - item.hang)
        if item.wraps:
            piece.rows = wrap(item.text, piece.start, piece.end, room)
        else:
            piece.rows = cut(item.text, piece.start, piece.end)
        piece.height = len(piece.rows)

    def _estimate(self, item: Block, start: int, end: int) -> int:
        lines = item.text.count("\n", start, end) + 1
        return max(lines, (end - start) // max(4, self.width - item.hang) + 1) if item.wraps else lines

    def _add_up(self) -> None:
        self._tops = [0, *accumulate(piece.height for piece in self._pieces)]
