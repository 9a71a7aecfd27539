"""Choosing a model: those of earlier runs, those that servers on this machine offer, and every name that is known."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from modex.tui.frame import painter
from modex.tui.look.note import note
from modex.tui.look.paint import between
from modex.tui.look.text import fit_middle
from modex.tui.planning.offers import Offer, first_offers, known_offers, matching, server_offers
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing

_COLUMNS = (
    ListColumn("", 1),
    ListColumn("model", 18, grow=3),
    ListColumn("key", 24, grow=1, max_width=34),
    ListColumn("from", 11, from_width=60),
)
_MOST = 300


class PickModelScreen(ModalScreen[tuple[Offer, ...] | None]):
    """Type to narrow the list down; Tab marks several, Enter takes them or what is selected. Esc takes none."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", show=False)]
    DEFAULT_CSS = """
    PickModelScreen { align: center middle; background: $background 60%; }
    PickModelScreen:ansi { background: transparent; }
    PickModelScreen > Vertical { width: 76; max-width: 96%; height: 20; max-height: 90%; padding: 0 1;
      background: $background; border: round $border; }
    PickModelScreen.-whole > Vertical { width: 100%; max-width: 100%; }
    PickModelScreen Lines { height: 1; }
    """

    def __init__(
        self,
        recent: Sequence[dict[str, Any]],
        current: str,
        current_base: str | None,
        named: Sequence[Offer] = (),
    ) -> None:
        super().__init__()
        self._offers = first_offers(recent, named)
        self._current = (current, current_base)
        self._known: list[Offer] = []
        self._shown: list[Offer] = []
        self._unread = True
        self.marked: list[Offer] = []
        """The models that will be asked, one run each."""
        self._servers = "looking for servers on this machine"

    @property
    def reading(self) -> bool:
        """Whether the names that Enter may mean were not read yet: what is marked, or stands under the selection, is known."""
        if not self._unread or self.marked:
            return False
        return not self.is_mounted or bool(self.query_one(Input).value)

    def say_reading(self) -> None:
        """Tell that Enter waits."""
        note(self.app, "reading the names of models; enter waits for them")

    def compose(self) -> ComposeResult:
        """An input over the list."""
        with Vertical():
            box = Input(placeholder="type a model's name, for example openai/gpt-5-mini", compact=True)
            box.cursor_blink = False
            yield box
            offers: Listing[Offer] = Listing(_COLUMNS, self._cells, titles=False, id="offers")
            offers.marked = lambda offer: offer in self.marked
            yield offers
            yield Lines(id="hint")

    def on_resize(self, event: events.Resize) -> None:
        """Take the whole width of a small terminal: a few letters of the form beside the frame would read as part of it."""
        self.set_class(event.size.width < 100, "-whole")

    def on_mount(self) -> None:
        """Show what is known at once, and look for more."""
        self._list("", chosen=self._current)
        self.set_focus(self.query_one(Input))
        self.run_worker(self._find_models(), group="look")

    async def _find_models(self) -> None:
        try:
            self._known = await asyncio.to_thread(known_offers)
        finally:
            self._unread = False
        self._found()
        count, offers = await asyncio.to_thread(server_offers)
        self._offers += offers
        self._servers = f"{count or 'no'} server{'s' if count != 1 else ''} found on this machine"
        self._found()

    def _found(self) -> None:
        """List again; a model may have been taken meanwhile, and the boxes be about to go, one after another."""
        if self in self.app.screen_stack:
            self._list(self.query_one(Input).value, chosen=self._selected)

    def _list(self, typed: str, *, chosen: tuple[str, str | None] = ("", None)) -> None:
        """List what holds the words; the selection is the best, or stays on `chosen` where that is listed."""
        named = {offer.model for offer in self._offers}
        self._shown = matching([*self._offers, *(offer for offer in self._known if offer.model not in named)], typed)
        del self._shown[_MOST:]
        listing = self.query_one(Listing)
        places = [place for place, offer in enumerate(self._shown) if (offer.model, offer.api_base) == chosen]
        listing.set_count(len(self._shown), cursor=places[0] if places else 0)
        listing.put(0, self._shown)
        self._hint()

    def _cells(self, offer: Offer) -> list[Cell]:
        glyphs = painter(self).glyphs
        sign = glyphs.passed if offer.ready else glyphs.failed if offer.key == "missing" else glyphs.pending
        role = "text" if offer.ready else "muted"
        return [
            (sign, "passed" if offer.ready else "faint"),
            lambda width: [(fit_middle(offer.model, width), role)],
            (offer.key_words, "muted" if offer.ready else "faint"),
            (offer.origin, "faint"),
        ]

    @property
    def _selected(self) -> tuple[str, str | None]:
        cursor = self.query_one(Listing).cursor
        offer = self._shown[cursor] if 0 <= cursor < len(self._shown) else None
        return (offer.model, offer.api_base) if offer is not None else ("", None)

    @on(Listing.Moved)
    @on(events.Resize)
    def _hint(self) -> None:
        """Where the selected model is asked, and whether there are servers here."""
        hint = self.query_one("#hint", Lines)
        _, address = self._selected
        marked = f"{len(self.marked)} marked, a run each" if self.marked else "tab marks several"
        where = f" {marked}{f'   at {address}' if address else ''}"
        hint.show([between([(where, "muted")], [(self._servers, "faint")], hint.size.width)])

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._list(event.value)

    @on(Input.Submitted)
    def _entered(self) -> None:
        self._take()

    @on(Listing.Opened)
    def _opened(self) -> None:
        self._take()

    def _take(self) -> None:
        cursor = self.query_one(Listing).cursor
        selected = self._shown[cursor : cursor + 1] if cursor >= 0 else []
        taken = tuple(self.marked or selected)
        self.dismiss(taken or None)

    def on_key(self, event: events.Key) -> None:
        """The arrows move in the list while one types."""
        if event.key == "tab":
            event.stop()
            event.prevent_default()
            self._mark()
            return
        step = {"down": 1, "up": -1, "pagedown": 8, "pageup": -8}.get(event.key)
        if step is not None and self.query_one(Input).has_focus:
            event.stop()
            event.prevent_default()
            listing = self.query_one(Listing)
            listing.select(listing.cursor + step)

    def _mark(self) -> None:
        """Mark the selected model, or take the mark away, and go to the next."""
        listing = self.query_one(Listing)
        if 0 <= listing.cursor < len(self._shown):
            offer = self._shown[listing.cursor]
            if offer in self.marked:
                self.marked.remove(offer)
            else:
                self.marked.append(offer)
            listing.repaint()
            listing.select(listing.cursor + 1)
            self._hint()

    def action_cancel(self) -> None:
        """Take none."""
        self.dismiss(None)
