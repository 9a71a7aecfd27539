"""Rows of a result in aligned columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modex.core.verdict.lines import cell
from modex.tui.look.text import fit, width_of
from modex.tui.widgets.transcript_text import Block, Span, tidy

_WIDEST_CELL = 28


def table(titles: Sequence[str], rows: Sequence[Any], odd: set[int] | frozenset[int] = frozenset()) -> Block:
    """Rows in aligned columns; those numbered in `odd` are marked as wrong."""
    cells = [[tidy(cell).replace("\n", "⏎") for cell in cells_of(row)] for row in rows]
    count = max([len(titles), *(len(row) for row in cells)], default=0)
    heads = [tidy(title) for title in titles] + [""] * (count - len(titles))
    sizes = [
        min(_WIDEST_CELL, max([width_of(heads[n]), *(width_of(row[n]) for row in cells if n < len(row))]))
        for n in range(count)
    ]
    numeric = [
        all(n >= len(row) or isinstance(row[n], int | float) for row in rows if isinstance(row, list | tuple))
        for n in range(count)
    ]

    def line(row: Sequence[str]) -> str:
        padded = [fit(cell, sizes[n], "right" if numeric[n] else "left") for n, cell in enumerate(row)]
        return "  ".join(padded)

    lines: list[str] = []
    spans: list[Span] = []
    at = 0
    if any(heads):
        lines.append(line(heads))
        spans.append((0, len(lines[0]), "faint"))
        at = len(lines[0]) + 1
    for number, row in enumerate(cells):
        text = line(row)
        lines.append(text)
        if number in odd:
            spans.append((at, at + len(text), "failed"))
        at += len(text) + 1
    return Block("\n".join(lines), "text", 4, (), tuple(spans), wraps=False)


def cells_of(row: Any) -> tuple[str, ...]:
    """The texts of a row."""
    return tuple(map(cell, row)) if isinstance(row, list | tuple) else (cell(row),)
