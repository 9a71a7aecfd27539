"""Reading answers one after the other: agree with the verdict or not, name the kind of failure, take a note; one key each."""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import ClassVar

from textual import getters, on
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget

from modex.core.features.review.draw import ORDERS
from modex.core.features.review.query import HumanVerdict, OwnVerdict, clean_label
from modex.core.foundation.errors import ModexError
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.core.suite.labels import KnownLabel
from modex.tui.actions import Action, bindings
from modex.tui.features.review.pane import ReviewPane
from modex.tui.features.review.reading import Draw, PersonalDraw, keep_label, labelled, read, reviewer, store_verdict
from modex.tui.features.review.verdict_lines import VerdictLines
from modex.tui.look import format as fmt
from modex.tui.look.paint import Line, Part, columns
from modex.tui.screens.base import READ_ONLY, ModexScreen
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.prompt import Prompt
from modex.tui.widgets.transcript_heading import heading, search_state
from modex.tui.widgets.transcript_pane import TranscriptPane
from modex.tui.widgets.transcript_view import TranscriptView

_ORDERS = {"random": "at random", "cells": "every cell in turn", "failures": "failures"}
_AS_IT_COMES = Draw()
_UNDONE = 50
"""So many steps can be taken back; each holds a sample."""
_SAYS = frozenset({
    "agree", "agree_on", "disagree", "disagree_on", "right", "wrong", "unsure", "label", "name_label", "note",
})  # fmt: skip


class _Typed(Prompt):
    """A line that is read when it is done."""

    TELLS = False

    class Given(Message):
        """What was typed is meant."""

        def __init__(self, prompt: _Typed, value: str) -> None:
            super().__init__()
            self.prompt, self.value = prompt, value

        @property
        def control(self) -> _Typed:
            """The line."""
            return self.prompt

    class Left(Message):
        """It was left with Esc: what stood stays."""

    DEFAULT_CSS = """
    _Typed { dock: none; margin-bottom: 0; }
    _Typed > Static { padding: 0 1; }
    """

    def action_clear(self) -> None:
        """Leave it."""
        self.display = False
        self.post_message(self.Left())

    def _close(self) -> None:
        self.display = False
        self.post_message(self.Given(self, self.value))


def review_screen(run: int, first: int | None) -> ReviewScreen:
    """The review of a run as its samples come, beginning with the sample `first`."""
    return ReviewScreen(run, first=first)


