"""From pieces of text with roles to a `Strip`: the painting of every widget that draws its own lines.

Wide signs: https://www.unicode.org/reports/tr11/.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from modex.tui.look.text import shown
from modex.tui.look.theme import Palette

Part = tuple[str, str]
"""Text and its role (see `modex.tui.look.theme.Palette`)."""
_PLAIN = str.maketrans(
    {"–": "-", "…": "~", "±": "~", "⏎": "/", "·": ".", "↵": "/", "×": "x", "→": ">", "←": "<", "⌫": "<"}
)
"""Signs of our own that East Asian terminals draw wide, or that others cannot draw."""
_MORE = "…"
Line = Sequence[Part]


def strip(parts: Iterable[Part], palette: Palette, width: int, *, selected: bool = False) -> Strip:
    """One line of exactly `width` columns, an ellipsis where text was cut; text is cleaned here, whatever it holds."""
    pieces: list[str] = []
    styles: list[Style] = []
    length = 0
    for text, role in parts:
        safe = shown(text)
        if not safe:
            continue
        if palette.ascii_only and not safe.isascii():
            safe = safe.translate(_PLAIN)
        length += len(safe) if safe.isascii() else cell_len(safe)
        _append(pieces, styles, safe, palette.style(role, selected=selected))
    if length < width:
        _append(pieces, styles, " " * (width - length), palette.style("text", selected=selected))
    painted = Strip([Segment(text, style) for text, style in zip(pieces, styles, strict=True)], max(length, width))
    return painted if length <= width else _cut(painted, width, ascii_only=palette.ascii_only)


def _cut(painted: Strip, width: int, *, ascii_only: bool) -> Strip:
    """The first `width` columns; the last of them tells that there is more, unless that is blank."""
    kept = painted.crop(0, width)
    if width < 1 or not painted.crop(width).text.strip():
        return kept
    segments = list(painted.crop(0, width - 1))
    style = segments[-1].style if segments else None
    return Strip([*segments, Segment(_MORE.translate(_PLAIN) if ascii_only else _MORE, style)], width)


def _append(pieces: list[str], styles: list[Style], text: str, style: Style) -> None:
    """Add a piece, to the one before where a terminal shows no difference: every change of style costs 20 bytes."""
    if pieces:
        before = styles[-1]
        same = before is style or (
            text.isspace()
            and before.bgcolor == style.bgcolor
            and bool(before.reverse) == bool(style.reverse)
            and not (before.underline or style.underline)
        )
        if same:
            pieces[-1] += text
            return
    pieces.append(text)
    styles.append(style)


def between(left: Line, right: Line, width: int) -> list[Part]:
    """`left` at the left edge and `right` at the right edge; where both do not fit, `left` gives way."""
    room = width - columns(right) - (1 if right else 0)
    kept: list[Part] = []
    used = 0
    for text, role in left:
        safe = shown(text)
        size = cell_len(safe)
        if used + size > room:
            from modex.tui.look.text import fit

            if room - used > 0:
                kept.append((fit(safe, room - used), role))
                used = room
            break
        kept.append((safe, role))
        used += size
    gap = max(0, width - used - columns(right))
    return [*kept, (" " * gap, "text"), *right]


def whole_words(line: Line, width: int) -> list[Part]:
    """The line in at most `width` columns, cut between words where it is longer; within one that fills half of it alone."""
    if columns(line) <= width:
        return list(line)
    room = width - 1
    kept: list[Part] = []
    for text, role in line:
        safe = set_cell_size(shown(text), room) if cell_len(shown(text)) > room else shown(text)
        kept.append((safe, role))
        room -= cell_len(safe)
        if room <= 0:
            break
    whole = "".join(text for text, _ in line)
    said = "".join(text for text, _ in kept)
    end = len(said)
    if (
        not said.endswith(" ")
        and not shown(whole)[end:].startswith(" ")
        and (blank := said.rstrip().rfind(" ")) > len(said) // 2
    ):
        end = blank
    end = len(said[:end].rstrip(" ,;:(–-"))
    parts: list[Part] = []
    for text, role in kept:
        if end > 0:
            parts.append((text[:end], role))
        end -= len(text)
    return [*parts, (_MORE, parts[-1][1] if parts else "text")]


def columns(line: Line) -> int:
    """How many columns a line takes."""
    return sum(cell_len(shown(text)) for text, _ in line)
