"""From pieces of text with roles to a `Strip`: the painting of every widget that draws its own lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip

from tui.text import shown
from tui.theme import Palette

Part = tuple[str, str]
"""Text and its role (see `tui.theme.Palette`)."""
Line = Sequence[Part]


def strip(parts: Iterable[Part], palette: Palette, width: int, *, selected: bool = False) -> Strip:
    """One line of exactly `width` columns; text is cleaned here, whatever it holds."""
    segments: list[Segment] = []
    length = 0
    for text, role in parts:
        safe = shown(text)
        segments.append(Segment(safe, palette.style(role, selected=selected)))
        length += len(safe) if safe.isascii() else cell_len(safe)
    if length < width:
        segments.append(Segment(" " * (width - length), palette.style("text", selected=selected)))
        return Strip(segments, width)
    painted = Strip(segments, length)
    return painted.crop(0, width) if length > width else painted


def between(left: Line, right: Line, width: int) -> list[Part]:
    """`left` at the left edge and `right` at the right edge; where both do not fit, `left` gives way."""
    room = width - columns(right) - (1 if right else 0)
    kept: list[Part] = []
    used = 0
    for text, role in left:
        safe = shown(text)
        size = cell_len(safe)
        if used + size > room:
            from tui.text import fit

            if room - used > 0:
                kept.append((fit(safe, room - used), role))
                used = room
            break
        kept.append((safe, role))
        used += size
    gap = max(0, width - used - columns(right))
    return [*kept, (" " * gap, "text"), *right]


def columns(line: Line) -> int:
    """How many columns a line takes."""
    return sum(cell_len(shown(text)) for text, _ in line)
