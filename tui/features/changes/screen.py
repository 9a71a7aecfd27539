"""What is other in one run than in another: settings, prompts by layer, golds, judges, then the verdicts that flipped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import getters, on
from textual.binding import BindingType
from textual.widget import Widget

from modex.core.comparison.pairs import Pair
from modex.core.features.changes.change import TITLES, Change, ChangeKind, Changes
from modex.core.features.changes.changes import changes
from modex.core.features.changes.wording import differing_lines
from modex.core.foundation.errors import ModexError
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.tui.actions import Action, bindings
from modex.tui.look.paint import Line, Part
from modex.tui.look.text import message
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing

COLUMNS = (
    ListColumn("change", 15),
    ListColumn("of", 20, grow=1, max_width=52),
    ListColumn("before and after", 20, grow=2, from_width=60),
)
_ROLES: dict[ChangeKind, str] = {"lost": "failed", "gained": "passed"}


class ChangesScreen(ModexScreen[None]):
    """Compares run `second` with run `first`, both by id; the first lost test, or the first change, is selected."""

    SCOPES = ("changes", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("changes")]
    DEFAULT_CSS = """
    ChangesScreen #told { height: auto; margin: 1 1 1 1; }
    """
    listing: getters.query_one[Listing[Change]] = getters.query_one("#changes", Listing)
    """The changes."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__()
        self._ids = (first, second)
        self._kind: ChangeKind | None = None
        self._problem = ""
        self.found: Changes | None = None

    def body(self) -> Iterable[Widget]:
        """What is said of the selected change, and all of them."""
        yield Lines(id="told")
        yield Listing[Change](COLUMNS, self._cells, id="changes")

    @property
    def reading(self) -> bool:
        """Whether the runs are still being compared."""
        return super().reading or (self.found is None and not self._problem)

    @property
    def about_run(self) -> int | None:
        """The later run."""
        return self._ids[1]

    def on_mount(self) -> None:
        """Compare at once."""
        super().on_mount()
        self.set_focus(self.listing)
        self._show()
        self.run_worker(self._look(), group="look", exclusive=True)

    async def _look(self) -> None:
        first, second = self._ids

        def ask(reader: Reader) -> Changes:
            with reader.as_of_now():
                return changes(reader, reader.run_by_id(first), reader.run_by_id(second))

        try:
            self.found = await self.frame.store.ask(ask, lane="work")
        except ModexError as error:
            self._problem = str(error)
        self._show()

    @property
    def listed(self) -> list[Change]:
        """The changes of the kind that is shown."""
        every = self.found.changes if self.found is not None else ()
        return [one for one in every if self._kind in (None, one.kind)]

    def _show(self) -> None:
        listed = self.listed
        self.listing.set_count(len(listed), cursor=0)
        self.listing.put(0, listed)
        self._show_selected()
        self.keys_changed()

    @on(Listing.Moved)
    def _show_selected(self) -> None:
        found = self.found
        left: list[Part] = [("what changed  ", "muted")]
        right: list[Part] = [("" if self._problem else "comparing", "muted")]
        if found is not None:
            left += [(found.first.exp_id, "title"), (f" {self.frame.glyphs.branch} ", "faint"),
                     (found.second.exp_id, "title")]  # fmt: skip
            lost, gained = len(found.of("lost")), len(found.of("gained"))
            causes = len(found.changes) - lost - gained
            right = [(f"{causes} change{'s' if causes != 1 else ''}   ", "muted"), (f"{lost} lost", "failed"),
                     (f"   {gained} gained", "passed")]  # fmt: skip
        self.identity(left, right)
        self.query_one("#told", Lines).show(self._told())

    def _told(self) -> list[Line]:
        if self._problem:
            return [[(message(self._problem, 300), "error")]]
        if self.found is None:
            return [[("Comparing every test of both runs.", "muted")]]
        lines: list[Line] = [[(self.found.summary, "muted")]]
        one = self.listing.current
        if one is None or not self.listing.count:
            return [*lines, [("Nothing else is other, and no verdict went the other way.", "text")]]
        tests = f"   {len(one.tests)} tests" if len(one.tests) > 1 else ""
        lines.append([(f"{TITLES[one.kind]}  ", _ROLES.get(one.kind, "accent")), (one.name, "title"), (tests, "muted")])
        if one.written:
            lines += [[(message(line, 200), "passed" if line[:1] == "+" else "muted")]
                      for line in differing_lines(one.before, one.after, 6)]  # fmt: skip
        elif values := _values(one):
            lines.append([(values, "text"), (f"   {one.why}" if one.why else "", "muted")])
        return lines

    def _cells(self, one: Change) -> list[Cell]:
        first = differing_lines(one.before, one.after, 2)[:1] if one.written else []
        words = first[0] if first else f"{_values(one)}{f'   {one.why}' if one.why else ''}"
        return [(TITLES[one.kind], _ROLES.get(one.kind, "accent")), (one.name, "text"), (words, "muted")]

    # acting

    def action_regression(self, step: int) -> None:
        """Select the next lost test, or the one before."""
        places = [place for place, one in enumerate(self.listed) if one.kind == "lost"]
        ahead = [
            place for place in places if (place > self.listing.cursor if step > 0 else place < self.listing.cursor)
        ]
        if ahead:
            self.listing.select(ahead[0] if step > 0 else ahead[-1])
        else:
            self.say(
                "no test was lost" if not places else "no lost test after this one" if step > 0 else "this is the first"
            )

    def action_kind(self) -> None:
        """Show the changes of one kind, then of the next."""
        there = [kind for kind in TITLES if self.found is not None and self.found.of(kind)]
        after: list[ChangeKind | None] = [*there, None]
        self._kind = after[0] if self._kind is None else after[(after.index(self._kind) + 1) % len(after)]
        self._show()

    @on(Listing.Opened)
    def _open(self) -> None:
        from modex.tui.lazy import ComparePairScreen

        one = self.listing.current
        if one is None or self.found is None:
            return
        if not one.tests:
            self.say("no single test: this is of the whole run")
            return
        runs = (self.found.first, self.found.second)
        pairs = [other.pair for other in self.listed if other.pair is not None and other.kind == one.kind]
        if one.pair is not None:
            self.app.push_screen(ComparePairScreen(runs, pairs, pairs.index(one.pair)))
        else:
            self.fetch_then(self._open_tests(runs, one))

    async def _open_tests(self, runs: tuple[RunRow, RunRow], one: Change) -> None:
        """Both transcripts of the tests that a change is about."""
        from modex.core.features.compare.compare import pairs_of
        from modex.tui.lazy import ComparePairScreen

        pairs: list[Pair] = await self.frame.store.ask(lambda reader: pairs_of(reader, *runs, one.tests))
        self.app.push_screen(ComparePairScreen(runs, pairs, 0))

    def action_history(self) -> None:
        """Show the selected change's first test over all runs."""
        one = self.listing.current
        if one is not None and one.tests and self.found is not None:
            self.fetch_then(self._history(one))

    async def _history(self, one: Change) -> None:
        from modex.tui.lazy import HistoryScreen

        source, domain, level, test_id = one.tests[0]
        query = SampleQuery((domain,), (level,), (), (source,), (test_id,))
        ids = await self.frame.store.ask(
            lambda reader: next((ids for run in self._ids[::-1] if (ids := reader.head_ids(run, query))), [])
        )
        if ids:
            self.app.push_screen(HistoryScreen(ids[0]))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """What needs a change needs one."""
        if action in ("regression", "kind"):
            return bool(self.found and self.found.changes)
        one = self.listing.current if self.is_mounted else None
        return action != "history" or (one is not None and bool(one.tests))

    def why_not(self, action: Action) -> str:
        """What is missing."""
        if self.found is None and not self._problem:
            return "the runs are still being compared"
        return "select a test" if action.name == "history" else "nothing changed"


def _values(one: Change) -> str:
    return f"{one.before} > {one.after}" if one.before else one.after
