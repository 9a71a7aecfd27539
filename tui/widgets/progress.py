"""How far a run is: a bar, what is done, the score as it forms, errors beside it."""

from __future__ import annotations

from collections.abc import Sequence

from modex.core.comparison.wording import bounded
from modex.core.store.rows import RunRow
from modex.tui.frame import painter
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Line, Part, between, columns
from modex.tui.reading.run import Matrix
from modex.tui.widgets.lines import Lines


class ProgressLine(Lines):
    """One line, or two where the width is small."""

    DEFAULT_CSS = """
    ProgressLine { height: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._run: RunRow | None = None
        self._matrix = Matrix()

    def tell(self, run: RunRow, matrix: Matrix) -> None:
        """Show how far this run is."""
        self._run, self._matrix = run, matrix
        self.changed()

    def lines_for(self, width: int) -> Sequence[Line]:
        """The bar takes what the numbers leave."""
        if self._run is None:
            return [()]
        glyphs = painter(self).glyphs
        numbers = standing(self._run, self._matrix, glyphs)
        room = width - columns(numbers) - 4
        total = self._matrix.total or self._run.total_tests
        done = total - self._matrix.count("pending") - self._matrix.count("running") if self._matrix.total else 0
        bar = progress_bar(done, total, min(room, 60), glyphs) if room >= 6 else []
        return [between([(" ", "text"), *bar], [*numbers, (" ", "text")], width)]


def progress_bar(done: int, total: int, width: int, glyphs: Glyphs) -> list[Part]:
    """A bar of `width` columns, to the half column."""
    halves = 2 * width * done // total if total else 0
    full, half = divmod(halves, 2)
    filled = glyphs.full * full + (glyphs.half if half and full < width else "")
    return [(filled, "accent"), (glyphs.empty * (width - len(filled)), "rule")]


def standing(run: RunRow, matrix: Matrix, glyphs: Glyphs) -> list[Part]:
    """Done of total, the overall Weighted Score with its interval, errors and skipped tests.

    Where samples lack a verdict, the scores they leave it between stand in the score's place.
    """
    total = matrix.total or run.total_tests
    waiting = matrix.count("pending") + matrix.count("running")
    parts: list[Part] = [(f"{fmt.count(total - waiting)}/{fmt.count(total)}", "text")]
    forming = waiting > 0 or run.overall_score is None
    score = matrix.overall if forming else run.overall_score
    if score is not None:
        shown = f"{fmt.hundred(score, 1):>5}" if matrix.bounds is None else bounded(*matrix.bounds)
        parts += [("   ", "text"), (shown, "muted" if forming else "title")]
        half = matrix.half_width
        if not forming and run.ci_low is not None and run.ci_high is not None:
            half = (run.ci_high - run.ci_low) / 2
        if half is not None and matrix.bounds is None:
            parts.append((f" {glyphs.plus_minus}{100 * half:.1f}", "faint"))
    if errors := matrix.count("error"):
        parts.append((f"   {fmt.count(errors)} error{'s' if errors > 1 else ''}", "error"))
    if skipped := matrix.count("skipped"):
        parts.append((f"   {fmt.count(skipped)} skipped", "muted"))
    return parts
