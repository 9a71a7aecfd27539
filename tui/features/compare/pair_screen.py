"""One test in two runs: both transcripts side by side, or one at a time where the width does not allow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from modex.core.comparison.pairs import Pair, TestKey
from modex.core.reports.reached import named_model
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.tui.actions import bindings
from modex.tui.frame import painter
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Line, Part, between
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.transcript_load import Loaded, load
from modex.tui.widgets.transcript_pair import Paired, PartPair, paired
from modex.tui.widgets.transcript_text import Section
from modex.tui.widgets.transcript_view import TranscriptView

WIDE = 110


class ComparePairScreen(ModexScreen[None]):
    """Shows `pairs[index]` in both `runs`."""

    SCOPES = ("pair", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("pair")]
    REFRESHES = True
    DEFAULT_CSS = """
    ComparePairScreen Side { width: 1fr; height: 1fr; }
    ComparePairScreen Side > Lines { height: 1; }
    ComparePairScreen.-wide Side.-second { border-left: solid $panel; }
    ComparePairScreen.-narrow Side.-hidden { display: none; }
    """

    def __init__(self, runs: tuple[RunRow, RunRow], pairs: Sequence[Pair], index: int) -> None:
        super().__init__()
        self._runs = runs
        self._pairs = pairs
        self._index = index
        self._active = 0
        self._shown = -1
        self._followed = ""
        """The part that the other transcript was brought to."""
        self._at: PartPair | None = None
        """The divergence that was gone to last, until the selection moves on."""
        self._found: tuple[Loaded | None, Loaded | None] = (None, None)
        self.pairing = paired((), ())

    def body(self) -> Iterable[Widget]:
        """The two transcripts."""
        with Horizontal():
            yield Side(self._runs[0], classes="-first")
            yield Side(self._runs[1], classes="-second")

    @property
    def reading(self) -> bool:
        """Whether the wanted test is not shown yet."""
        return super().reading or not (self._shown == self._index or self._store_error)

    @property
    def sides(self) -> list[Side]:
        """Both transcripts."""
        return list(self.query(Side))

    @property
    def view(self) -> TranscriptView:
        """The transcript that has the keys."""
        return self.sides[self._active].view

    async def refresh_data(self) -> bool:
        """Read both samples, once for each test."""
        index = self._index
        if index == self._shown:
            return False
        pair, runs, glyphs = self._pairs[index], self._runs, self.frame.glyphs

        colour = self.frame.palette.colourful

        def ask(reader: Reader) -> tuple[tuple[Loaded | None, Loaded | None], Paired]:
            one, other = (
                _load(reader, run, key, glyphs, colour)
                for run, key in zip(runs, (pair.key, pair.other or pair.key), strict=True)
            )
            return (one, other), paired(one.sections if one else (), other.sections if other else ())

        found, pairing = await self.frame.store.ask(ask)
        if index == self._index:
            self._shown = index
            self._found, self.pairing = found, pairing
            for side, loaded, sections in zip(self.sides, found, (pairing.first, pairing.second), strict=True):
                side.show(loaded, sections)
            self._show_state()
        return False

    def _show_state(self) -> None:
        _, domain, level, test_id = self._pairs[self._index].key
        flip = self._pairs[self._index].flip
        count = len(self.pairing.divergences)
        right: list[Part] = [
            (f"{count} part{'s differ' if count != 1 else ' differs'}   " if all(self._found) else "", "accent"),
            (f"{fmt.count(self._index + 1)} of {fmt.count(len(self._pairs))}", "muted"),
        ]
        left: list[Part] = [(f"{domain} / {level} / ", "muted"), (test_id, "title")]
        if flip:
            left.append((f"   {flip}", "passed" if flip == "gained" else "failed"))
        self.identity(left, right)
        for number, side in enumerate(self.sides):
            side.set_class(number != self._active, "-hidden")
            side.set_active(number == self._active)
        self.set_focus(self.view)

    def on_resize(self, event: events.Resize) -> None:
        """Side by side where there is room."""
        self.set_class(event.size.width >= WIDE, "-wide")
        self.set_class(event.size.width < WIDE, "-narrow")

    # alignment

    def _key_of(self, match: PartPair, side: int) -> str | None:
        return match.second if side else match.first

    @on(TranscriptView.Moved)
    def _moved(self) -> None:
        """The other transcript follows: the part that stands for the selected one on the same line."""
        view, section = self.view, self.view.section
        if section is None or self.focused is not view or section.key == self._followed:
            return
        self._followed = section.key
        here, there = self._active, 1 - self._active
        match = next((one for one in self.pairing.matches if self._key_of(one, here) == section.key), None)
        if match is not None and (key := self._key_of(match, there)) is not None:
            self.sides[there].view.bring(key, view.line)

    def action_divergence(self, step: int) -> None:
        """Go to the next part in which the two went different ways, or to the one before."""
        found = self.pairing.divergences
        if not found:
            self.say("the two say the same" if all(self._found) else "only one run has this test")
            return
        keys = [self._key_of(match, self._active) for match in self.pairing.matches]
        section = self.view.section
        at = keys.index(section.key) if section is not None and section.key in keys else -1
        if self._at is not None and self._at in self.pairing.matches:
            at = self.pairing.matches.index(self._at)
        places = [self.pairing.matches.index(match) for match in found]
        ahead = [place for place in places if (place > at if step > 0 else place < at)]
        if not ahead:
            self.say("no difference after this one" if step > 0 else "no difference before this one")
            return
        match = self.pairing.matches[ahead[0] if step > 0 else ahead[-1]]
        if self._key_of(match, self._active) is None:
            self._active = 1 - self._active
            self._show_state()
        self.view.go_to(self._key_of(match, self._active) or "")
        self._at = match
        self._followed = ""
        self._moved()

    # acting

    def action_switch(self) -> None:
        """Give the keys to the other transcript."""
        self._active = 1 - self._active
        self._show_state()

    def action_next_sample(self) -> None:
        """Show the next test."""
        self._go(self._index + 1)

    def action_previous_sample(self) -> None:
        """Show the test before."""
        self._go(self._index - 1)

    def _go(self, index: int) -> None:
        if not 0 <= index < len(self._pairs):
            self.say("this is the last test of the list" if index > 0 else "this is the first test of the list")
            return
        self._index, self._at, self._followed = index, None, ""
        self.refresh_now()

    def action_fold(self) -> None:
        """Fold or unfold the part under the selection."""
        self.view.fold()

    def action_fold_all(self) -> None:
        """Fold or unfold everything in both."""
        for side in self.sides:
            side.view.fold_all()

    def action_part(self, step: int) -> None:
        """Go to the next part, or the one before."""
        self.view.part(step)

    def action_whole(self) -> None:
        """Open the active transcript by itself."""
        loaded = self._found[self._active]
        if loaded is not None and loaded.sample.id is not None:
            from modex.tui.screens.transcript import TranscriptScreen

            self.app.push_screen(TranscriptScreen(self.frame.database, loaded.run.id, [loaded.sample.id], 0))


class Side(Vertical):
    """One run's transcript under its name."""

    view = getters.query_one(TranscriptView)
    """The transcript."""

    def __init__(self, run: RunRow, *, classes: str) -> None:
        super().__init__(classes=classes)
        self._run = run
        self._loaded: Loaded | None = None
        self._is_active = False

    def compose(self) -> ComposeResult:
        """The name and the transcript."""
        yield Lines()
        yield TranscriptView()

    def show(self, loaded: Loaded | None, sections: Sequence[Section]) -> None:
        """Show a sample's parts, or that the run has none."""
        self._loaded = loaded
        self.view.show(sections)
        self._title()

    def set_active(self, active: bool) -> None:
        """Whether the keys go here."""
        self._is_active = active
        self._title()

    def on_resize(self) -> None:
        """Lay the title out anew."""
        self._title()

    def _title(self) -> None:
        glyphs = painter(self).glyphs
        left: list[Part] = [
            (glyphs.bar if self._is_active else " ", "bar"),
            (self._run.exp_id, "title" if self._is_active else "muted"),
            (f"  {named_model(self._run)}", "faint"),
        ]
        sample = self._loaded.sample if self._loaded else None
        right: Line = ()
        if sample is not None:
            score = f" {fmt.one(sample.score)}" if sample.score is not None else ""
            right = [(f"{glyphs.status(sample.status)} {sample.status}{score} ", sample.status)]
        lines = self.query_one(Lines)
        lines.show([between(left, right, max(1, self.size.width))])


def _load(reader: Reader, run: RunRow, key: TestKey, glyphs: Glyphs, colour: bool) -> Loaded | None:
    """The first epoch of a test in a run."""
    source, domain, level, test_id = key
    ids = reader.head_ids(run.id, SampleQuery((domain,), (level,), (), (source,), (test_id,)))
    return load(reader, ids[0], -1, glyphs, colour=colour, beside=True) if ids else None
