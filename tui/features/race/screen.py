"""A race as it is run: who leads, each model's difference with its bound, who left and why, what is saved, the decision."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import ClassVar

from textual import getters, on
from textual.binding import BindingType
from textual.widget import Widget

from modex.core.features.race.speeds import model_lines
from modex.core.statistics.racing import LOOKS
from modex.tui.actions import Action, bindings
from modex.tui.features.race.course import RaceCourse, points
from modex.tui.features.race.reading import RaceView, Runner, course_of, read_race
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Line, Part, between
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import READ_ONLY, ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.progress import progress_bar
from modex.tui.widgets.pulse import NEXT_LOOK, elapsed

_COLUMNS = (
    ListColumn("", 1),
    ListColumn("model", 12, grow=3, max_width=60),
    ListColumn("score", 5, align="right"),
    ListColumn("diff", 6, align="right"),
    ListColumn("bound", 15, from_width=84),
    ListColumn("how it stands", 23, max_width=40),
    ListColumn("tests", 7, align="right", from_width=72),
    ListColumn("err", 3, align="right", from_width=84),
    ListColumn("cost", 7, align="right", from_width=94),
    ListColumn("saved", 6, align="right", from_width=104),
    ListColumn("run", 12, grow=1, max_width=40, from_width=130),
)
_ROLES = {"running": "running", "completed": "passed", "aborted": "error"}


class RaceScreen(ModexScreen[None]):
    """Shows what the store holds of a race: whoever works on it, and whether anybody does, is another matter."""

    SCOPES = ("race", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("race")]
    REFRESHES = True
    DEFAULT_CSS = """
    RaceScreen { overflow: hidden; }
    RaceScreen #bar { margin: 0 1; }
    RaceScreen #models { height: auto; max-height: 45%; margin-top: 1; }
    RaceScreen #words { height: auto; margin: 1 1 0 1; }
    RaceScreen #course { margin: 1 1 0 1; }
    RaceScreen #empty { height: auto; margin: 2 4; display: none; }
    """
    listing: getters.query_one[Listing[Runner]] = getters.query_one("#models", Listing)
    """The models."""

    def __init__(self, exp_id: str) -> None:
        super().__init__()
        self.exp_id = exp_id
        self.view: RaceView | None = None

    def body(self) -> Iterable[Widget]:
        """How far it is, the models, what is decided, the selected model's course."""
        yield _Bar(id="bar")
        yield Listing(_COLUMNS, self._cells, id="models")
        yield _Words(id="words")
        yield RaceCourse()
        yield Lines(id="empty")

    @property
    def about_run(self) -> int | None:
        """The selected model's run."""
        one = self.listing.current
        return one.run.id if one is not None and one.run is not None else None

    # looking

    async def refresh_data(self) -> bool:
        """Read the race and its runs."""
        name = self.exp_id
        self.view = await self.frame.store.ask(lambda reader: read_race(reader, name), lane="poll")
        self._show()
        return self.view is not None and self.view.race.alive

    def _show(self) -> None:
        view, listing = self.view, self.listing
        there = view is not None
        for found in (listing, self.query_one(_Bar), self.query_one(_Words), self.query_one(RaceCourse)):
            found.display = there
        empty = self.query_one("#empty", Lines)
        empty.display = not there
        if view is None:
            empty.show([[("This race is not there any more.", "title")], (), [("esc", "key"), ("  goes back", "text")]])
            self.identity([(self.exp_id, "title")], [("deleted", "error")])
            return
        current = listing.current.exp_id if listing.current else None
        names = [one.exp_id for one in view.runners]
        listing.styles.height = len(names) + 1
        at = names.index(current) if current in names else min(1, len(names) - 1)
        listing.set_count(len(names), cursor=at, keep=True)
        listing.put(0, view.runners)
        if self.focused is None:
            self.set_focus(listing)
        self._show_identity(view)
        self.query_one(_Bar).tell(view)
        self.query_one(_Words).tell(view)
        self._tell()
        self.keys_changed()

    def _show_identity(self, view: RaceView) -> None:
        race = view.race
        left: list[Part] = [(race.exp_id, "title"), (f"  race of {len(view.runners)}", "muted")]
        if any(one.model.partition("/")[0] == "demo" for one in view.runners):
            left.append(("  scripted model", "accent"))
        state = (
            "decided" if view.last.get("ending") == "decided" else "over" if race.status == "completed" else race.state
        )
        right: list[Part] = [*self.store_state(), (state, _ROLES.get(race.state, "failed"))]
        took = self._took(view)
        self.identity(left, [*right, (f"  {fmt.clock(took)}", "muted")] if took is not None else right)

    def _took(self, view: RaceView) -> float | None:
        """Seconds worked on its runs, one after the other: while it goes on as when it is over, waits between not counted."""
        return sum(elapsed(one.run, 0.0) for one in view.runners if one.run is not None and one.asked) or None

    def _cells(self, one: Runner) -> list[Cell]:
        run, last, glyphs = one.run, one.last, self.frame.glyphs
        role = "muted" if one.out else "text"
        going = glyphs.status("pending") if self._standing(one) == NEXT_LOOK else glyphs.running
        sign = glyphs.marked if one.leads else glyphs.failed if one.out else going
        bound = f"{points(last.bound[0]).strip()} to {points(last.bound[1]).strip()}" if last else ""
        asked = run.done_tests if run is not None else 0
        return [
            (sign, "accent" if one.leads else "failed" if one.out else "running"),
            (one.model if one.asked else one.exp_id, role),
            (fmt.hundred(one.score, 1), role),
            (points(last.gap).strip() if last else "", "failed" if one.out else role),
            (bound, "faint"),
            (self._standing(one), "failed" if one.out else "title" if one.leads else "text"),
            (fmt.count(asked) if one.asked else "stored", "muted"),
            (str(run.error_tests) if run is not None and run.error_tests else "", "error"),
            (fmt.cost(run.cost_usd, unpriced=run.unpriced_calls > 0) if run is not None else fmt.NONE, "muted"),
            (fmt.count(one.saved) if one.saved else "", "passed"),
            (one.exp_id, "faint"),
        ]

    def _standing(self, one: Runner) -> str:
        ended = self.view is not None and self.view.race.status == "completed"
        if one.leads:
            return "the best" if self.view is not None and self.view.last.get("ending") == "decided" else "leads"
        if one.out:
            return f"out, look {one.last.look}" if one.last else "out"
        racing = self.view is not None and self.view.race.alive
        if racing and one.run is not None and one.asked and not one.run.going:
            return NEXT_LOOK
        if one.last is None:
            return "not looked at"
        return "not decided" if ended else "open"

    # the selected model

    @on(Listing.Moved)
    def _moved(self) -> None:
        self._tell()

    def _tell(self) -> None:
        one, view = self.listing.current, self.view
        if one is None or view is None:
            return
        course = course_of(view.race, one.exp_id)
        empty = "it has led at every look" if one.leads else ""
        if not view.race.looks:
            empty = "the first look comes when everybody has been asked a twentieth of the tests"
        against = f" against {course[-1].against}" if course else ""
        self.query_one(RaceCourse).tell(
            f"{one.model if one.asked else one.exp_id}{against}, look by look", course, empty
        )
        self.keys_changed()

    @on(Listing.Opened)
    def _open(self) -> None:
        one = self.listing.current
        if one is None or one.run is None:
            self.say("nothing of it was asked yet")
            return
        from modex.tui.screens.live import LiveScreen

        self.app.push_screen(LiveScreen((one.exp_id,)))

    # keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer what the race's state allows."""
        race = self.view.race if self.view else None
        if action == "stop":
            return race is not None and race.alive and self.frame.store.writable
        if action == "resume":
            return race is not None and not race.alive and race.status != "completed" and self.frame.store.writable
        if action == "compare":
            return self._pair() is not None
        return True

    def why_not(self, action: Action) -> str:
        """By the race's state."""
        race = self.view.race if self.view else None
        if race is None:
            return "this race is not there"
        if action.key_id != "compare" and not self.frame.store.writable:
            return READ_ONLY
        if action.key_id == "compare":
            return "select a model that is not the leader"
        if race.status == "completed":
            return "it is over"
        return "nobody works on it: r goes on with it" if action.key_id == "stop" else "it is going on"

    def _pair(self) -> tuple[str, str] | None:
        view = self.view
        one = self.listing.current if view is not None else None
        if view is None or one is None or one.leads or one.run is None or not view.last.get("leader"):
            return None
        return str(view.last["leader"]), one.exp_id

    def action_compare(self) -> None:
        """The selected model and the leader, test by test."""
        if (pair := self._pair()) is not None:
            from modex.tui.lazy import CompareScreen

            self.app.push_screen(CompareScreen(self.frame.database, *pair))

    def action_stop(self) -> None:
        """Ask, then stop the race."""
        view, database = self.view, self.frame.database
        if view is None:
            return

        def job() -> None:
            from modex.tui.features.race.start import stop_race

            stop_race(database, view.race, wait=False)

        self.app.push_screen(
            AskScreen(
                f"Stop {self.exp_id}?",
                [Answer("s", "stop", "stop: calls in flight end, the rest waits")],
                "What is done is kept; resume goes on from there and decides the same.",
            ),
            lambda answer: self.do(job, "stopping: calls in flight end first") if answer else None,
        )

    def action_resume(self) -> None:
        """Ask, then start a process that goes on with it."""
        database, name = self.frame.database, self.exp_id

        def job() -> None:
            from modex.tui.features.race.start import launch_race, prepare_again

            launch_race(database, prepare_again(database, name))

        self.app.push_screen(
            AskScreen(
                f"Go on with {name}?",
                [Answer("r", "resume", "resume: from the tests that are done, with the same decision")],
                "It asks the models again; what is done stays as it is.",
            ),
            lambda answer: self.do(job, "going on") if answer else None,
        )


