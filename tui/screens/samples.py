"""The tests of a cell, a domain, a level or a filter: how each went, in one line; also while the run goes on."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, getters, on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from modex.core.config.filters import parse_query
from modex.core.foundation.errors import ModexError
from modex.core.reports.reasons import with_reasons
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow, SampleHead
from modex.core.store.selecting import SAMPLE_FILTERS
from modex.tui.actions import Action, bindings, scope
from modex.tui.lazy import ask_and_export
from modex.tui.look import format as fmt
from modex.tui.look.paint import Line, Part, columns
from modex.tui.look.text import fit, width_of
from modex.tui.look.theme import state_role
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import READ_ONLY, ModexScreen
from modex.tui.screens.redo import ask_to_redo, copy_tests, redo_refusal
from modex.tui.widgets.columns import Cell, ListColumn, widths
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import PAGE, Listing
from modex.tui.widgets.log import outcome
from modex.tui.widgets.prompt import Prompt, nothing_matches
from modex.tui.widgets.transcript_pane import TranscriptPane

if TYPE_CHECKING:
    from modex.core.features.story.story import ReasonCount
    from modex.core.statistics.epochs import ScoredEpochs
    from modex.core.store.manager import Redo
    from modex.core.store.speeds import Pace
    from modex.tui.screens.transcript import TranscriptScreen

WIDE = 180
"""Columns from which on the transcript of the selected test stands beside the list."""
_COUNT_S = 3.0
"""How often at most reasons are counted again while the run goes on."""
_LARGE = 20_000
"""Tests of a run from which on a page of what a filter finds is shown before all of it is known."""
_SIGN_S = 0.1
"""How long a look may take before the screen says that it is under way."""
_TIMED_LIVE = 10_000
"""Tests that a list may have for their speed to be counted again and again while their run goes on."""
_ROOMY = 30
"""Lines of a screen from which on reasons have two."""
FAILURES = ("failed", "error")
COLUMNS = (
    ListColumn("", 1),
    ListColumn("test", 16, grow=3, max_width=48),
    ListColumn("lvl", 3, align="right", from_width=64),
    ListColumn("score", 5, align="right", sorts="score"),
    ListColumn("evaluator", 12, from_width=130),
    ListColumn("time", 7, align="right", from_width=64, sorts="time"),
    ListColumn("tokens", 6, align="right", from_width=96, sorts="tokens"),
    ListColumn("cost", 7, align="right", from_width=150),
    ListColumn("first", 7, align="right", from_width=190),
    ListColumn("tok/s", 6, align="right", from_width=190),
    ListColumn("answer", 12, grow=4),
)
TALL = (COLUMNS[0], replace(COLUMNS[1], max_width=72), *COLUMNS[2:-1])
"""The columns where what came of a test stands beneath it."""
_OF_THE_LIST = frozenset({"filter", "failures", "next_failure", "previous_failure", "sort", "mark", "copy", "export"})
SIDE_PANE = (*COLUMNS[:-1], replace(COLUMNS[-1], grow=1))
"""The columns beside the transcript: it has the whole answer, so the names get the room."""
_SIGNS = {"in": ":", "range": "="}
"""How a condition is typed, where its operator is no sign."""
SORTS = ("", "score", "time", "tokens")


@dataclass(frozen=True, slots=True)
class _Found:
    run: RunRow
    ids: array[int]
    heads: list[SampleHead]
    """The heads asked for, where they stand in `ids`."""
    start: int
    whole: bool = True
    """Whether `ids` are all that match."""
    cursor: int | None = None
    """Where the sample is that the selection stays on; None where it is not among them."""


class SamplesScreen(ModexScreen[None]):
    """Lists samples in planning order, or sorted; opening one shows its transcript with this list around it."""

    SCOPES = ("samples", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("samples"), *bindings("side_pane")]
    REFRESHES = True
    PERIOD_S = 0.5
    DEFAULT_CSS = """
    SamplesScreen #reasons { display: none; max-height: 3; }
    SamplesScreen #empty { height: auto; margin: 2 4; }
    SamplesScreen #samples { width: 5fr; }
    SamplesScreen TranscriptPane { width: 6fr; border-left: solid $panel; }
    """
    listing: getters.query_one[Listing[SampleHead]] = getters.query_one("#samples", Listing)
    """The list."""
    pane = getters.query_one(TranscriptPane)
    """The transcript beside the list."""
    _filter = getters.query_one("#filter", Prompt)

    def __init__(self, run: RunRow, query: SampleQuery) -> None:
        super().__init__()
        self._run = run
        self._base = query
        self._query = query
        self._only_failures = False
        self._sort = ""
        self._ids: array[int] = array("q")
        self._seq = -1
        self._known = False
        self._kept: int | None = None
        """The sample that was selected last: the selection stays on it where another filter has it too."""
        self._reading_one: TranscriptScreen | None = None
        self._marks: set[int] = set()
        self._reads_on = False
        self._counted: tuple[SampleQuery, int] | None = None
        self._count_next = 0.0
        self._epochs: dict[tuple[str, str, int, str], ScoredEpochs] = {}
        """How often each test passed, in a run with epochs."""

    @property
    def about_run(self) -> int | None:
        """The run whose tests are listed."""
        return self._run.id

    @property
    def about_sample(self) -> int | None:
        """The selected test."""
        return self._ids[self.listing.cursor] if self._ids else None

    def body(self) -> Iterable[Widget]:
        """The list with the transcript beside it, and what stands in their place while nothing matches."""
        listing: Listing[SampleHead] = Listing(COLUMNS, self._cells, id="samples")
        listing.marked = lambda head: head.id in self._marks
        pane = TranscriptPane(titled=True)
        pane.display = False
        yield Lines(id="reasons")
        with Horizontal():
            yield listing
            yield pane
        empty = Lines(id="empty")
        empty.display = False
        yield empty
        yield Prompt(placeholder="words, status:failed, level>=3, score<0.5", id="filter")

    @property
    def reading(self) -> bool:
        """Whether the list, what a new filter finds, or the transcript that has the keys was not read yet."""
        pending = not (self._known or self._store_error)
        return super().reading or pending or (self.is_mounted and self.reads and self.pane.reading)

    @property
    def reads(self) -> bool:
        """Whether the keys go to the transcript."""
        return self.pane.has_focus_within

    @property
    def scopes(self) -> tuple[str, ...]:
        """With the transcript beside the list its keys too, first where they work."""
        if not self.pane.display:
            return self.SCOPES
        here = ("transcript", "side_pane")
        return (*here, *self.SCOPES) if self.reads else (*self.SCOPES, *reversed(here))

    # looking

    async def refresh_data(self) -> bool:
        """Read again which samples match and those in sight, where the run has moved."""
        listing, query, sort = self.listing, self._query, self._sort
        turned = listing.turned
        sight = listing.in_sight
        start, end = (sight.start, sight.stop) if self._known else (0, PAGE)
        seen = self._seq if self._known else -1
        found, kept = None, None if self._known else self._kept
        if not self._known:
            self.set_timer(_SIGN_S, self._say_filtering)
            if not sort and self._run.total_tests >= _LARGE:
                found = await self.frame.store.ask(lambda reader: _page(reader, self._run.id, query, kept), lane="poll")
                if query == self._query and not found.whole:
                    self._show_page(found)
        if found is None or not found.whole:
            found = await self.frame.store.ask(
                lambda reader: _ask(reader, self._run.id, (query, sort, turned), (start, end), seen, kept=kept),
                lane="poll",
            )
        if (query, sort, turned) != (self._query, self._sort, listing.turned):
            self._next_refresh = 0.0
            return True
        if found is not None:
            self._show(found)
        return self._run.alive

    def _show(self, found: _Found) -> None:
        self._run, self._seq = found.run, found.run.seq
        listing = self.listing
        if found.ids != self._ids or not self._known:
            current = listing.current if self._known else None
            cursor = None if self._known else found.cursor or 0
            self._ids, self._known = found.ids, True
            if current is not None and current.id in found.ids:
                cursor = found.ids.index(current.id)
            listing.set_count(len(found.ids), cursor=cursor)
        listing.put(found.start, found.heads)
        self._give_room()
        self._show_state()

    def _show_page(self, found: _Found) -> None:
        """Show a part of what matches, until all of it is known; keys wait for that."""
        self._ids = found.ids
        self.listing.set_count(len(found.ids), cursor=found.cursor or 0)
        self.listing.put(0, found.heads)
        self.query_one(Horizontal).display = True
        self.query_one("#empty", Lines).display = False
        self._give_room()
        self._say_filtering()

    def _say_filtering(self) -> None:
        if not self._known and self.is_running:
            does = "sorting" if self._sort else "filtering" if self._query != self._base else "reading"
            left: list[Part] = [*self._place(), ("  ", "text"), (self._run.exp_id, "muted")]
            self.identity(left, [*self.store_state(), (does + self.frame.glyphs.ellipsis, "accent")])

    @on(Listing.Wanted)
    def _wanted(self, event: Listing.Wanted) -> None:
        self.run_worker(self._fetch(event.start, event.end), group="fetch")

    async def _fetch(self, start: int, end: int) -> None:
        ids = self._ids
        heads = await self.frame.store.ask(lambda reader: with_reasons(reader, reader.heads_by_id(ids[start:end])))
        if ids is self._ids and len(heads) == len(ids[start:end]):
            self.listing.put(start, heads)
            self._give_room()

    def _give_room(self) -> None:
        """Where every test has room for two lines and what came of one is cut, let that stand beneath the tests."""
        listing, wide = self.listing, self.pane.display
        columns_: tuple[ListColumn, ...] = SIDE_PANE if wide else COLUMNS
        room = widths(columns_, max(1, listing.size.width - 2))[-1]
        spare = 0 < 2 * len(self._ids) <= listing.room
        tall = spare and any(
            width_of(outcome(head)) > room for index in range(len(self._ids)) if (head := listing.item(index))
        )
        if tall:
            columns_ = TALL
        if listing.columns == columns_ and (listing.beneath is not None) == tall:
            return
        listing.columns = columns_
        listing.beneath = self._beneath if tall else None
        listing.on_resize()

    def _beneath(self, head: SampleHead, width: int) -> Line:
        return [(fit(f"   {outcome(head)}", width), "error" if head.status == "error" else "muted")]

    def _note_place(self) -> None:
        """Where the selection comes back to when a filter, or what is typed of one, is gone."""
        if self._known and self._ids:
            self._kept = self._ids[self.listing.cursor]

    def _restart(self, *, keep: bool = False) -> None:
        """Another filter or order; `keep` lets the selection go to the test that was noted, where that is listed."""
        if not keep:
            self._kept = None
        self._known, self._seq = False, -1
        self.refresh_now()

    # showing

    def _show_state(self) -> None:
        run, listing = self._run, self.listing
        nothing = not self._ids
        self.query_one(Horizontal).display = not nothing
        empty = self.query_one("#empty", Lines)
        empty.display = nothing
        if nothing:
            empty.show(self._nothing())
        elif self.focused is None:
            self.set_focus(listing)
        self._count_reasons()
        self._follow()
        left: list[Part] = [*self._place(), ("  ", "text"), (run.exp_id, "muted")]
        right: list[Part] = [*self.store_state(), (run.state, state_role(run.state)), ("   ", "text")]
        if self._marks:
            right += [(f"{len(self._marks)} marked   ", "accent")]
        if self._ids:
            right += [(f"{fmt.count(listing.cursor + 1)} of {fmt.count(len(self._ids))}", "muted")]
        self.identity(left, right)

    def _count_reasons(self) -> None:
        """Count why what is listed failed, and how often each of its tests passed, where the run or the filter moved on."""
        asked = (self._query, self._seq)
        now = self.frame.clock()
        soon = (
            self._run.alive and self._counted is not None and self._counted[0] == self._query and now < self._count_next
        )
        if asked == self._counted or soon:
            return
        self._counted, self._count_next = asked, now + _COUNT_S
        self.run_worker(self._read_reasons(*asked), group="reasons")

    async def _read_reasons(self, query: SampleQuery, seq: int) -> None:
        run = self._run

        timed = not run.alive or len(self._ids) <= _TIMED_LIVE

        def ask(
            reader: Reader,
        ) -> tuple[tuple[ReasonCount, ...], dict[tuple[str, str, int, str], ScoredEpochs], Pace | None]:
            from modex.core.features.story.story import frequent_reasons
            from modex.core.reports.epochs import scored_epochs
            from modex.core.store.speeds import pace_of

            pace = pace_of(reader, run.id, query) if timed else None
            return frequent_reasons(reader, run.id, query), scored_epochs(reader, run), pace

        try:
            reasons, epochs, pace = await self.frame.store.ask(ask, lane="work")
        except ModexError:
            return  # the list says what is wrong with the store
        if (query, seq) != self._counted:
            return
        self._epochs = epochs
        lines = self.query_one("#reasons", Lines)
        shown = _in_lines(reasons, self.size.width, 2 if self.size.height >= _ROOMY else 1)
        shown += _pace_line(pace, self.size.width)
        lines.display = bool(shown)
        lines.show(shown)
        self.listing.repaint()

    def _place(self) -> list[Part]:
        base = self._base
        domain = ", ".join(base.domains) or ("all tests" if not base.levels else "all domains")
        parts: list[Part] = [(domain, "title")]
        if base.levels:
            parts.append((f" level {', '.join(map(str, base.levels))}", "title"))
        if base.conditions:
            typed = " ".join(
                f"{one.field}{_SIGNS.get(one.operator, one.operator)}{one.value}" for one in base.conditions
            )
            parts.append((f"  {typed}", "accent"))
        if self._only_failures:
            parts.append(("  failures", "failed"))
        return parts

    def _nothing(self) -> list[Line]:
        if self._only_failures:
            return [[("No failures here.", "title")], (), [("f", "key"), ("  shows every test again", "muted")]]
        if self._query != self._base:
            return nothing_matches("No test matches the filter.")
        return [[("No tests here.", "text")]]

    def _cells(self, head: SampleHead) -> list[Cell]:
        glyphs = self.frame.glyphs
        name = head.name or head.test_id
        if len(self._base.domains) != 1:
            name = f"{head.domain}/{head.test_id}"
        elif head.name and head.name != head.test_id:
            name = f"{head.test_id}  {head.name}"
        if head.epoch > 1 or self._run.config.get("epochs", 1) > 1:
            epochs = self._epochs.get((head.source, head.domain, head.level, head.test_id))
            passed = f" {epochs.passed}/{epochs.total}" if epochs is not None and epochs.flaky else ""
            epoch = f" #{head.epoch}"
        else:
            passed = epoch = ""
        tokens = head.prompt_tokens + head.completion_tokens
        return [
            (glyphs.status(head.status), head.status),
            lambda width: [
                (fit(name, width - len(epoch + passed), ellipsis=glyphs.ellipsis).rstrip(), "text"),
                (epoch, "text"),
                (passed, "accent"),
            ],
            (str(head.level), "muted"),
            (fmt.one(head.score) if head.score is not None else "", "text"),
            (head.evaluator_id, "muted"),
            (fmt.seconds(head.duration_ms) if head.duration_ms else "", "muted"),
            (fmt.compact(tokens) if tokens else "", "muted"),
            (fmt.cost(head.cost_usd) if tokens else "", "muted"),
            (f"{head.ttft_ms / 1000:.2f} s" if head.ttft_ms else "", "muted"),
            (_speed(head), "muted"),
            (outcome(head), "error" if head.status == "error" else "muted"),
        ]

    # the transcript beside the list

    def _follow(self) -> None:
        """Let the transcript show the selected test."""
        if self.pane.display and self._ids:
            self.pane.follow(self._ids[self.listing.cursor])

    def on_resize(self, event: events.Resize) -> None:
        """The transcript beside the list where there is room; keys that it had come back to it with the room."""
        wide, pane = event.size.width >= WIDE, self.pane
        if wide == pane.display:
            self.call_after_refresh(self._give_room)
            return
        if not wide:
            self._reads_on = self.reads
            if self._reads_on:
                self.set_focus(self.listing)
        pane.display = wide
        self.call_after_refresh(self._give_room)
        if wide and self._reads_on and self.listing.has_focus:
            self.set_focus(pane.view)
        self._follow()
        self.keys_changed()

    def on_descendant_focus(self) -> None:
        """The bar of the selection stands where the keys go."""
        self.listing.set_active(not self.reads)

    def action_switch(self) -> None:
        """Give the keys to the transcript, or back to the list."""
        self.set_focus(self.listing if self.reads else self.pane.view)

    def action_leave_transcript(self) -> None:
        """Give the keys back to the list."""
        self.set_focus(self.listing)

    def action_roll(self, direction: int) -> None:
        """Scroll the transcript, the keys stay with the list."""
        self.pane.view.roll(direction)

    @on(TranscriptPane.Walked)
    def _walked(self, event: TranscriptPane.Walked) -> None:
        index = self.listing.cursor + event.step
        if event.to_failure:
            self.fetch_then(self._to_failure(event.step))
        elif 0 <= index < len(self._ids):
            self.listing.select(index)
        else:
            self.say("this is the last test of the list" if event.step > 0 else "this is the first test of the list")

    # acting

    @on(Listing.Moved)
    def _moved(self) -> None:
        if self._known:
            self._show_state()

    @on(Listing.Opened)
    def _open(self) -> None:
        from modex.tui.screens.transcript import TranscriptScreen

        if self._ids:
            ids = list(self._ids)
            self._reading_one = TranscriptScreen(self.frame.database, self._run.id, ids, self.listing.cursor)
            self.app.push_screen(self._reading_one)

    def on_screen_resume(self) -> None:
        """Back from a transcript, select the test that was read last."""
        if self._reading_one is None or self.app.screen is not self:
            return
        read, self._reading_one = self._reading_one.about_sample, None
        if read is not None and read in self._ids:
            self.listing.select(list(self._ids).index(read))

    def action_filter(self) -> None:
        """Ask for a filter."""
        self._note_place()
        self._filter.ask()

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        self._query = narrowed(self._base, event.value, only_failures=self._only_failures)
        self.tell_problem(parse_query(event.value, SAMPLE_FILTERS).problem)
        self._restart(keep=True)

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.set_focus(self.listing)

    def action_failures(self) -> None:
        """Only failed and errored tests, or all again."""
        self._note_place()
        self._only_failures = not self._only_failures
        self._query = narrowed(self._base, self._filter.value, only_failures=self._only_failures)
        self._restart(keep=True)

    def action_sort(self) -> None:
        """Sort by the next column; planning order comes again after the last."""
        self.listing.turned = False
        self._sort = SORTS[(SORTS.index(self._sort) + 1) % len(SORTS)]
        self._sorted()

    def action_turn(self) -> None:
        """The same order, reversed."""
        if self._sort:
            self.listing.turned = not self.listing.turned
            self._sorted()

    @on(Listing.Titled)
    def _titled(self, event: Listing.Titled) -> None:
        """A click on a title sorts by it; one more turns the order round."""
        self.listing.turned = event.order == self._sort and not self.listing.turned
        self._sort = event.order
        self._sorted()

    def _sorted(self) -> None:
        self.listing.sorted_by = self._sort
        if self._sort and not self.listing.shows_column(self._sort):
            self.say(f"sorted by {self._sort}{', reversed' if self.listing.turned else ''}")
        self._restart()

    def action_mark(self) -> None:
        """Mark the selected test, or take the mark away."""
        if (head := self.listing.current) is not None:
            self._marks ^= {head.id}
            self.listing.action_move(1)
            self.listing.repaint()
            self._show_state()

    def action_next_failure(self) -> None:
        """Select the next failure below."""
        self.fetch_then(self._to_failure(1))

    def action_previous_failure(self) -> None:
        """Select the failure above."""
        self.fetch_then(self._to_failure(-1))

    async def _to_failure(self, step: int) -> None:
        query = replace(self._query, statuses=FAILURES)
        failed = set(await self.frame.store.ask(lambda reader: reader.head_ids(self._run.id, query)))
        cursor = self.listing.cursor
        ahead = range(cursor + 1, len(self._ids)) if step > 0 else range(cursor - 1, -1, -1)
        for index in ahead:
            if self._ids[index] in failed:
                self.listing.select(index)
                return
        self.say("no failure further on" if step > 0 else "no failure before this")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """What works where the keys are; skipping needs a run at work."""
        if not self.is_mounted:
            return True
        reads = self.reads
        if action == "switch":
            return self.pane.display and bool(self._ids) and (reads or self.listing.has_focus)
        if action == "leave_transcript":
            return reads
        if action == "roll":
            return self.pane.display and not reads
        if action == "skip":
            return self._run.alive and self.frame.store.writable and not reads
        if action == "redo":
            return not reads and bool(self._ids) and not redo_refusal(self, self._run)
        return not reads or action not in _OF_THE_LIST

    def why_not(self, action: Action) -> str:
        """What belongs to the side without the keys, or to a run that goes on."""
        if self.reads:
            mine = action in scope("transcript").actions
            return self.pane.why_not(action) if mine else "the transcript has the keys; tab goes back to the list"
        if action in scope("transcript").actions:
            return "tab gives the keys to the transcript"
        if action.name.startswith("redo"):
            return redo_refusal(self, self._run) or "there is no test here"
        return "the run has ended: nothing waits" if self.frame.store.writable else READ_ONLY

    @on(TranscriptPane.Again)
    def _again(self, event: TranscriptPane.Again) -> None:
        ask_to_redo(self, event.loaded.run, [event.loaded.sample.id or 0], event.kind)

    @on(TranscriptPane.Exported)
    def _export(self, event: TranscriptPane.Exported) -> None:
        ask_and_export(self, [event.loaded.run], [event.loaded.sample.id or 0])

    @property
    def chosen(self) -> list[int]:
        """The marked samples in the list's order, else the selected one."""
        if self._marks:
            return [id_ for id_ in self._ids if id_ in self._marks] or sorted(self._marks)
        head = self.listing.current
        return [head.id] if head else []

    def action_redo(self, kind: Redo) -> None:
        """Ask, then do the marked tests, or the selected one, again."""
        ask_to_redo(self, self._run, self.chosen, kind)

    def action_copy(self) -> None:
        """Send the transcripts to the terminal's clipboard."""
        copy_tests(self, self.chosen)

    def action_export(self) -> None:
        """Ask for a format, then write the marked tests, or the selected one, to a file."""
        if self.chosen:
            ask_and_export(self, [self._run], self.chosen)

    def action_skip(self) -> None:
        """Ask, then skip the marked tests, or the selected one."""
        ids = self.chosen
        if not ids:
            return
        database, run_id = self.frame.database, self._run.id

        def send() -> None:
            from modex.core.engine.commands import send_command

            send_command(database, run_id, "skip", ids)

        self.app.push_screen(
            AskScreen(
                f"Skip {len(ids)} test{'s' if len(ids) > 1 else ''}?",
                [Answer("k", "skip", "skip what still waits; it counts as skipped, not as wrong")],
            ),
            lambda answer: self.do(send, after=self._marks.clear) if answer else None,
        )


