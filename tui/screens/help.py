"""Help: the keys of the screen it was asked on, what the signs mean, and a few words on filters."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from textual import events
from textual.screen import Screen
from textual.widget import Widget

from modex.core.comparison.wording import WEIGHTED_SCORE
from modex.tui.actions import Action, Scope, scope
from modex.tui.frame import painter
from modex.tui.look.glyphs import ASCII
from modex.tui.look.paint import Line, Part, columns
from modex.tui.look.text import fit
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.keyline import key_name
from modex.tui.widgets.scroll import ScrollLines

_SIGNS = (
    ("passed", "scored 0.70 or more"),
    ("failed", "scored less"),
    ("flaky", "with epochs: passed in some, failed in others"),
    ("error", "no score: the provider, the judge or a tool failed; resume tries again"),
    ("running", "is being asked or judged"),
    ("pending", "waits"),
    ("skipped", "was left out, with a reason; counts for nothing"),
    ("completed", "a run that came to its end, whatever its score"),
)


_MARGINS = 5
"""Columns beside the text: its margins and the scroll bar."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What stands at the left, and words beside it that go on under themselves."""

    head: Sequence[Part] = ()
    words: str = ""
    role: str = "text"

    def lines(self, room: int) -> list[Line]:
        """The entry in lines of at most `room` columns."""
        indent = columns(self.head)
        wrapped = textwrap.wrap(self.words, max(12, room - indent)) or [""]
        under: list[Line] = [[(" " * indent, "text"), (part, self.role)] for part in wrapped[1:]]
        return [[*self.head, (wrapped[0], self.role)], *under]


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
        """Say whose help this is."""
        super().on_mount()
        title = self._scopes[0].title.lower()
        self.identity([("modex", "title"), (f"  help  {title}", "muted")])
        self.set_focus(self.query_one(ScrollLines))

    def on_resize(self, event: events.Resize) -> None:
        """Write it for the width there is."""
        told = [*self._key_lines(), *self._sign_lines(), *_filter_entries()]
        room = event.size.width - _MARGINS
        self.query_one(ScrollLines).show([line for entry in told for line in entry.lines(room)])

    def _key_lines(self) -> list[_Entry]:
        plain = painter(self).glyphs is ASCII
        entries: list[_Entry] = []
        for found in self._scopes:
            entries.append(_Entry([(found.title, "title")]))
            entries += [self._key_entry(found, action, plain=plain) for action in found.actions]
            entries.append(_Entry())
        return entries

    def _key_entry(self, found: Scope, action: Action, *, plain: bool) -> _Entry:
        keys = self._keys.get(f"{found.name}.{action.key_id}") or action.keys.split(",")
        named = "  ".join(key_name(key, ascii_only=plain) for key in keys)
        return _Entry([(fit(f"  {named}", 18), "key")], action.help)

    def _sign_lines(self) -> list[_Entry]:
        glyphs = painter(self).glyphs
        entries = [_Entry([("Signs", "title")])]
        for status, meaning in _SIGNS:
            sign: Part = (f"  {glyphs.status(status)}  ", "accent" if status == "flaky" else status)
            entries.append(_Entry([sign, (fit(status, 13), "text")], meaning, "muted"))
        about = (
            "A cell with more tests than room is a bar in proportion that hides no failure. Its score is dim while it"
            f" forms. {WEIGHTED_SCORE} Where answers lack a verdict for a reason that the model can cause, it stands between"
            " two numbers: all of them wrong, and all of them right."
        )
        return [*entries, _Entry(), _Entry([("  ", "text")], about, "muted"), _Entry()]


def _filter_entries() -> list[_Entry]:
    return [
        _Entry([("Filters", "title")]),
        _Entry([("  words           ", "key")], "match anywhere, in any case"),
        _Entry([("  status:failed   ", "key")], "a state; several with commas: status:failed,error"),
        _Entry([("  score<0.5  level>=3       ", "key")], "compared; also cost, tokens, seconds"),
        _Entry([("  evaluator:  flag:  why:   ", "key")], "also fault, domain, model, error, text; ! turns one round"),
    ]


def keys_by_action(screen: Screen[Any]) -> dict[str, list[str]]:
    """Every key of every action that `screen` has now, by the action's id."""
    found: dict[str, list[str]] = {}
    for key, active in screen.active_bindings.items():
        if active.binding.id:
            found.setdefault(active.binding.id, []).append(key)
    return found
