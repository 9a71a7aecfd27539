"""One test over all runs: when it passed and when it failed, which answer, which model; a regression is one key away."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import getters, on
from textual.binding import BindingType
from textual.widget import Widget

from modex.core.features.history.query import Attempt, history
from modex.tui.actions import Action, bindings
from modex.tui.look import format as fmt
from modex.tui.look.paint import Part
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.listing import Listing

COLUMNS = (
    ListColumn("", 1),
    ListColumn("when", 9),
    ListColumn("score", 5, align="right"),
    ListColumn("model", 14, grow=1, max_width=32),
    ListColumn("run", 12, grow=1, max_width=32, from_width=64),
    ListColumn("why or answer", 20, grow=3),
)


class HistoryScreen(ModexScreen[None]):
    """Shows every sample of the test of `sample_id`, that of the latest run first; the sample itself is selected."""

    SCOPES = ("history", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("history")]
    REFRESHES = True
    PERIOD_S = 2.0
    listing: getters.query_one[Listing[Attempt]] = getters.query_one("#attempts", Listing)
    """The list."""

    def __init__(self, sample_id: int) -> None:
        super().__init__()
        self._sample_id = sample_id
        self._found: list[Attempt] = []

    @property
    def about_run(self) -> int | None:
        """The selected run."""
        attempt = self.listing.current if self.is_mounted else None
        return None if attempt is None else attempt.run.id

    @property
    def about_sample(self) -> int | None:
        """The selected sample."""
        attempt = self.listing.current if self.is_mounted else None
        return None if attempt is None else attempt.head.id

    def body(self) -> Iterable[Widget]:
        """The list."""
        yield Listing[Attempt](COLUMNS, self._cells, id="attempts")

    async def refresh_data(self) -> bool:
        """Read the test's samples again."""
        first = not self._found
        found = await self.frame.store.ask(
            lambda reader: (
                history(reader, head.test_id, head.domain, head.level)
                if (head := next(iter(reader.heads_by_id([self._sample_id])), None)) is not None
                else []
            )
        )
        if found != self._found:
            self._found = found
            at = next((place for place, one in enumerate(found) if one.head.id == self._sample_id), 0)
            self.listing.set_count(len(found), cursor=at if first else None)
            self.listing.put(0, found)
        self._show_state()
        return any(one.run.alive for one in found)

    @on(Listing.Moved)
    def _show_state(self) -> None:
        if not self._found:
            return
        head = self._found[0].head
        passed = sum(one.head.status == "passed" for one in self._found)
        judged = sum(one.head.status in ("passed", "failed") for one in self._found)
        left: list[Part] = [
            (f"{head.domain} / {head.level} / ", "muted"),
            (head.test_id, "title"),
            ("  history", "muted"),
        ]
        right: list[Part] = [
            (f"passed {passed} of {judged}   ", "muted"),
            (f"{self.listing.cursor + 1} of {len(self._found)}", "muted"),
        ]
        self.identity(left, right)

    def _cells(self, one: Attempt) -> list[Cell]:
        head, run = one.head, one.run
        words = (
            (head.error_message or head.error_type) if head.status == "error" else head.reason or head.extracted_answer
        )
        epoch = f"#{head.epoch} " if head.epoch > 1 else ""
        return [
            (self.frame.glyphs.status(head.status), head.status),
            (fmt.when(head.completed_at or run.started_at, self.frame.wall()), "muted"),
            (fmt.one(head.score) if head.score is not None else "", "text"),
            (run.model, "text"),
            (run.exp_id, "muted"),
            (f"{epoch}{words or ''}", "muted"),
        ]

    @on(Listing.Opened)
    def _open(self) -> None:
        from modex.tui.screens.transcript import TranscriptScreen

        if (one := self.listing.current) is not None:
            self.app.push_screen(TranscriptScreen(self.frame.database, one.run.id, [one.head.id], 0))

    def action_regression(self) -> None:
        """Select the next older sample whose verdict is the other one."""
        cursor = self.listing.cursor
        status = self._found[cursor].head.status if self._found else ""
        for place in range(cursor + 1, len(self._found)):
            other = self._found[place].head.status
            if other in ("passed", "failed") and other != status:
                self.listing.select(place)
                return
        self.say("it went the same way in every older run")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Everything, once something was read."""
        return action != "regression" or bool(self._found)

    def why_not(self, action: Action) -> str:  # noqa: ARG002
        """Nothing was read yet."""
        return "nothing to go through"
