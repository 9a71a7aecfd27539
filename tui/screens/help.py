"""Help: the keys of the screen it was asked on, what the signs mean, and a few words on filters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual.screen import Screen
from textual.widget import Widget

from tui.actions import Action, Scope, scope
from tui.frame import painter
from tui.glyphs import ASCII
from tui.paint import Line, Part
from tui.screens.base import ModexScreen
from tui.text import fit
from tui.widgets.keyline import key_name
from tui.widgets.scroll import ScrollLines

_SIGNS = (
    ("passed", "scored 0.70 or more"),
    ("failed", "scored less"),
    ("error", "no score: the provider, the judge or a tool failed; resume tries again"),
    ("running", "is being asked or judged"),
    ("pending", "waits"),
    ("skipped", "was left out, with a reason; counts for nothing"),
)


class HelpScreen(ModexScreen[None]):
    """Scrolls; any screen's help has the same shape."""

    SCOPES = ("lists",)
    ASIDE = True
    DEFAULT_CSS = """
    HelpScreen ScrollLines { margin: 1 2 0 2; }
    """

    def __init__(self, about: Screen[Any]) -> None:
        super().__init__()
        self._scopes = [scope(name) for name in (*getattr(about, "scopes", ()), "everywhere")]
        self._keys = keys_by_action(about)

    def body(self) -> Iterable[Widget]:
        """One scrolling text."""
        yield ScrollLines(id="help")

    def on_mount(self) -> None:
        """Write it."""
        super().on_mount()
        title = self._scopes[0].title.lower()
        self.identity([("modex", "title"), (f"  help  {title}", "muted")])
        text = self.query_one(ScrollLines)
        text.show([*self._key_lines(), *self._sign_lines(), *_FILTER_LINES])
        text.focus()

    def _key_lines(self) -> list[Line]:
        plain = painter(self).glyphs is ASCII
        lines: list[Line] = []
        for found in self._scopes:
            lines += [[(found.title, "title")]]
            lines += [self._key_line(found, action, plain=plain) for action in found.actions]
            lines.append(())
        return lines

    def _key_line(self, found: Scope, action: Action, *, plain: bool) -> Line:
        keys = self._keys.get(f"{found.name}.{action.key_id}") or action.keys.split(",")
        named = "  ".join(key_name(key, ascii_only=plain) for key in keys)
        return [(fit(f"  {named}", 18), "key"), (action.help, "text")]

    def _sign_lines(self) -> list[Line]:
        glyphs = painter(self).glyphs
        lines: list[Line] = [[("Signs", "title")]]
        for status, meaning in _SIGNS:
            sign: Part = (f"  {glyphs.status(status)}  ", status)
            lines.append([sign, (fit(status, 13), "text"), (meaning, "muted")])
        lines += [
            (),
            [
                (
                    "  A cell with more tests than room is a bar in proportion that hides no failure. Its score is dim",
                    "muted",
                )
            ],
            [("  while it forms. A Weighted Score counts a level by its number; errors count for nothing.", "muted")],
            (),
        ]
        return lines


_FILTER_LINES: list[Line] = [
    [("Filters", "title")],
    [("  words           ", "key"), ("match anywhere, in any case", "text")],
    [("  status:failed   ", "key"), ("a state; several with commas: status:failed,error", "text")],
    [("  model:  domain:  level:   ", "key"), ("where the list has them", "text")],
]


def keys_by_action(screen: Screen[Any]) -> dict[str, list[str]]:
    """Every key of every action that `screen` has now, by the action's id."""
    found: dict[str, list[str]] = {}
    for key, active in screen.active_bindings.items():
        if active.binding.id:
            found.setdefault(active.binding.id, []).append(key)
    return found
