"""What the screen of a suite changes: it asks what and how, writes the files, reads the suite again, and takes back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.bundled import bundled_root
from modex.core.suite.definitions import Suite, ToolDefinition
from modex.core.suite.editing.changes import SuiteEdit, apply
from modex.core.suite.editing.new import copy_suite, new_domain, new_evaluator, new_test
from modex.core.suite.editing.patterns import EVALUATORS, TESTS, Pattern
from modex.core.suite.editing.places import free_id, taken, why_read_only, written
from modex.core.suite.editing.tests import delete, duplicate, move, switch
from modex.tui.look.text import message
from modex.tui.reading.suite import Leaf, SuiteView
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.edit import Edit as Box
from modex.tui.widgets.transcript_text import Section, block

if TYPE_CHECKING:
    from modex.core.tools.base import ToolResult, ToolSession

Making = Callable[[Suite], SuiteEdit]
"""An edit, made for the suite as it is when it is written."""


class EditedScreen(ModexScreen[None]):
    """What changes of a suite need of the screen that shows it."""

    path: str | None
    seen: SuiteView | None

    async def read_now(self, name: str = "") -> None:
        """Read the suite again and select the test `name`."""
        raise NotImplementedError

    def show_tried(self) -> None:
        """Show what a tool answered, on top of its test."""
        raise NotImplementedError

    def answered(self) -> None:
        """Give the keys back to what had them before something was typed."""
        raise NotImplementedError


class SuiteEditing:
    """The changes of one suite screen; what was done can be taken back while the screen is open."""

    def __init__(self, screen: EditedScreen) -> None:
        self.screen = screen
        self.done: list[SuiteEdit] = []
        """What can be taken back, the last one last."""
        self.tried: tuple[str, list[Section]] = ("", [])
        """The test whose tool was tried last, and what came of it."""
        self._answered: Callable[[str], None] = lambda _: None
        self._sessions: dict[str, ToolSession] = {}
        self._given: dict[tuple[str, str], str] = {}

    # asking

    def _pick(
        self, question: str, choices: Sequence[tuple[str, str]], then: Callable[[int], None], detail: str = ""
    ) -> None:
        """Ask for one of `choices` (a key, what it is); `then` gets its number."""
        answers = [Answer(key, str(number), label) for number, (key, label) in enumerate(choices)]

        def decided(answer: str | None) -> None:
            if answer:
                then(int(answer))

        self.screen.app.push_screen(AskScreen(question, answers, detail), decided)

    def _type(self, title: str, value: str, help: str, then: Callable[[str], None]) -> None:
        """Ask for a line of text."""
        self._answered = then
        self.screen.query_one(Box).ask_for("value", title, value, help)

    def typed(self, value: str | None) -> None:
        """The box was left; None without an answer."""
        self.screen.answered()
        if value is not None:
            self._answered(value)

    def _may(self, then: Callable[[Suite], None]) -> None:
        """Go on where the suite's files are changed here; else say why not, and offer a copy of the bundled suite."""
        view = self.screen.seen
        if view is None:
            return
        why = why_read_only(view.suite)
        if not why:
            then(view.suite)
        elif view.suite.root == bundled_root():
            self._pick("The bundled suite is read-only", [("c", "copy it into a folder of my own, and change it there")],
                       lambda _: self._type("folder", "my-suite", "a new folder, from here", self._copy))  # fmt: skip
        else:
            self.screen.say(why, severity="warning")

    def _copy(self, folder: str) -> None:
        screen = self.screen
        if not folder.strip() or screen.seen is None:
            return
        suite, path = screen.seen.suite, Path(folder.strip()).expanduser()

        async def copied() -> None:
            count = await asyncio.to_thread(copy_suite, suite, path)
            screen.path = str(path)
            self.done.clear()
            await screen.read_now()
            screen.say(f"{count} files copied; runs take it with --suite {path}")

        screen.fetch_then(copied())

    # writing

    def _write(self, make: Making, *, undo: bool = True) -> None:
        """Make the edit for the suite as it is, write it, and read the suite again; keys wait until that is seen."""
        screen = self.screen
        view = screen.seen
        if view is None:
            return

        async def written_() -> None:
            edit = make(view.suite)
            await asyncio.to_thread(apply, view.suite.root, edit)
            if undo:
                self.done.append(edit)
            await screen.read_now(edit.test)
            screen.say(message(edit.message) + ("; u takes it back" if undo else ""))

        screen.fetch_then(written_())

    def undo(self) -> None:
        """Take the last change back."""
        if self.done:
            edit = self.done[-1].undone()

            def taken_back(_: Suite) -> SuiteEdit:
                self.done.pop()
                return edit

            self._write(taken_back, undo=False)

    # what can be changed

    def new(self, group: str, level: int) -> None:
        """Ask what is new: a test where the selection stands, a domain, an evaluator."""

        def chosen(suite: Suite, number: int) -> None:
            patterns = EVALUATORS if number == 2 else TESTS
            question = ("What does the test ask for?", "What do its tests ask for?", "Made from which built-in one?")[
                number
            ]
            choices = [(str(place), pattern.label) for place, pattern in enumerate(patterns, 1)]
            self._pick(question, choices, lambda place: named(suite, number, patterns[place]))

        def named(suite: Suite, number: int, pattern: Pattern) -> None:
            known = (taken(suite, group, level), set(suite.domains), set(suite.evaluators))[number]
            start = free_id((f"new_{pattern.name}", "new_domain", f"my_{pattern.name}")[number], known)
            makers: tuple[Callable[[Suite, str], SuiteEdit], ...] = (
                lambda now, name: new_test(now, pattern, group, level, name),
                lambda now, name: new_domain(now, pattern, name),
                lambda now, name: new_evaluator(now, pattern, name),
            )
            make = makers[number]
            self._type("id", start, "speaking and unique", lambda name: self._write(lambda now: make(now, name)))

        kinds = [(0, "t", f"a test in {group}/{level}"), (1, "d", "a domain, with a first test"),
                 (2, "e", "an evaluator made from a built-in one")][0 if group else 1 :]  # fmt: skip
        where = [(key, label) for _, key, label in kinds]
        self._may(lambda suite: self._pick("What is new?", where, lambda place: chosen(suite, kinds[place][0])))

    def duplicate(self, leaf: Leaf) -> None:
        """A copy of the test under an id of its own."""

        def ask(suite: Suite) -> None:
            test = leaf.test
            start = free_id(f"{test.test_id}_copy", taken(suite, test.domain, test.level))
            self._type("id of the copy", start, "unique in its level",
                       lambda name: self._write(lambda now: duplicate(now, test, name)))  # fmt: skip

        self._may(ask)

    def move(self, leaf: Leaf) -> None:
        """The test in another level or domain."""
        test = leaf.test

        def go(where: str) -> None:
            domain, _, level = where.strip().rpartition("/")
            if not level.isdecimal():
                domain, level = where.strip(), str(test.level)
            self._write(lambda now: move(now, test, domain or test.domain, int(level)))

        start = f"{test.domain}/{test.level}"
        self._may(lambda _: self._type("move to", start, "domain/level, or a level", go))

    def switch(self, leaf: Leaf) -> None:
        """The test off, or on again."""
        self._may(lambda _: self._write(lambda now: switch(now, leaf.test, on=leaf.test.disabled_by == "test")))

    def delete(self, leaf: Leaf) -> None:
        """Ask, then take the test out."""

        def ask(suite: Suite) -> None:
            try:
                place = written(suite, leaf.test)
            except ConfigurationError as error:
                self.screen.say(str(error), severity="warning")
                return
            what = f"its line of {place.path}" if place.line is not None else place.path
            self._pick(f"Delete {leaf.name}?", [("d", "delete")],
                       lambda _: self._write(lambda now: delete(now, leaf.test)), f"{what}; u takes it back")  # fmt: skip

        self._may(ask)

    # a tool alone

    def try_tool(self, leaf: Leaf) -> None:
        """Ask for a tool of the test and for its arguments, and show what it answers."""
        tools = leaf.test.tools
        if len(tools) == 1:
            self._arguments(leaf, tools[0])
            return
        keys = "123456789abcdefghijklmnop"
        choices = [(key, f"{tool.name}: {tool.description}"[:120]) for key, tool in zip(keys, tools, strict=False)]
        self._pick("Try which tool?", choices, lambda number: self._arguments(leaf, tools[number]))

    def _arguments(self, leaf: Leaf, tool: ToolDefinition) -> None:
        from modex.core.tools.alone import arguments_to_try

        start = self._given.get((leaf.name, tool.name)) or arguments_to_try(tool, leaf.test)
        self._type(tool.name, start, "arguments as JSON", lambda given: self._call(leaf, tool, given))

    def _call(self, leaf: Leaf, tool: ToolDefinition, given: str) -> None:
        from modex.core.pipeline.plugins import load_bundled_plugins
        from modex.core.tools.alone import try_tool
        from modex.core.tools.base import ToolSession

        screen = self.screen
        self._given[leaf.name, tool.name] = given
        session = self._sessions.setdefault(leaf.name, ToolSession(seed=leaf.name))

        async def called() -> None:
            def work() -> ToolResult:
                load_bundled_plugins()
                return try_tool(tool, given, session)

            result = await asyncio.to_thread(work)
            role = "error" if result.is_error else "text"
            blocks = [block(given, lead=(("called    ", "muted"),)), block("answered", "muted"),
                      block(result.content, role, indent=4)]  # fmt: skip
            note = ((f"{'an error, ' if result.is_error else ''}{result.duration_ms} ms", "faint"),)
            section = Section("tried", f"{tool.name}, tried", blocks, result.content, note, hero=True)
            self.tried = (leaf.name, [section])
            screen.show_tried()

        screen.fetch_then(called())