class _OfRace(Lines):
    """Lines about a race."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._view: RaceView | None = None

    def tell(self, view: RaceView) -> None:
        """Show this race."""
        self._view = view
        self.changed()


class _Bar(_OfRace):
    """How far the race is: tests and looks, and what it saves."""

    def lines_for(self, width: int) -> list[Line]:
        """A bar with the looks beside it, and a line on what is saved."""
        from modex.tui.frame import painter

        view = self._view
        if view is None:
            return [(), ()]
        glyphs: Glyphs = painter(self).glyphs
        race, last = view.race, view.last
        look, left = int(last.get("look", 0)), LOOKS - int(last.get("look", 0))
        asked = max([one.run.done_tests for one in view.runners if one.asked and one.run is not None], default=0)
        over = race.status == "completed"
        looks = f"look {look} of {LOOKS}" + ("" if over else f", {left} left")
        numbers: list[Part] = [(f"{fmt.count(asked)}/{fmt.count(race.tests)} tests", "text"), (f"   {looks}", "muted")]
        room = max(6, width - sum(len(text) for text, _ in numbers) - 2)
        bar = progress_bar(asked, race.tests, min(room, 60), glyphs)
        return [
            between([*bar], numbers, width),
            between([(_next(view, writable=painter(self).store.writable), "muted")], [(_saved(view), "passed")], width),
        ]


def _next(view: RaceView, *, writable: bool) -> str:
    """When it will be looked at again, or why it will not."""
    race, look = view.race, int(view.last.get("look", 0))
    if race.status == "completed":
        return ""
    if not race.alive:
        if race.state not in ("stopped", "interrupted"):
            return ""
        return "r goes on with it" if writable else READ_ONLY
    tests = view.last.get("next_at") or -(-race.tests * (look + 1) // LOOKS)
    return f"next look after {tests:,} tests"


def _saved(view: RaceView) -> str:
    saved = view.last.get("saved") or {}
    if not saved.get("tests"):
        return "nothing saved yet" if view.race.alive else ""
    calls, cost = saved.get("calls"), saved.get("cost_usd")
    more = f", about {calls:,} calls" if calls else ""
    when = "saved" if view.race.status == "completed" else "saved so far"
    return f"{when}: {saved['tests']:,} tests{more}" + (f", {fmt.cost(cost)}" if cost else "")


class _Words(_OfRace):
    """What is decided, in the words of the command line, wrapped to the screen."""

    def tell(self, view: RaceView) -> None:
        """Show this race's words, however many lines they are now."""
        super().tell(view)
        self.refresh(layout=True)

    def lines_for(self, width: int) -> list[Line]:
        """How it ended first, then every decision; while it goes on, what is open stands in the list."""
        view = self._view
        if view is None:
            return []
        lines: list[Line] = []
        if view.race.reason:
            lines += _wrapped(view.race.reason, width, "error" if view.race.status == "aborted" else "accent")
        *each, ending = view.last.get("words") or [""]
        if view.race.status == "completed":
            lines += _wrapped(ending, width, "title")
        else:
            each = [words for words in each if not words.startswith("not decided")]
        for words in each:
            lines += _wrapped(words, width, "muted" if words.startswith("not decided") else "text")
        if view.race.status == "completed":
            names = {one.exp_id: one.model for one in view.runners}
            lines += [[(line, "text")] for line in model_lines(view.last.get("models", ()), names)]
            for words in view.last.get("caveats", ()):
                lines += _wrapped(words, width, "faint")
        return lines


def _wrapped(words: str, width: int, role: str) -> list[Line]:
    return [[(line, role)] for line in textwrap.wrap(words, max(20, width), subsequent_indent="  ")]
