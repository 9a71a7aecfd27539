"""A run as it goes, or as it went: matrix, pulse, log; several runs side by side or behind tabs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

from textual import events, on
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.widget import Widget

from modex.core.config.filters import parse_query
from modex.core.config.options import FIRST_AT_ONCE
from modex.core.engine.stopping import SIGINT_GRACE_S
from modex.core.foundation.errors import ModexError
from modex.core.reports.served import served_briefly
from modex.core.safety import as_words
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.tui.actions import Action, bindings
from modex.tui.look.paint import Part, columns
from modex.tui.reading.run import LogLine, RunFeed, Snapshot
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import READ_ONLY, ModexScreen
from modex.tui.start.resuming import can_go_on, resume_refusal
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.log import LOG_FILTERS, MOST_LINES, LogPane
from modex.tui.widgets.matrix import MatrixView
from modex.tui.widgets.matrix_layout import lay_out, shows_as_much
from modex.tui.widgets.prompt import Prompt
from modex.tui.widgets.pulse import NEXT_LOOK, state_parts
from modex.tui.widgets.run_panel import PulseLine, RunPanel
from modex.tui.widgets.run_tabs import RunTabs
from modex.tui.widgets.story import StoryPane
from modex.tui.widgets.workers import WorkersPane

WIDE = 110
"""From this width on the log stands beside the matrix, where the matrix loses nothing by it."""
_LEAST_LOG = 44
"""Columns of a log beside the matrix."""
_SIDE = 58
"""Width one run needs to stand beside another."""
_LOG_LINES, _LEAST_LOG_LINES = 4, 1
_LEAST_MATRIX = 7
"""Lines the matrix has before the log gets any."""
_AROUND_MATRIX = 7
"""Lines that identity, progress, pulse, keys and the gaps between them take."""
_LEAST_STORY = 10
"""Lines beneath the matrix that are enough for a story."""


def _read(reader: Reader, feeds: Sequence[RunFeed], force: bool) -> list[Snapshot | ModexError | None]:
    found: list[Snapshot | ModexError | None] = []
    for feed in feeds:
        try:
            found.append(feed.read(reader, force=force))
        except ModexError as error:
            found.append(error)
    return found


def _has_gold(run: RunRow) -> bool:
    from modex.core.reports.reading import reading_of  # what reads metrics, which a first frame does without

    return bool(run.metrics) and reading_of(run).gold_in_answer > 0


STOPPING = f"stopping: calls in flight get {SIGINT_GRACE_S:g} s to end"

Command = Literal["pause", "resume", "stop", "concurrency", "skip"]

FAILURES = ("failed", "error")


class LiveScreen(ModexScreen[None]):
    """Watches runs by their `exp_id`; nothing here changes a run but commands to its runner."""

    SCOPES = ("live", "matrix", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("live")]
    REFRESHES = True
    DEFAULT_CSS = """
    LiveScreen #main { layout: vertical; height: 1fr; }
    LiveScreen #runs { height: auto; }
    LiveScreen #panels { height: auto; }
    LiveScreen #side { height: 1fr; margin-top: 1; }
    LiveScreen StoryPane { display: none; }
    LiveScreen.-ended StoryPane { display: block; }
    LiveScreen.-log StoryPane, LiveScreen.-workers StoryPane { display: none; }
    LiveScreen WorkersPane { display: none; height: 1fr; }
    LiveScreen.-wide #main { layout: horizontal; }
    LiveScreen.-wide #runs { height: 1fr; }
    LiveScreen.-wide #side { width: 1fr; margin: 0 0 0 2; }
    LiveScreen.-wide #workers_below { display: block; margin-top: 2; }
    LiveScreen.-wide.-ended #workers_below { display: none; }
    LiveScreen #story_below { display: none; height: 1fr; margin-top: 1; }
    LiveScreen.-told #story_below { display: block; }
    LiveScreen.-told #side StoryPane { display: none; }
    LiveScreen.-small #side { display: none; }
    LiveScreen.-small.-ended #side { display: block; margin-top: 0; }
    LiveScreen.-small.-ended LogPane { display: none; }
    LiveScreen.-small.-ended ProgressLine { margin-bottom: 0; }
    LiveScreen.-log #side, LiveScreen.-workers #side { display: block; }
    LiveScreen.-log.-small.-ended LogPane { display: block; }
    LiveScreen.-log #runs { display: none; }
    LiveScreen.-log #side { margin: 0; width: 1fr; }
    LiveScreen.-workers #workers { display: block; }
    LiveScreen.-workers LogPane { display: none; }
    LiveScreen.-workers #workers_below { display: none; }
    LiveScreen.-workers.-beneath #runs { display: none; }
    LiveScreen.-workers.-beneath #side { margin: 0; }
    LiveScreen #notice { margin: 2 4; display: none; }
    """

    def __init__(self, exp_ids: Sequence[str]) -> None:
        super().__init__()
        self.panels = [RunPanel(exp_id) for exp_id in exp_ids]
        self.active = 0
        self._logged = {id(panel): deque[LogLine](maxlen=MOST_LINES) for panel in self.panels}
        """The log's lines of every run, for when it gets the keys."""
        self._told: tuple[int, int] | None = None
        """The run, and its newest change, whose story is shown."""

    def body(self) -> Iterable[Widget]:
        """Tabs (with several runs), the runs, and the log or the workers."""
        if self.app.size.width < WIDE or len(self.panels) > 1:
            self.update_classes({"-beneath": True}, update=False)  # known before any style is: none is set twice
        yield RunTabs(self.panels)
        yield Lines(id="notice")
        below = WorkersPane(id="workers_below")
        yield Container(
            Container(
                Horizontal(*self.panels, id="panels"), below, Container(StoryPane(), id="story_below"), id="runs"
            ),
            Container(StoryPane(), LogPane(), WorkersPane(id="workers"), id="side"),
            id="main",
        )
        yield Prompt(placeholder="words, status:failed, level>=3, score<0.5")

    @property
    def about_run(self) -> int | None:
        """The run that has the keys."""
        return self.panel.run.id if self.panel.run is not None else None

    @property
    def about_cell(self) -> tuple[str, int] | None:
        """The selected cell of that run's matrix; None where a whole domain or level is selected."""
        domain, level = self.panel.view.selection
        return None if domain is None or level is None else (domain, level)

    @property
    def panel(self) -> RunPanel:
        """The run that has the keys."""
        return self.panels[self.active]

    @property
    def reading(self) -> bool:
        """Whether the run that has the keys was not read yet."""
        panel = self.panel
        return super().reading or not (panel.run or panel.gone or self._store_error)

    # looking

    async def refresh_data(self) -> bool:
        """Read every run's update."""
        for panel in self.panels:
            panel.query_one(PulseLine)  # a feed tells each change once: it is asked when everything can show it
        feeds = [panel.feed for panel in self.panels]
        found = await self.frame.store.ask(lambda reader: _read(reader, feeds, force=False), lane="poll")
        for panel, update in zip(self.panels, found, strict=True):
            if isinstance(update, ModexError):
                panel.gone = str(update).removeprefix(f"{self.frame.database}: ")
            elif update is not None:
                before = (panel.run is None, panel.view.lines, panel.view.room)
                panel.show(update)
                if panel is self.panel:
                    self.query_one(LogPane).add(update.updates)
                self._logged[id(panel)] += update.updates
                if before != (False, panel.view.lines, panel.view.room):
                    # The first look of a run just started may find it half planned.
                    self._arrange()
            panel.tick()
        self.query_one(LogPane).catch_up()
        self._show_state()
        return any(panel.run is not None and panel.run.going for panel in self.panels)

    def _show_state(self) -> None:
        panel = self.panel
        notice = self.query_one("#notice", Lines)
        notice.display = bool(panel.gone)
        self.query_one("#main").display = not panel.gone
        if panel.gone:
            notice.show([[(panel.gone, "text")], (), [("esc", "key"), ("  back to the runs", "muted")]])
            self.identity([(panel.exp_id, "title")], [("gone", "error")])
            self._keys_follow("gone")
            return
        if panel.run is None:
            self.identity([(panel.exp_id, "title")], [("opening", "muted")])
            return
        if len(self.panels) > 1 and not self.query_one(RunTabs).display:
            going = sum(1 for each in self.panels if each.run and each.run.going)
            state: Part = (f"{going} running", "running") if going else ("all ended", "muted")
            self.identity([("modex", "title"), (f"  {len(self.panels)} runs", "muted")], [state])
            self._after_state(panel.run, panel)
            return
        demo = panel.run.model.partition("/")[0] == "demo"
        left: list[Part] = [(panel.run.exp_id, "title"), ("  ", "text"), (panel.run.model, "muted")]
        if demo:
            left.append(("  scripted model", "accent"))
        if not self.frame.store.writable:
            left.append(("  read-only store", "accent"))
        stands = state_parts(panel.run, panel.since_pulse, panel.race)
        if served := served_briefly(panel.run):
            more: list[Part] = [*left, (f"  {served}", "faint")]
            left = more if columns(more) + columns(stands) + 3 <= self.size.width else left
        self.identity(left, stands)
        self._after_state(panel.run, panel)

    def _after_state(self, run: RunRow, panel: RunPanel) -> None:
        self.query_one(RunTabs).changed()
        self._classify({})
        for pane in self.query(WorkersPane):
            if pane.display:
                pane.tell(run, panel.since_pulse, panel.race)
        self._tell_story(run)
        self._keys_follow(NEXT_LOOK if panel.race else run.state)

    def _tell_story(self, run: RunRow) -> None:
        """Read the story of a run that ended, once for each of its states."""
        if run.alive or self._told == (run.id, run.seq):
            return
        if self._told is not None and self._told[0] != run.id:
            for pane in self.query(StoryPane):
                pane.tell(None)
        self._told = run.id, run.seq
        # After the first frame: what reads the story would share the interpreter with what lays the screen out.
        self.call_after_refresh(self._begin_story, run)

    def _begin_story(self, run: RunRow) -> None:
        self.run_worker(self._read_story(run), group="story", exclusive=True)

    async def _read_story(self, run: RunRow) -> None:
        from modex.core.features.story.story import (
            story_of,  # of verdicts and statistics, which a first frame does without
        )

        try:
            story = await self.frame.store.ask(lambda reader: story_of(reader, run), lane="work")
        except ModexError as error:
            self.say(str(error), severity="error")
            return
        for pane in self.query(StoryPane):
            pane.tell(story)

    def _keys_follow(self, state: str) -> None:
        """What can be pressed depends on the run's state."""
        if getattr(self, "_keys_for", None) != state:
            self._keys_for = state
            self.keys_changed()

    # arranging

    def on_resize(self) -> None:
        """Side by side or one above the other, by width."""
        self._arrange()

    def _beside(self, width: int) -> int:
        """The width of the matrix where the log stands beside it; 0 where it would show less than in a narrower window."""
        view = self.panel.view
        room = min(view.room, width - 2 - _LEAST_LOG)
        whole = shows_as_much(lay_out(view.matrix, room), lay_out(view.matrix, WIDE - 1))
        return room if width >= WIDE and len(self.panels) == 1 and whole else 0

    def _arrange(self) -> None:
        """Give the matrix what it needs and the log the rest, at least a few lines."""
        width, height = self.size
        several = len(self.panels) > 1
        beside = self._beside(width)
        side_by_side = several and width // len(self.panels) >= _SIDE
        tabs = self.query_one(RunTabs)
        tabs.display = several and not side_by_side
        self.query_one("#runs").styles.width = beside or None
        room = height - 2 - 2 - 2 - (1 if several else 0)
        wanted = max((panel.view.lines for panel in self.panels), default=0)
        # A matrix that can be seen whole is; one that scrolls anyway leaves the log its lines.
        log = min(_LOG_LINES, room - 1 - wanted) if wanted <= room else _LOG_LINES
        small = not beside and (log < _LEAST_LOG_LINES or room - 1 - log < min(wanted, _LEAST_MATRIX))
        self._classify({"-wide": beside > 0, "-beneath": not beside, "-small": small})
        if not beside and not small:
            room -= 1 + log - (1 if tabs.display else 0)
        for index, panel in enumerate(self.panels):
            panel.display = side_by_side or index == self.active
            panel.set_class(side_by_side, "-several")
            panel.set_active(index == self.active)
            panel.view.styles.height = max(3, min(panel.view.lines, room))

    def _classify(self, found: dict[str, bool]) -> None:
        """Set what the styles depend on at once: each change by itself would go through all of the screen's styles.

        The story stands beneath the matrix where the log stands beside it and lines are left there: both have more room so.
        """
        run = self.panel.run
        ended = run is not None and not run.alive
        wide = found.get("-wide", self.has_class("-wide"))
        beneath = self.size.height - _AROUND_MATRIX - self.panel.view.lines
        self.update_classes({**found, "-ended": ended, "-told": wide and ended and beneath >= _LEAST_STORY})

    # moving about

    @on(MatrixView.Opened)
    def _open_cell(self, event: MatrixView.Opened) -> None:
        run = self.panel.run
        if run is None:
            return
        query = SampleQuery(
            domains=(event.domain,) if event.domain is not None else (),
            levels=(event.level,) if event.level is not None else (),
        )
        self.open_samples(run, query)

    @on(Listing.Opened)
    def _open_line(self) -> None:
        line = self.query_one(LogPane).current
        run = self.panel.run
        if line is not None and line.sample_id is not None and run is not None:
            from modex.tui.screens.transcript import TranscriptScreen

            self.app.push_screen(TranscriptScreen(self.frame.database, run.id, [line.sample_id], 0))

    @on(events.DescendantFocus)
    def _focused(self) -> None:
        for index, panel in enumerate(self.panels):
            if self.focused is panel.view and index != self.active:
                self.activate(index)

    def activate(self, index: int) -> None:
        """Give the keys to another run."""
        self.active = index % len(self.panels)
        self._arrange()
        log = self.query_one(LogPane)
        log.clear()
        log.add(list(self._logged[id(self.panel)]))
        self.set_focus(self.panel.view)
        self._show_state()

    def action_switch(self, step: int) -> None:
        """Go to the next run."""
        if len(self.panels) > 1:
            self.activate(self.active + step)

    def action_toggle_log(self) -> None:
        """Give the log the whole screen and the keys, or take them back."""
        self.remove_class("-workers")
        self.toggle_class("-log")
        if self.has_class("-log"):
            self.set_focus(self.query_one(LogPane))
        else:
            self.set_focus(self.panel.view)

    def action_toggle_workers(self) -> None:
        """Show the workers in the log's place, and in the matrix's where both do not fit; or those again."""
        self.remove_class("-log")
        self.toggle_class("-workers")
        if not self.has_class("-workers"):
            self.set_focus(self.panel.view)
        self._show_state()

    def action_filter(self) -> None:
        """Ask for a filter of the log."""
        self.remove_class("-workers")
        if self.has_class("-ended"):
            # The story has the log's room, and what is filtered must be seen.
            self.add_class("-log")
        self.query_one(Prompt).ask()

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        query = parse_query(event.value, LOG_FILTERS)
        self.query_one(LogPane).filter(query)
        self.tell_problem(query.problem)

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.set_focus(self.query_one(LogPane) if self.has_class("-log") else self.panel.view)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer what the run's state allows."""
        run = self.panel.run
        if self.panel.gone:
            return action == "switch" and len(self.panels) > 1
        if action in ("pause", "stop", "concurrency", "skip", "resume") and not self.frame.store.writable:
            return False
        if action in ("pause", "stop", "concurrency", "skip"):
            return run is not None and run.going and not (action == "pause" and run.status == "paused")
        if action == "resume":
            return run is not None and (run.state == "paused" or can_go_on(run))
        if action == "toggle_workers":
            return (run is not None and (run.alive or bool(self.panel.race))) or self.has_class("-workers")
        if action == "watch":
            return run is not None and run.alive and bool(run.live.get("window"))
        if action == "switch":
            return len(self.panels) > 1
        if action == "gold":
            return run is not None and _has_gold(run)
        return True

    def why_not(self, action: Action) -> str:
        """By the run's state."""
        run = self.panel.run
        if self.panel.gone:
            return "this run is not there any more"
        if run is None:
            return "the run is still being read"
        if action.key_id in ("next_run", "previous_run"):
            return "only this run is open"
        if action.key_id == "gold":
            return "counted when the run has ended" if run.alive else "no failed answer contains the gold"
        if action.key_id != "toggle_workers" and not self.frame.store.writable:
            return READ_ONLY
        if action.key_id == "resume":
            return resume_refusal(run)
        words = {
            "pause": "nothing to pause",
            "stop": "nothing to stop",
            "skip": "nothing waits",
            "toggle_workers": "nobody is at work",
            "watch": "nobody is at work",
        }
        stands = f"the run {NEXT_LOOK} of its race" if self.panel.race else "the run has ended"
        return f"{stands}: {words.get(action.key_id, 'nothing is asked')}"

    def _send(self, run: RunRow, command: Command, argument: object = None, words: str = "") -> None:
        database = self.frame.database

        def job() -> None:
            from modex.core.engine.commands import send_command

            send_command(database, run.id, command, argument)

        self.do(job, words)

    def action_pause(self) -> None:
        """Let calls in flight end and begin no new ones."""
        if run := self.panel.run:
            self._send(run, "pause", words="pausing: calls in flight end first")

    def action_resume(self) -> None:
        """Go on: after a pause at once; else ask, and start the runner again."""
        run = self.panel.run
        if run is None:
            return
        if run.alive:
            self._send(run, "resume")
            return
        database = self.frame.database

        def job() -> None:
            from modex.core.engine.start import launch_runner

            launch_runner(database, run.exp_id)

        from modex.tui.screens.going_on import ask_to_go_on

        self.app.push_screen(ask_to_go_on(run), lambda answer: self.do(job) if answer else None)

    def action_stop(self) -> None:
        """Ask, then stop the run."""
        if run := self.panel.run:
            self.app.push_screen(
                AskScreen(
                    f"Stop {run.exp_id}?",
                    [Answer("s", "stop", f"stop: calls in flight get {SIGINT_GRACE_S:g} s to end, the rest waits")],
                    "What is done is kept; resume goes on from there.",
                ),
                lambda answer: self._send(run, "stop", words=STOPPING) if answer else None,
            )

    def action_concurrency(self, step: int) -> None:
        """More or fewer calls at once: by one up to 8, by an eighth beyond."""
        run = self.panel.run
        if run is None:
            return
        now = int(run.live.get("concurrency") or run.config.get("concurrency") or FIRST_AT_ONCE)
        wanted = max(1, min(1024, now + step * max(1, now // 8)))
        if wanted == now:
            self.say(f"{now:,} call{'s' if now > 1 else ''} at once is the {'most' if step > 0 else 'least'}")
        else:
            self._send(run, "concurrency", wanted, words=f"up to {wanted} calls at once")

    def action_skip(self) -> None:
        """Ask, then skip what still waits in the selected cell."""
        run = self.panel.run
        if run is None:
            return
        domain, level = self.panel.view.selection
        query = SampleQuery(
            domains=(domain,) if domain is not None else (),
            levels=(level,) if level is not None else (),
            statuses=("pending",),
        )
        self.fetch_then(
            self._ask_skip(run, query, f"{domain or 'every domain'}, {f'level {level}' if level else 'all levels'}")
        )

    async def _ask_skip(self, run: RunRow, query: SampleQuery, where: str) -> None:
        ids = await self.frame.store.ask(lambda reader: reader.head_ids(run.id, query))
        if not ids:
            self.say(f"nothing waits in {where}")
            return
        self.app.push_screen(
            AskScreen(
                f"Skip {len(ids):,} waiting test{'s' if len(ids) > 1 else ''} of {where}?",
                [Answer("k", "skip", "skip them; they count as skipped, not as wrong")],
            ),
            lambda answer: self._send(run, "skip", ids, words=f"{len(ids):,} skipped") if answer else None,
        )

    def ask_to_leave(self) -> None:
        """Ctrl+c: leave what runs running, or stop it."""
        running = [panel.run for panel in self.panels if panel.run and panel.run.going]
        if not running:
            self.app.exit(0)
            return
        named = running[0].exp_id if len(running) == 1 else f"{len(running)} runs"

        def decided(answer: str | None) -> None:
            if answer == "leave":
                self.app.exit(0)
            elif answer == "stop":
                for run in running:
                    self._send(run, "stop", words=STOPPING)

        again = f"modex attach {as_words(*(run.exp_id for run in running))}"
        self.app.push_screen(
            AskScreen(
                f"{named} {'is' if len(running) == 1 else 'are'} still going",
                [Answer("l", "leave", "leave, and let it go on"), Answer("s", "stop", "stop it; it can be resumed")],
                f"To watch it again: {again}",
            ),
            decided,
        )

    def open_samples(self, run: RunRow, query: SampleQuery) -> None:
        """List the samples that match."""
        from modex.tui.screens.samples import SamplesScreen

        self.app.push_screen(SamplesScreen(run, query))

    def action_watch(self) -> None:
        """Look at an answer as it is written: of the selected cell where one is, else of whoever is longest at work."""
        run = self.panel.run
        if run is None:
            return
        from modex.tui.screens.watch import WatchScreen, workers_of

        domain, level = self.panel.view.selection
        workers = sorted(workers_of(run), key=lambda one: -float(one.get("since_s") or 0))
        here = [one for one in workers if domain in (None, one.get("domain")) and level in (None, one.get("level"))]
        if not workers:
            self.say("nobody is at work")
            return
        self.app.push_screen(WatchScreen(run, (here or workers)[0]["sample_id"]))

    def action_changes(self) -> None:
        """List what is other than in the run of the same model before."""
        if self.panel.run is not None:
            self.fetch_then(self._changes(self.panel.run))

    async def _changes(self, run: RunRow) -> None:
        from modex.core.store.story import run_before
        from modex.tui.lazy import ChangesScreen

        before = await self.frame.store.ask(lambda reader: run_before(reader, run))
        if before is None:
            self.say(f"there is no finished run of {run.model} before this one")
        else:
            self.app.push_screen(ChangesScreen(before.id, run.id))

    def action_tests(self) -> None:
        """List every test of the run."""
        if run := self.panel.run:
            self.open_samples(run, SampleQuery())

    def action_gold(self) -> None:
        """List the failed answers that contain the gold."""
        from modex.core.reports.reading import CONTAINS_GOLD  # what reads metrics, which a first frame does without
        from modex.core.store.selecting import sample_query

        if run := self.panel.run:
            self.open_samples(run, sample_query(CONTAINS_GOLD))

    def action_next_failure(self) -> None:
        """Open the first failure of the run."""
        if run := self.panel.run:
            self.fetch_then(self._open_failure(run))

    async def _open_failure(self, run: RunRow) -> None:
        ids = await self.frame.store.ask(lambda reader: reader.head_ids(run.id, SampleQuery(statuses=FAILURES)))
        if not ids:
            self.say("no failure so far" if run.alive else "no failures")
            return
        from modex.tui.screens.transcript import TranscriptScreen

        self.app.push_screen(TranscriptScreen(self.frame.database, run.id, ids, 0))
