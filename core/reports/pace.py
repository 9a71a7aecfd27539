"""How fast a run was written, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.safety import clean_line
from core.store.speeds import Figure, Pace


def pace_line(pace: Pace) -> str:
    """`first token 0.41 s (95 %: 0.80), 52 tokens/s (95 %: 31), thinking 3.2 s (95 %: 9.9)`; `~` marks an estimate."""
    parts = []
    if pace.first_ms is not None:
        parts.append(f"first token {_seconds(pace.first_ms)}")
    if pace.tokens_per_s is not None:
        about = "~" if pace.estimated else ""
        figure = pace.tokens_per_s
        parts.append(f"{about}{_number(figure.median)} tokens/s (95 %: {about}{_number(figure.p95)})")
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
    """Runs beside each other, one a line."""
    width = max(len(clean_line(name, 30)) for name in names)
    yield f"{'median':{width}}  {'first token':>12} {'tokens/s':>9} {'thinking':>9}"
    for name, pace in zip(names, paces, strict=True):
        first, speed, thinking = pace_cells(pace)
        yield f"{clean_line(name, 30):{width}}  {first or '–':>12} {speed or '–':>9} {thinking or '–':>9}"


def pace_cells(pace: Pace | None) -> tuple[str, str, str]:
    """First token, tokens a second and thinking of one run, for a column each; empty where nothing was streamed."""
    if pace is None:
        return "", "", ""
    about = "~" if pace.estimated else ""
    return (
        f"{pace.first_ms.median / 1000:.2f} s" if pace.first_ms else "",
        f"{about}{_number(pace.tokens_per_s.median)}" if pace.tokens_per_s else "",
        f"{pace.thinking_ms.median / 1000:.1f} s" if pace.thinking_ms else "",
    )


def _seconds(figure: Figure) -> str:
    return f"{figure.median / 1000:.2f} s (95 %: {figure.p95 / 1000:.2f})"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"
