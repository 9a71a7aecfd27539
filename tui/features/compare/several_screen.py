"""Several runs side by side: domains × runs with the best marked, and the tests that they disagree about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import events, getters, on
from textual.binding import BindingType
from textual.widget import Widget

from modex.core.comparison.pairs import Pair, RunSide
from modex.core.comparison.wording import bounded
from modex.core.config.filters import Query, parse_query
from modex.core.features.certify.rule import corrected_briefly
from modex.core.features.compare.several import (
    OPEN_PLACE,
    TEST_FILTERS,
    RankedRun,
    Several,
    SeveralTest,
    Which,
    compare_and_list,
    open_place_words,
    shared_tests,
)
from modex.core.reports.machines import other_limits
from modex.core.reports.pace import briefly
from modex.core.reports.reached import named_model
from modex.core.store.reader import Reader
from modex.core.store.speeds import Pace
from modex.tui.actions import bindings
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Line, Part, columns
from modex.tui.look.text import fit, fit_middle, told_apart, width_of
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import GAP, Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.prompt import Prompt

_Judging = dict[int, list[str]]
"""What people's labels make of judged pass rates, by the run's id."""
_WHICH: tuple[Which, ...] = ("disagree", "all failed", "all")
_NAMES, _COUNT, _LEAST = 24, 4, 8
"""Widths of the domains at most, of the number of tests, and of a run's column at least."""
_AROUND = 6
"""Lines of the screen beside the two lists: identity, the selected run, keys, and air."""
_TESTS = 4
"""Lines that the tests have at least, their titles included."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the table: everything, or a domain."""

    name: str
    n: int
    scores: tuple[float | None, ...]
    best: int
    worse: tuple[bool, ...]
    opened: tuple[bool, ...] = ()
    """Whether tests without a verdict leave each run's place open."""


