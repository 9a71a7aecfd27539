"""Words in everything that was asked and answered: a sample a line, with the line in which they stand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import getters, on
from textual.binding import BindingType
from textual.widget import Widget

from modex.core.store.search.find import Found, Hit, Search, parse_search
from modex.tui.actions import Action, bindings
from modex.tui.features.search.reading import SearchAnswer, lines, look
from modex.tui.look import format as fmt
from modex.tui.look.paint import Line, Part
from modex.tui.look.text import width_of
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.prompt import Prompt

COLUMNS = (
    ListColumn("", 1),
    ListColumn("test", 20, grow=4, max_width=48),
    ListColumn("run", 8, grow=1, max_width=28, from_width=64),
    ListColumn("model", 10, grow=1, max_width=28, from_width=110),
    ListColumn("in", 8),
    ListColumn("line", 20, grow=6),
)
_NOTHING = Found((), more=False)
_BEFORE = 0.3
"""Of the line's room, so much stands before what was found."""


class SearchScreen(ModexScreen[None]):
    """Searches as it is typed; `typed` is what stands there at first."""

    SCOPES = ("search", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("search")]
    REFRESHES = True
    PERIOD_S = 0.1
    DEFAULT_CSS = """
    SearchScreen #told { height: auto; margin: 1 4; }
    """
    listing: getters.query_one[Listing[Hit]] = getters.query_one("#hits", Listing)
    """What was found."""
    _box = getters.query_one("#filter", Prompt)

    def __init__(self, typed: str = "") -> None:
        super().__init__()
        self._typed = typed
        self._search = parse_search(typed, begins=True)
        self._answered: tuple[Search, int] | None = None
        self._found = _NOTHING
        self._behind = 0
        self._total = 0

    @property
    def about_run(self) -> int | None:
        """The run of the selected sample."""
        hit = self.listing.current if self.is_mounted else None
        return None if hit is None else hit.run_id

    @property
    def about_sample(self) -> int | None:
        """The selected sample."""
        hit = self.listing.current if self.is_mounted else None
        return None if hit is None else hit.head.id

    @property
    def reading(self) -> bool:
        """Keys never wait: they are about what is typed."""
        return False

    def body(self) -> Iterable[Widget]:
        """What was found, or what can be looked for, and the line to type in."""
        listing: Listing[Hit] = Listing(COLUMNS, self._cells, id="hits")
        listing.display = False
        yield listing
        yield Lines(id="told")
        yield Prompt(placeholder='words, "a phrase", role:answer, tool:, model:, status:failed, score<0.5', id="filter")

    def on_mount(self) -> None:
        """Begin with typing."""
        super().on_mount()
        self.query_one("#told", Lines).show(self._told())
        self._box.ask(self._typed)

    # looking

    async def refresh_data(self) -> bool:
        """Search for what is typed now; go on while the index is behind."""
        search = self._search
        answer: SearchAnswer = await self.frame.store.ask(lambda reader: look(reader, search))
        if search != self._search:
            self._next_refresh = 0.0
            return True
        self._show(search, answer)
        return answer.behind > 0

    def _show(self, search: Search, answer: SearchAnswer) -> None:
        listing, before = self.listing, self._found
        self._behind, self._total = answer.behind, max(self._total, answer.behind)
        if self._answered is None or self._answered[0] != search or answer.found != before:
            current = listing.current
            self._found = answer.found
            ids = answer.found.ids
            same = self._answered is not None and self._answered[0] == search
            kept = current is not None and same and current.head.id in ids
            listing.set_count(len(ids), cursor=ids.index(current.head.id) if kept and current is not None else 0)
        self._answered = (search, answer.behind)
        nothing = not self._found.ids
        listing.display = not nothing
        told = self.query_one("#told", Lines)
        told.display = nothing
        told.show(self._told())
        self._show_state()

    def _show_state(self) -> None:
        left: list[Part] = [("search", "title"), ("  everything that was asked and answered", "muted")]
        right: list[Part] = []
        if self._behind:
            done = self._total - self._behind
            right.append((f"indexing {fmt.count(done)} of {fmt.count(self._total)}   ", "running"))
        if self._found.ids:
            number = f"{fmt.count(len(self._found.ids))}{'+' if self._found.more else ''}"
            right.append((f"{fmt.count(self.listing.cursor + 1)} of {number}", "muted"))
        self.identity(left, right)

    def _told(self) -> list[Line]:
        if not self._search.wants_nothing:
            words = "Nothing found yet." if self._behind else "Nothing found."
            more = [("what was stored last is still being indexed", "muted")] if self._behind else []
            return [[(words, "title")], (), more or [("fewer words, begin*, or no filter find more", "muted")]]
        return [
            [("Words in prompts, answers, thinking, tools and notes of every run.", "title")],
            (),
            [('"a phrase"   begin*   -without', "key"), ("   in any case and without accents", "muted")],
            [("role:answer", "key"), ("   also prompt, thinking, tools, system, note", "muted")],
            [("run:  model:  tool:  domain:  status:failed  score<0.5  label:", "key"), ("   where it holds", "muted")],
        ]

    @on(Listing.Wanted)
    def _wanted(self, event: Listing.Wanted) -> None:
        self.run_worker(self._fetch(event.start, event.end), group="fetch")

    async def _fetch(self, start: int, end: int) -> None:
        found, search = self._found, self._search
        hits = await self.frame.store.ask(lambda reader: lines(reader, found.ids[start:end], search))
        if found is self._found and len(hits) == len(found.ids[start:end]):
            self.listing.put(start, hits)

    def _cells(self, hit: Hit) -> list[Cell]:
        head, place = hit.head, hit.place
        epoch = f" #{head.epoch}" if head.epoch > 1 else ""
        return [
            (self.frame.glyphs.status(head.status), head.status),
            (f"{head.domain}/{head.level}/{head.test_id}{epoch}", "text"),
            (hit.exp_id, "muted"),
            (hit.model, "muted"),
            (place.role if place else "", "muted"),
            (lambda room: line_around(hit, room)) if place else ("in several lines", "faint"),
        ]

    # acting

    @on(Listing.Moved)
    def _moved(self) -> None:
        self._show_state()
        self.keys_changed()

    @on(Prompt.Changed)
    def _typing(self, event: Prompt.Changed) -> None:
        self._search = parse_search(event.value, begins=True)
        self.tell_problem(self._search.problem)
        self.refresh_now()

    @on(Prompt.Closed)
    def _typed_in(self) -> None:
        self.set_focus(self.listing if self.listing.display else None)

    def action_filter(self) -> None:
        """Type something else."""
        self._box.ask()

    def action_review(self) -> None:
        """Review the selected sample."""
        self.app.call_next(self.app.run_action, "app.review")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Reviewing needs a sample."""
        return action != "review" or self.about_sample is not None

    def why_not(self, action: Action) -> str:  # noqa: ARG002
        """What is missing."""
        return "nothing is selected: / changes the search"

    @on(Listing.Opened)
    def _open(self) -> None:
        from modex.tui.screens.transcript import TranscriptScreen

        if (hit := self.listing.current) is None:
            return
        ids = [hit.head.id]
        screen = TranscriptScreen(self.frame.database, hit.run_id, ids, 0)
        screen.find = hit.place.found if hit.place else ""
        self.app.push_screen(screen)


def line_around(hit: Hit, room: int) -> Line:
    """The line of a hit in `room` columns, what was found marked and in sight."""
    place = hit.place
    if place is None:
        return ()
    before = place.line[: place.start]
    while before and width_of(before) > room * _BEFORE:
        cut = before.find(" ")
        before = before[max(1, cut + 1) :] if 0 <= cut < len(before) - 1 else before[1:]
    return [(before, "muted"), (place.found, "mark"), (place.line[place.end :], "text")]
