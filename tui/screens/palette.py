"""The command palette: everything the screen below can do, found by typing."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from modex.core.foundation.errors import ModexError
from modex.core.store.races import RaceRow, races
from modex.core.store.rows import RunRow, SampleHead
from modex.tui import features
from modex.tui.actions import Action, by_id
from modex.tui.frame import painter
from modex.tui.look.glyphs import ASCII
from modex.tui.look.note import note
from modex.tui.look.paint import between
from modex.tui.look.text import fit_middle
from modex.tui.reading.fuzzy import fuzzy
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.keyline import key_name
from modex.tui.widgets.lines import Lines

_HIDDEN = frozenset({"lists", "matrix"})
"""Scopes that move a selection: nobody looks for them by name."""
_ROWS = 12
_WIDTH, _FRAME = 70, 4
"""Columns of the box as in its style, and those of them that its border and padding take."""
_RUNS, _TESTS = 1000, 5000
"""So many of each are searched, the latest runs first."""


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """One command, the key that also does it, and where its action lives."""

    action: Action
    key: str
    node: DOMNode

    @property
    def words(self) -> str:
        """What is searched."""
        return f"{self.action.label} {self.action.help}"


@dataclass(frozen=True, slots=True)
class Destination:
    """Somewhere to go: a screen, a run, a test."""

    kind: Literal["screen", "run", "race", "test"]
    words: str
    """What is shown and searched."""
    go: Callable[[], Screen[Any]]
    """Makes the screen."""


class PaletteScreen(ModalScreen["ActionEntry | Destination"]):
    """Type a few letters, Enter gives the chosen command or place back; places are listed once something is typed.

    Textual's `CommandPalette` needs 350 ms of processor time a letter over every command and 2,000 tests, this one 16 ms.
    """

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
        self._places: list[Destination] = screens(about)
        self._about = about
        self._found: list[ActionEntry | Destination] = list(self._entries)
        self._chosen = 0
        self._unread = True

    @property
    def reading(self) -> bool:
        """Whether the runs and tests that Enter may mean were not read yet."""
        return self._unread

    def say_reading(self) -> None:
        """Tell that Enter waits."""
        note(self.app, "reading runs and tests; enter waits for them")

    def compose(self) -> ComposeResult:
        """An input and what fits it."""
        with Vertical():
            box = Input(placeholder="what to do, or a run, a test, a screen", compact=True)
            box.cursor_blink = False
            yield box
            yield Lines(id="found")

    def on_mount(self) -> None:
        """Show every command first, and read which runs and tests there are."""
        self._show()
        self.run_worker(self._read(), group="read")

    async def _read(self) -> None:
        frame, run_id = painter(self), getattr(self._about, "about_run", None)
        with contextlib.suppress(ModexError):  # the screen below says what is wrong with the store
            runs = await frame.store.ask(lambda reader: reader.runs(limit=_RUNS))
            self._places += [_run_place(run) for run in runs]
            self._places += [_race_place(race) for race in await frame.store.ask(races)]
            if run_id is not None:
                heads = await frame.store.ask(lambda reader: reader.heads(run_id, limit=_TESTS))
                self._places += [_test_place(frame.database, run_id, head) for head in heads]
        self._unread = False
        self._search(self.query_one(Input).value)

    def on_resize(self) -> None:
        """Keep keys and kinds in sight."""
        self._show()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._search(event.value)

    def _search(self, typed: str) -> None:
        """The best first: commands before places that fit as well."""
        candidates: list[ActionEntry | Destination] = [*self._entries, *(self._places if typed.strip() else ())]
        scored = [(score, entry) for entry in candidates if (score := fuzzy(typed, entry.words)) is not None]
        scored.sort(key=lambda pair: -pair[0])
        self._found = [entry for _, entry in scored]
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
        room = min(_WIDTH, self.app.size.width) - _FRAME
        lines = []
        for index, entry in enumerate(self._found[first : first + _ROWS], first):
            chosen = index == self._chosen
            words = entry.action.help if isinstance(entry, ActionEntry) else fit_middle(entry.words, max(8, room - 10))
            hint = key_name(entry.key, ascii_only=plain) if isinstance(entry, ActionEntry) else entry.kind
            left = [(bar if chosen else " ", "bar"), (f" {words}", "title" if chosen else "text")]
            lines.append(between(left, [(hint, "key" if isinstance(entry, ActionEntry) else "faint")], room))
        self.query_one("#found", Lines).show(lines or [[("  nothing fits", "muted")]])


def screens(about: Screen[Any]) -> list[Destination]:
    """The screens that can be gone to from anywhere."""
    from modex.tui.screens.new_run import NewRunScreen
    from modex.tui.screens.settings import SettingsScreen
    from modex.tui.screens.suite import SuiteScreen

    frame = painter(about)
    database = frame.database
    own = {
        "NewRunScreen": Destination("screen", "new run", lambda: NewRunScreen(database, draft=frame.draft)),
        "SuiteScreen": Destination("screen", "suite and its tests", lambda: SuiteScreen(database)),
        "SettingsScreen": Destination("screen", "settings", SettingsScreen),
    }
    return [
        own[name] if name in own else Destination("screen", words, partial(_feature_screen, name, about))
        for name, words in features.palette(own).items()
    ]


def _feature_screen(name: str, below: Screen[Any]) -> Screen[Any]:
    module, _, kind = features.places()[name].partition(":")
    made: type[ModexScreen[Any]] = getattr(importlib.import_module(module), kind)
    return made.over(below)


def _run_place(run: RunRow) -> Destination:
    from modex.tui.screens.live import LiveScreen

    return Destination("run", f"{run.exp_id}  {run.model}", lambda: LiveScreen((run.exp_id,)))


def _race_place(race: RaceRow) -> Destination:
    from modex.tui.lazy import RaceScreen

    models = ", ".join(str(one["model"]) for one in race.contenders)
    return Destination("race", f"{race.exp_id}  {models}", lambda: RaceScreen(race.exp_id))


def _test_place(database: Path, run_id: int, head: SampleHead) -> Destination:
    from modex.tui.screens.transcript import TranscriptScreen

    words = f"{head.domain}/{head.level}/{head.test_id}  {head.name or ''}".rstrip()
    return Destination("test", words, lambda: TranscriptScreen(database, run_id, [head.id], 0))


def entries(screen: Screen[Any]) -> list[ActionEntry]:
    """What `screen` can do now, in the registry's order."""
    known = by_id()
    found: dict[str, ActionEntry] = {}
    for key, active in screen.active_bindings.items():
        id_ = active.binding.id
        if active.enabled and id_ in known and id_.partition(".")[0] not in _HIDDEN and id_ != "everywhere.palette":
            found.setdefault(id_, ActionEntry(known[id_], key, active.node))
    order = list(known)
    return [found[id_] for id_ in sorted(found, key=lambda id_: (id_.startswith("everywhere"), order.index(id_)))]
