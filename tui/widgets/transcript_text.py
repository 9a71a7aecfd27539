"""The parts of a transcript as text: cleaned once, cut into pieces, wrapped piece by piece when they come into sight."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rich.cells import cell_len, get_character_cell_size

from modex.tui.look.paint import Part
from modex.tui.look.text import shown

Span = tuple[int, int, str]
"""Start, end (exclusive) and role of a stretch of a block's text."""
Row = tuple[int, int]
"""Start and end (exclusive) of one painted row in a block's text."""
PIECE = 8192
"""Characters that are wrapped at once."""


# Printable all the same, yet dropped or replaced by `clean` and `shown`: variation selectors, tags, flags, skin tones.
_ODD = re.compile("[\ufe00-\ufe0f\U000e0000-\U000e0fff\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff]")


def tidy(text: str) -> str:
    """`text` cleaned, with newlines kept and tabs as spaces: what a block holds and a search looks in."""
    text = text.replace("\r\n", "\n").replace("\t", "    ").replace("\u2028", "\n").replace("\u2029", "\n")
    return "\n".join(
        line if line.isprintable() and (line.isascii() or not _ODD.search(line)) else shown(line)
        for line in text.split("\n")
    )


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A stretch of text in one role, with marked spans; `lead` stands before its first row."""

    text: str
    """Tidy text."""
    role: str = "text"
    indent: int = 2
    lead: tuple[Part, ...] = ()
    spans: tuple[Span, ...] = ()
    wraps: bool = True
    """Whether long lines are wrapped; else they are cut."""
    colours: tuple[Span, ...] = ()
    """What the text is made of, in order and apart from one another; under `spans`."""

    def colours_in(self, row: Row) -> Sequence[Span]:
        """The colours that touch a row."""
        first = bisect_right(self.colours, row[0], key=lambda span: span[1])
        last = bisect_left(self.colours, row[1], lo=first, key=lambda span: span[0])
        return self.colours[first:last]

    @property
    def hang(self) -> int:
        """Columns before the text."""
        return self.indent + sum(cell_len(text) for text, _ in self.lead)


@dataclass(slots=True, eq=False)
class Section:
    """A foldable part under a title."""

    key: str
    """The same for the same part of another sample, so that folding is kept."""
    title: str
    blocks: list[Block] = field(default_factory=list)
    source: str = ""
    """The stored text that is copied."""
    note: tuple[Part, ...] = ()
    """At the right end of the title."""
    folded: bool = False
    role: str = "title"
    hero: bool = False
    """Kept open by `fold all`."""
    markdown: bool = False
    """Whether `source` may be shown as Markdown."""
    kind: str = ""
    """What it is compared with in another transcript: a call of the same tools, for one; empty is its key."""
    alike: str = ""
    """What stands for its content when it is compared; empty is its text."""


def block(text: str, role: str = "text", *, lead: Sequence[Part] = (), indent: int = 2, wraps: bool = True) -> Block:
    """A block of data: cleaned here."""
    return Block(tidy(text).rstrip("\n"), role, indent, tuple(lead), wraps=wraps)


def marked(text: str, start: int, end: int, *, before: str, after: str, role: str = "mark") -> Block:
    """A block of `text` in which characters `start` to `end` stand between `before` and `after`, in `role`."""
    head, body, tail = tidy(text[:start]), tidy(text[start:end]), tidy(text[end:]).rstrip("\n")
    at = len(head)
    inside = f"{before}{body}{after}"
    return Block(head + inside + tail, spans=((at, at + len(inside), role),))


def pieces(text: str) -> Iterator[Row]:
    """Cut a text into stretches that are wrapped by themselves: at newlines, and in endless lines at a space."""
    at, length = 0, len(text)
    while length - at > PIECE * 3 // 2:
        cut = text.find("\n", at + PIECE, at + 2 * PIECE)
        if cut < 0:
            cut = text.rfind(" ", at + PIECE // 2, at + PIECE)
            if cut < 0:
                yield at, at + PIECE
                at += PIECE
                continue
        yield at, cut
        at = cut + 1
    yield at, length


def wrap(text: str, start: int, end: int, width: int) -> list[Row]:
    """The rows of `text[start:end]` at `width` columns: words kept whole where they fit, wide signs counted as two."""
    rows: list[Row] = []
    at = start
    while True:
        stop = text.find("\n", at, end)
        if stop < 0:
            stop = end
        if stop - at <= width // 2:
            rows.append((at, stop))
        elif text[at:stop].isascii():
            _wrap_narrow(text, at, stop, width, rows)
        else:
            _wrap_wide(text, at, stop, width, rows)
        if stop >= end:
            return rows
        at = stop + 1


def _wrap_narrow(text: str, at: int, stop: int, width: int, rows: list[Row]) -> None:
    while stop - at > width:
        cut = text.rfind(" ", at, at + width + 1)
        if cut <= at or text[at:cut].isspace():
            rows.append((at, at + width))
            at += width
        else:
            rows.append((at, cut))
            at = cut + 1
    rows.append((at, stop))


def _wrap_wide(text: str, at: int, stop: int, width: int, rows: list[Row]) -> None:
    used, space, first = 0, -1, at
    index = at
    while index < stop:
        size = get_character_cell_size(text[index])
        if used + size > width and index > first:
            if space > first and not text[first:space].isspace():
                rows.append((first, space))
                first = space + 1
            else:
                rows.append((first, index))
                first = index
            used, space = cell_len(text[first:index]), -1
            continue
        if text[index] == " ":
            space = index
        used += size
        index += 1
    rows.append((first, stop))


def cut(text: str, start: int, end: int) -> list[Row]:
    """The rows of text that is not wrapped: its lines."""
    rows: list[Row] = []
    at = start
    while True:
        stop = text.find("\n", at, end)
        if stop < 0:
            rows.append((at, end))
            return rows
        rows.append((at, stop))
        at = stop + 1


def paint(text: str, row: Row, role: str, spans: Iterable[Span]) -> list[Part]:
    """One row as parts; a later span goes over an earlier one."""
    start, end = row
    over = [span for span in spans if span[0] < end and span[1] > start]
    if not over:
        return [(text[start:end], role)]
    edges = sorted({start, end, *(max(start, s) for s, _, _ in over), *(min(end, e) for _, e, _ in over)})
    parts: list[Part] = []
    for left, right in pairwise(edges):
        top = next((r for s, e, r in reversed(over) if s <= left and e >= right), role)
        parts.append((text[left:right], top))
    return parts
