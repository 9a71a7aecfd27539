"""The score of one cell, or of a whole suite, over all runs; a fall is one key away, and what changed there another."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual import getters, on
from textual.binding import BindingType
from textual.widget import Widget

from modex.core.features.history.query import HistoryPoint, cell_history, suite_history
from modex.core.foundation.errors import ModexError
from modex.tui.actions import Action, bindings
from modex.tui.look import format as fmt
from modex.tui.look.paint import Part
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.listing import Listing

COLUMNS = (
    ListColumn("when", 9),
    ListColumn("score", 5, align="right"),
    ListColumn("±", 5, align="right"),
    ListColumn("change", 6, align="right"),
    ListColumn("passed", 11, align="right", from_width=70),
    ListColumn("model", 14, grow=1, max_width=32),
    ListColumn("run", 12, grow=1, max_width=40),
)


class ScoresScreen(ModexScreen[None]):
    """Shows every run's score of `cell` (domain, level), or of `suite` (a folder; None: the bundled one)."""

    SCOPES = ("scores", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("scores")]
    listing: getters.query_one[Listing[HistoryPoint]] = getters.query_one("#scores", Listing)
    """The list."""

    def __init__(self, *, cell: tuple[str, int] | None = None, suite: str | None = None) -> None:
        super().__init__()
        self._cell = cell
        self._suite = suite
        self._problem = ""
        self.found: list[HistoryPoint] | None = None

    def body(self) -> Iterable[Widget]:
        """The list."""
        yield Listing[HistoryPoint](COLUMNS, self._cells, id="scores")

    @property
    def reading(self) -> bool:
        """Whether the runs are still being read."""
        return super().reading or (self.found is None and not self._problem)

    @property
    def about_run(self) -> int | None:
        """The selected run."""
        one = self.listing.current if self.is_mounted else None
        return None if one is None else one.run.id

    def on_mount(self) -> None:
        """Read at once."""
        super().on_mount()
        self.set_focus(self.listing)
        self._show_identity()
        self.run_worker(self._read(), group="look", exclusive=True)

    async def _read(self) -> None:
        cell, suite = self._cell, self._suite
        try:
            self.found = await self.frame.store.ask(
                lambda reader: suite_history(reader, suite) if cell is None else cell_history(reader, *cell)
            )
        except ModexError as error:
            self._problem = str(error)
            self.say(str(error), severity="warning")
        found = self.found or []
        self.listing.set_count(len(found), cursor=0)
        self.listing.put(0, found)
        self._show_identity()
        self.keys_changed()

    @on(Listing.Moved)
    def _show_identity(self) -> None:
        name = f"{self._cell[0]} / {self._cell[1]}" if self._cell else Path(self._suite or "bundled suite").name
        count = len(self.found or ())
        right: list[Part] = [(f"{self.listing.cursor + 1} of {count} runs" if count else "", "muted")]
        self.identity([(name, "title"), ("  history", "muted")], right)

    def _cells(self, one: HistoryPoint) -> list[Cell]:
        role = "text" if not one.change else "passed" if one.change > 0 else "failed"
        return [
            (fmt.when(one.run.started_at, self.frame.wall()), "muted"),
            (fmt.least(one.score, one.bounds, self.frame.glyphs.at_least), "text"),
            (fmt.spread(*((one.low, one.high) if one.bounds is None else (None, None))), "faint"),
            ("" if one.change is None else f"{100 * one.change:+.1f}", role),
            (f"{one.passed}/{one.total}", "muted"),
            (one.run.model, "text"),
            (one.run.exp_id, "muted"),
        ]

    @on(Listing.Opened)
    def _open(self) -> None:
        from modex.tui.screens.live import LiveScreen

        if (one := self.listing.current) is not None:
            self.app.push_screen(LiveScreen((one.run.exp_id,)))

    def action_regression(self) -> None:
        """Select the next older run that scored lower than the same model's run before."""
        found = self.found or []
        for place in range(self.listing.cursor + 1, len(found)):
            if (found[place].change or 0) < 0:
                self.listing.select(place)
                return
        self.say("no older run fell below the same model's run before it")

    def action_changes(self) -> None:
        """List what changed at the selected run."""
        from modex.tui.lazy import ChangesScreen

        one, found = self.listing.current, self.found or []
        if one is None:
            return
        older = found[self.listing.cursor + 1 :]
        before = next((other for other in older if other.run.model == one.run.model and other.score is not None), None)
        if before is None:
            self.say(f"this is the first run of {one.run.model}")
        else:
            self.app.push_screen(ChangesScreen(before.run.id, one.run.id))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Everything, once something was read."""
        return action not in ("regression", "changes") or bool(self.found)

    def why_not(self, action: Action) -> str:  # noqa: ARG002
        """Nothing was read."""
        return self._problem or "no run to go through"
