"""Choosing a model: those of earlier runs, those that servers on this machine offer, and every name that is known."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from tui.frame import painter
from tui.widgets.columns import Cell, Column
from tui.widgets.lines import Lines
from tui.widgets.listing import Listing

_COLUMNS = (Column("", 1), Column("model", 20, grow=3), Column("", 12, grow=1, max_width=30))
_MOST = 300
_TYPED = "as typed"


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be chosen."""

    model: str
    api_base: str | None = None
    origin: str = ""


class PickModelScreen(ModalScreen[Offer | None]):
    """Type to narrow the list down; Enter takes what is selected, or what is typed where nothing is. Esc takes none."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", show=False)]
    DEFAULT_CSS = """
    PickModelScreen { align: center middle; background: $background 60%; }
    PickModelScreen:ansi { background: transparent; }
    PickModelScreen > Vertical { width: 76; max-width: 96%; height: 20; max-height: 90%; padding: 0 1;
      background: $background; border: round $border; }
    PickModelScreen Lines { height: 1; }
    """

    def __init__(self, recent: Sequence[dict[str, Any]], current: str) -> None:
        super().__init__()
        self._offers = [
            Offer(spec["model"], spec.get("api_base"), f"used before{_at(spec.get('api_base'))}") for spec in recent
        ]
        self._current = current
        self._known: list[str] = []
        self._shown: list[Offer] = []

    def compose(self) -> ComposeResult:
        """An input over the list."""
        with Vertical():
            box = Input(placeholder="type a model's name, for example openai/gpt-5-mini", compact=True)
            box.cursor_blink = False
            yield box
            yield Listing(_COLUMNS, self._cells, titles=False, id="offers")
            yield Lines(id="hint")

    def on_mount(self) -> None:
        """Show what is known at once, and look for more."""
        self._list("")
        self.query_one(Input).focus()
        self.query_one("#hint", Lines).show([[("looking for servers on this machine", "faint")]])
        self.run_worker(self._look(), group="look")

    async def _look(self) -> None:
        from core.llm.discovery import find_local_servers
        from core.llm.prices import known_models

        self._known = await asyncio.to_thread(known_models, limit=10_000)
        self._list(self.query_one(Input).value)
        servers = await asyncio.to_thread(find_local_servers)
        for server in servers:
            self._offers += [
                Offer(f"openai/{name}", server.api_base, f"{server.name}{_at(server.api_base)}")
                for name in server.models
            ]
        words = (
            f"{len(servers)} server{'s' if len(servers) != 1 else ''} found on this machine"
            if servers
            else ("no model server found on this machine")
        )
        self.query_one("#hint", Lines).show([[(words, "faint")]])
        self._list(self.query_one(Input).value)

    def _list(self, typed: str) -> None:
        exact = typed.strip()
        words = exact.lower().split()
        named = {offer.model for offer in self._offers}
        offers = [*self._offers, *(Offer(name) for name in self._known if name not in named)]
        shown = [offer for offer in offers if all(word in offer.model.lower() for word in words)]
        if exact and all(offer.model != exact for offer in shown):
            shown.append(Offer(exact, None, _TYPED))
        shown.sort(key=lambda offer: _rank(offer, exact))
        del shown[_MOST:]
        self._shown = shown
        listing = self.query_one(Listing)
        listing.set_count(len(shown), cursor=0)
        listing.put(0, shown)

    def _cells(self, offer: Offer) -> list[Cell]:
        from core.llm.keys import key_present, required_key

        glyphs = painter(self).glyphs
        key = required_key(offer.model, offer.api_base)
        ready = key_present(offer.model, offer.api_base)
        origin = offer.origin if ready or offer.origin else f"needs {key}"
        return [
            (glyphs.passed if ready else glyphs.pending, "passed" if ready else "faint"),
            (offer.model, "text" if ready else "muted"),
            (origin, "faint"),
        ]

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
        self.dismiss(self._shown[cursor] if 0 <= cursor < len(self._shown) else None)

    def on_key(self, event: events.Key) -> None:
        """The arrows move in the list while one types."""
        step = {"down": 1, "up": -1, "pagedown": 8, "pageup": -8}.get(event.key)
        if step is not None and self.query_one(Input).has_focus:
            event.stop()
            event.prevent_default()
            listing = self.query_one(Listing)
            listing.select(listing.cursor + step)

    def action_cancel(self) -> None:
        """Take none."""
        self.dismiss(None)


def _rank(offer: Offer, typed: str) -> int:
    """The exact name first, then models met before, names that begin so, what was typed, and the rest."""
    if offer.model == typed and offer.origin != _TYPED:
        return 0
    if offer.origin == _TYPED:
        return 3
    return 1 if offer.origin else 2 if offer.model.lower().startswith(typed.lower()) else 4


def _at(api_base: str | None) -> str:
    return f" at {api_base}" if api_base else ""