class CompareSeveralScreen(ModexScreen[None]):
    """Compares the runs named; opening a column compares two of them, opening a test shows both transcripts."""

    SCOPES = ("several", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("several")]
    REFRESHES = True
    PERIOD_S = 5.0
    DEFAULT_CSS = """
    CompareSeveralScreen #run { height: auto; }
    CompareSeveralScreen #table { height: 3; }
    CompareSeveralScreen #tests { height: 1fr; margin-top: 1; }
    CompareSeveralScreen #none { height: auto; margin: 1 4; }
    """
    table: getters.query_one[Listing[_Row]] = getters.query_one("#table", Listing)
    """Domains × runs."""
    listing: getters.query_one[Listing[SeveralTest]] = getters.query_one("#tests", Listing)
    """The tests."""

    def __init__(self, database: Path, names: Sequence[str]) -> None:
        super().__init__()
        self.database = database
        self._names = tuple(names)
        self._seen: tuple[object, ...] = ()
        self.several: Several | None = None
        self._judging: _Judging = {}
        self._all: list[SeveralTest] = []
        self.tests: list[SeveralTest] = []
        self._which: Which = "disagree"
        self._query = Query()
        self.column = 0
        self.marks: list[int] = []
        self._first = 0
        """The leftmost run in sight."""

    def body(self) -> Iterable[Widget]:
        """The selected run, the table, the tests."""
        yield Lines(id="run")
        yield Listing((ListColumn("", 1),), self._row_cells, id="table")
        yield Listing((ListColumn("", 1),), self._test_cells, id="tests")
        none = Lines(id="none")
        none.display = False
        yield none
        yield Prompt(id="filter", placeholder="words, domain:math, level>=3, status:error, passed=1, spread>0.5")

    @property
    def reading(self) -> bool:
        """Whether the tests that are asked for were not read yet."""
        return super().reading or not (self._seen[:1] == (self._which,) or self._store_error)

    def on_mount(self) -> None:
        """Say at once what is compared: many tests take a moment."""
        super().on_mount()
        self.identity([("compare  ", "muted"), (f"{len(self._names)} runs", "title")], [("comparing", "muted")])

    # looking

    async def refresh_data(self) -> bool:
        """Compare again where a run changed or other tests are asked for."""
        names, seen, which = self._names, self._seen, self._which

        def ask(reader: Reader) -> tuple[tuple[object, ...], Several | None, list[SeveralTest], _Judging] | None:
            runs = [reader.run(name) for name in names]
            now = (which, *(run.seq for run in runs))
            if now == seen:
                return None
            if now[1:] == seen[1:]:
                return now, None, shared_tests(reader, places, which), {}
            judging = {run.id: corrected_briefly(reader, run) for run in runs}
            return now, *compare_and_list(reader, runs, which), judging

        places = [place.run for place in self._places]
        found = await self.frame.store.ask(ask, lane="work")
        if found is None:
            return any(place.run.alive for place in self._places)
        if found[1] is not None:
            chosen = [self.several.places[number].run.id for number in self.marks] if self.several else []
            self.several, self._judging = found[1], found[3]
            ids = [place.run.id for place in self.several.places]
            self.marks = [ids.index(id_) for id_ in chosen if id_ in ids]
            self._lay_out()
        if which == self._which:
            self._seen, self._all = found[0], found[2]
            self._narrow()
        return which != self._which or any(place.run.alive for place in self._places)

    @property
    def _places(self) -> list[RankedRun]:
        return self.several.places if self.several else []

    def _rows(self, several: Several) -> list[_Row]:
        scores = tuple(place.score for place in several.places)
        worse = tuple(place.worse for place in several.places)
        rows = [_Row("all domains", several.n, scores, 0, worse, tuple(place.open_place for place in several.places))]
        return rows + [_Row(row.domain, row.n, row.scores, row.best, row.worse) for row in several.domains]

    # showing

    def _lay_out(self) -> None:
        """The columns and heights that this size has room for."""
        several = self.several
        if several is None or not self.size:
            return
        rows = self._rows(several)
        names = min(_NAMES, self.size.width // 4 + 2, max(width_of(row.name) for row in rows))
        room = self.size.width - 3 - names - GAP - _COUNT
        fitting = max(1, min(len(self._places), room // (_LEAST + GAP)))
        self._first = max(min(self._first, self.column), self.column - fitting + 1, 0)
        self._first = min(self._first, len(self._places) - fitting)
        width = min(24, room // fitting - GAP)
        shown = range(self._first, self._first + fitting)
        titles = told_apart(_short([place.run.exp_id for place in self._places]), width - 3)
        marked = self.frame.glyphs.marked
        self.table.columns = (
            ListColumn("domain", names),
            ListColumn("n", _COUNT, align="right"),
            *(
                ListColumn(
                    (marked if number in self.marks else "") + titles[number],
                    width,
                    align="right",
                    sorts=str(number),
                )
                for number in shown
            ),
        )
        self.table.sorted_by = str(self.column)
        self.table.lay_out()
        height = len(rows) + 1
        self.table.styles.height = max(3, min(height, self.size.height - _AROUND - _TESTS))
        self.table.set_count(len(rows), keep=True)
        self.table.put(0, rows)
        self.table.repaint()
        self.listing.columns = (
            ListColumn("runs", max(4, len(self._places))),
            ListColumn("test", 16, grow=1, max_width=70),
            ListColumn("lowest", 6, align="right", from_width=50),
            ListColumn("highest", 7, align="right"),
        )
        self.listing.lay_out()
        self._show_run(fitting)
        if self.focused is None:
            self.set_focus(self.table)

    def _show_run(self, fitting: int) -> None:
        """The selected run in words, and what there is beyond what is in sight."""
        place = self._places[self.column]
        parts: list[Part] = [
            (" ", "text"),
            (fit_middle(place.run.exp_id, max(12, min(40, self.size.width - 68))), "title"),
            ("  ", "text"),
            (fit_middle(named_model(place.run), 18), "muted"),
            (f"  {fmt.hundred(place.score, 1)}", "text"),
        ]
        if place.run.bounds is not None:
            low, high = place.run.bounds
            parts.append((f"  all its tests {bounded(low, high)}", "warning"))
        against = place.against_best
        if against is None:
            parts.append(("  best" if place.score is not None else "", "passed"))
        else:
            parts.append((f"  {100 * against.difference:+.1f} to the best", "failed" if place.worse else "text"))
            if against.interval:
                parts.append((f" ({100 * against.interval[0]:+.1f} to {100 * against.interval[1]:+.1f})", "faint"))
            if place.holm_p is not None:
                shown = f" Holm p {place.holm_p:.3f}" if place.holm_p >= 0.001 else " Holm p <0.001"
                if columns(parts) + len(shown) <= self.size.width:
                    parts.append((shown, "faint"))
        pace = Pace.of(place.run.pace)
        if pace is not None and columns(parts) + 2 + len(said := briefly(pace)) <= self.size.width:
            parts.append((f"  {said}", "muted"))
        hidden = len(self._places) - fitting
        left, right = self.frame.glyphs.left, self.frame.glyphs.right
        more = f"   h {left} {right} l: {hidden} more runs" if hidden else ""
        words = (
            "* may be the best" + (f"; {OPEN_PLACE} its place is open" if open_place_words(self.several) else "")
            if self.several and self.several.n
            else "the runs share no test that all have a verdict for"
        )
        rows = self.table.count + 1
        height = self.table.styles.height
        below = rows - int(height.value) if height is not None else 0
        if below > 0:
            more += f"   tab, j: {below} more domains"
        judging: list[Line] = [[(" judge  ", "muted"), (said, "text")] for said in self._judging.get(place.run.id, ())]
        limits = other_limits([one.run for one in self._places])
        judging += [[(" limits ", "muted"), (fit(limits, max(1, self.size.width - 9)), "text")]] if limits else []
        self.query_one("#run", Lines).show([parts, *judging, [(f" {words}", "faint"), (more, "accent")]])

    def _narrow(self) -> None:
        """List the tests that the filter leaves."""
        query = self._query
        self.tests = [
            test for test in self._all if not query or query.holds(test.fields(), "/".join(map(str, test.key)))
        ]
        self.listing.fill(self.tests, lambda test: test.key)
        self.listing.repaint()
        none = self.query_one("#none", Lines)
        none.show([[(self._nothing(), "muted")]])
        none.display, self.listing.display = not self.tests, bool(self.tests)
        if not self.tests and self.focused is self.listing:
            self.set_focus(self.table)
        words = {"disagree": "tests they disagree about", "all failed": "tests all failed", "all": "tests"}[self._which]
        counted = fmt.count(len(self.tests))
        if len(self.tests) != len(self._all):
            counted = f"{counted} of {fmt.count(len(self._all))}"
        shared = fmt.count(self.several.n if self.several else 0)
        self.identity(
            [("compare  ", "muted"), (f"{len(self._names)} runs", "title")],
            [*self.store_state(), (f"{counted} {words}", "accent"), (f"   {shared} in all", "muted")],
        )

    def _nothing(self) -> str:
        if self._all:
            return "No test matches the filter; / and esc clear it."
        told = {
            "disagree": "The runs agree about every test; f lists others.",
            "all failed": "No test was failed by all runs; f lists others.",
            "all": "The runs have no test.",
        }
        return told[self._which]

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        """As many runs and domains as there is room for."""
        self._lay_out()

    def on_descendant_focus(self) -> None:
        """The bar of the selection stands where the keys go."""
        for one in (self.table, self.listing):
            one.set_active(self.focused is one)

    def _row_cells(self, row: _Row) -> list[Cell]:
        cells: list[Cell] = [
            (row.name, "title" if row.n and row.name == "all domains" else "text"),
            (str(row.n), "muted"),
        ]
        shown = len(self.table.columns) - 2
        for number in range(self._first, min(len(row.scores), self._first + shown)):
            score = row.scores[number]
            sign = " " if score is None or row.worse[number] else "*"
            role = "passed" if number == row.best and score is not None else "muted" if row.worse[number] else "text"
            opened = OPEN_PLACE if row.opened and row.opened[number] else ""
            cells.append((fmt.hundred(score, 1) + opened + sign, role))
        return cells

    def _test_cells(self, test: SeveralTest) -> list[Cell]:
        glyphs = self.frame.glyphs
        _, domain, level, test_id = test.key
        return [
            lambda _: [_sign(side, glyphs) for side in test.sides],
            lambda width: [(fit_middle(f"{domain}/{level}/{test_id}", width), "text")],
            (fmt.one(min(test.means, default=None)), "muted"),
            (fmt.one(max(test.means, default=None)), "text"),
        ]

    # acting

    @property
    def pair(self) -> tuple[RankedRun, RankedRun]:
        """The two runs that Enter compares: those marked, else the best and the selected one."""
        if len(self.marks) == 2:
            one, other = self.marks
        else:
            one = self.marks[0] if self.marks else 0
            other = self.column if self.column != one else next(n for n in range(len(self._places)) if n != one)
        return self._places[one], self._places[other]

    @on(Listing.Opened)
    def _open(self, event: Listing.Opened) -> None:
        if self.several is None:
            return
        first, second = self.pair
        if event.control is self.table:
            from modex.tui.features.compare.screen import CompareScreen

            self.app.push_screen(CompareScreen(self.database, first.run.exp_id, second.run.exp_id))
            return
        from modex.tui.features.compare.pair_screen import ComparePairScreen

        one, other = self._places.index(first), self._places.index(second)
        pairs = [
            Pair(test.keys[one], test.sides[one] or _ABSENT, test.sides[other] or _ABSENT, test.keys[other])
            for test in self.tests
        ]
        self.app.push_screen(ComparePairScreen((first.run, second.run), pairs, self.listing.cursor))

    @on(Listing.Titled)
    def _titled(self, event: Listing.Titled) -> None:
        """A click on a run selects it."""
        self.column = int(event.order)
        self._lay_out()

    def action_column(self, step: int) -> None:
        """Select another run."""
        if self._places:
            self.column = max(0, min(len(self._places) - 1, self.column + step))
            self._lay_out()

    def action_mark(self) -> None:
        """Mark the selected run, or take its mark away; the third mark takes the place of the first."""
        if not self._places:
            return
        if self.column in self.marks:
            self.marks.remove(self.column)
        else:
            self.marks = [*self.marks, self.column][-2:]
        self._lay_out()

    def action_switch(self) -> None:
        """Give the keys to the tests, or back to the domains."""
        self.set_focus(self.listing if self.focused is self.table and self.tests else self.table)

    def action_which(self) -> None:
        """Tests that runs disagree about, that all failed, or all."""
        self._which = _WHICH[(_WHICH.index(self._which) + 1) % len(_WHICH)]
        self.refresh_now()

    def action_filter(self) -> None:
        """Ask for a filter."""
        self.listing.hold()
        self.query_one("#filter", Prompt).ask()

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        self._query = parse_query(event.value, TEST_FILTERS)
        self.tell_problem(self._query.problem)
        self._narrow()

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.listing.hold(held=False)
        self.set_focus(self.listing if self.tests else self.table)


_ABSENT = RunSide((), ())
"""A test that a run does not have."""


def _sign(side: RunSide | None, glyphs: Glyphs) -> Part:
    return (glyphs.dash, "faint") if side is None else (glyphs.status(side.status), side.status)


def _short(names: list[str]) -> list[str]:
    """The names without what all of them begin with, up to a separator."""
    first, last = min(names), max(names)
    alike = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    begins = first[:alike]
    cut = max((begins.rfind(mark) for mark in "@/_-"), default=-1) + 1
    short = [name[cut:] for name in names]
    return short if cut and all(width_of(name) >= 2 for name in short) else names
