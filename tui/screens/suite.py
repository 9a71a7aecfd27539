"""A suite: its domains, levels and tests, what each asks by layer, and what `check` finds, in place."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from core.errors import ModexError
from core.suite.definitions import Location
from tui import format as fmt
from tui.actions import bindings
from tui.paint import Part
from tui.screens.base import ModexScreen
from tui.screens.suite_actions import SuiteActions
from tui.suite_view import SuiteView, read_suite
from tui.text import message
from tui.widgets.lines import Lines
from tui.widgets.listing import Listing
from tui.widgets.prompt import Prompt
from tui.widgets.suite_detail import group_parts, test_parts
from tui.widgets.suite_tree import SuiteTree
from tui.widgets.transcript_view import TranscriptView

WIDE = 110


class SuiteScreen(SuiteActions, ModexScreen[None]):
    """Shows the suite at `path` (None: the one of the settings, else the bundled one)."""

    SCOPES = ("suite", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("suite")]
    DEFAULT_CSS = """
    SuiteScreen SuiteTree { width: 1fr; }
    SuiteScreen TranscriptView { width: 1fr; }
    SuiteScreen.-wide SuiteTree { width: 44; }
    SuiteScreen.-wide TranscriptView { border-left: solid $panel; padding-left: 1; }
    SuiteScreen.-narrow.-detail SuiteTree { display: none; }
    SuiteScreen.-narrow TranscriptView { display: none; }
    SuiteScreen.-narrow.-detail TranscriptView { display: block; }
    SuiteScreen #empty { height: auto; margin: 2 4; display: none; }
    """

    def __init__(self, database: Path, path: str | None = None) -> None:
        super().__init__()
        self.database = database
        self.path = path
        self.seen: SuiteView | None = None
        self.places: dict[str, Location] = {}
        self.only_findings = False
        self._about = ""

    def body(self) -> Iterable[Widget]:
        """The tree, and the selected test."""
        yield Lines(id="empty")
        with Horizontal():
            yield SuiteTree(id="tree")
            yield TranscriptView(id="detail")
        yield Prompt(placeholder="words in id, name, evaluator or prompt")

    @property
    def tests(self) -> SuiteTree:
        """The tree."""
        return self.query_one(SuiteTree)

    @property
    def detail(self) -> TranscriptView:
        """The selected test."""
        return self.query_one(TranscriptView)

    @property
    def in_detail(self) -> bool:
        """Whether the keys go to the test."""
        return self.detail.has_focus

    def on_mount(self) -> None:
        """Read the suite, then check it."""
        super().on_mount()
        self.identity([("modex", "title"), ("  tests", "muted")], [("reading", "muted")])
        self.tests.focus()
        self.read()

    def on_resize(self, event: events.Resize) -> None:
        """The test beside the tree where there is room."""
        self.set_class(event.size.width >= WIDE, "-wide")
        self.set_class(event.size.width < WIDE, "-narrow")

    # reading

    def read(self) -> None:
        """Read and check the suite again."""
        self.run_worker(self._read(), group="read", exclusive=True)

    async def _read(self) -> None:
        path = self.path
        try:
            if path is None:
                path = await asyncio.to_thread(_suite_of_settings)
            self._show(await asyncio.to_thread(read_suite, path, check=False))
            self._show(await asyncio.to_thread(read_suite, path, check=True))
        except ModexError as error:
            empty = self.query_one("#empty", Lines)
            empty.show([[("This suite cannot be read.", "title")], (), [(message(str(error)), "error")]])
            empty.display = True
            self.identity([("modex", "title"), ("  tests", "muted")])

    def _show(self, view: SuiteView) -> None:
        self.seen = view
        self.tests.show(view.leaves, view.off)
        self._show_identity()
        self._show_detail()

    def _show_identity(self) -> None:
        view = self.seen
        if view is None:
            return
        right: list[Part] = [*self.store_state(), (f"{fmt.count(len(view.leaves))} tests", "muted")]
        count = len(view.problems)
        if count:
            right.append((f"   {count} finding{'s' if count != 1 else ''}", "error"))
        elif view.checked:
            right.append((f"   {self.frame.glyphs.passed} checked", "passed"))
        else:
            right.append(("   checking", "muted"))
        self.identity([("tests  ", "muted"), (view.name, "title")], right)

    def _show_detail(self) -> None:
        view, node = self.seen, self.tests.current
        if view is None or node is None:
            return
        leaf = self.tests.leaf
        if leaf is not None:
            sections, self.places = test_parts(leaf, view.evaluators, self.frame.glyphs)
            about = leaf.name
        else:
            sections, self.places = group_parts(view, node.group)
            about = node.group
        self.detail.show(sections, keep_place=about == self._about)
        self._about = about
        self.keys_changed()

    # moving

    @on(Listing.Moved)
    def _moved(self) -> None:
        self._show_detail()

    @on(Listing.Opened)
    def _opened(self) -> None:
        node = self.tests.current
        if node is None:
            return
        if node.leaf < 0:
            self.tests.toggle(node)
        else:
            self.to_detail(True)

    def to_detail(self, there: bool) -> None:
        """Give the keys to the test, or back to the tree."""
        self.set_class(there, "-detail")
        (self.detail if there else self.tests).focus()
        self.keys_changed()

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        self.tests.filter(event.value)

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.tests.focus()


def _suite_of_settings() -> str | None:
    from core.settings import load_settings

    return load_settings().suite
