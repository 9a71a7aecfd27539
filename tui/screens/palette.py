"""The command palette: everything the screen below can do, found by typing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from tui.actions import Action, by_id
from tui.frame import painter
from tui.glyphs import ASCII
from tui.paint import between
from tui.widgets.keyline import key_name
from tui.widgets.lines import Lines

_HIDDEN = frozenset({"lists", "matrix"})
"""Scopes that move a selection: nobody looks for them by name."""
_ROWS = 12


@dataclass(frozen=True, slots=True)
class Entry:
    """One command, the key that also does it, and where its action lives."""

    action: Action
    key: str
    node: DOMNode


class PaletteScreen(ModalScreen[Entry]):
    """Type a few letters, Enter gives the chosen entry back."""

    DEFAULT_CSS = """
    PaletteScreen { align: center top; background: $background 60%; }
    PaletteScreen:ansi { background: transparent; }
    PaletteScreen > Vertical { width: 70; max-width: 100%; height: auto; margin: 2 0; padding: 0 1;
      background: $background; border: round $border; }
    PaletteScreen Input { margin-bottom: 1; }
    """

    def __init__(self, about: Screen[Any]) -> None:
        super().__init__()
        self._entries = entries(about)
        self._found = self._entries
        self._chosen = 0

    def compose(self) -> ComposeResult:
        """An input and what fits it."""
        with Vertical():
            box = Input(placeholder="what to do", compact=True)
            box.cursor_blink = False
            yield box
            yield Lines(id="found")

    def on_mount(self) -> None:
        """Show everything first."""
        self._show()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        words = event.value.lower().split()
        self._found = [entry for entry in self._entries if all(word in _text(entry) for word in words)]
        self._chosen = 0
        self._show()

    @on(Input.Submitted)
    def _submitted(self) -> None:
        if self._found:
            self.dismiss(self._found[self._chosen])

    def on_key(self, event: events.Key) -> None:
        """Move through what was found, or close."""
        steps = {"down": 1, "up": -1, "ctrl+n": 1, "ctrl+k": -1, "tab": 1, "shift+tab": -1}
        if event.key == "escape":
            event.stop()
            self.dismiss()
        elif event.key in steps and self._found:
            event.stop()
            event.prevent_default()
            self._chosen = (self._chosen + steps[event.key]) % len(self._found)
            self._show()

    def _show(self) -> None:
        plain = painter(self).glyphs is ASCII
        bar = painter(self).glyphs.bar
        first = max(0, self._chosen - _ROWS + 1)
        lines = []
        for index, entry in enumerate(self._found[first : first + _ROWS], first):
            chosen = index == self._chosen
            left = [(bar if chosen else " ", "bar"), (f" {entry.action.help}", "title" if chosen else "text")]
            lines.append(between(left, [(key_name(entry.key, ascii_only=plain), "key")], 66))
        self.query_one("#found", Lines).show(lines or [[("  nothing fits", "muted")]])


def _text(entry: Entry) -> str:
    return f"{entry.action.label} {entry.action.help}".lower()


def entries(screen: Screen[Any]) -> list[Entry]:
    """What `screen` can do now, in the registry's order."""
    known = by_id()
    found: dict[str, Entry] = {}
    for key, active in screen.active_bindings.items():
        id_ = active.binding.id
        if active.enabled and id_ in known and id_.partition(".")[0] not in _HIDDEN and id_ != "everywhere.palette":
            found.setdefault(id_, Entry(known[id_], key, active.node))
    order = list(known)
    return [found[id_] for id_ in sorted(found, key=lambda id_: (id_.startswith("everywhere"), order.index(id_)))]
