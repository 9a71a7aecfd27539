"""Columns of a list: which are shown at a width, how wide each is, and how a row's cells are painted into them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from modex.tui.look.paint import Line, Part, columns
from modex.tui.look.text import Align, fit

Cell = Part | Callable[[int], Line]
"""Text with its role, fitted to the column; or what paints a cell of a given width."""
GAP = 2


@dataclass(frozen=True, slots=True)
class ListColumn:
    """One column. `grow` is its share of spare room; below `from_width` columns of the list it is not shown."""

    title: str
    width: int
    grow: int = 0
    align: Align = "left"
    from_width: int = 0
    max_width: int = 10_000
    sorts: str = ""
    """The order this column stands for, where the list can be sorted by it."""


def widths(layout: Sequence[ListColumn], room: int) -> list[int]:
    """The width of each column in `room` columns; 0 for those that are not shown."""
    shown = [column.from_width <= room for column in layout]
    result = [column.width if seen else 0 for column, seen in zip(layout, shown, strict=True)]
    spare = room - sum(result) - GAP * max(0, sum(shown) - 1)
    growing = [i for i, column in enumerate(layout) if shown[i] and column.grow]
    if spare < 0 and growing:
        result[growing[0]] = max(4, result[growing[0]] + spare)
        return result
    while spare > 0 and growing:
        shares = sum(layout[i].grow for i in growing)
        given = 0
        for i in list(growing):
            extra = min(max(1, spare * layout[i].grow // shares), layout[i].max_width - result[i], spare - given)
            result[i] += extra
            given += extra
            if result[i] >= layout[i].max_width:
                growing.remove(i)
        if not given:
            break
        spare -= given
    return result


def row(
    layout: Sequence[ListColumn], sizes: Sequence[int], cells: Sequence[Cell], mark: Part | None = None
) -> list[Part]:
    """One row's parts, every cell in exactly its column; with fewer cells than columns the last takes what is left.

    `mark`, one column wide, stands behind the first cell, in the gap that every row has there.
    """
    parts: list[Part] = []
    gap: list[Part] = [(" " * GAP, "text")] if mark is None else [mark, (" " * (GAP - 1), "text")]
    if len(cells) < len(layout):
        rest = [size for size in sizes[len(cells) - 1 :] if size]
        sizes = [*sizes[: len(cells) - 1], sum(rest) + GAP * max(0, len(rest) - 1)]
    for column, size, cell in zip(layout, sizes, cells, strict=False):
        if not size:
            continue
        if parts:
            parts += gap
            gap = [(" " * GAP, "text")]
        if callable(cell):
            painted = cell(size)
            parts += painted
            if (short := size - columns(painted)) > 0:
                parts.append((" " * short, "text"))
        else:
            parts.append((fit(cell[0], size, column.align), cell[1]))
    return parts


def header(layout: Sequence[ListColumn], sizes: Sequence[int], sorted_by: str = "", mark: str = "↓") -> list[Part]:
    """The row of titles; the column sorted by carries `mark`."""
    parts: list[Part] = []
    for column, size in zip(layout, sizes, strict=False):
        if not size:
            continue
        chosen = bool(sorted_by) and column.sorts == sorted_by
        title, role = column.title, "muted" if chosen else "faint"
        gap = GAP if parts else 0
        if chosen and column.align == "right":
            title = f"{mark} {title}" if columns([(title, role)]) + 2 <= size else mark + title
            # A title that fills its column has its mark in the gap before it.
            gap -= (over := max(0, min(gap, columns([(title, role)]) - size)))
        else:
            over = 0
            title = f"{title} {mark}" if chosen else title
        parts += [(" " * gap, "text"), (fit(title, size + over, column.align), role)]
    return parts


def column_at(layout: Sequence[ListColumn], sizes: Sequence[int], x: int) -> str | None:
    """The order that the column at `x` stands for; None where there is none."""
    start = 0
    for column, size in zip(layout, sizes, strict=False):
        if not size:
            continue
        if start <= x < start + size + GAP:
            return column.sorts or None
        start += size + GAP
    return None
