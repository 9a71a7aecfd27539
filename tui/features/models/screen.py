"""Models by name: what is wrong with each, tested with a key, added by a form and taken out again."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar

from textual import events, getters, on
from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.safety import clean_line
from modex.tui.actions import Action, bindings
from modex.tui.features.models.reading import FOUND, ModelRow, briefly_of, facts_of, found_rows, looked_at, named_rows
from modex.tui.look.paint import Line, Part, whole_words
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing

_COLUMNS = (
    ListColumn("", 1),
    ListColumn("name", 12, grow=1, max_width=24),
    ListColumn("model", 16, grow=2, max_width=44),
    ListColumn("", 18, grow=3),
)
_WIDE = 100
"""From here on the selected model stands beside the list."""
_TITLE = 11
"""Columns of a fact's title."""


class _Detail(Lines):
    """The selected model in words, wrapped to the width there is."""

    def __init__(self) -> None:
        super().__init__(id="detail")
        self._told: list[tuple[str, str, str]] = []

    def tell(self, told: list[tuple[str, str, str]]) -> None:
        """Show these facts: a title, words and their role each."""
        self._told = told
        self.changed()

    def lines_for(self, width: int) -> list[Line]:
        """Words that are longer than a line go on under their first one."""
        lines: list[Line] = []
        for title, words, role in self._told:
            head = f" {title:<{_TITLE}}"
            for part in textwrap.wrap(clean_line(words, 600), max(8, width - _TITLE - 2)) or [""]:
                lines.append([(head, "muted"), (part, role)])
                head = " " * (_TITLE + 1)
        return lines


