"""One run on the live screen: how far it is, its matrix, its pulse."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical

from modex.core.store.rows import RunRow
from modex.tui.frame import painter
from modex.tui.look.paint import Line, Part, between
from modex.tui.reading.run import Matrix, RunFeed, Snapshot
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.matrix import MatrixView
from modex.tui.widgets.progress import ProgressLine
from modex.tui.widgets.pulse import pulse_parts, state_parts


class PulseLine(Lines):
    """The line under the matrix."""

    DEFAULT_CSS = """
    PulseLine { height: 1; margin-top: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.run: RunRow | None = None

    def lines_for(self, width: int) -> list[Line]:
        """As much as fits."""
        return [pulse_parts(self.run, width)] if self.run else [()]


class PanelTitle(Lines):
    """Names the run where several are shown side by side."""

    DEFAULT_CSS = """
    PanelTitle { height: 1; display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.run: RunRow | None = None
        self.since = 0.0
        self.race = ""
        self.active = False

    def lines_for(self, width: int) -> list[Line]:
        """Name on the left, state on the right."""
        if self.run is None:
            return [()]
        mark: Part = (painter(self).glyphs.bar if self.active else " ", "bar")
        name: Part = (self.run.exp_id, "title" if self.active else "muted")
        return [between([mark, name], [*state_parts(self.run, self.since, self.race), (" ", "text")], width)]


class RunPanel(Vertical):
    """Shows the snapshots of one feed."""

    DEFAULT_CSS = """
    RunPanel { width: 1fr; height: auto; max-height: 100%; }
    RunPanel > ProgressLine { margin-bottom: 1; }
    RunPanel.-several > PanelTitle { display: block; }
    RunPanel.-several { margin-right: 2; }
    """
    view = getters.query_one(MatrixView)
    """The matrix."""

    def __init__(self, exp_id: str) -> None:
        super().__init__()
        self.feed = RunFeed(exp_id)
        self.exp_id = exp_id
        self.run: RunRow | None = None
        self.race = ""
        """The race whose next look the run waits for."""
        self.gone = ""
        """Why the run cannot be shown."""
        self._pulse_at = 0.0
        self._pulse: dict[str, object] = {}

    def compose(self) -> ComposeResult:
        """Title (with several runs), progress, matrix, pulse."""
        yield PanelTitle()
        yield ProgressLine()
        yield MatrixView()
        yield PulseLine()

    @property
    def matrix(self) -> Matrix:
        """What the matrix shows."""
        return self.view.matrix

    @property
    def since_pulse(self) -> float:
        """Seconds since the runner last said something new."""
        return painter(self).clock() - self._pulse_at if self._pulse else 0.0

    def show(self, snapshot: Snapshot) -> None:
        """Show what a look found."""
        status = self.run.status if self.run else snapshot.run.status
        self.run, self.race, self.gone = snapshot.run, snapshot.race, ""
        # The clock goes on from where a pause ended, not from the last word of the runner before it.
        if snapshot.run.live != self._pulse or snapshot.run.status != status:
            self._pulse, self._pulse_at = snapshot.run.live, painter(self).clock()
        self.query_one(ProgressLine).tell(snapshot.run, snapshot.matrix)
        self.view.show(snapshot.matrix)
        self.tick()

    def tick(self) -> None:
        """Let the clocks go on."""
        pulse, title = self.query_one(PulseLine), self.query_one(PanelTitle)
        pulse.run = title.run = self.run
        title.since, title.race = self.since_pulse, self.race
        pulse.changed()
        title.changed()

    def set_active(self, active: bool) -> None:
        """Whether keys go to this run."""
        title = self.query_one(PanelTitle)
        title.active = active
        title.changed()
        self.view.lead(active)
