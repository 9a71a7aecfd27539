"""Home: every run in the store, the ones that move on top."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from textual import getters, on
from textual.binding import BindingType
from textual.widget import Widget

from modex.core.config.filters import Query, parse_query
from modex.core.foundation.parties import Party
from modex.core.reports.pace import briefly, pace_cells, pace_line
from modex.core.reports.reached import named_model
from modex.core.reports.served import served_briefly
from modex.core.store.bounds import Ends, domain_ends, with_bounds
from modex.core.store.parties import parties_by_run
from modex.core.store.races import awaited
from modex.core.store.reader import RUN_FILTERS, Reader, RunOrder
from modex.core.store.rows import RunRow
from modex.core.store.sample import PASS_SCORE
from modex.core.store.speeds import Pace, with_latest_pace
from modex.tui.actions import Action, bindings
from modex.tui.look import format as fmt
from modex.tui.look.paint import Line, Part, whole_words
from modex.tui.look.theme import state_role
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import READ_ONLY, ModexScreen
from modex.tui.screens.going_on import ask_to_go_on
from modex.tui.start.resuming import can_go_on, resume_refusal
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.edit import Edit
from modex.tui.widgets.lines import Lines, Whole
from modex.tui.widgets.listing import PAGE, Listing
from modex.tui.widgets.prompt import Prompt, nothing_matches
from modex.tui.widgets.pulse import NEXT_LOOK

ORDERS: tuple[RunOrder, ...] = ("started", "score", "model", "exp_id", "cost", "duration", "errors", "speed", "first")
COLUMNS = (
    ListColumn("", 1),
    ListColumn("run", 16, grow=3, max_width=44, sorts="exp_id"),
    ListColumn("model", 12, grow=2, max_width=34, from_width=56, sorts="model"),
    ListColumn("started", 11, from_width=75, sorts="started"),
    ListColumn("domains", 10, grow=1, from_width=118, max_width=20),
    ListColumn("score", 5, align="right", sorts="score"),
    ListColumn("±", 4, align="right", from_width=62),
    ListColumn("passed", 9, align="right"),
    ListColumn("err", 3, align="right", sorts="errors"),
    ListColumn("tokens", 6, align="right", from_width=104),
    ListColumn("cost", 7, align="right", from_width=92, sorts="cost"),
    ListColumn("time", 7, align="right", from_width=86, sorts="duration"),
)
TIMED = (
    ListColumn("first", 7, align="right", from_width=146, sorts="first"),
    ListColumn("tok/s", 6, align="right", from_width=138, sorts="speed"),
)
"""More columns where any run was streamed, so that its speed is known."""
SERVED = ListColumn("served", 36, grow=2, from_width=168, max_width=60)
"""One more where the model of any run was served by modex."""
_WRITING = ("new", "again", "resume", "rejudge", "rename", "archive", "delete")


@dataclass(frozen=True, slots=True)
class RunItem:
    """A run with its domains' scores."""

    run: RunRow
    domains: tuple[tuple[str, float | None], ...]
    ends: Mapping[str, Ends] | None = None
    """Between which scores samples without a verdict leave domains; None where that is not known."""
    race: str = ""
    """The race whose next look the run waits for; empty where it waits for none."""
    at_fault: tuple[Party, ...] = ()
    """Whose its errors are, the most frequent first."""


@dataclass(frozen=True, slots=True)
class _Found:
    total: int
    matching: int
    start: int
    items: list[RunItem]
    archived: int
    """Runs that were put away and are not shown."""
    cursor: int | None = None
    """Where the run is that was asked for."""


@dataclass(frozen=True, slots=True)
class _LookedUp:
    """What is asked of a run's samples, when its sequence number was `seq`."""

    seq: int
    ends: Mapping[str, Ends] | None
    at_fault: tuple[Party, ...]


_Known = dict[int, _LookedUp]
"""By a run's id."""


