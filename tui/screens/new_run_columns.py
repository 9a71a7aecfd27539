"""Choosing which column of a dataset is the question, the gold answer, the level, with the first rows before one's eyes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from modex.core.foundation.errors import ModexError
from modex.tui.look.paint import Line
from modex.tui.look.text import message
from modex.tui.planning.columns import DatasetColumn as DataColumn
from modex.tui.planning.columns import Preview, preview
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing

_KEYS = {
    "q": ("question_field", "question"),
    "g": ("answer_field", "gold"),
    "l": ("level_field", "level"),
    "c": ("category_field", "category"),
    "i": ("id_field", "id"),
    "s": ("cluster_field", "shared"),
}
_NAMES = dict(_KEYS.values())
_COLUMNS = (
    ListColumn("column", 14, grow=1, max_width=24),
    ListColumn("is", 9),
    ListColumn("first row", 14, grow=2),
    ListColumn("second row", 14, grow=2, from_width=84),
    ListColumn("third row", 14, grow=2, from_width=110),
)


class PickColumnsScreen(ModalScreen[dict[str, str] | None]):
    """Enter gives the chosen columns by option; Esc gives nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", show=False)]
    DEFAULT_CSS = """
    PickColumnsScreen { align: center middle; background: $background 60%; }
    PickColumnsScreen:ansi { background: transparent; }
    PickColumnsScreen > Vertical { width: 96%; max-width: 140; height: 20; max-height: 90%; padding: 0 1;
      background: $background; border: round $border; }
    PickColumnsScreen.-whole > Vertical { width: 100%; max-width: 100%; }
    PickColumnsScreen Listing { height: 1fr; }
    PickColumnsScreen #said { height: auto; max-height: 4; margin-top: 1; }
    PickColumnsScreen #keys { height: 1; }
    """

    def __init__(self, path: str, given: Mapping[str, Any], evaluator: str | None) -> None:
        super().__init__()
        self._path, self._evaluator, self._preset = path, evaluator, given.get("preset")
        self.given = {name: str(given[name]) for name in _NAMES if given.get(name)}
        """The columns that are chosen, by option; the others are guessed."""
        self.seen = Preview((), {})
        self._unread = True

    @property
    def reading(self) -> bool:
        """Whether the first rows were not read yet."""
        return self._unread

    def say_reading(self) -> None:
        """Tell that keys wait."""
        self.query_one("#said", Lines).show([[("reading the first rows; keys wait, esc lets go of them", "muted")]])

    def compose(self) -> ComposeResult:
        """The columns, what is guessed or wrong, and the keys."""
        with Vertical():
            yield Listing(_COLUMNS, self._cells, id="columns")
            yield Lines(id="said")
            yield Lines(id="keys")

    def on_resize(self, event: events.Resize) -> None:
        """Take the whole width of a small terminal: a few letters of the form beside the frame would read as part of it."""
        self.set_class(event.size.width < 100, "-whole")

    def on_mount(self) -> None:
        """Read the first rows."""
        listing = self.query_one(Listing)
        listing.border_title = ""
        self.set_focus(listing)
        keys: list[tuple[str, str]] = []
        for key, (_, name) in _KEYS.items():
            keys += [(key, "key"), (f" {name}  ", "muted")]
        self.query_one("#keys", Lines).show(
            [[*keys, ("⌫", "key"), (" guessed  ", "muted"), ("↵", "key"), (" done", "muted")]]
        )
        self._read()

    def _read(self) -> None:
        self._unread = True
        self.run_worker(self._reading(), group="read", exclusive=True)

    async def _reading(self) -> None:
        try:
            self.seen = await asyncio.to_thread(preview, self._path, self.given, self._evaluator, self._preset)
        except ModexError as error:
            self.seen = Preview((), {}, str(error))
        self._unread = False
        listing = self.query_one(Listing)
        listing.set_count(len(self.seen.columns), cursor=listing.cursor)
        listing.put(0, self.seen.columns)
        lines: list[Line] = [[(message(text), "muted")] for text in self.seen.guesses[:4]]
        self.query_one("#said", Lines).show([[(message(self.seen.problem), "error")]] if self.seen.problem else lines)

    def _cells(self, column: DataColumn) -> list[Cell]:
        role = next((name for name, found in self.seen.roles.items() if found == column.name), None)
        chosen = role is not None and self.given.get(role) == column.name
        shown = "" if role is None else _NAMES[role]
        values = [(value, "muted") for value in (*column.values, "", "", "")[:3]]
        return [(column.name, "text"), (shown, "accent" if chosen else "faint"), *values]

    def on_key(self, event: events.Key) -> None:
        """A role's key gives it to the selected column; backspace lets the column's role be guessed again."""
        column = self.query_one(Listing).current
        if not isinstance(column, DataColumn):
            return
        if event.key in _KEYS:
            name = _KEYS[event.key][0]
            self.given = {other: found for other, found in self.given.items() if found != column.name}
            self.given[name] = column.name
        elif event.key in ("backspace", "delete"):
            self.given = {other: found for other, found in self.given.items() if found != column.name}
        else:
            return
        event.stop()
        event.prevent_default()
        self._read()

    @on(Listing.Opened)
    def _done(self) -> None:
        self.dismiss(dict(self.given))

    def action_cancel(self) -> None:
        """Choose nothing."""
        self.dismiss(None)
