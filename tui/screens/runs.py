"""Home: every run in the store, the ones that move on top."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.widget import Widget

from core.store.reader import Reader, RunOrder
from core.store.rows import RunRow
from tui import format as fmt
from tui.actions import bindings
from tui.paint import Line, Part
from tui.query import Query, parse
from tui.screens.base import READ_ONLY, ModexScreen
from tui.screens.run_actions import RunActions
from tui.theme import state_role
from tui.widgets.columns import Cell, Column
from tui.widgets.lines import Lines
from tui.widgets.listing import PAGE, Listing
from tui.widgets.prompt import Prompt

ORDERS: tuple[RunOrder, ...] = ("started", "score", "model", "exp_id", "cost", "duration", "errors")
COLUMNS = (
    Column("", 1),
    Column("run", 16, grow=3, max_width=44, sorts="exp_id"),
    Column("model", 12, grow=2, max_width=34, from_width=56, sorts="model"),
    Column("started", 9, from_width=73, sorts="started"),
    Column("domains", 10, grow=1, from_width=118, max_width=20),
    Column("score", 5, align="right", sorts="score"),
    Column("±", 4, align="right", from_width=62),
    Column("passed", 9, align="right"),
    Column("err", 3, align="right", sorts="errors"),
    Column("tokens", 6, align="right", from_width=104),
    Column("cost", 7, align="right", from_width=92, sorts="cost"),
    Column("time", 7, align="right", from_width=86, sorts="duration"),
)


@dataclass(frozen=True, slots=True)
class RunItem:
    """A run with its domains' scores."""

    run: RunRow
    domains: tuple[tuple[str, float | None], ...]


@dataclass(frozen=True, slots=True)
class _Found:
    total: int
    matching: int
    start: int
    items: list[RunItem]


def _ask(reader: Reader, query: Query, order: RunOrder, start: int, limit: int) -> _Found:
    wanted = {"text": query.text, "model": query.one("model"), "status": query.one("status")}
    rows = reader.runs(order=order, limit=limit, offset=start, **wanted)
    scores = reader.domain_scores([row.id for row in rows])
    items = [RunItem(row, tuple(scores.get(row.id, ()))) for row in rows]
    total = reader.count_runs()
    matching = reader.count_runs(**wanted) if any(wanted.values()) else total
    return _Found(total, matching, start, items)