def _speed(head: SampleHead) -> str:
    """Output tokens a second; `~` where the server counted none."""
    if not head.output_tokens_per_s:
        return ""
    about = "~" if '"speed_estimated"' in head.flags else ""
    return f"{about}{fmt.compact(round(head.output_tokens_per_s))}"


def _pace_line(pace: Pace | None, width: int) -> list[Line]:
    """How fast the answers of what is listed were written, as many figures as fit whole."""
    if pace is None:
        return []
    from modex.core.reports.pace import pace_line

    figures = pace_line(pace).split(", ")
    ends = range(len(figures), 0, -1)
    return [[(next((words for end in ends if len(words := " " + ", ".join(figures[:end])) <= width), ""), "muted")]]


def _in_lines(reasons: Sequence[ReasonCount], width: int, most: int) -> list[Line]:
    """The reasons that fit into `most` lines, each whole but the first."""
    lines: list[Line] = []
    for one in reasons:
        item: list[Part] = [(f" {one.number} × ", "failed"), (one.text, "muted")]
        if lines and columns(lines[-1]) + columns(item) + 3 <= width:
            lines[-1] = [*lines[-1], ("  ", "text"), *item]
        elif len(lines) < most:
            lines.append(item)
    return lines


def narrowed(base: SampleQuery, typed: str, *, only_failures: bool = False) -> SampleQuery:
    """`base` restricted by what a person typed."""
    query = parse_query(typed, SAMPLE_FILTERS)
    statuses = query.values("status")
    if only_failures:
        statuses = tuple(status for status in FAILURES if not statuses or status in statuses) or FAILURES
    named = query.values("domain"), query.values("source")
    levels = tuple(int(level) for level in query.values("level") if level.isdigit())
    return replace(
        base,
        text=query.text,
        statuses=statuses or base.statuses,
        domains=named[0] or base.domains,
        levels=levels or base.levels,
        sources=named[1] or base.sources,
        conditions=query.without("status", "domain", "source", "level"),
    )