class ModelsScreen(ModexScreen[None]):
    """The list is there at once; what is wrong with each follows when servers have answered."""

    SCOPES = ("models", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("models")]
    DEFAULT_CSS = """
    ModelsScreen #both { height: 1fr; layout: vertical; }
    ModelsScreen #models { margin-top: 1; }
    ModelsScreen #detail { height: auto; max-height: 60%; margin: 1 0; }
    ModelsScreen.-wide #both { layout: horizontal; }
    ModelsScreen.-wide #models { width: 1fr; }
    ModelsScreen.-wide #detail { width: 1fr; height: 100%; max-height: 100%; margin: 1 0 0 1; border-left: solid $panel; }
    ModelsScreen #wrong { height: auto; margin: 2 4; display: none; }
    """
    listing: getters.query_one[Listing[ModelRow]] = getters.query_one("#models", Listing)
    """The models."""

    def __init__(self) -> None:
        super().__init__()
        self._suite: str | None = None
        self._looking = False
        self._known = False
        self._told: dict[str, tuple[str, str]] = {}
        """What a test said of a model, with its role."""
        self._testing: set[str] = set()
        self._brief: dict[str, str] = {}

    def body(self) -> Iterable[Widget]:
        """The list, what stands in its place where a file has mistakes, and the selected model in words."""
        listing: Listing[ModelRow] = Listing(_COLUMNS, self._cells, id="models")
        yield Container(listing, Lines(id="wrong"), _Detail(), id="both")

    def on_resize(self, event: events.Resize) -> None:
        """Wide terminals have the selected model beside the list."""
        self.set_class(event.size.width >= _WIDE, "-wide")

    @property
    def reading(self) -> bool:
        """Whether the files were not read yet."""
        return super().reading or not self._known

    def on_mount(self) -> None:
        """Read the files, then ask the servers."""
        super().on_mount()
        self.set_focus(self.listing)
        self._head()
        self.action_look()

    # looking

    def action_look(self, select: str = "") -> None:
        """Read the files, ask the servers of entries, then those on the usual ports; `select` a name."""
        if not self._looking:
            self._looking = True
            self.run_worker(self._look(select), group="look")

    async def _look(self, select: str) -> None:
        try:
            try:
                rows = await asyncio.to_thread(self._read)
            except ConfigurationError as error:
                self._show_mistakes(str(error))
                return
            self._show(rows, select)
            rows = await asyncio.to_thread(looked_at, rows)
            self._show(rows)
            self._show([*rows, *await asyncio.to_thread(found_rows, rows)])
        finally:
            self._looking = False
            self._known = True
            self._head()

    def _read(self) -> list[ModelRow]:
        from modex.core.config.settings import load_settings

        suite = load_settings().run.get("suite")
        self._suite = str(suite) if suite else None
        return named_rows(self._suite)

    @property
    def rows(self) -> list[ModelRow]:
        """Every model that is listed."""
        return [row for at in range(self.listing.count) if (row := self.listing.item(at)) is not None]

    def _show(self, rows: Sequence[ModelRow], select: str = "") -> None:
        wrong, listing = self.query_one("#wrong", Lines), self.listing
        wrong.display, listing.display = False, True
        self.query_one("#detail").display = True
        self._known = True
        self._brief.clear()
        listing.fill(rows, lambda row: row.name)
        if select in (names := [row.name for row in rows]):
            listing.select(names.index(select))
        self._head()
        self._tell()
        self.keys_changed()

    def _show_mistakes(self, words: str) -> None:
        wrong = self.query_one("#wrong", Lines)
        wrong.display, self.listing.display = True, False
        self.query_one("#detail").display = False
        self.listing.set_count(0)
        self.query_one("#detail", _Detail).tell([])
        lines = [part for line in words.splitlines() for part in textwrap.wrap(clean_line(line, 600), 64)]
        wrong.show(
            [
                [("The models cannot be read: their file has mistakes.", "title")],
                (),
                *([(line, "text")] for line in lines),
                (),
                [("r", "key"), ("  reads it again once it is corrected", "muted")],
            ]
        )
        self.keys_changed()

    def _head(self) -> None:
        rows = self.rows
        bad = sum(bool(row.problems) for row in rows if row.is_own)
        right: list[Part] = [("asking servers   ", "accent")] if self._looking else []
        own = sum(row.is_own for row in rows)
        if not self.listing.display:  # nobody can tell how many there are
            right = []
        else:
            right.append((f"{own} entr{'y' if own == 1 else 'ies'}" + (f", {bad} to mend" if bad else ""), "muted"))
        self.identity([("modex", "title"), ("  models by name", "muted")], right)

    def _cells(self, row: ModelRow) -> list[Cell]:
        glyphs = self.frame.glyphs
        if row.name in self._testing:
            sign, words, role = glyphs.running, "is asked", "running"
        elif row.problems is None:
            sign, words, role = glyphs.pending, "not looked at yet", "muted"
        elif row.problems:
            sign, words, role = glyphs.error, row.problems[0], "error"
        elif row.entry is None:
            sign, words, role = glyphs.pending, f"{FOUND}: a names it", "muted"
        elif row.name in self._told:
            sign, (words, role) = glyphs.passed, self._told[row.name]
        else:
            sign, words, role = glyphs.passed, "", "passed"
        said = clean_line(words or self._briefly(row), 200)
        return [
            (sign, role),
            (row.name, "text"),
            (clean_line(row.model, 100), "text" if row.is_own else "muted"),
            partial(whole_words, [(said, role if words else "faint")]),
        ]

    def _briefly(self, row: ModelRow) -> str:
        """Looked up once as long as the files stay as they are: it is asked for at each painting."""
        if (found := self._brief.get(row.name)) is None:
            found = self._brief[row.name] = briefly_of(row)
        return found

    @on(Listing.Moved)
    def _moved(self) -> None:
        self._tell()
        self.keys_changed()

    def _tell(self) -> None:
        row = self.listing.current
        if row is None:
            return
        told = [(title, words, "text") for title, words in facts_of(row)]
        told += [("wrong" if at == 0 else "", words, "error") for at, words in enumerate(row.problems or ())]
        if row.name in self._told:
            told.append(("test", *self._told[row.name]))
        elif row.entry is not None and not row.problems:
            told.append(
                (
                    "test",
                    "is asked" if row.name in self._testing else "not asked yet: t asks one short question",
                    "muted",
                )
            )
        self.query_one("#detail", _Detail).tell(told)

    # acting

    @on(Listing.Opened)
    def _open(self) -> None:
        row = self.listing.current
        if row is not None and row.entry is None:
            self.action_add()
        elif row is not None:
            self.action_test()

    def action_test(self) -> None:
        """Ask the model one short question; before, where it may cost or a suite's entry would do what nobody agreed to."""
        row = self.listing.current
        if row is None or row.entry is None or row.name in self._testing:
            return
        if unknown := row.asks_first:
            self.app.push_screen(
                AskScreen(
                    f"let the suite's entry {row.name} do so?",
                    [Answer("y", "allow", "yes, now and later; ask it one short question")],
                    f"it {'; it '.join(unknown)}",
                ),
                lambda answer: self._test(row, allow=True) if answer else None,
            )
        elif may_cost(row):
            self.app.push_screen(
                AskScreen(
                    f"ask {row.name} one short question?",
                    [Answer("y", "ask", "yes: some 20 tokens, at most 512 of answer")],
                    f"{row.model} may cost money",
                ),
                lambda answer: self._test(row) if answer else None,
            )
        else:
            self._test(row)

    def _test(self, row: ModelRow, *, allow: bool = False) -> None:
        self._testing.add(row.name)
        self._told.pop(row.name, None)
        self.listing.repaint()
        self._tell()
        self.run_worker(self._ask(row, allow=allow), group="test")

    async def _ask(self, row: ModelRow, *, allow: bool) -> None:
        def ask() -> str:
            from modex.core.llm.naming import asked_model
            from modex.core.llm.trying import try_once

            return try_once(asked_model(row.name, suite=self._suite, allow=allow)).words

        try:
            told = (f"{self.frame.wall():%H:%M} {await asyncio.to_thread(ask)}", "passed")
        except ConfigurationError as error:
            told = (f"{self.frame.wall():%H:%M} {error}", "error")
        self._testing.discard(row.name)
        self._told[row.name] = told
        self.say(f"{row.name}: {told[0][6:]}", severity="information" if told[1] == "passed" else "error")
        self.listing.repaint()
        self._tell()
        if allow:
            self.action_look()

    def action_add(self) -> None:
        """Open the form; on a model that was found it holds what is known."""
        from modex.tui.features.models.form import ModelFormScreen

        row = self.listing.current
        name, given = (row.name, row.given) if row is not None and row.entry is None else ("", {})
        self.app.push_screen(ModelFormScreen(self._suite, name, given), lambda added: self.action_look(added or ""))

    def action_remove(self) -> None:
        """Ask, then cut the entry out of its file."""
        row = self.listing.current
        if row is None or row.entry is None or (path := row.entry.path) is None:
            return

        def remove(answer: str | None) -> None:
            from modex.core.config.entries.editing import remove_entry

            if answer:
                self.do(lambda: remove_entry(path, row.name), f"{row.name} is gone from {path}", self.action_look)

        self.app.push_screen(
            AskScreen(
                f"take {row.name} out?",
                [Answer("y", "remove", "yes; all else in the file stays as it is")],
                f"{row.entry.where}. Runs that were asked with it keep what it said.",
            ),
            remove,
        )

    def action_plan(self) -> None:
        """Plan a run with the selected model."""
        from modex.tui.screens.new_run import NewRunScreen

        if (row := self.listing.current) is not None and row.entry is not None:
            self.app.push_screen(NewRunScreen(self.frame.database, {"model": [row.name]}))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Only entries of a file can be taken out, and only what has a name can be asked by it."""
        row = self.listing.current if self.is_mounted and self._known else None
        if action == "remove":
            return row is not None and row.is_own
        if action in ("test", "plan"):
            return row is not None and row.entry is not None
        return True

    def why_not(self, action: Action) -> str:
        """By what is missing."""
        if self.listing.current is None:
            return "no model is listed"
        return (
            "it is built in"
            if action.name == "remove" and self.listing.current.entry is not None
            else ("it has no name yet: a gives it one")
        )


def may_cost(row: ModelRow) -> bool:
    """Whether one question may cost money: not of what is served here or plays a script, nor at an address of this machine."""
    from modex.core.llm.providers import is_demo
    from modex.core.llm.routing import on_this_machine

    if row.entry is None or row.entry.is_served:
        return False
    spec = ModelSpec(model=row.entry.model)
    return not is_demo(spec.model) and not on_this_machine(str(row.entry.fields.get("api_base") or "") or None)