class RunsScreen(RunActions, ModexScreen[None]):
    """The list of runs; opening one shows it live."""

    SCOPES = ("runs", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("runs")]
    LOOKS = True
    PERIOD_S = 1.0
    DEFAULT_CSS = """
    RunsScreen #empty { height: auto; margin: 2 4; }
    RunsScreen #detail { height: 1; dock: bottom; margin-bottom: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._query = Query({}, "")
        self._order: RunOrder = "started"
        self._total = 0
        self._known = False
        self.marks: dict[int, RunRow] = {}

    def body(self) -> Iterable[Widget]:
        """The list, what stands in its place while there is nothing, and a line about the selected run."""
        listing: Listing[RunItem] = Listing(COLUMNS, self._cells, id="runs")
        listing.sorted_by = self._order
        listing.marked = lambda item: item.run.id in self.marks
        yield listing
        empty = Lines(id="empty")
        empty.display = False
        yield empty
        yield Lines(id="detail")
        yield Prompt(placeholder="words, model:gpt, status:running")

    @property
    def listing(self) -> Listing[RunItem]:
        """The list."""
        return self.query_one("#runs", Listing)

    @property
    def selected(self) -> RunRow | None:
        """The selected run."""
        item = self.listing.current
        return item.run if item else None

    # looking

    async def look(self) -> bool:
        """Read the page in sight again; runs that move stay selected while rows change places."""
        listing = self.listing
        query, order = self._query, self._order
        start = listing.in_sight.start // PAGE * PAGE if self._known else 0
        length = 2 * PAGE if listing.in_sight.stop > start + PAGE else PAGE
        found = await self.frame.store.ask(lambda reader: _ask(reader, query, order, start, length), lane="poll")
        if (query, order) != (self._query, self._order):
            return True
        self._show(found)
        return any(item.run.going for item in found.items)

    def _show(self, found: _Found) -> None:
        listing = self.listing
        before = listing.current
        cursor = listing.cursor
        if before is not None:
            places = [i for i, item in enumerate(found.items, found.start) if item.run.id == before.run.id]
            cursor = places[0] if places else cursor
        listing.put(found.start, found.items)
        if found.matching != listing.count or cursor != listing.cursor or not self._known:
            listing.set_count(found.matching, cursor=cursor, keep=True)
        self._total, self._known = found.total, True
        self._show_state()

    @on(Listing.Wanted)
    def _wanted(self, event: Listing.Wanted) -> None:
        self.run_worker(self._fetch(event.start), group="fetch")

    async def _fetch(self, start: int) -> None:
        query, order = self._query, self._order
        found = await self.frame.store.ask(lambda reader: _ask(reader, query, order, start, PAGE))
        if (query, order) == (self._query, self._order):
            self.listing.put(found.start, found.items)

    def _restart(self) -> None:
        """Another filter or order: everything is asked anew."""
        self._known = False
        self.listing.set_count(0, cursor=0)
        self.look_now()

    # showing

    def _show_state(self) -> None:
        listing = self.listing
        nothing = self._known and listing.count == 0
        listing.display = not nothing
        empty = self.query_one("#empty", Lines)
        empty.display = nothing
        if nothing:
            empty.show(self._nothing())
        elif self.focused is None:
            listing.focus()
        noun = "run" if self._total == 1 else "runs"
        right: list[Part] = [(f"{fmt.count(self._total)} {noun}", "muted")]
        if listing.count != self._total:
            right = [(f"{fmt.count(listing.count)} of ", "text"), *right]
        if self.marks:
            right = [(f"{len(self.marks)} marked   ", "accent"), *right]
        self.identity([("modex", "title"), ("  runs", "muted")], [*self.store_state(), *right])
        self._show_detail()

    def _nothing(self) -> list[Line]:
        if self._query.text or self._query.values:
            return [
                [("No run matches the filter.", "text")],
                (),
                [("esc", "key"), ("  in the filter clears it", "muted")],
            ]
        return [
            [("No runs yet.", "title")],
            (),
            [("n", "key"), ("  plans a run: a model, some tests, a start", "text")],
            [("t", "key"), ("  shows the tests that come with modex", "text")],
            (),
            [("From a shell, without any key or network:", "muted")],
            [("   modex run --model demo", "text")],
        ]

    @on(Listing.Moved)
    def _moved(self) -> None:
        self._show_detail()
        self.keys_changed()

    def _show_detail(self) -> None:
        run = self.selected
        line: list[Part] = []
        if run is not None:
            state = run.state
            line = [(" ", "text"), (self.frame.glyphs.status(state), state_role(state)), (f" {state}", "text")]
            if not self.frame.store.writable:
                line.append((f"  {READ_ONLY}", "muted"))
            elif state == "interrupted":
                line.append(("  its runner ended in the middle; r goes on from there", "muted"))
            elif run.reason:
                line.append((f"  {run.reason}", "muted"))
            elif run.live.get("eta_s") is not None and run.alive:
                line.append((f"  {fmt.clock(run.live['eta_s'])} left", "muted"))
        self.query_one("#detail", Lines).show([line])

    def _cells(self, item: RunItem) -> list[Cell]:
        run, glyphs = item.run, self.frame.glyphs
        state = run.state
        scored = run.overall_score is not None
        done = f"{run.passed_tests}/{run.total_tests}"
        return [
            (glyphs.status(state), state_role(state)),
            (run.exp_id, "text"),
            (run.model, "muted"),
            (fmt.when(run.started_at, self.frame.wall()), "muted"),
            lambda width: self._domains(item, width),
            (fmt.hundred(run.overall_score, 1), "text" if scored and not run.alive else "muted"),
            (fmt.spread(run.ci_low, run.ci_high), "faint"),
            (done, "text"),
            (str(run.error_tests) if run.error_tests else "", "error"),
            (fmt.compact(run.prompt_tokens + run.completion_tokens), "muted"),
            (fmt.cost(run.cost_usd, unpriced=run.unpriced_calls > 0), "muted"),
            (fmt.clock(run.live.get("elapsed_s") if run.alive else run.duration_ms / 1000), "muted"),
        ]

    def _domains(self, item: RunItem, width: int) -> Line:
        glyphs = self.frame.glyphs
        parts: list[Part] = []
        for _, score in item.domains[:width]:
            if score is None:
                parts.append((glyphs.pending, "pending"))
            else:
                parts.append((glyphs.level(score), "passed" if score >= 0.7 else "failed" if score < 0.4 else "accent"))
        return parts

    # acting

    @on(Listing.Opened)
    def _open(self) -> None:
        if (run := self.selected) is not None:
            from tui.screens.live import LiveScreen

            self.app.push_screen(LiveScreen((run.exp_id,)))

    def action_filter(self) -> None:
        """Ask for a filter."""
        self.query_one(Prompt).ask()

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        self._query = parse(event.value, ("model", "status"))
        self._restart()

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.listing.focus()

    def action_sort(self) -> None:
        """Sort by the next order."""
        self._order = ORDERS[(ORDERS.index(self._order) + 1) % len(ORDERS)]
        self.listing.sorted_by = self._order
        if not self.listing.shows_column(self._order):
            self.say(f"sorted by {self._order}")
        self._restart()

    def action_mark(self) -> None:
        """Mark the selected run, or take the mark away."""
        if (run := self.selected) is not None:
            if self.marks.pop(run.id, None) is None:
                self.marks[run.id] = run
            self.listing.action_move(1)
            self.listing.repaint()
            self._show_state()
            self.keys_changed()
