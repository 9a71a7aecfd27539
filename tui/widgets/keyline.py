"""The bottom line of every screen: what can be pressed here."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.screen import Screen
from textual.widgets import Input

from modex.tui.actions import by_id
from modex.tui.frame import painter
from modex.tui.look.glyphs import ASCII
from modex.tui.look.paint import Line, Part, columns
from modex.tui.widgets.lines import Lines

_NAMES = {
    "question_mark": "?", "slash": "/", "comma": ",", "plus": "+", "minus": "-", "equals_sign": "=", "space": "space",
    "escape": "esc", "full_stop": ".", "colon": ":", "left_square_bracket": "[", "right_square_bracket": "]",
    "pagedown": "page down", "pageup": "page up", "less_than_sign": "<", "greater_than_sign": ">",
}  # fmt: skip


def key_name(key: str, *, ascii_only: bool = False) -> str:
    """A key as a person writes it: `enter` → ↵, `ctrl+c` → ^c, `question_mark` → ?."""
    if key == "enter":
        return "enter" if ascii_only else "↵"
    if key.startswith("ctrl+"):
        return f"^{key[5:]}"
    return _NAMES.get(key, key)


def keys_of(screen: Screen[Any]) -> dict[str, str]:
    """The first key of every action that works on `screen` now, by the action's id in the registry."""
    found: dict[str, str] = {}
    typing = isinstance(screen.focused, Input)
    for key, active in screen.active_bindings.items():
        # Textual leaves out what a box takes as text, save the keys whose names it does not know as a character's.
        if active.enabled and active.binding.id and not (typing and len(key_name(key, ascii_only=True)) == 1):
            found.setdefault(active.binding.id, key)
    return found


class KeyLine(Lines):
    """Keys and what they do, in the registry's order, as many as fit; the way back and help stand last and always.

    Textual's `Footer` mounts a widget for each key: keys that change four times a second cost 9.5 % of a core, here 1.2 %.
    """

    DEFAULT_CSS = """
    KeyLine { dock: bottom; height: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._places: list[tuple[int, int, str]] = []

    def on_mount(self) -> None:
        """Follow focus and everything else that changes what can be pressed."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.changed())

    def changed(self) -> None:
        """As it was while a dialog lies over the screen: what can be pressed then stands in the dialog."""
        if not self.is_mounted or self.app.screen is self.screen:
            super().changed()

    def on_click(self, event: events.Click) -> None:
        """Do what the key under the mouse does."""
        for start, end, id_ in self._places:
            if start <= event.x < end:
                event.stop()
                for active in self.screen.active_bindings.values():
                    if active.enabled and active.binding.id == id_:
                        self.app.call_next(self.app.run_action, active.binding.action, active.node)
                        return

    def lines_for(self, width: int) -> list[Line]:
        """The one line; where each key stands in it is kept for the mouse."""
        plain = painter(self).glyphs is ASCII
        actions = by_id()
        keys = keys_of(self.screen)
        entries: list[tuple[str, list[Part]]] = []
        last: list[Part] = []
        ends: list[tuple[str, int]] = []
        order = {id_: place for place, id_ in enumerate(actions)}
        own = [id_ for id_ in keys if id_ in actions and actions[id_].shown]
        own.sort(key=lambda id_: (not id_.endswith(".open"), id_.startswith("everywhere."), order[id_]))
        for id_ in own:
            entry: list[Part] = [(key_name(keys[id_], ascii_only=plain), "key"), (f" {actions[id_].label}", "muted")]
            if id_ in ("everywhere.help", "everywhere.back"):
                last = [*entry, *([("  ", "text"), *last] if last else [])]
                ends.insert(0, (id_, columns(entry)))
            else:
                entries.append((id_, entry))
        line: list[Part] = [(" ", "text")]
        room = width - columns(last) - 1
        places: list[tuple[int, int, str]] = []
        for id_, entry in entries:
            if columns(line) + columns(entry) + 2 > room:
                break
            places.append((columns(line), columns(line) + columns(entry), id_))
            line += [*entry, ("  ", "text")]
        at = columns(line)
        for id_, size in ends:
            places.append((at, at + size, id_))
            at += size + 2
        self._places = places
        return [[*line, *last]]
