"""A speed test's table as it fits where stdout is shown."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence

from modex.core.features.speed.rule import Point, speed_lines
from modex.tui.terminal.abilities import glyphs_for


def speed_table(points: Sequence[Point]) -> Iterator[str]:
    """The lines, none wider than the terminal where that has 80 columns."""
    return speed_lines(points, width=shutil.get_terminal_size().columns, full=glyphs_for(sys.stdout).full)
