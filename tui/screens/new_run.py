"""Planning a run: model and settings on the left, tests on the right, and what it will ask and cost below."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input

from core.errors import ModexError
from core.store.reader import Reader
from tui import format as fmt
from tui.actions import bindings
from tui.paint import Part
from tui.run_estimate import Need, answer_length, needs
from tui.run_plan import SETTINGS, Plan, Setting, fewest
from tui.run_summary import Summary, command_lines, summarise, summary_lines
from tui.screens.base import ModexScreen
from tui.screens.new_run_actions import NewRunActions
from tui.screens.suite_actions import proven_model, recent_models
from tui.suite_view import SuiteView, read_suite
from tui.widgets.columns import Cell, Column
from tui.widgets.edit import Edit
from tui.widgets.lines import Lines
from tui.widgets.listing import Listing
from tui.widgets.prompt import Prompt
from tui.widgets.suite_tree import SuiteTree

_COLUMNS = (Column("", 12), Column("", 14, grow=1, max_width=24), Column("", 18, grow=1, from_width=64))


class SettingsList(Listing[Setting]):
    """The settings; the selection is shown only while they have the keys."""

    @property
    def shows_cursor(self) -> bool:
        """Whether the settings have the keys."""
        return self.has_focus

    def on_focus(self) -> None:
        """Draw the selection."""
        self.repaint()

    def on_blur(self) -> None:
        """Take the selection away."""
        self.repaint()


class NewRunScreen(NewRunActions, ModexScreen[None]):
    """A plan that becomes a run by `s`; every choice shows the equal command line."""

    SCOPES = ("new_run", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("new_run")]
    DEFAULT_CSS = """
    NewRunScreen #sides { height: 1fr; }
    NewRunScreen #settings { width: 38; }
    NewRunScreen #tests { width: 1fr; border-left: solid $panel; }
    NewRunScreen.-wide #settings { width: 76; }
    NewRunScreen.-roomy #settings { width: 92; }
    NewRunScreen.-narrow #tests { display: none; }
    NewRunScreen.-narrow #settings { width: 1fr; }
    NewRunScreen.-narrow.-tests #tests { display: block; border-left: none; }
    NewRunScreen.-narrow.-tests #settings { display: none; }
    NewRunScreen #summary { height: auto; margin-top: 1; }
    NewRunScreen #command { height: auto; margin-bottom: 1; }
    """

    def __init__(self, database: Path) -> None:
        super().__init__()
        self.database = database
        self.plan = Plan()
        self.seen: SuiteView | None = None
        self.summary = Summary(None, (), "choose a model")
        self.recent: list[dict[str, Any]] = []
        self._needs: list[Need] = []
        self._suite = ""

    def body(self) -> Iterable[Widget]:
        """Settings, tests, summary, command line."""
        with Horizontal(id="sides"):
            yield SettingsList(_COLUMNS, self._cells, titles=False, id="settings")
            yield SuiteTree(boxes=True, id="tests")
        yield Lines(id="summary")
        yield Lines(id="command")
        prompt = Prompt(placeholder="words in id, name, evaluator or prompt")
        prompt.id = "filter"
        yield prompt
        yield Edit()

    @property
    def settings(self) -> SettingsList:
        """The settings."""
        return self.query_one(SettingsList)

    @property
    def tests(self) -> SuiteTree:
        """The tests."""
        return self.query_one(SuiteTree)

    def on_mount(self) -> None:
        """Show the settings, and read the suite and the latest models."""
        super().on_mount()
        self.settings.set_count(len(SETTINGS))
        self.settings.put(0, SETTINGS)
        self.settings.focus()
        self.changed()
        self.run_worker(self._begin(), group="begin")

    def on_resize(self, event: events.Resize) -> None:
        """One side at a time where the width is small."""
        self.set_class(event.size.width >= 120, "-wide")
        self.set_class(event.size.width >= 160, "-roomy")
        self.set_class(event.size.width < 72, "-narrow")
        self._show()

    # reading

    async def _begin(self) -> None:
        try:
            await asyncio.to_thread(self._defaults)
        except ModexError as error:
            self.say(str(error), severity="error")
        try:
            self.recent = await self.frame.store.ask(recent_models)
            proven = await self.frame.store.ask(proven_model)
        except ModexError:
            self.recent, proven = [], None
        if not self.plan.model and proven is not None:
            self.take_model(proven["model"], proven.get("api_base"))
        self.read_suite()

    def _defaults(self) -> None:
        from core.settings import load_settings

        settings = load_settings()
        for name, value in (("model", settings.model[:1]), ("api_base", settings.api_base), ("suite", settings.suite)):
            if value:
                self.plan.set(name, value[0] if isinstance(value, list) else value)

    def read_suite(self) -> None:
        """Read the suite that is set, then check it."""
        self.run_worker(self._read(), group="read", exclusive=True)

    async def _read(self) -> None:
        path = self.plan.typed("suite") or None
        try:
            await self._take(await asyncio.to_thread(read_suite, path, check=False), path or "")
            await self._take(await asyncio.to_thread(read_suite, path, check=True), path or "")
        except ModexError as error:
            self.say(str(error), severity="error")

    async def _take(self, view: SuiteView, path: str) -> None:
        first = self.seen is None or self._suite != path
        chosen = {self.tests.leaves[number].name for number in self.tests.chosen}
        self.seen, self._suite = view, path
        self._needs = await asyncio.to_thread(needs, view)
        self.tests.chosen = {
            number
            for number, leaf in enumerate(view.leaves)
            if (leaf.group not in view.off and leaf.test.disabled_by is None if first else leaf.name in chosen)
        }
        self.tests.show(view.leaves, view.off)
        self.changed()

    # what the plan comes to

    def changed(self) -> None:
        """Something was chosen: show the equal command line at once, and work out what it comes to."""
        if self.seen is not None:
            self.plan.chosen = fewest(self.seen.leaves, self.tests.chosen, self.seen.off)
        self._show()
        self.run_worker(self._work_out(), group="plan", exclusive=True)

    async def _work_out(self) -> None:
        model = self.plan.model
        length: float | None = None
        if model:

            def ask(reader: Reader) -> float | None:
                return answer_length(reader, model)

            try:
                length = await self.frame.store.ask(ask)
            except ModexError:
                length = None
        chosen = [self._needs[number] for number in sorted(self.tests.chosen) if number < len(self._needs)]
        self.summary = await asyncio.to_thread(summarise, self.plan, chosen, length)
        self._show()
        self.keys_changed()

    def _show(self) -> None:
        total = len(self.seen.leaves) if self.seen else 0
        right: list[Part] = [
            *self.store_state(),
            (f"{fmt.count(len(self.tests.chosen))} of {fmt.count(total)} tests", "muted"),
        ]
        model = self.plan.model
        left: list[Part] = [("new run  ", "muted"), (model or "no model yet", "title" if model else "faint")]
        if model.partition("/")[0] == "demo":
            left.append(("  scripted, no key, no network", "faint"))
        self.identity(left, right)
        findings = len(self.seen.problems) if self.seen else 0
        checked = self.seen is not None and self.seen.checked
        lines = summary_lines(self.summary, findings, checked, self.frame.glyphs, self.size.width)
        if not self.frame.store.writable:
            lines.insert(
                0, [(" store   ", "muted"), ("read-only: nothing can be started; name another --db", "accent")]
            )
        self.query_one("#summary", Lines).show(lines)
        most = 2 if self.size.height < 30 else 4
        self.query_one("#command", Lines).show(command_lines(self.plan.command(), self.size.width, most))
        self.settings.repaint()

    def _cells(self, setting: Setting) -> list[Cell]:
        typed = self.plan.typed(setting.name)
        default = setting.default
        if setting.name == "judge_models":
            default = "demo/judge" if self.plan.model.partition("/")[0] == "demo" else "gemini/gemini-2.5-flash"
        value: Part = (typed, "accent") if typed else (default, "faint")
        return [(setting.title, "text"), value, (setting.help, "faint")]

    # editing

    @on(Listing.Opened, "SettingsList")
    def _edit(self) -> None:
        setting = self.settings.current
        if setting is None:
            return
        if setting.name == "model":
            self.pick_model()
        elif setting.name == "skip_invalid":
            self.plan.set("skip_invalid", "no" if self.plan.typed("skip_invalid") else "yes")
            self.changed()
        else:
            typed = self.plan.typed(setting.name)
            self.query_one(Edit).ask_for(setting.name, setting.title, typed, setting.help)

    @on(Edit.Done)
    def _edited(self, event: Edit.Done) -> None:
        self.settings.focus()
        if event.value is None:
            return
        try:
            self.plan.set(event.name, event.value)
        except ValueError as error:
            self.say(f"{event.name.replace('_', ' ')}: {error}", severity="warning")
            return
        if event.name == "suite":
            self.read_suite()
        self.changed()

    @on(Listing.Opened, "SuiteTree")
    def _opened(self) -> None:
        node = self.tests.current
        if node is None:
            return
        if node.leaf >= 0:
            self.tests.choose(node)
            self.changed()
        else:
            self.tests.toggle(node)

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        box = self.query_one("#filter", Prompt).query_one(Input)
        if self.focused is box:
            self.tests.filter(event.value)

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.tests.focus()
