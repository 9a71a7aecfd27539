"""A run as it goes, or as it went: matrix, pulse, log; several runs side by side or behind tabs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.widget import Widget

from core.errors import ModexError
from core.store.reader import Reader, SampleQuery
from core.store.rows import RunRow
from tui.actions import bindings
from tui.paint import Part
from tui.query import parse
from tui.run_feed import RunFeed, Snapshot
from tui.screens.base import ModexScreen
from tui.screens.live_actions import LiveActions
from tui.widgets.lines import Lines
from tui.widgets.listing import Listing
from tui.widgets.log import LogPane
from tui.widgets.matrix import MatrixView
from tui.widgets.prompt import Prompt
from tui.widgets.pulse import state_parts
from tui.widgets.run_panel import RunPanel
from tui.widgets.run_tabs import RunTabs
from tui.widgets.workers import WorkersPane

WIDE = 110
"""From this width on the log stands beside the matrix."""
_SIDE = 58
"""Width one run needs to stand beside another."""
_LOG_LINES = 4
_LEAST_MATRIX = 7
"""Lines the matrix has before the log gets any."""


def _read(reader: Reader, feeds: Sequence[RunFeed], force: bool) -> list[Snapshot | ModexError | None]:
    found: list[Snapshot | ModexError | None] = []
    for feed in feeds:
        try:
            found.append(feed.read(reader, force=force))
        except ModexError as error:
            found.append(error)
    return found


class LiveScreen(LiveActions, ModexScreen[None]):
    """Watches runs by their `exp_id`; nothing here changes a run but the commands of `LiveActions`."""

    SCOPES = ("live", "matrix", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("live")]
    LOOKS = True
    DEFAULT_CSS = """
    LiveScreen #main { layout: vertical; height: 1fr; }
    LiveScreen #runs { height: auto; }
    LiveScreen #panels { height: auto; }
    LiveScreen #side { height: 1fr; margin-top: 1; }
    LiveScreen WorkersPane { display: none; height: 1fr; }
    LiveScreen.-wide #main { layout: horizontal; }
    LiveScreen.-wide #runs { width: 3fr; height: 1fr; }
    LiveScreen.-wide #side { width: 2fr; margin: 0 0 0 2; }
    LiveScreen.-wide #workers_below { display: block; margin-top: 2; }
    LiveScreen.-wide.-ended #workers_below { display: none; }
    LiveScreen.-small #side { display: none; }
    LiveScreen.-log #side, LiveScreen.-workers #side { display: block; }
    LiveScreen.-log #runs { display: none; }
    LiveScreen.-log #side { margin: 0; width: 1fr; }
    LiveScreen.-workers #workers { display: block; }
    LiveScreen.-workers LogPane { display: none; }
    LiveScreen.-workers #workers_below { display: none; }
    LiveScreen.-workers.-beneath #runs { display: none; }
    LiveScreen.-workers.-beneath #side { margin: 0; }
    LiveScreen #notice { margin: 2 4; display: none; }
    """

    def __init__(self, exp_ids: Sequence[str]) -> None:
        super().__init__()
        self.panels = [RunPanel(exp_id) for exp_id in exp_ids]
        self.active = 0
        self._logged: dict[int, list[Snapshot]] = {}

    def body(self) -> Iterable[Widget]:
        """Tabs (with several runs), the runs, and the log or the workers."""
        yield RunTabs(self.panels)
        yield Lines(id="notice")
        below = WorkersPane(id="workers_below")
        yield Container(
            Container(Horizontal(*self.panels, id="panels"), below, id="runs"),
            Container(LogPane(), WorkersPane(id="workers"), id="side"),
            id="main",
        )
        yield Prompt(placeholder="words, status:failed, domain:math, level:3")

    @property
    def panel(self) -> RunPanel:
        """The run that has the keys."""
        return self.panels[self.active]

    # looking

    async def look(self) -> bool:
        """Read every run's news."""
        feeds = [panel.feed for panel in self.panels]
        found = await self.frame.store.ask(lambda reader: _read(reader, feeds, force=False), lane="poll")
        for panel, news in zip(self.panels, found, strict=True):
            if isinstance(news, ModexError):
                panel.gone = str(news).removeprefix(f"{self.frame.database}: ")
            elif news is not None:
                before = (panel.run is None, panel.view.lines, panel.view.room)
                panel.show(news)
                if panel is self.panel:
                    self.query_one(LogPane).add(news.news)
                self._logged.setdefault(id(panel), []).append(news)
                if before != (False, panel.view.lines, panel.view.room):
                    # The first look of a run just started may find it half planned.
                    self._arrange()
            panel.tick()
        self.query_one(LogPane).catch_up()
        self._show_state()
        return any(panel.run is not None and panel.run.going for panel in self.panels)

    def _show_state(self) -> None:
        panel = self.panel
        notice = self.query_one("#notice", Lines)
        notice.display = bool(panel.gone)
        self.query_one("#main").display = not panel.gone
        if panel.gone:
            notice.show([[(panel.gone, "text")], (), [("esc", "key"), ("  back to the runs", "muted")]])
            self.identity([(panel.exp_id, "title")], [("gone", "error")])
            self._keys_follow("gone")
            return
        if panel.run is None:
            self.identity([(panel.exp_id, "title")], [("opening", "muted")])
            return
        if len(self.panels) > 1 and not self.query_one(RunTabs).display:
            going = sum(1 for each in self.panels if each.run and each.run.going)
            state: Part = (f"{going} running", "running") if going else ("all ended", "muted")
            self.identity([("modex", "title"), (f"  {len(self.panels)} runs", "muted")], [state])
            self._after_state(panel.run, panel)
            return
        demo = panel.run.model.partition("/")[0] == "demo"
        left: list[Part] = [(panel.run.exp_id, "title"), ("  ", "text"), (panel.run.model, "muted")]
        if demo:
            left.append(("  scripted model", "accent"))
        if not self.frame.store.writable:
            left.append(("  read-only store", "accent"))
        self.identity(left, state_parts(panel.run, panel.since_pulse))
        self._after_state(panel.run, panel)

    def _after_state(self, run: RunRow, panel: RunPanel) -> None:
        self.query_one(RunTabs).changed()
        self.set_class(not run.alive, "-ended")
        for pane in self.query(WorkersPane):
            if pane.display:
                pane.tell(run, panel.since_pulse)
        self._keys_follow(run.state)

    def _keys_follow(self, state: str) -> None:
        """What can be pressed depends on the run's state."""
        if getattr(self, "_keys_for", None) != state:
            self._keys_for = state
            self.keys_changed()

    # arranging

    def on_resize(self, event: events.Resize) -> None:
        """Side by side or one above the other, by width."""
        wide = event.size.width >= WIDE and len(self.panels) == 1
        self.set_class(wide, "-wide")
        self.set_class(not wide, "-beneath")
        self._arrange()

    def _arrange(self) -> None:
        """Give the matrix what it needs and the log the rest, at least a few lines."""
        width, height = self.size
        several = len(self.panels) > 1
        side_by_side = several and width // len(self.panels) >= _SIDE
        tabs = self.query_one(RunTabs)
        tabs.display = several and not side_by_side
        needed = self.panel.view.room
        fits = self.has_class("-wide") and needed < 3 * (width - 2) // 5
        self.query_one("#runs").styles.width = needed if fits else None
        room = height - 2 - 2 - 2 - (1 if several else 0)
        wanted = max((panel.view.lines for panel in self.panels), default=0)
        small = not self.has_class("-wide") and room - 1 - _LOG_LINES < min(wanted, _LEAST_MATRIX)
        self.set_class(small, "-small")
        if not self.has_class("-wide") and not small:
            room -= 1 + _LOG_LINES - (1 if tabs.display else 0)
        for index, panel in enumerate(self.panels):
            panel.display = side_by_side or index == self.active
            panel.set_class(side_by_side, "-several")
            panel.set_active(index == self.active)
            panel.view.styles.height = max(3, min(panel.view.lines, room))

    # moving about

    @on(MatrixView.Opened)
    def _open_cell(self, event: MatrixView.Opened) -> None:
        run = self.panel.run
        if run is None:
            return
        query = SampleQuery(
            domains=(event.domain,) if event.domain is not None else (),
            levels=(event.level,) if event.level is not None else (),
        )
        self.open_samples(run, query)

    @on(Listing.Opened)
    def _open_line(self) -> None:
        line = self.query_one(LogPane).current
        run = self.panel.run
        if line is not None and line.sample_id is not None and run is not None:
            from tui.screens.transcript import TranscriptScreen

            self.app.push_screen(TranscriptScreen(self.frame.database, run.id, [line.sample_id], 0))

    @on(events.DescendantFocus)
    def _focused(self) -> None:
        for index, panel in enumerate(self.panels):
            if self.focused is panel.view and index != self.active:
                self.activate(index)

    def activate(self, index: int) -> None:
        """Give the keys to another run."""
        self.active = index % len(self.panels)
        self._arrange()
        log = self.query_one(LogPane)
        log.clear()
        log.add([line for snapshot in self._logged.get(id(self.panel), ()) for line in snapshot.news])
        self.panel.view.focus()
        self._show_state()

    def action_switch(self, step: int) -> None:
        """Go to the next run."""
        if len(self.panels) > 1:
            self.activate(self.active + step)

    def action_toggle_log(self) -> None:
        """Give the log the whole screen and the keys, or take them back."""
        self.remove_class("-workers")
        self.toggle_class("-log")
        if self.has_class("-log"):
            self.query_one(LogPane).focus()
        else:
            self.panel.view.focus()

    def action_toggle_workers(self) -> None:
        """Show the workers in the log's place, and in the matrix's where both do not fit; or those again."""
        self.remove_class("-log")
        self.toggle_class("-workers")
        if not self.has_class("-workers"):
            self.panel.view.focus()
        self._show_state()

    def action_filter(self) -> None:
        """Ask for a filter of the log."""
        self.remove_class("-workers")
        self.query_one(Prompt).ask()

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        self.query_one(LogPane).filter(parse(event.value, ("status", "domain", "level")))

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        (self.query_one(LogPane) if self.has_class("-log") else self.panel.view).focus()
