"""One test of a run, from its system prompt to its verdict; from a failure to the next is one key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.widget import Widget

from core.store.sample import EvaluationSample
from tui import format as fmt
from tui.actions import bindings
from tui.glyphs import Glyphs
from tui.paint import Line, Part, columns
from tui.screens.base import ModexScreen
from tui.screens.transcript_actions import TranscriptActions
from tui.widgets.prompt import Prompt
from tui.widgets.transcript_load import Loaded, failures, load, neighbours
from tui.widgets.transcript_markdown import MOST, markdown_block
from tui.widgets.transcript_text import Block
from tui.widgets.transcript_view import TranscriptView

_SEARCHED_WHILE_TYPING = 2_000_000
"""Characters; a longer text is searched when the words are complete."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is asked of the store: a sample, or how far to walk through the list and to what."""

    sample_id: int
    raw: bool = False


class TranscriptScreen(TranscriptActions, ModexScreen[None]):
    """Shows the samples `ids` of a run, beginning with the one at `index`; one id alone stands among all of its run."""

    SCOPES = ("transcript", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("transcript")]
    LOOKS = True
    PERIOD_S = 0.5

    def __init__(self, database: Path, run_id: int, ids: Sequence[int], index: int = 0) -> None:
        super().__init__()
        self.database = database
        self.run_id = run_id
        self._ids: Sequence[int] = ids
        self._index = max(0, min(index, len(ids) - 1))
        self._listed = len(ids) > 1
        self._wanted = _Wanted(ids[self._index])
        self.loaded: Loaded | None = None
        self.raw = False
        self.markdown = False

    def body(self) -> Iterable[Widget]:
        """The transcript, and a line to search in."""
        yield TranscriptView()
        yield Prompt(placeholder="words; capitals count only where you write some")

    @property
    def view(self) -> TranscriptView:
        """The transcript."""
        return self.query_one(TranscriptView)

    @property
    def sample(self) -> EvaluationSample | None:
        """The sample that is shown."""
        return self.loaded.sample if self.loaded else None

    # looking

    async def look(self) -> bool:
        """Read the wanted sample where it changed."""
        wanted, loaded = self._wanted, self.loaded
        known = (
            loaded.sample.seq if loaded and loaded.sample.id == wanted.sample_id and loaded.raw == wanted.raw else -1
        )
        glyphs = self.frame.glyphs
        found = await self.frame.store.ask(lambda reader: load(reader, wanted.sample_id, known, glyphs, raw=wanted.raw))
        if not self._listed:
            self._listed = True
            self._ids, self._index = await self.frame.store.ask(
                lambda reader: neighbours(reader, self.run_id, wanted.sample_id)
            )
            self._show_identity()
        if found is None or wanted != self._wanted:
            return self._still_moving()
        self._show(found)
        return self._still_moving()

    def _still_moving(self) -> bool:
        return self.sample is None or self.sample.status in ("pending", "running")

    def _show(self, found: Loaded) -> None:
        before = self.loaded
        self.loaded = found
        same = before is not None and before.sample.id == found.sample.id and before.raw == found.raw
        self.view.show(found.sections, keep_place=same, start="" if found.raw else "response")
        self._show_identity()
        if self.markdown:
            self._render_markdown()
        if self.focused is None:
            self.view.focus()
        self.keys_changed()

    def _show_identity(self) -> None:
        sample = self.sample
        if sample is None:
            return
        glyphs = self.frame.glyphs
        right = self._position()
        self.identity(heading(sample, glyphs, self.app.size.width - columns(right) - 3), right)

    def _position(self) -> list[Part]:
        matches = self.view.matches
        if matches.words:
            if not len(matches):
                return [("not found", "failed")]
            number = f"{self.view.current + 1} of " if self.view.current >= 0 else ""
            return [(f"{number}{fmt.count(len(matches))} found", "accent")]
        return [(f"{fmt.count(self._index + 1)} of {fmt.count(len(self._ids))}", "muted")]

    # walking

    def go_to(self, index: int) -> None:
        """Show the sample at `index` of the list."""
        self._index = index
        self._wanted = _Wanted(self._ids[index], self.raw)
        self.look_now()

    def walk(self, step: int) -> None:
        """Show the next sample, or the one before."""
        index = self._index + step
        if 0 <= index < len(self._ids):
            self.go_to(index)
        else:
            self.say("this is the last test of the list" if step > 0 else "this is the first test of the list")

    def walk_to_failure(self, step: int) -> None:
        """Show the next failed or errored sample, or the one before."""
        self.run_worker(self._walk_to_failure(step), group="walk", exclusive=True)

    async def _walk_to_failure(self, step: int) -> None:
        failed = await self.frame.store.ask(lambda reader: failures(reader, self.run_id))
        index = self._index + step
        while 0 <= index < len(self._ids):
            if self._ids[index] in failed:
                self.go_to(index)
                return
            index += step
        self.say("no failure after this one" if step > 0 else "no failure before this one")

    # Markdown, raw

    def toggle_raw(self) -> None:
        """Show the stored JSON, or the transcript again."""
        self.raw = not self.raw
        self._wanted = _Wanted(self._wanted.sample_id, self.raw)
        self.look_now()

    def toggle_markdown(self) -> None:
        """Show answers as Markdown, or as they are."""
        self.markdown = not self.markdown
        if self.markdown:
            self._render_markdown()
        else:
            self.view.render_bodies({})

    def _render_markdown(self) -> None:
        bodies: dict[str, Callable[[int], Block]] = {}
        for section in self.view.sections:
            if section.markdown and section.source.strip() and len(section.source) <= MOST:
                bodies[section.key] = partial(markdown_block, section.source)
        if not bodies:
            self.markdown = False
            self.say(f"only answers of up to {MOST:,} characters are shown as Markdown")
        self.view.render_bodies(bodies)

    # searching

    @on(Prompt.Changed)
    def _typed(self, event: Prompt.Changed) -> None:
        if self.view.size_of_text <= _SEARCHED_WHILE_TYPING:
            self.view.search(event.value)

    @on(Prompt.Closed)
    def _search_done(self, event: Prompt.Closed) -> None:
        self.query_one(Prompt).remove_class("-open")
        if event.value != self.view.matches.words:
            self.view.search(event.value)
        self.view.focus()
        self.keys_changed()

    @on(TranscriptView.Moved)
    def _moved(self) -> None:
        self._show_identity()


def heading(sample: EvaluationSample, glyphs: Glyphs, room: int) -> Line:
    """A sample in one line of `room` columns: what, how it stands, and of what it took as much as fits whole."""
    epoch = f" #{sample.epoch}" if sample.epoch > 1 else ""
    score = "" if sample.score is None else f" {fmt.one(sample.score)}"
    line: list[Part] = [
        (f"{sample.domain} / {sample.level} / ", "muted"),
        (f"{sample.test_id}{epoch}", "title"),
        (f"   {glyphs.status(sample.status)} {sample.status}{score}", sample.status),
    ]
    facts: list[str] = []
    if sample.duration_ms:
        facts.append(fmt.seconds(sample.duration_ms))
    if sample.prompt_tokens or sample.completion_tokens:
        facts.append(f"{fmt.compact(sample.prompt_tokens)}+{fmt.compact(sample.completion_tokens)} tok")
    if sample.cost_usd:
        facts.append(fmt.cost(sample.cost_usd))
    for fact in facts:
        if columns(line) + len(fact) + 3 <= room:
            line.append((f"   {fact}", "muted"))
    return line
