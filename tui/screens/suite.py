"""A suite: its domains, levels and tests, what each asks by layer, and what `check` finds, in place."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from textual import events, getters, on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ModexError
from modex.core.suite.definitions import Location
from modex.tui.actions import Action, bindings
from modex.tui.look import format as fmt
from modex.tui.look.paint import Part
from modex.tui.look.text import message
from modex.tui.planning.offers import SCRIPTED, recent_models
from modex.tui.reading.suite import Leaf, SuiteView, read_suite, suite_of_settings
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import READ_ONLY
from modex.tui.screens.suite_editing import EditedScreen, SuiteEditing
from modex.tui.widgets.edit import Edit
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.prompt import Prompt
from modex.tui.widgets.suite_detail import group_parts, test_parts
from modex.tui.widgets.suite_tree import SuiteTree
from modex.tui.widgets.transcript_view import TranscriptView

WIDE = 110


_WAIT_FOR_SAMPLE_S = 30.0
_OF_A_TEST = ("duplicate", "move_test", "on_off", "delete", "try_tool")
"""Actions that change or use the selected test."""


class SuiteScreen(EditedScreen):
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
    tests = getters.query_one(SuiteTree)
    """The tree."""
    detail = getters.query_one(TranscriptView)
    """The selected test."""

    def __init__(self, database: Path, path: str | None = None) -> None:
        super().__init__()
        self.database = database
        self.path = path
        self.seen: SuiteView | None = None
        self.places: dict[str, Location] = {}
        self.only_findings = False
        self.editing = SuiteEditing(self)
        self._about = ""

    def body(self) -> Iterable[Widget]:
        """The tree, and the selected test."""
        yield Lines(id="empty")
        with Horizontal():
            yield SuiteTree(id="tree")
            yield TranscriptView(id="detail")
        yield Prompt(id="filter", placeholder="words in id, name, evaluator or prompt; level>=3, evaluator:regex")
        yield Edit()

    @property
    def reading(self) -> bool:
        """Whether the suite was not read yet; one that cannot be read is said in its place."""
        unread = self.seen is None and not (self.is_mounted and self.query_one("#empty").display)
        return super().reading or unread

    @property
    def in_detail(self) -> bool:
        """Whether the keys go to the test."""
        return self.detail.has_focus

    def on_mount(self) -> None:
        """Read the suite, then check it."""
        super().on_mount()
        self.identity([("modex", "title"), ("  tests", "muted")], [("reading", "muted")])
        self.set_focus(self.tests)
        self.read()

    def on_resize(self, event: events.Resize) -> None:
        """The test beside the tree where there is room."""
        self.set_class(event.size.width >= WIDE, "-wide")
        self.set_class(event.size.width < WIDE, "-narrow")

    # reading

    def read(self) -> None:
        """Read and check the suite again."""
        self.run_worker(self._read(), group="read", exclusive=True)

    async def read_now(self, name: str = "") -> None:
        """Read the suite again and select the test `name`; what `check` finds follows."""
        path = self.path
        self._show(await asyncio.to_thread(read_suite, path, check=False))
        if name:
            self.tests.go_to(name)
        self.run_worker(self._read(again=True), group="read", exclusive=True)

    async def _read(self, *, again: bool = False) -> None:
        try:
            if self.path is None:
                self.path = await asyncio.to_thread(suite_of_settings)
            if not again:
                self._show(await asyncio.to_thread(read_suite, self.path, check=False))
            self._show(await asyncio.to_thread(read_suite, self.path, check=True))
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
            tried, of_tool = self.editing.tried
            sections = [*(of_tool if tried == about else ()), *sections]
        else:
            sections, self.places = group_parts(view, node.group)
            about = node.group
        self.detail.show(sections, keep_place=about == self._about)
        self._about = about
        self.keys_changed()

    def show_tried(self) -> None:
        """Show what a tool answered, on top of its test."""
        self._about = ""
        self._show_detail()
        self.to_detail(True)

    def answered(self) -> None:
        """Give the keys back to the tree, or to the test."""
        self.set_focus(self.detail if self.in_detail else self.tests)

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
        self.set_focus(self.detail if there else self.tests)
        self.keys_changed()

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        self.tell_problem(self.tests.filter(event.value))

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.set_focus(self.tests)

    @on(Edit.Done)
    def _typed(self, event: Edit.Done) -> None:
        self.editing.typed(event.value)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer what the selection allows."""
        if not self.is_mounted or self.seen is None:
            return action not in ("edit", "run", "copy", "fold_part", "findings", "faults", "new", "undo", *_OF_A_TEST)
        if action in _OF_A_TEST:
            leaf = self.tests.leaf
            return leaf is not None and (bool(leaf.test.tools) if action == "try_tool" else leaf.test.source == "suite")
        if action == "undo":
            return bool(self.editing.done)
        if action == "run":
            leaf = self.tests.leaf
            return leaf is not None and leaf.test.invalid is None and self.frame.store.writable
        if action == "findings":
            return bool(self.seen.problems) or self.only_findings
        if action in ("copy", "fold_part", "leave_detail"):
            return self.in_detail
        return True

    def why_not(self, action: Action) -> str:
        """By what is selected."""
        if self.seen is None:
            return "the suite is still being read"
        if action.name == "run" and not self.frame.store.writable:
            return READ_ONLY
        if action.name == "run":
            return (
                "select a test" if self.tests.leaf is None else "this test has a mistake and cannot run; f lists those"
            )
        if action.name in _OF_A_TEST:
            if self.tests.leaf is None:
                return "select a test"
            return "this test offers no tool" if action.name == "try_tool" else "a row of a dataset: e opens its file"
        if action.name == "undo":
            return "nothing was changed on this screen"
        if action.name == "findings":
            return "check finds nothing wrong" if self.seen.checked else "check is still at work"
        return "first go to the test with tab"

    def action_filter(self) -> None:
        """Ask for a filter."""
        self.to_detail(False)
        self.query_one("#filter", Prompt).ask()

    def action_findings(self) -> None:
        """Only tests with findings, or all."""
        self.only_findings = not self.only_findings
        self.tests.filter(self.query_one("#filter", Prompt).value, only_found=self.only_findings)

    def action_switch(self) -> None:
        """To the test, and back."""
        self.to_detail(not self.in_detail)

    def action_leave_detail(self) -> None:
        """Back to the tree."""
        self.to_detail(False)

    def action_fold_part(self) -> None:
        """Fold or unfold."""
        self.detail.fold()

    def action_faults(self) -> None:
        """Show what the stored runs say of the tests."""
        from modex.tui.lazy import SuiteFaultsScreen

        if self.seen is not None:
            self.app.push_screen(SuiteFaultsScreen(None if self.seen.bundled else str(self.seen.suite.root)))

    def action_check(self) -> None:
        """Read and check again."""
        self.read()

    def action_copy(self) -> None:
        """Send the part under the selection to the terminal's clipboard."""
        from modex.tui.terminal.clipboard import send

        section = self.detail.section
        if section is not None and section.source:
            self.say(f"{section.title} {send(self.app, section.source)}")

    def action_edit(self) -> None:
        """Open the file in the editor, and read the suite again afterwards."""
        from modex.tui.terminal.programs import editor_command, hand_over

        view, section = self.seen, self.detail.section
        key = section.key if section is not None and self.in_detail else "test"
        place = self.places.get(key) or self.places.get("test") or self.places.get("domain")
        if view is None or place is None:
            self.say("no file to open here")
            return
        command = editor_command(view.suite.root / place.path, place.line)
        problem = hand_over(self.app, command) if command else "no editor: set $EDITOR"
        if problem:
            self.say(problem, severity="warning")
        self.read()

    def action_new(self) -> None:
        """Ask what is new: a test, a domain, an evaluator."""
        node = self.tests.current
        self.editing.new("" if node is None else node.group, 1 if node is None else node.level or 1)

    def action_duplicate(self) -> None:
        """Copy the test."""
        if self.tests.leaf is not None:
            self.editing.duplicate(self.tests.leaf)

    def action_move_test(self) -> None:
        """Move the test."""
        if self.tests.leaf is not None:
            self.editing.move(self.tests.leaf)

    def action_on_off(self) -> None:
        """Switch the test off, or on."""
        if self.tests.leaf is not None:
            self.editing.switch(self.tests.leaf)

    def action_delete(self) -> None:
        """Ask, then delete the test."""
        if self.tests.leaf is not None:
            self.editing.delete(self.tests.leaf)

    def action_undo(self) -> None:
        """Take the last change back."""
        self.editing.undo()

    def action_try_tool(self) -> None:
        """Ask for arguments, and call a tool of the test."""
        if self.tests.leaf is not None:
            self.editing.try_tool(self.tests.leaf)

    def action_run(self) -> None:
        """Ask for a model, then run just this test."""
        if self.tests.leaf is not None:
            self.fetch_then(self._ask_model(self.tests.leaf))

    async def _ask_model(self, leaf: Leaf) -> None:
        specs = await self.frame.store.ask(recent_models)
        if all(spec["model"] != SCRIPTED["model"] for spec in specs):
            specs.append(SCRIPTED)
        answers = [
            Answer(str(number), str(number), f"{spec.get('entry') or spec['model']}{_at(spec)}")
            for number, spec in enumerate(specs, 1)
        ]

        def run(answer: str | None) -> None:
            if answer:
                self.run_worker(self._run(leaf, specs[int(answer) - 1]), group="run", exclusive=True)

        self.app.push_screen(AskScreen(f"Run {leaf.name} with which model?", answers), run)

    async def _run(self, leaf: Leaf, spec: dict[str, Any]) -> None:
        from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
        from modex.core.engine.start import Start, start_runners

        model: ModelSpec = ModelSpec(**spec)
        root = str(self.seen.suite.root) if self.seen is not None and not self.seen.bundled else None
        config = RunConfig(model=model, selection=Selection(suite=root, tests=(leaf.name,)))
        self.say(f"asking {model.model}")
        try:
            (prepared,) = await asyncio.to_thread(start_runners, self.database, [Start(config)], wait=True)
            sample_id = await self._first_sample(prepared.run_id)
        except ModexError as error:
            self.say(str(error), severity="error")
            return
        if sample_id is None:
            from modex.tui.screens.live import LiveScreen

            self.app.push_screen(LiveScreen((prepared.exp_id,)))
            return
        from modex.tui.screens.transcript import TranscriptScreen

        self.app.push_screen(TranscriptScreen(self.database, prepared.run_id, [sample_id], 0))

    async def _first_sample(self, run_id: int) -> int | None:
        """The run's sample, as soon as the runner has planned it."""
        deadline = self.frame.clock() + _WAIT_FOR_SAMPLE_S
        while self.frame.clock() < deadline:
            ids = await self.frame.store.ask(lambda reader: reader.head_ids(run_id))
            if ids:
                return ids[0]
            run = await self.frame.store.ask(lambda reader: reader.run_by_id(run_id))
            if not run.alive and run.status not in ("running", "paused"):
                return None
            await asyncio.sleep(0.1)
        return None


def _at(spec: dict[str, Any]) -> str:
    """Where a stored model was asked, if it has an address."""
    return f"  at {spec['api_base']}" if spec.get("api_base") else ""
