"""A transcript with everything that can be done with it: by itself on a screen, or beside a list that it follows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message

from modex.core.foundation.errors import ModexError
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.tui.actions import Action, bindings
from modex.tui.frame import painter
from modex.tui.look.note import note
from modex.tui.look.paint import between, columns
from modex.tui.widgets import transcript_out
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.prompt import Prompt
from modex.tui.widgets.transcript_heading import heading, search_state
from modex.tui.widgets.transcript_load import Loaded, load, load_first
from modex.tui.widgets.transcript_markdown import MOST, markdown_block
from modex.tui.widgets.transcript_sections import opens_on
from modex.tui.widgets.transcript_text import Block
from modex.tui.widgets.transcript_view import TranscriptView

if TYPE_CHECKING:
    from modex.core.store.manager import Redo

_REST_S = 0.1
"""Longer than the pause between two repeats of a key that is held."""
_SEARCHED_WHILE_TYPING = 2_000_000
"""Characters; a longer text is searched when the words are complete."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is asked of the store."""

    sample_id: int
    raw: bool = False


class TranscriptPane(Vertical):
    """Shows the sample it is told to; where `titled`, under a line that names it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("transcript")]
    REDOES: ClassVar[bool] = True
    """Whether its keys try a sample again."""
    DEFAULT_CSS = """
    TranscriptPane { width: 1fr; height: 1fr; }
    TranscriptPane > Lines { height: 1; }
    TranscriptPane > Prompt { margin-bottom: 0; }
    """

    class Walked(Message):
        """The person asks for the next sample (`step` 1) or the one before (-1), or for the next failure."""

        def __init__(self, step: int, *, to_failure: bool) -> None:
            super().__init__()
            self.step, self.to_failure = step, to_failure

    class Again(Message):
        """The person asks for the shown sample to be done again."""

        def __init__(self, loaded: Loaded, kind: Redo) -> None:
            super().__init__()
            self.loaded, self.kind = loaded, kind

    class Exported(Message):
        """The person asks for the shown sample as a file."""

        def __init__(self, loaded: Loaded) -> None:
            super().__init__()
            self.loaded = loaded

    view = getters.query_one(TranscriptView)
    """The transcript."""

    def __init__(self, sample_id: int | None = None, *, titled: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._titled = titled
        self._wanted = None if sample_id is None else _Wanted(sample_id)
        self._due = False
        self._following = False
        self.rest: Callable[[], Awaitable[object]] = partial(asyncio.sleep, _REST_S)
        """Waits for as long as a selection stands still before what it selects is read."""
        self.loaded: Loaded | None = None
        self._again: tuple[Redo, EvaluationSample] | None = None
        """What was asked to be done again, as it was then: how it went is told when it is there."""
        self.raw = False
        self.markdown = False

    def compose(self) -> ComposeResult:
        """The transcript, and a line to search in."""
        if self._titled:
            yield Lines(id="heading")
        yield TranscriptView()
        yield Prompt(placeholder="words; capitals count only where you write some")

    @property
    def sample(self) -> EvaluationSample | None:
        """The sample that is shown."""
        return self.loaded.sample if self.loaded else None

    # looking

    @property
    def reading(self) -> bool:
        """Whether another sample is asked for than the one that is shown, or some of it is still to come."""
        wanted, shown = self._wanted, self.loaded
        if wanted is None:
            return False
        return shown is None or shown.begun or (shown.sample.id, shown.raw) != (wanted.sample_id, wanted.raw)

    def want(self, sample_id: int) -> None:
        """The next look is for this sample."""
        self._wanted = _Wanted(sample_id, self.raw)

    def follow(self, sample_id: int) -> None:
        """Show this sample, or what changed in it, as soon as no other is asked for during a moment."""
        self.want(sample_id)
        self._refresh_soon()

    async def refresh_data(self) -> None:
        """Read the wanted sample where it changed, and show it.

        Raises:
            StoreError: it is gone, or the store cannot be read.
        """
        wanted, loaded = self._wanted, self.loaded
        if wanted is None:
            return
        shown = loaded is not None and loaded.sample.id == wanted.sample_id and loaded.raw == wanted.raw
        known = loaded.sample.seq if loaded is not None and shown and not loaded.begun else -1
        frame = painter(self)

        def ask(reader: Reader) -> Loaded | RunRow | None:
            found = load(
                reader,
                wanted.sample_id,
                known,
                frame.glyphs,
                raw=wanted.raw,
                colour=frame.palette.colourful,
                keys=self.REDOES and frame.store.writable,
            )
            return found if found is not None or loaded is None else reader.run_by_id(loaded.run.id)

        if known < 0 and not wanted.raw:
            first = await frame.store.ask(
                lambda reader: load_first(reader, wanted.sample_id, frame.glyphs, colour=frame.palette.colourful)
            )
            if first is not None and wanted == self._wanted:
                self._show(first)
        found = await frame.store.ask(ask)
        if isinstance(found, Loaded):
            if wanted == self._wanted:
                self._show(found)
        elif found is not None and loaded is self.loaded and loaded is not None and found.going != loaded.run.going:
            self.loaded = replace(loaded, run=found)
            self.refresh_bindings()

    def _refresh_soon(self) -> None:
        self._due = True
        if not self._following:
            self._following = True
            self.run_worker(self._follow(), group="follow")

    async def _follow(self) -> None:
        try:
            while self._due:
                self._due = False
                sample = self.sample
                if sample is not None and self._wanted is not None and sample.id != self._wanted.sample_id:
                    await self.rest()
                if not self._due:
                    await self.refresh_data()
        except ModexError as error:
            self.say(str(error), severity="error")
        finally:
            self._following = False

    def _show(self, found: Loaded) -> None:
        before = self.loaded
        self.loaded = found
        same = before is not None and before.sample.id == found.sample.id and before.raw == found.raw
        self.view.show(found.sections, keep_place=same, start="" if found.raw else opens_on(found.sample))
        self._show_heading()
        if self.markdown:
            self._render_markdown()
        self.refresh_bindings()
        if self._again is not None and (words := _went(*self._again, found.sample)):
            self._again = None
            self.say(words)

    @on(TranscriptView.Moved)
    def _show_heading(self) -> None:
        if self._titled and self.sample is not None:
            right = search_state(self.view)
            width = self.size.width - 4
            run = self.loaded.run if self.loaded is not None else None
            left = heading(self.sample, run, painter(self).glyphs, width - columns(right))
            self.query_one("#heading", Lines).show([[("  ", "text"), *between(left, right, width)]])

    def on_resize(self) -> None:
        """Lay the heading out anew."""
        self._show_heading()

    def say(self, words: str, *, severity: str = "information") -> None:
        """A short note in the row of the keys."""
        note(self.app, words, severity=severity)

    # what can be pressed

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """While a search is shown, n and N go from match to match."""
        searching = self.is_mounted and bool(self.view.matches.words)
        if action == "leave_raw":
            return self.raw and not searching
        if action in ("next_match", "previous_match", "end_search"):
            return searching
        if action in ("next_sample", "next_failure"):
            return not searching
        if action == "redo":
            return self.is_mounted and self.loaded is not None and not self._refusal
        if action in ("copy", "write", "pager", "edit", "raw", "export"):
            return self.is_mounted and self.loaded is not None
        return True

    @property
    def _refusal(self) -> str:
        """Why the sample cannot be done again now."""
        if self.loaded is None:
            return "the transcript is still being read"
        if not painter(self).store.writable:
            return "read-only store"
        return "the run is going on: stop it first" if self.loaded.run.going else ""

    def why_not(self, action: Action) -> str:
        """What is refused waits for the transcript, or for the run's end."""
        if action.name.startswith("redo") and self._refusal:
            return self._refusal
        return "the transcript is still being read"

    def action_next_sample(self) -> None:
        """Ask for the next test."""
        self.post_message(self.Walked(1, to_failure=False))

    def action_previous_sample(self) -> None:
        """Ask for the test before."""
        self.post_message(self.Walked(-1, to_failure=False))

    def action_next_failure(self) -> None:
        """Ask for the next failure."""
        self.post_message(self.Walked(1, to_failure=True))

    def action_previous_failure(self) -> None:
        """Ask for the failure before."""
        self.post_message(self.Walked(-1, to_failure=True))

    def action_fold(self) -> None:
        """Fold or unfold the part under the selection."""
        self.view.fold()

    def action_fold_all(self) -> None:
        """Fold or unfold everything."""
        self.view.fold_all()

    def action_part(self, step: int) -> None:
        """Go to the next part, or the one before."""
        self.view.part(step)

    # again, and out of it

    def action_redo(self, kind: Redo) -> None:
        """Ask for the sample to be asked or judged again."""
        if self.loaded is not None:
            self._again = (kind, self.loaded.sample)
            self.post_message(self.Again(self.loaded, kind))

    def action_export(self) -> None:
        """Ask for the sample as a file."""
        if self.loaded is not None:
            self.post_message(self.Exported(self.loaded))

    def action_copy(self) -> None:
        """Send the part under the selection to the terminal's clipboard."""
        from modex.tui.terminal.clipboard import send

        section = self.view.section
        if section is None or not section.source:
            self.say("nothing to copy here")
            return
        self.say(f"{section.title} {send(self.app, section.source, instead='w writes it to a file')}")

    def action_write(self) -> None:
        """Write the transcript to a file in the current folder."""
        if self.loaded is not None:
            self.run_worker(self._write(self.loaded), group="write")

    async def _write(self, loaded: Loaded) -> None:
        try:
            path = await painter(self).store.work(partial(transcript_out.write_here, loaded))
        except OSError as error:
            self.say(f"cannot write here: {error.strerror or error}", severity="error")
            return
        self.say(f"written to {path.name}")

    def action_pager(self) -> None:
        """Open the transcript in the pager."""
        if self.loaded is not None and (problem := transcript_out.page(self.app, self.loaded)):
            self.say(problem, severity="warning")

    def action_edit(self) -> None:
        """Open the test's file in the editor, and offer to run it as it is then."""
        if self.loaded is None:
            return
        changed, problem = transcript_out.edit_test(self.app, self.loaded)
        if problem:
            self.say(problem, severity="warning")
        elif not changed:
            self.say("nothing was changed")
        elif self._refusal:
            self.say(f"edited; {self._refusal}")
        else:
            self.action_redo("changed")

    # Markdown, raw

    def action_raw(self) -> None:
        """Show the stored JSON, or the transcript again."""
        self.raw = not self.raw
        if self._wanted is not None:
            self._wanted = replace(self._wanted, raw=self.raw)
            self._refresh_soon()
        self.refresh_bindings()

    def action_leave_raw(self) -> None:
        """Show the transcript again."""
        self.action_raw()

    def action_markdown(self) -> None:
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

    def action_search(self) -> None:
        """Ask for words."""
        self.query_one(Prompt).ask(self.view.matches.words)

    def action_next_match(self) -> None:
        """Go to the next match."""
        self.view.next_match(1)

    def action_previous_match(self) -> None:
        """Go to the match before."""
        self.view.next_match(-1)

    def action_end_search(self) -> None:
        """End the search."""
        self.view.search("")
        self.refresh_bindings()

    @on(Prompt.Changed)
    def _typed(self, event: Prompt.Changed) -> None:
        event.stop()
        if self.view.size_of_text <= _SEARCHED_WHILE_TYPING:
            self.view.search(event.value)

    @on(Prompt.Closed)
    def _search_done(self, event: Prompt.Closed) -> None:
        event.stop()
        self.query_one(Prompt).display = False
        if event.value != self.view.matches.words:
            self.view.search(event.value)
        self.screen.set_focus(self.view)
        self.refresh_bindings()


_AGAIN = {"ask": "asked again", "judge": "judged again", "changed": "run as it is now"}


def _went(kind: Redo, before: EvaluationSample, now: EvaluationSample) -> str:
    """How doing a sample again went; empty where it is not there yet."""
    if now.id != before.id or now.completed_at in (before.completed_at, None):
        return ""
    return f"{_AGAIN[kind]}: {_stands(now)}, it was {_stands(before)}"


def _stands(sample: EvaluationSample) -> str:
    score = f" {sample.score:.2f}" if isinstance(sample.score, int | float) else ""
    return f"{sample.error_type or 'error' if sample.status == 'error' else sample.status}{score}"
