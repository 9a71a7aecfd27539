"""What every worker does now, and for how long."""

from __future__ import annotations

from modex.core.store.rows import RunRow
from modex.tui.frame import painter
from modex.tui.look import format as fmt
from modex.tui.look.paint import Line
from modex.tui.widgets.columns import Cell, ListColumn, header, row, widths
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.pulse import NEXT_LOOK

_COLUMNS = (
    ListColumn("", 1),
    ListColumn("test", 20, grow=3, max_width=60),
    ListColumn("doing", 14, grow=1, max_width=30),
    ListColumn("for", 7, align="right"),
)


_COMMANDS = (*_COLUMNS[:1], ListColumn("test", 20, grow=1, max_width=60), ListColumn("doing", 14, grow=4), _COLUMNS[3])
"""Where a sample runs commands in its workspace, which are worth more room than its name."""
_HOST = ListColumn("on", 10, grow=1, max_width=24)
"""Where samples are moved by several machines."""


class WorkersPane(Lines):
    """The longest at work on top, as many as there is room for."""

    DEFAULT_CSS = """
    WorkersPane { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._run: RunRow | None = None
        self._since = 0.0
        self._race = ""

    def tell(self, run: RunRow, since_pulse: float, race: str = "") -> None:
        """Show this run's workers; `since_pulse` is how old what the runner said is, `race` whose next look it waits for."""
        self._run, self._since, self._race = run, since_pulse, race
        self.changed()

    def lines_for(self, width: int) -> list[Line]:
        """One line a worker, under titles."""
        if self._run is None:
            return [()]
        workers = [item for item in self._run.live.get("workers") or () if isinstance(item, dict)]
        if self._race:
            return [[(f" nobody is at work: the run {NEXT_LOOK} of the race {self._race}", "muted")]]
        if not self._run.alive or not workers:
            return [[(" nobody is at work", "muted")]]
        spread = any(item.get("host") for item in workers)
        plain = _COMMANDS if any(": " in str(item.get("phase")) for item in workers) else _COLUMNS
        columns = (*plain, _HOST) if spread else plain
        sizes = widths(columns, max(1, width - 2))
        glyphs = painter(self).glyphs
        workers.sort(key=lambda item: -float(item.get("since_s") or 0))
        room = max(2, self.size.height)
        lines: list[Line] = [[(" ", "text"), *header(columns, sizes)]]
        for item in workers[: room - 1 if len(workers) < room else room - 2]:
            since = float(item.get("since_s") or 0) + self._since
            cells: list[Cell] = [
                (glyphs.running, "running"),
                (f"{item.get('domain', '')}/{item.get('level', '')}/{item.get('test_id', '')}", "text"),
                (str(item.get("phase") or ""), "muted"),
                (f"{since:.0f} s" if since < 99.5 else fmt.clock(since), "muted"),
            ]
            if spread:
                cells.append((str(item.get("host") or ""), "muted"))
            lines.append([(" ", "text"), *row(columns, sizes, cells)])
        if (left := len(workers) - (len(lines) - 1)) > 0:
            lines.append([(f"   and {left} more", "faint")])
        return lines
