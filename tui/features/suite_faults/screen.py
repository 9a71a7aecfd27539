"""What all stored runs of a suite say of its tests: wrong golds, tests that tell nothing, asked twice; each with its numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from textual import getters, on
from textual.binding import BindingType
from textual.screen import Screen
from textual.widget import Widget

from modex.core.comparison.pairs import TestKey
from modex.core.features.suite_faults.examine import examine, suites_with_runs
from modex.core.features.suite_faults.finding import MEANINGS, TITLES, FaultKind, SuiteFaults, SuiteFinding, name_of
from modex.core.foundation.errors import ModexError
from modex.core.store.reader import Reader
from modex.tui.actions import Action, bindings
from modex.tui.look import format as fmt
from modex.tui.look.paint import Line, Part
from modex.tui.look.text import message
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.prompt import Prompt

_PROGRESS_S = 0.5
"""How often it is said how far the reading is."""
COLUMNS = (
    ListColumn("finding", 20),
    ListColumn("test", 20, grow=1, max_width=52),
    ListColumn("what", 20, grow=2, from_width=60),
)

_WITH_RUNS = 72
"""Columns from which on the top line says of how many runs it speaks, too."""


@dataclass(frozen=True, slots=True)
class FaultLine:
    """One test of one finding."""

    finding: SuiteFinding
    key: TestKey
    sample_id: int

    @property
    def words(self) -> str:
        """What a filter looks in."""
        return f"{TITLES[self.finding.kind]} {name_of(self.key)} {self.finding.words}".casefold()


class SuiteFaultsScreen(ModexScreen[None]):
    """Looks at the tests of `suite`, a folder (None: the bundled one), by every stored run of it."""

    SCOPES = ("suite_faults", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("suite_faults")]
    DEFAULT_CSS = """
    SuiteFaultsScreen #told { height: auto; margin: 1 1 1 1; }
    """
    listing: getters.query_one[Listing[FaultLine]] = getters.query_one("#findings", Listing)
    """The findings."""

    def __init__(self, suite: str | None) -> None:
        super().__init__()
        self._suite = suite
        self._kind: FaultKind | None = None
        self._problem = ""
        self.found: SuiteFaults | None = None
        self._read = self._to_read = 0
        """Answers that were read so far, and how many there are."""

    @classmethod
    def over(cls, below: Screen[Any]) -> Self:  # noqa: ARG003
        """Of the suite of the settings."""
        from modex.tui.reading.suite import suite_of_settings

        return cls(suite_of_settings())

    def body(self) -> Iterable[Widget]:
        """What is said of the selected finding, and all of them."""
        yield Lines(id="told")
        yield Listing[FaultLine](COLUMNS, self._cells, id="findings")
        yield Prompt(placeholder="words in kind, test or what is said of it")

    @property
    def reading(self) -> bool:
        """Whether the runs are still being read."""
        return super().reading or (self.found is None and not self._problem)

    def on_mount(self) -> None:
        """Look at once."""
        super().on_mount()
        self.set_focus(self.listing)
        self.action_again()

    def action_again(self) -> None:
        """Read the stored runs."""
        self.found, self._problem = None, ""
        self._show()
        self.run_worker(self._look(), group="look", exclusive=True)

    async def _look(self) -> None:
        suite = self._suite

        def progress(number: int) -> None:
            self._read += number

        def ask(reader: Reader) -> SuiteFaults:
            with reader.as_of_now():
                runs = suites_with_runs(reader).get(suite, [])
                self._read, self._to_read = 0, sum(run.total_tests for run in runs)
                return examine(reader, suite, runs, progress)

        shown = self.set_interval(_PROGRESS_S, self._show_selected)
        try:
            self.found = await self.frame.store.ask(ask)
        except ModexError as error:
            self._problem = str(error)
        finally:
            shown.stop()
        self._show()

    @property
    def lines(self) -> list[FaultLine]:
        """What is listed: each test of each finding that the kind and the filter leave."""
        if self.found is None:
            return []
        typed = self.query_one(Prompt).value.casefold().split()
        every = (
            FaultLine(one, key, sample_id)
            for one in self.found.findings
            for key, sample_id in zip(one.tests, one.samples, strict=True)
        )
        return [
            line
            for line in every
            if self._kind in (None, line.finding.kind) and all(word in line.words for word in typed)
        ]

    def _show(self) -> None:
        lines = self.lines
        self.listing.fill(lines, lambda line: (line.key, line.finding.kind, line.sample_id))
        self._show_selected()
        self.keys_changed()

    @on(Listing.Moved)
    def _show_selected(self) -> None:
        found = self.found
        name = "bundled suite" if self._suite is None else Path(self._suite).name
        left: list[Part] = [("faults  ", "muted"), (name, "title")]
        if found is None:
            progress = f": {fmt.count(self._read)} of {fmt.count(self._to_read)} answers" if self._read else ""
            self.identity(left, [("" if self._problem else f"reading every run{progress}", "muted")])
        else:
            models = len(found.models)
            told = f"{fmt.count(found.tests)} tests"
            if self.size.width >= _WITH_RUNS:
                told += (
                    f"  {found.runs} run{'s' if found.runs != 1 else ''} of {models} model{'s' if models != 1 else ''}"
                )
            count = len(found.findings)
            self.identity(left, [(f"{told}   ", "muted"), (f"{count} finding{'s' if count != 1 else ''}", "accent")])
        self.query_one("#told", Lines).show(self._told())

    def _told(self) -> list[Line]:
        found, line = self.found, self.listing.current
        if self._problem:
            return [[(message(self._problem, 300), "error")]]
        if found is None:
            return [[("Reading what every stored run answered to each test.", "muted")]]
        if not found.runs:
            return [
                [("No run of this suite is stored yet.", "title")],
                [("Its tests are looked at by what models answered: n on the list of runs starts one.", "muted")],
            ]
        lines: list[Line] = [[(message(words, 300), "muted")] for words in found.notes[:3]]
        if line is None or not self.listing.count:
            words = "No finding matches; / and f change what is listed." if found.findings else "Nothing found."
            return [*lines, [(words, "text")]]
        one = line.finding
        kind: list[Part] = [(TITLES[one.kind], "title"), (f"  {MEANINGS[one.kind]}", "muted")]
        phrases: list[Part] = [(one.words, "text")]
        lines += [kind, phrases]
        for name, text in one.written.items():
            lines.append([(f"{name}  ", "muted"), (message(text, 160), "text")])
        return lines

    def _cells(self, line: FaultLine) -> list[Cell]:
        one = line.finding
        role = "failed" if one.kind in ("gold_suspect", "against_rest", "leaked_gold") else "accent"
        return [(TITLES[one.kind], role), (name_of(line.key), "text"), (one.words, "muted")]

    # acting

    def action_kind(self) -> None:
        """Show the findings of one kind, then of the next."""
        there = [kind for kind in TITLES if self.found is not None and self.found.of(kind)]
        after: list[FaultKind | None] = [*there, None]
        self._kind = after[0] if self._kind is None else after[(after.index(self._kind) + 1) % len(after)]
        self._show()

    def action_filter(self) -> None:
        """Ask for words."""
        self.listing.hold()
        self.query_one(Prompt).ask()

    @on(Prompt.Changed)
    def _filtered(self) -> None:
        self._show()

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.listing.hold(held=False)
        self.set_focus(self.listing)

    @on(Listing.Opened)
    def _history(self) -> None:
        from modex.tui.lazy import HistoryScreen

        if (line := self.listing.current) is not None:
            self.app.push_screen(HistoryScreen(line.sample_id))

    def action_transcript(self) -> None:
        """Open the newest sample of the selected test."""
        if (line := self.listing.current) is not None:
            self.fetch_then(self._open(line.sample_id))

    async def _open(self, sample_id: int) -> None:
        from modex.tui.screens.transcript import TranscriptScreen

        sample = await self.frame.store.ask(lambda reader: reader.sample(sample_id))
        self.app.push_screen(TranscriptScreen(self.frame.database, sample.run_id, [sample_id], 0))

    @property
    def about_sample(self) -> int | None:
        """The selected test's newest sample."""
        line = self.listing.current if self.is_mounted else None
        return None if line is None else line.sample_id

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """What needs a finding needs one; a box opens in any case, since what is typed behind it is text."""
        if action == "kind":
            return bool(self.found and self.found.findings)
        return action != "transcript" or (self.is_mounted and self.listing.current is not None)

    def why_not(self, action: Action) -> str:  # noqa: ARG002
        """There is no finding."""
        return "the runs are still being read" if self.found is None and not self._problem else "there is no finding"
