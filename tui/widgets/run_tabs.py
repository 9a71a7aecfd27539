"""Several runs that do not fit side by side: one line that names them all and how they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from modex.tui.frame import painter
from modex.tui.look import format as fmt
from modex.tui.look.paint import Line, Part
from modex.tui.look.text import fit
from modex.tui.look.theme import state_role
from modex.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from modex.tui.widgets.run_panel import RunPanel


class RunTabs(Lines):
    """One entry a run; the active one is strong.

    Textual's `Tabs` of six runs take 16 ms to go to the next and 5 % of a core while scores change, this line 5 ms and 1 %.
    """

    DEFAULT_CSS = """
    RunTabs { height: 1; display: none; }
    """

    def __init__(self, panels: Sequence[RunPanel]) -> None:
        super().__init__(id="tabs")
        self._panels = panels

    def lines_for(self, width: int) -> list[Line]:
        """Entries of equal width."""
        glyphs = painter(self).glyphs
        each = max(12, width // max(1, len(self._panels)))
        parts: list[Part] = []
        for panel in self._panels:
            state = panel.run.state if panel.run and not panel.race else "pending"
            score = fmt.least(panel.matrix.overall, panel.matrix.bounds, glyphs.at_least) if panel.run else fmt.NONE
            name = panel.run.model.rpartition("/")[2] if panel.run else panel.exp_id
            active = panel.display
            parts += [
                (glyphs.bar if active else " ", "bar"),
                (glyphs.status(state), "running" if panel.race else state_role(state)),
                (" " + fit(name, each - 10), "title" if active else "muted"),
                (fit(score, 6, "right") + " ", "text" if active else "muted"),
            ]
        return [parts]