def _ask(
    reader: Reader,
    run_id: int,
    asked: tuple[SampleQuery, str, bool],
    sight: tuple[int, int],
    seen: int,
    *,
    kept: int | None,
) -> _Found | None:
    """The run, the ids that match, and the heads in sight or around `kept`; None where the run has not moved since `seen`."""
    query, sort, turned = asked
    run = reader.run_by_id(run_id)
    if run.seq == seen:
        return None
    ids = array("q", reader.sorted_ids(run_id, query, sort, turned=turned) if sort else reader.head_ids(run_id, query))
    cursor = ids.index(kept) if kept is not None and kept in ids else None
    start, end = sight if cursor is None else (max(0, cursor - PAGE), cursor + PAGE)
    return _Found(run, ids, with_reasons(reader, reader.heads_by_id(ids[start:end])), start, cursor=cursor)


def _page(reader: Reader, run_id: int, query: SampleQuery, kept: int | None) -> _Found:
    """As much of what matches as a screen has room for, around `kept`; at once, however large the run is."""
    run = reader.run_by_id(run_id)
    before, after = reader.ids_around(run_id, query, kept, PAGE)
    ids = array("q", before + after)
    whole = len(before) < PAGE and len(after) < PAGE
    cursor = len(before) if kept is not None and after[:1] == [kept] else None
    return _Found(run, ids, with_reasons(reader, reader.heads_by_id(ids)), 0, whole, cursor)