class ReviewScreen(ModexScreen[None]):
    """Shows the answers drawn from `run`, a name or an id, at the first that `author` has not reviewed, or at `first`.

    Where no `author` is named, it is `reviewer()`.
    """

    SCOPES = ("review", "review_reading", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("review")]
    REFRESHES = True
    PERIOD_S = 0.5
    DEFAULT_CSS = """
    ReviewScreen #empty { height: auto; margin: 2 4; }
    ReviewScreen #bottom { dock: bottom; height: auto; margin-bottom: 1; }
    """
    pane = getters.query_one(ReviewPane)
    """The transcript."""

    def __init__(
        self,
        run: str | int,
        draw: Draw = _AS_IT_COMES,
        *,
        author: str | None = None,
        blind: bool = False,
        first: int | None = None,
    ) -> None:
        super().__init__()
        self._named = run
        self._draw = draw
        self._author = author or reviewer()
        self._blind = blind
        self._first = first
        self._run: RunRow | None = None
        self._ids: array[int] = array("q")
        self._index = 0
        self._verdicts: dict[int, HumanVerdict] = {}
        self._stale: set[int] = set()
        self._labels: list[KnownLabel] = []
        self._counts: Counter[str] = Counter()
        self._undo: deque[tuple[EvaluationSample, HumanVerdict]] = deque(maxlen=_UNDONE)

    @property
    def about_run(self) -> int | None:
        """The run that is reviewed."""
        return None if self._run is None else self._run.id

    @property
    def about_sample(self) -> int | None:
        """The answer that is shown."""
        return self._ids[self._index] if self._ids else None

    def body(self) -> Iterable[Widget]:
        """The transcript, what is said of it, and a line for names and notes."""
        yield ReviewPane()
        empty = Lines(id="empty")
        empty.display = False
        yield empty
        # One below the other: docked each by itself, the box would lie over the labels that it asks for.
        with Vertical(id="bottom"):
            yield VerdictLines()
            yield _Typed("label", "one there is, or a new one", id="label")
            yield _Typed("note", "one line", id="note")

    @property
    def own(self) -> HumanVerdict:
        """What is said of the answer in sight."""
        return self._verdicts.get(self._ids[self._index], HumanVerdict()) if self._ids else HumanVerdict()

    # looking

    async def refresh_data(self) -> bool:
        """Draw first; then read the wanted sample where it changed."""
        if self._run is None:
            wanted = self._named
            run = await self.frame.store.ask(
                lambda reader: reader.run(wanted) if isinstance(wanted, str) else reader.run_by_id(wanted)
            )
            await self._read(run)
        if self._ids:
            pane = self.pane
            before = pane.seen
            await pane.refresh_data()
            if pane.seen is not before:
                self._show_state()
        return False

    async def _read(self, run: RunRow) -> None:
        draw, author, first = self._draw, self._author, self._first

        def question(reader: Reader) -> PersonalDraw:
            return read(reader, run, draw, author, first)

        found = await self.frame.store.ask(question)
        self._run, self._ids, self._index = found.run, found.ids, found.start
        self._verdicts, self._stale = found.verdicts, set(found.stale)
        self._labels, self._counts = list(found.labels), Counter(found.counts)
        if found.problem:
            self.say(found.problem, severity="warning")
        nothing = not self._ids
        self.pane.display = self.query_one(VerdictLines).display = not nothing
        empty = self.query_one("#empty", Lines)
        empty.display = nothing
        empty.show(self._nothing())
        if not nothing:
            self.pane.want(self._ids[self._index])
        self._show_state()

    def _nothing(self) -> list[Line]:
        what = "failed answer" if self._draw.order == "failures" else "answer"
        return [[(f"No {what} here to review.", "title")], (), [("O", "key"), ("  draws from something else", "muted")]]

    def _show_state(self) -> None:
        """Everything that depends on which answer is shown and what is said of it."""
        run, said = self._run, self.own
        if run is None:
            return
        self.pane.hide(self._blind and said.own_verdict is None and not said.unsure)
        sample = self.pane.seen
        verdict = "" if sample is None or self.pane.hidden else sample.status
        stale = bool(self._ids) and self._ids[self._index] in self._stale
        self.query_one(VerdictLines).tell(said, verdict, self._labels, self._counts, stale=stale)
        self._show_identity()
        self.keys_changed()

    @on(TranscriptView.Moved)
    def _show_identity(self) -> None:
        run, sample = self._run, self.pane.sample
        if run is None:
            return
        given = sum(1 for id_ in self._ids if id_ in self._verdicts)
        right: list[Part] = [*search_state(self.pane.view)] or [
            *self.store_state(),
            ("blind   " if self._blind else "", "accent"),
            (f"{fmt.count(self._index + 1)} of {fmt.count(len(self._ids))}", "muted"),
            (f"   {fmt.count(given)} reviewed", "accent"),
        ]
        if not self._ids or sample is None:
            self.identity([("review  ", "title"), (run.exp_id, "muted")], self.store_state())
            return
        self.identity(heading(sample, run, self.frame.glyphs, self.app.size.width - columns(right) - 3), right)

    # walking

    @on(TranscriptPane.Walked)
    def _walked(self, event: TranscriptPane.Walked) -> None:
        event.stop()
        if event.to_failure:
            self._draw_failures()
        else:
            self._go(self._index + event.step)

    def _draw_failures(self) -> None:
        if self._draw.order != "failures":
            self.action_order("failures")
        else:
            self._go(self._index + 1)

    def _go(self, index: int) -> None:
        if 0 <= index < len(self._ids):
            self._index = index
            self.pane.want(self._ids[index])
            self.refresh_now()
        elif self._ids:
            self.say("this is the last answer of the draw" if index > 0 else "this is the first answer of the draw")

    def action_unread(self) -> None:
        """Go to the next answer without a review, around the end."""
        places = [*range(self._index + 1, len(self._ids)), *range(self._index)]
        found = next((place for place in places if self._ids[place] not in self._verdicts), None)
        if found is None:
            self.say("every other answer of the draw is reviewed")
        else:
            self._go(found)

    # saying

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Saying needs an answer in sight and a store that takes it; agreeing needs a verdict that can be seen.

        Taking back needs only what was said: it shows that answer itself, so it may be typed while the next one is read.
        """
        if not self.is_mounted or action not in (*_SAYS, "undo"):
            return True
        if action == "undo":
            return self.frame.store.writable and bool(self._undo)
        if not self.frame.store.writable or self._read_sample is None:
            return False
        if action == "label":
            return isinstance(parameters[0], int) and parameters[0] <= len(self._labels)
        if action in ("agree", "agree_on", "disagree", "disagree_on"):
            return not self.pane.hidden and self._verdict is not None
        return True

    def why_not(self, action: Action) -> str:
        """Why nothing can be said."""
        if action.name == "undo":
            return "nothing to take back"
        if not self.frame.store.writable:
            return READ_ONLY
        if self._read_sample is None:
            return "the answer is still being read" if self._ids else "no answer to review"
        if action.key_id.startswith("label_"):
            return "no label has this key; l names one"
        if self.pane.hidden:
            return "the verdict is hidden: + says right, - says wrong"
        return "no verdict to agree with: + says right, - says wrong"

    @property
    def _read_sample(self) -> int | None:
        """The wanted sample, where it is the one in sight."""
        seen = self.pane.seen
        return seen.id if seen is not None and self._ids and seen.id == self._ids[self._index] else None

    @property
    def _verdict(self) -> OwnVerdict | None:
        seen = self.pane.seen
        return (
            None
            if seen is None
            else "passed"
            if seen.status == "passed"
            else "failed"
            if seen.status == "failed"
            else None
        )

    def _say(self, change: Callable[[HumanVerdict], HumanVerdict]) -> None:
        """Say something else of the answer in sight."""
        sample = self.pane.seen
        if sample is None or self._read_sample is None:
            return
        before = self.own
        after = change(before)
        if after != before:
            self._undo.append((sample, before))
            self._set(sample, after)

    def _set(self, sample: EvaluationSample, verdict: HumanVerdict) -> None:
        """Show it at once and store it behind; where that fails what stood comes back."""
        sample_id = sample.id or 0
        before = self._verdicts.get(sample_id, HumanVerdict())
        self._remember(sample_id, before, verdict)

        async def store() -> None:
            try:
                await self.frame.store.work(lambda: store_verdict(self.frame.database, sample, self._author, verdict))
            except ModexError as error:
                self._remember(sample_id, verdict, before)
                self.say(str(error), severity="error")

        self.run_worker(store(), group="say")

    def _remember(self, sample_id: int, before: HumanVerdict, after: HumanVerdict) -> None:
        if before.label:
            self._counts[before.label] -= 1
        if after.label:
            self._counts[after.label] += 1
        if after.empty:
            self._verdicts.pop(sample_id, None)
        else:
            self._verdicts[sample_id] = after
            self._stale.discard(sample_id)
        self._show_state()

    def _own(self, own: OwnVerdict | None, *, unsure: bool = False) -> None:
        self._say(lambda said: replace(said, own_verdict=own, unsure=unsure))

    def action_agree(self) -> None:
        """Hold the answer to be what the verdict says."""
        self._own(self._verdict)

    def action_disagree(self) -> None:
        """Hold it to be the other."""
        self._own("failed" if self._verdict == "passed" else "passed")

    def action_agree_on(self) -> None:
        """Agree, and show the next answer."""
        self.action_agree()
        self._go(self._index + 1)

    def action_disagree_on(self) -> None:
        """Disagree, and show the next answer."""
        self.action_disagree()
        self._go(self._index + 1)

    def action_right(self) -> None:
        """Hold the answer to be right."""
        self._own("passed")

    def action_wrong(self) -> None:
        """Hold the answer to be wrong."""
        self._own("failed")

    def action_unsure(self) -> None:
        """Say that nobody can tell."""
        self._own(None, unsure=True)

    def action_label(self, number: int) -> None:
        """Give the label of this key, or take it away."""
        self._say(lambda said: labelled(said, self._labels[number - 1].id))

    def action_name_label(self) -> None:
        """Ask for a label's name."""
        self.query_one("#label", Prompt).ask("")

    def action_note(self) -> None:
        """Ask for a note."""
        self.query_one("#note", Prompt).ask(self.own.note or "")

    @on(_Typed.Left)
    def _left(self) -> None:
        self.set_focus(self.pane.view)

    @on(_Typed.Given, "#label")
    def _label_named(self, event: _Typed.Given) -> None:
        self.set_focus(self.pane.view)
        if (name := clean_label(event.value)) is None or self._run is None:
            return
        begins = [one.id for one in self._labels if one.id.casefold().startswith(name.casefold())]
        known = next((one.id for one in self._labels if one.id.casefold() == name.casefold()), None)
        if known is None and len(begins) == 1:
            known = begins[0]
        if known is None:
            self._labels.append(KnownLabel(name))
            self._keep(self._run, name)
        self._say(lambda said: replace(said, label=known or name))

    def _keep(self, run: RunRow, name: str) -> None:
        async def keep() -> None:
            try:
                await self.frame.store.work(lambda: keep_label(run, name))
            except ModexError as error:
                self.say(f"the label stands with the reviews only: {error}", severity="warning")

        self.run_worker(keep(), group="say")

    @on(_Typed.Given, "#note")
    def _noted(self, event: _Typed.Given) -> None:
        self.set_focus(self.pane.view)
        self._say(lambda said: replace(said, note=" ".join(event.value.split()) or None))

    def action_undo(self) -> None:
        """Take back what was said last, and show where."""
        sample, before = self._undo.pop()
        self._set(sample, before)
        if sample.id is not None and sample.id in self._ids and sample.id != self._read_sample:
            self._go(self._ids.index(sample.id))

    def action_blind(self) -> None:
        """Hide verdicts, or show them."""
        self._blind = not self._blind
        self._show_state()

    def action_order(self, order: str | None = None) -> None:
        """Draw otherwise."""
        if self._run is None:
            return
        place = ORDERS.index(self._draw.order)
        chosen = next((one for one in ORDERS if one == order), ORDERS[(place + 1) % len(ORDERS)])
        self._draw, self._first = replace(self._draw, order=chosen), None
        self.say(f"drawn: {_ORDERS[chosen]}")
        self._undo.clear()
        run = self._run
        self._run = None
        self.run_worker(self._again(run), group="look", exclusive=True)

    async def _again(self, run: RunRow) -> None:
        await self._read(run)
        self.refresh_now()
