"""How fast a run was written, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from modex.core.reports.markdown import one_line
from modex.core.safety import clean_line
from modex.core.store.speeds import Figure, Pace

PACE_TITLES = ("first token", "p95", "tokens/s", "p95", "thinking", "p95")
"""Of the columns that `pace_row` fills."""
_WIDTHS = (11, 8, 9, 8, 9, 8)
"""Of the columns of `pace_table`."""


def pace_line(pace: Pace) -> str:
    """`first token 0.41 s (p95: 0.80), 52 tokens/s (p95: 31), thinking 3.2 s (p95: 9.9)`; `~` marks an estimate."""
    parts = []
    if pace.first_ms is not None:
        parts.append(f"first token {_seconds(pace.first_ms)}")
    if pace.tokens_per_s is not None:
        about = "~" if pace.estimated else ""
        figure = pace.tokens_per_s
        parts.append(f"{about}{_number(figure.median)} tokens/s (p95: {about}{_number(figure.p95)})")
    if pace.thinking_ms is not None:
        parts.append(f"thinking {_seconds(pace.thinking_ms)}")
    return "median " + ", ".join(parts)


def pace_json(paces: Mapping[tuple[str, int] | None, Pace]) -> dict[str, Any] | None:
    """The run's figures and each cell's; None where nothing was streamed."""
    if not paces:
        return None
    cells = [
        {"domain": cell[0], "level": cell[1], **pace.as_dict()} for cell, pace in paces.items() if cell is not None
    ]
    return {**paces[None].as_dict(), "cells": cells}


def pace_table(names: Sequence[str], paces: Sequence[Pace | None]) -> Iterator[str]:
    """Runs, or cells of a run, beside each other, one a line."""
    width = max([9, *(len(clean_line(name, 30)) for name in names)])
    yield f"{'median':{width}}  {' '.join(f'{title:>{size}}' for title, size in zip(PACE_TITLES, _WIDTHS, strict=True))}"
    for name, pace in zip(names, paces, strict=True):
        figures = " ".join(f"{cell or '–':>{size}}" for cell, size in zip(pace_row(pace), _WIDTHS, strict=True))
        yield f"{clean_line(name, 30):{width}}  {figures}"


def pace_markdown(title: str, names: Sequence[str], paces: Sequence[Pace | None]) -> Iterator[str]:
    """The same as a Markdown table, a line each."""
    yield f"| {title} | {' | '.join(PACE_TITLES)} |\n|---|{'---:|' * len(PACE_TITLES)}\n"
    for name, pace in zip(names, paces, strict=True):
        yield f"| {one_line(name, 80)} | {' | '.join(pace_row(pace))} |\n"


def by_cell(paces: Mapping[tuple[str, int] | None, Pace]) -> tuple[list[str], list[Pace]]:
    """A run's cells by name with their figures, in the order of domains and levels."""
    cells = sorted((cell, pace) for cell, pace in paces.items() if cell is not None)
    return [f"{domain}/{level}" for (domain, level), _ in cells], [pace for _, pace in cells]


def pace_cells(pace: Pace | None) -> tuple[str, str, str]:
    """Medians of first token, tokens a second and thinking, for a column each; empty where nothing was streamed."""
    return _cells(pace, "median")


def slow_cells(pace: Pace | None) -> tuple[str, str, str]:
    """As `pace_cells`, at the slow end: what 95 of 100 samples are not worse than."""
    return _cells(pace, "p95")


def pace_numbers(pace: Pace | None) -> dict[str, float | None]:
    """Every figure by the name of a column: medians, and at the slow end."""
    found: dict[str, float | None] = {}
    for name, figure in (
        ("ttft_ms", pace and pace.first_ms),
        ("output_tokens_per_s", pace and pace.tokens_per_s),
        ("thinking_ms", pace and pace.thinking_ms),
    ):
        found[f"{name}_median"] = figure.median if figure else None
        found[f"{name}_95"] = figure.p95 if figure else None
    return found


def pace_row(pace: Pace | None) -> list[str]:
    """Medians with their slow ends."""
    return [cell for pair in zip(pace_cells(pace), slow_cells(pace), strict=True) for cell in pair]


def briefly(pace: Pace) -> str:
    """`first token 0.41 s, 52 tokens/s`: the medians alone, where room is short."""
    first, speed, _ = pace_cells(pace)
    return ", ".join([*([f"first token {first}"] if first else ()), *([f"{speed} tokens/s"] if speed else ())])


def _cells(pace: Pace | None, which: Literal["median", "p95"]) -> tuple[str, str, str]:
    if pace is None:
        return "", "", ""
    first, speed, thinking = (
        None if figure is None else (figure.median if which == "median" else figure.p95)
        for figure in (pace.first_ms, pace.tokens_per_s, pace.thinking_ms)
    )
    about = "~" if pace.estimated else ""
    return (
        f"{first / 1000:.2f} s" if first is not None else "",
        f"{about}{_number(speed)}" if speed is not None else "",
        f"{thinking / 1000:.1f} s" if thinking is not None else "",
    )


def _seconds(figure: Figure) -> str:
    return f"{figure.median / 1000:.2f} s (p95: {figure.p95 / 1000:.2f})"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"