def _looked_up(reader: Reader, run: RunRow, known: _Known) -> _LookedUp:
    """Looked for again only where the run changed; as its domains' scores it stands still while the run goes on."""
    seen = known.get(run.id)
    if seen is None or (seen.seq != run.seq and not run.alive):
        found = parties_by_run(reader, [run.id] if run.error_tests else [])
        seen = known[run.id] = _LookedUp(run.seq, domain_ends(reader, run), tuple(found.get(run.id, ())))
    return seen


def _ask(
    reader: Reader,
    query: Query,
    order: tuple[RunOrder, bool],
    page: tuple[int, int],
    known: _Known,
    *,
    around: int | None = None,
) -> _Found:
    start, limit = page
    named = query.names("archived")
    away = None if named else False
    wanted: dict[str, Any] = {"text": query.text, "conditions": query.conditions, "archived": away}
    cursor = None
    if around is not None:
        cursor = reader.place_of_run(around, order=order[0], turned=order[1], **wanted)
    if cursor is not None:
        start, limit = max(0, cursor // PAGE - 1) * PAGE, 2 * PAGE
    rows = reader.runs(order=order[0], turned=order[1], limit=limit, offset=start, **wanted)
    rows = with_latest_pace(reader, with_bounds(reader, rows))
    scores = reader.domain_scores([row.id for row in rows])
    races = awaited(reader)
    items = [
        RunItem(
            row,
            tuple(scores.get(row.id, ())),
            _looked_up(reader, row, known).ends,
            "" if row.alive else races.get(row.exp_id, ""),
            _looked_up(reader, row, known).at_fault,
        )
        for row in rows
    ]
    total = reader.count_runs(archived=away)
    matching = reader.count_runs(**wanted) if query else total
    archived = 0 if named else reader.count_runs(archived=True)
    return _Found(total, matching, start, items, archived, cursor)


class RunsScreen(ModexScreen[None]):
    """The list of runs; opening one shows it live."""

    SCOPES = ("runs", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("runs")]
    REFRESHES = True
    PERIOD_S = 1.0
    DEFAULT_CSS = """
    RunsScreen #empty { height: auto; margin: 2 4; }
    RunsScreen #detail { height: 1; dock: bottom; margin-bottom: 1; }
    """
    listing: getters.query_one[Listing[RunItem]] = getters.query_one("#runs", Listing)
    """The list."""

    def __init__(self) -> None:
        super().__init__()
        self._query = Query()
        self._order: RunOrder = "started"
        self._total = 0
        self._archived = 0
        self._known = False
        self._renamed: RunRow | None = None
        self._bounds: _Known = {}
        self._kept: int | None = None
        """The run that was selected last: what a new filter finds is listed around it, where it is among that."""
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
        yield Whole(id="detail")
        yield Prompt(id="filter", placeholder="words, model:gpt, status:interrupted, score<70, speed>50, archived:yes")
        yield Edit()

    @property
    def selected(self) -> RunRow | None:
        """The selected run."""
        item = self.listing.current
        return item.run if item else None

    @property
    def reading(self) -> bool:
        """Whether the list, or what a new filter finds, was not read yet."""
        return super().reading or not (self._known or self._store_error)

    # looking

    async def refresh_data(self) -> bool:
        """Read the page in sight again; runs that move stay selected while rows change places."""
        listing = self.listing
        query, order = self._query, (self._order, self.listing.turned)
        start = listing.in_sight.start // PAGE * PAGE if self._known else 0
        length = 2 * PAGE if listing.in_sight.stop > start + PAGE else PAGE
        kept = None if self._known else self._kept
        found = await self.frame.store.ask(
            lambda reader: _ask(reader, query, order, (start, length), self._bounds, around=kept), lane="poll"
        )
        if (query, order) != (self._query, (self._order, self.listing.turned)):
            return True
        self._show(found)
        return any(item.run.going or item.race for item in found.items)

    def _show(self, found: _Found) -> None:
        listing = self.listing
        before = listing.current
        cursor = listing.cursor
        if before is not None:
            places = [i for i, item in enumerate(found.items, found.start) if item.run.id == before.run.id]
            cursor = places[0] if places else cursor
        elif not self._known and found.cursor is not None:
            cursor = found.cursor
        timed = TIMED[0] in listing.columns or any(item.run.pace for item in found.items)
        served = SERVED in listing.columns or any(served_briefly(item.run) for item in found.items)
        layout = (*COLUMNS, *(TIMED if timed else ()), *((SERVED,) if served else ()))
        if listing.columns != layout:
            listing.columns = layout
            listing.lay_out()
        listing.put(found.start, found.items)
        if found.matching != listing.count or cursor != listing.cursor or not self._known:
            listing.set_count(found.matching, cursor=cursor, keep=True)
        self._total, self._archived, self._known = found.total, found.archived, True
        self._show_state()

    @on(Listing.Wanted)
    def _wanted(self, event: Listing.Wanted) -> None:
        self.run_worker(self._fetch(event.start), group="fetch")

    async def _fetch(self, start: int) -> None:
        query, order = self._query, (self._order, self.listing.turned)
        found = await self.frame.store.ask(lambda reader: _ask(reader, query, order, (start, PAGE), self._bounds))
        if (query, order) == (self._query, (self._order, self.listing.turned)):
            self.listing.put(found.start, found.items)

    def _restart(self, *, keep: bool = False) -> None:
        """Another filter or order: everything is asked anew; `keep` lets the selection go to the run that was noted."""
        if not keep:
            self._kept = None
        self._known = False
        self.listing.set_count(0, cursor=0)
        self.refresh_now()

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
            self.set_focus(listing)
        noun = "run" if self._total == 1 else "runs"
        right: list[Part] = [(f"{fmt.count(self._total)} {noun}", "muted")]
        if listing.count != self._total:
            right = [(f"{fmt.count(listing.count)} of ", "text"), *right]
        if self._archived:
            right = [*right, (f", {fmt.count(self._archived)} archived", "faint")]
        if self.marks:
            right = [(f"{len(self.marks)} marked   ", "accent"), *right]
        self.identity([("modex", "title"), ("  runs", "muted")], [*self.store_state(), *right])
        self._show_detail()

    def _nothing(self) -> list[Line]:
        if self._query:
            return nothing_matches("No run matches the filter.")
        if self._archived:
            return [
                [("Every run is archived.", "title")],
                (),
                [("/", "key"), ("  archived:yes shows them; A takes one back", "text")],
                [("n", "key"), ("  plans a run: a model, some tests, a start", "text")],
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
        item = self.listing.current
        line: list[Part] = []
        if item is not None and item.race:
            glyph = self.frame.glyphs.status("pending")
            line = [(" ", "text"), (glyph, "running"), (f" {NEXT_LOOK} of the race {item.race}", "text")]
        elif item is not None:
            run = item.run
            state = run.state
            line = [(" ", "text"), (self.frame.glyphs.status(state), state_role(state)), (f" {state}", "text")]
            if run.archived:
                line.append((", archived", "muted"))
            if item.at_fault:
                line.append((f"  {fmt.count(run.error_tests)} not scored: {', '.join(item.at_fault)}", "error"))
            if not self.frame.store.writable:
                line.append((f"  {READ_ONLY}", "muted"))
            elif state == "interrupted":
                line.append(("  its runner ended in the middle; r goes on from there", "muted"))
            elif run.reason:
                line.append((f"  {run.reason}", "muted"))
            else:
                eta, pace = run.live.get("eta_s"), Pace.of(run.pace)
                if run.alive:
                    line.append((f"  {fmt.count(run.done_tests)} of {fmt.count(run.total_tests)} done", "text"))
                if run.alive and eta is not None and eta >= 1:
                    line.append((f"  {fmt.remaining(eta)} left", "muted"))
                if pace is not None:
                    line.append((f"  now {briefly(pace)}" if run.alive else f"  {pace_line(pace)}", "muted"))
            if (served := served_briefly(run)) and not self.listing.shows(SERVED):
                line.append((f"  {served}", "faint"))
        self.query_one("#detail", Whole).show([line])

    def _cells(self, item: RunItem) -> list[Cell]:
        run, glyphs = item.run, self.frame.glyphs
        state = run.state
        scored = run.overall_score is not None
        done = fmt.passed(run.kind, run.passed_tests, run.total_tests)
        return [
            (glyphs.status("pending"), "running") if item.race else (glyphs.status(state), state_role(state)),
            (run.exp_id, "text"),
            (named_model(run), "muted"),
            ("next look", "running") if item.race else self._when(run),
            lambda width: self._domains(item, width),
            (
                fmt.least(run.overall_score, run.bounds, glyphs.at_least),
                "text" if scored and not run.alive else "muted",
            ),
            (fmt.spread(*(run.interval or (None, None))), "faint"),
            (done, "text"),
            (str(run.error_tests) if run.error_tests else "", "error"),
            (fmt.compact(run.prompt_tokens + run.completion_tokens), "muted"),
            (fmt.cost(run.cost_usd, unpriced=run.unpriced_calls > 0), "muted"),
            (fmt.clock(run.live.get("elapsed_s") if run.alive else run.duration_ms / 1000), "muted"),
            *((cell, "muted") for cell in (pace_cells(Pace.of(run.pace)) if TIMED[0] in self.listing.columns else ())),
            *([partial(whole_words, [(served_briefly(run), "muted")])] if SERVED in self.listing.columns else []),
        ]

    def _when(self, run: RunRow) -> Part:
        """When it began; of a run in progress how far it is, and how much longer it takes."""
        if not run.alive or not run.total_tests:
            return fmt.when(run.started_at, self.frame.wall()), "muted"
        far = f"{100 * run.done_tests // run.total_tests}%"
        eta = run.live.get("eta_s")
        return (f"{far} {fmt.roughly(eta)}" if eta is not None and eta >= 1 else far), "running"

    def _domains(self, item: RunItem, width: int) -> Line:
        glyphs = self.frame.glyphs
        parts: list[Part] = []
        bounded = item.run.bounds is not None
        for name, score in item.domains[:width]:
            ends = item.ends.get(name) if item.ends is not None else None
            if ends is not None:  # what lacks a verdict may be wrong: as high as is certain, as the matrix has it
                parts.append((glyphs.level(ends[0]), "muted"))
            elif score is None or (bounded and item.ends is None):
                parts.append((glyphs.pending, "pending"))
            elif bounded:  # no colour says how good the run is
                parts.append((glyphs.level(score), "muted"))
            else:
                parts.append(
                    (glyphs.level(score), "passed" if score >= PASS_SCORE else "failed" if score < 0.4 else "accent")
                )
        return parts

    # acting

    @on(Listing.Opened)
    def _open(self) -> None:
        if (run := self.selected) is not None:
            from modex.tui.screens.live import LiveScreen

            self.app.push_screen(LiveScreen((run.exp_id,)))

    def action_filter(self) -> None:
        """Ask for a filter; the selection comes back to its run when that is gone."""
        if self.selected is not None:
            self._kept = self.selected.id
        self.query_one("#filter", Prompt).ask()

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        self._query = parse_query(event.value, RUN_FILTERS)
        self.tell_problem(self._query.problem)
        self._restart(keep=True)

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.set_focus(self.listing)

    def action_sort(self) -> None:
        """Sort by the next order."""
        self.listing.turned = False
        self._order = ORDERS[(ORDERS.index(self._order) + 1) % len(ORDERS)]
        self._sorted()

    def action_turn(self) -> None:
        """The same order, reversed."""
        self.listing.turned = not self.listing.turned
        self._sorted()

    @on(Listing.Titled)
    def _titled(self, event: Listing.Titled) -> None:
        """A click on a title sorts by it; one more turns the order round."""
        order = next(name for name in ORDERS if name == event.order)
        self.listing.turned = order == self._order and not self.listing.turned
        self._order = order
        self._sorted()

    def _sorted(self) -> None:
        self.listing.sorted_by = self._order
        if not self.listing.shows_column(self._order):
            self.say(f"sorted by {self._order}{', reversed' if self.listing.turned else ''}")
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

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer what the selected run allows."""
        run = self.selected if self.is_mounted else None
        if action in _WRITING and not self.frame.store.writable:
            return False
        if action in ("again", "rejudge", "export", "rename", "archive", "delete", "mark"):
            return run is not None and not (run.going and action in ("rejudge", "rename", "archive", "delete"))
        if action == "resume":
            return run is not None and can_go_on(run)
        if action == "compare":
            return len(self.marks) >= 2
        return True

    def why_not(self, action: Action) -> str:
        """By the selected run's state."""
        run = self.selected
        if action.name in _WRITING and not self.frame.store.writable:
            return READ_ONLY
        if action.name == "compare":
            return "mark two runs or more with space; c compares them"
        if run is None:
            return "no run is selected: n plans one"
        return resume_refusal(run) if action.name == "resume" else "the run is going on: stop it first"

    def action_new(self) -> None:
        """Plan a new run."""
        from modex.tui.screens.new_run import NewRunScreen

        self.app.push_screen(NewRunScreen(self.frame.database, draft=self.frame.draft))

    def action_again(self) -> None:
        """Plan a run with everything that the selected one had, under a new name."""
        from modex.core.config.configuration import options_of
        from modex.core.config.runconfig import RunConfig
        from modex.tui.screens.new_run import NewRunScreen

        if (run := self.selected) is None:
            return
        try:
            given = options_of(RunConfig.model_validate(run.config))
        except ValueError:
            self.say("this run was stored with options that this version does not know", severity="warning")
            return
        self.app.push_screen(NewRunScreen(self.frame.database, given))

    def action_suite(self) -> None:
        """Look at the suite of the selected run; without one at that of the settings."""
        from modex.tui.screens.suite import SuiteScreen

        selection = self.selected.config.get("selection") if self.selected is not None else None
        path = selection.get("suite") if isinstance(selection, dict) else None
        self.app.push_screen(SuiteScreen(self.frame.database, path))

    def action_compare(self) -> None:
        """Compare the marked runs."""
        from modex.tui.lazy import CompareScreen, CompareSeveralScreen

        names = [run.exp_id for run in self.marks.values()]
        if len(names) == 2:
            self.app.push_screen(CompareScreen(self.frame.database, *names))
        elif len(names) > 2:
            self.app.push_screen(CompareSeveralScreen(self.frame.database, names))

    def action_leaderboard(self) -> None:
        """Each model's newest run by suite."""
        from modex.tui.lazy import LeaderboardScreen

        self.app.push_screen(LeaderboardScreen())

    def action_models(self) -> None:
        """Models by name, with what is wrong with each."""
        from modex.tui.lazy import ModelsScreen

        self.app.push_screen(ModelsScreen())

    def action_resume(self) -> None:
        """Ask, saying what it will do; then start the run's runner again and watch."""
        if (run := self.selected) is None:
            return
        database = self.frame.database

        def start() -> None:
            from modex.core.engine.start import launch_runner

            launch_runner(database, run.exp_id)

        def watch() -> None:
            from modex.tui.screens.live import LiveScreen

            self.app.push_screen(LiveScreen((run.exp_id,)))

        self.app.push_screen(ask_to_go_on(run), lambda answer: self.do(start, after=watch) if answer else None)

    def _chosen(self) -> list[RunRow]:
        """The marked runs, else the selected one."""
        return list(self.marks.values()) or ([self.selected] if self.selected else [])

    def action_rejudge(self) -> None:
        """Ask, then judge the stored answers of the marked runs, or of this one, again."""
        runs = [run for run in self._chosen() if not run.going]
        if not runs:
            return
        named = runs[0].exp_id if len(runs) == 1 else f"{len(runs)} marked runs"
        tests = sum(run.total_tests for run in runs)

        def again(answer: str | None) -> None:
            if answer == "other":
                self.query_one(Edit).ask_for("judge", "judge", "", "as in --judge-model, for example openai/gpt-5")
            elif answer:
                self._judge(runs, ())

        self.app.push_screen(
            AskScreen(
                f"Judge {named} again?",
                [
                    Answer("j", "same", f"judge {tests:,} stored answers again; earlier verdicts are kept"),
                    Answer("m", "other", "the same, by another judge that you name"),
                ],
                "No new answer is asked for; PASS 2 and judges are asked.",
            ),
            again,
        )

    def _judge(self, runs: list[RunRow], judges: tuple[str, ...]) -> None:
        database = self.frame.database

        def start() -> None:
            from modex.core.engine.start import launch_runner, rejudge
            from modex.core.llm.naming import asked_model

            for run in runs:
                # Refused here: what its runner refuses stands in a log only.
                asked = tuple(asked_model(name, suite=run.suite, flag="judge") for name in judges)
                prepared = rejudge(database, run.exp_id, asked)
                launch_runner(database, run.exp_id, judging="all", lock=prepared.lock)

        self.marks.clear()
        self.do(start)

    @on(Edit.Done)
    def _edited(self, event: Edit.Done) -> None:
        self.set_focus(self.listing)
        value = (event.value or "").strip()
        if value and event.name == "judge":
            self._judge([run for run in self._chosen() if not run.going], (value,))
        elif value and event.name == "rename" and self._renamed is not None and value != self._renamed.exp_id:
            self._rename(self._renamed, value)

    def action_rename(self) -> None:
        """Ask for another name of the selected run."""
        if (run := self.selected) is not None:
            self._renamed = run
            self.query_one(Edit).ask_for("rename", "name", run.exp_id, "another name of the run")

    def _rename(self, run: RunRow, name: str) -> None:
        database = self.frame.database

        def job() -> None:
            from modex.core.engine.control import rename_run

            rename_run(database, run.exp_id, name)

        def after() -> None:
            if run.id in self.marks:
                self.marks[run.id] = replace(run, exp_id=name)

        self.do(job, f"{run.exp_id} is now called {name}", after)

    def action_archive(self) -> None:
        """Put the marked runs, or this one, away; take them back where all of them are away."""
        runs = [run for run in self._chosen() if not run.going]
        if not runs:
            return
        database = self.frame.database
        away = not all(run.archived for run in runs)
        named = runs[0].exp_id if len(runs) == 1 else f"{len(runs)} runs"

        def job() -> None:
            from modex.core.engine.control import archive_run

            for run in runs:
                archive_run(database, run.exp_id, archived=away)

        self.marks.clear()
        self.do(job, f"archived {named}; / archived:yes shows what is" if away else f"{named}: back from the archive")

    def action_export(self) -> None:
        """Ask for a format, then write the marked runs, or this one, to files in the current folder."""
        if runs := self._chosen():
            from modex.tui.lazy import ask_and_export

            ask_and_export(self, runs, ())

    def action_delete(self) -> None:
        """Ask, then delete the marked runs, or this one."""
        runs = self._chosen()
        if not runs:
            return
        database = self.frame.database
        named = runs[0].exp_id if len(runs) == 1 else f"{len(runs)} marked runs"
        tests = sum(run.total_tests for run in runs)

        def delete(answer: str | None) -> None:
            def job() -> None:
                from modex.core.engine.control import delete_run

                for run in runs:
                    delete_run(database, run.id)

            if answer:
                self.marks.clear()
                self.do(job, f"deleted {named}")

        self.app.push_screen(
            AskScreen(
                f"Delete {named}?",
                [Answer("d", "delete", f"delete for good, with {tests:,} tests and their transcripts")],
                "There is no way back; export first what you want to keep.",
            ),
            delete,
        )
