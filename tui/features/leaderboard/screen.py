"""Models by suite: each with its newest run, its scores over time, and how its time and cost are spread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import getters, on
from textual.binding import BindingType
from textual.widget import Widget

from modex.core.comparison.wording import unsettled_words
from modex.core.config.filters import Query, parse_query
from modex.core.features.leaderboard.rule import BoardLine as Line_
from modex.core.foundation.errors import ModexError
from modex.core.store.reader import RUN_FILTERS, Reader
from modex.core.store.rows import RunRow
from modex.tui.actions import Action, bindings
from modex.tui.look import format as fmt
from modex.tui.look.paint import Line, Part
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.prompt import Prompt, nothing_matches
from modex.tui.widgets.story import took

if TYPE_CHECKING:
    from modex.core.features.leaderboard.rule import Board
    from modex.core.reports.spread import Spread

_OVER_TIME = 16
"""Runs of a model that its line of scores shows, the latest."""
_MOST_COMPARED = 8
_COLUMNS = (
    ListColumn("", 2, align="right"),
    ListColumn("model", 16, grow=2, max_width=44, sorts="model"),
    ListColumn("score", 5, align="right", sorts="score"),
    ListColumn("±", 4, align="right"),
    ListColumn("over time", 9, grow=1, max_width=_OVER_TIME),
    ListColumn("n", 5, align="right", from_width=56),
    ListColumn("err", 3, align="right", from_width=96),
    ListColumn("cost", 7, align="right", from_width=66, sorts="cost"),
    ListColumn("time", 7, align="right", from_width=72, sorts="time"),
    ListColumn("done", 9, from_width=88),
    ListColumn("run", 12, grow=1, max_width=34, from_width=110),
)
_ORDERS: dict[str, Callable[[RunRow], Any]] = {
    "score": lambda _: 0,  # as the board has them: the certain score first, runs that are not compared behind
    "cost": lambda run: (run.cost_usd, run.model),
    "time": lambda run: (run.duration_ms, run.model),
    "model": lambda run: run.model,
}


class LeaderboardScreen(ModexScreen[None]):
    """One suite's board at a time; opening a line shows the run."""

    SCOPES = ("leaderboard", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("leaderboard")]
    REFRESHES = True
    PERIOD_S = 5.0
    DEFAULT_CSS = """
    LeaderboardScreen #board { margin-top: 1; }
    LeaderboardScreen #detail { height: auto; margin: 1 0; }
    LeaderboardScreen #empty { height: auto; margin: 2 4; display: none; }
    """
    listing: getters.query_one[Listing[RunRow]] = getters.query_one("#board", Listing)
    """The models' runs."""

    def __init__(self) -> None:
        super().__init__()
        self.boards: list[Board] = []
        self._query = Query()
        self._known = False
        self._compared: dict[Any, Any] = {}
        """Scores over common tests, of runs as they were read."""
        self.shown = 0
        self._wanted = ""
        """The suite that a person went to; empty for the one with the most runs."""
        self.marks: set[int] = set()
        self._measuring = -1
        self._spreads: dict[tuple[int, int], tuple[Spread | None, Spread | None]] = {}

    def body(self) -> Iterable[Widget]:
        """The board, what stands in its place while there is none, and the selected model in words."""
        listing: Listing[RunRow] = Listing(_COLUMNS, self._cells, id="board")
        listing.sorted_by = "score"
        listing.marked = lambda run: run.id in self.marks
        yield listing
        yield Lines(id="empty")
        yield Lines(id="detail")
        yield Prompt(id="filter", placeholder="words, model:gpt, score>=70, cost<1, note:baseline")

    @property
    def board(self) -> Board | None:
        """The suite that is shown."""
        return self.boards[self.shown] if self.boards else None

    @property
    def reading(self) -> bool:
        """Whether the boards, or what a new filter leaves of them, were not read yet."""
        return super().reading or not (self._known or self._store_error)

    # looking

    async def refresh_data(self) -> bool:
        """Read which runs count."""

        def ask(reader: Reader) -> list[Board]:
            from modex.core.features.leaderboard.rule import leaderboards

            return leaderboards(reader, query, self._compared)

        query = self._query
        boards = await self.frame.store.ask(ask)
        if query is not self._query:
            return True
        self.boards, self._known = boards, True
        names = [board.suite for board in self.boards]
        largest = max(range(len(names)), key=lambda at: len(self.boards[at].runs), default=0)
        self._wanted = self._wanted or (names[largest] if names else "")
        self.shown = names.index(self._wanted) if self._wanted in names else largest
        self._show()
        if self.listing.has_focus:  # nothing is typed any more
            self.listing.hold(held=False)
        return False

    def _show(self) -> None:
        board, listing = self.board, self.listing
        empty = self.query_one("#empty", Lines)
        empty.display, listing.display = board is None, board is not None
        if board is None:
            empty.show(self._nothing())
            self.query_one("#detail", Lines).show([])
            self.identity([("leaderboard", "title")])
            return
        runs = sorted(board.runs, key=_ORDERS[listing.sorted_by])
        listing.fill(runs, lambda run: run.id)
        if self.focused is None:
            self.set_focus(listing)
        right: list[Part] = [*self.store_state()]
        if self.marks:
            right.append((f"{len(self.marks)} marked   ", "accent"))
        if len(self.boards) > 1:
            right.append((f"suite {self.shown + 1} of {len(self.boards)}   ", "accent"))
        right.append((f"{len(runs)} model{'s' if len(runs) != 1 else ''}", "muted"))
        self.identity([("leaderboard  ", "muted"), (board.suite, "title")], right)
        self._tell()
        self.keys_changed()

    def _nothing(self) -> list[Line]:
        if self._query:
            return nothing_matches("No completed run matches the filter.")
        return [
            [("No completed run with a score yet.", "title")],
            (),
            [("esc", "key"), ("  goes back to the list of runs, where n plans one", "text")],
        ]

    def _cells(self, run: RunRow) -> list[Cell]:
        board, glyphs = self.board, self.frame.glyphs
        place = [one.id for one in board.runs].index(run.id) + 1 if board else 0
        line = board.line_of(run) if board else Line_(run, run.overall_score)
        return [
            ("" if line.apart else str(place), "muted"),
            (run.model, "text"),
            (fmt.least(line.score, line.bounds, glyphs.at_least), "muted" if line.apart else "text"),
            (fmt.spread(*(line.interval or (None, None))), "faint"),
            (self._over_time(run, glyphs.level), "accent"),
            (fmt.compact(line.tests), "muted"),
            (str(run.error_tests) if run.error_tests else "", "error"),
            (fmt.cost(run.cost_usd, unpriced=run.unpriced_calls > 0), "muted"),
            (fmt.clock(run.duration_ms / 1000), "muted"),
            (fmt.when(run.completed_at, self.frame.wall()), "muted"),
            (run.exp_id, "faint"),
        ]

    def _runs_of(self, run: RunRow) -> tuple[RunRow, ...]:
        return self.board.history.get(run.model, ()) if self.board else ()

    def _over_time(self, run: RunRow, level: Callable[[float], str]) -> str:
        """A sign a run, from the oldest to this one, as tall as its score."""
        return "".join(level((one.least_score or 0.0) * 0.999) for one in self._runs_of(run)[-_OVER_TIME:])

    # the selected model

    @on(Listing.Moved)
    def _moved(self) -> None:
        self._tell()

    def _tell(self) -> None:
        run = self.listing.current
        if run is None or self.board is None:
            return
        known = self._spreads.get((run.id, run.seq))
        if known is None and self._measuring != run.id:
            self._measuring = run.id
            self.run_worker(self._measure(run), group="measure")
        self.query_one("#detail", Lines).show(self._detail(run, *(known or (None, None))))

    async def _measure(self, run: RunRow) -> None:
        def ask(reader: Reader) -> tuple[Spread | None, Spread | None]:
            from modex.core.reports.spread import spreads_of

            return spreads_of(reader, run.id)

        try:
            self._spreads[run.id, run.seq] = await self.frame.store.ask(ask, lane="work")
        except ModexError as error:
            self.say(str(error), severity="error")
            return
        finally:
            self._measuring = -1
        self._tell()

    def _detail(self, run: RunRow, time: Spread | None, cost: Spread | None) -> list[Line]:
        glyphs, now = self.frame.glyphs, self.frame.wall()
        runs = self._runs_of(run)
        scores = [one.least_score or 0.0 for one in runs]
        lines: list[Line] = [[(f" {self.board.words}", "muted")]] if self.board and self.board.words else []
        shown = self.board.line_of(run) if self.board else None
        if shown is not None and shown.apart:
            lines.append([(f" not compared: {shown.apart}", "text")])
        if words := unsettled_words(run.unsettled, run.bounds):
            lines.append([(f" {words}", "text")])
        lines += [[(" run     ", "muted"), (run.exp_id, "text"), (f"   {fmt.when(run.completed_at, now)}", "muted")]]
        if len(runs) > 1:
            lines.append(
                [
                    (" score   ", "muted"),
                    (fmt.least(runs[-1].overall_score, runs[-1].bounds, glyphs.at_least), "text"),
                    (f" ({_against(runs[-2], runs[-1])} {fmt.when(runs[-2].completed_at, now)}), best ", "muted"),
                    (fmt.hundred(max(scores), 1), "text"),
                    (f" of {len(runs)} runs  ", "muted"),
                    (self._over_time(run, glyphs.level), "accent"),
                ]
            )
        else:
            lines.append(
                [
                    (" score   ", "muted"),
                    (fmt.least(run.overall_score, run.bounds, glyphs.at_least), "text"),
                    ("  its first run", "muted"),
                ]
            )
        lines += [
            [(f" {name}    ", "muted"), *took(spread, glyphs, unit)]
            for name, spread, unit in (("time", time, "s"), ("cost", cost, "$"))
            if spread is not None
        ]
        return lines

    # acting

    @on(Listing.Opened)
    def _open(self) -> None:
        if (run := self.listing.current) is not None:
            from modex.tui.screens.live import LiveScreen

            self.app.push_screen(LiveScreen((run.exp_id,)))

    @on(Listing.Titled)
    def _titled(self, event: Listing.Titled) -> None:
        self.listing.sorted_by = event.order
        self._show()

    def action_filter(self) -> None:
        """Ask for a filter of the runs that count."""
        self.listing.hold()
        self.query_one("#filter", Prompt).ask()

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        self._query = parse_query(event.value, RUN_FILTERS)
        self.tell_problem(self._query.problem)
        self._known = False
        self.refresh_now()

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.set_focus(self.listing)

    def action_switch(self, step: int) -> None:
        """Show another suite."""
        if self.boards:
            self.shown = (self.shown + step) % len(self.boards)
            self._wanted = self.boards[self.shown].suite
            self.marks.clear()
            self.listing.set_count(0, cursor=0)
            self._show()

    def action_sort(self) -> None:
        """The next order."""
        orders = list(_ORDERS)
        self.listing.sorted_by = orders[(orders.index(self.listing.sorted_by) + 1) % len(orders)]
        self._show()

    def action_mark(self) -> None:
        """Mark the selected run, or take its mark away."""
        if (run := self.listing.current) is not None:
            self.marks ^= {run.id}
            self.listing.action_move(1)
            self._show()

    def action_compare(self) -> None:
        """Compare what is marked, else all of the suite, the best first."""
        board = self.board
        if board is None:
            return
        chosen = (
            [run for run in board.runs if run.id in self.marks] if self.marks else list(board.runs[:_MOST_COMPARED])
        )
        names = [run.exp_id for run in chosen]
        if len(names) == 2:
            from modex.tui.lazy import CompareScreen

            self.app.push_screen(CompareScreen(self.frame.database, *names))
        elif names[1:]:
            from modex.tui.lazy import CompareSeveralScreen

            self.app.push_screen(CompareSeveralScreen(self.frame.database, names))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """What needs several suites, or several models."""
        if action == "switch":
            return len(self.boards) > 1
        if action == "compare":
            return self.board is not None and len(self.board.runs) > 1 and len(self.marks) != 1
        return True

    def why_not(self, action: Action) -> str:
        """By what is missing."""
        if action.key_id in ("next_suite", "previous_suite"):
            return "the runs are of one suite"
        return (
            "mark a second run with space"
            if len(self.marks) == 1
            else "only one model has a run of this suite: run it with another"
        )


def _against(before: RunRow, run: RunRow) -> str:
    """How the score differs from the run before; of unlike numbers of tests there is no difference, only what it was."""
    from modex.core.features.leaderboard.rule import scored

    if scored(before) == scored(run):
        return f"{100 * ((run.least_score or 0.0) - (before.least_score or 0.0)):+.1f} since"
    return f"{fmt.least(before.overall_score, before.bounds)} over {scored(before):,} tests,"
