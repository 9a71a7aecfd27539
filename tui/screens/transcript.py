"""One test of a run, from its system prompt to its verdict; from a failure to the next is one key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from textual import getters, on
from textual.widget import Widget

from modex.core.store.sample import EvaluationSample
from modex.tui.actions import Action
from modex.tui.lazy import ask_and_export
from modex.tui.look import format as fmt
from modex.tui.look.paint import columns
from modex.tui.screens.base import ModexScreen
from modex.tui.screens.redo import ask_to_redo
from modex.tui.widgets.transcript_heading import heading, search_state
from modex.tui.widgets.transcript_load import failures, neighbours
from modex.tui.widgets.transcript_pane import TranscriptPane
from modex.tui.widgets.transcript_view import TranscriptView


class TranscriptScreen(ModexScreen[None]):
    """Shows the samples `ids` of a run, beginning with the one at `index`; one id alone stands among all of its run."""

    SCOPES = ("transcript", "lists")
    REFRESHES = True
    PERIOD_S = 0.5
    pane = getters.query_one(TranscriptPane)
    """The transcript and what can be done with it."""

    def __init__(self, database: Path, run_id: int, ids: Sequence[int], index: int = 0) -> None:
        super().__init__()
        self.database = database
        self.run_id = run_id
        self._ids: Sequence[int] = ids
        self._index = max(0, min(index, len(ids) - 1))
        self._listed = len(ids) > 1
        self.find = ""
        """What to go to once the sample has been read."""

    @property
    def about_run(self) -> int | None:
        """The run of the sample."""
        return self.run_id

    @property
    def about_sample(self) -> int | None:
        """The sample that is shown."""
        return self._ids[self._index]

    def body(self) -> Iterable[Widget]:
        """The transcript."""
        yield TranscriptPane(self._ids[self._index])

    @property
    def view(self) -> TranscriptView:
        """The transcript's rows."""
        return self.pane.view

    @property
    def sample(self) -> EvaluationSample | None:
        """The sample that is shown."""
        return self.pane.sample

    @property
    def reading(self) -> bool:
        """Whether the wanted sample is not shown yet."""
        return super().reading or (self.is_mounted and not self._store_error and self.pane.reading)

    def why_not(self, action: Action) -> str:
        """As the transcript says."""
        return self.pane.why_not(action)

    # looking

    async def refresh_data(self) -> bool:
        """Read the wanted sample where it changed."""
        pane = self.pane
        await pane.refresh_data()
        if self.find and pane.sample is not None:
            words, self.find = self.find, ""
            self.view.search(words)
            self.keys_changed()
        if not self._listed:
            self._listed = True
            sample_id = self._ids[self._index]
            self._ids, self._index = await self.frame.store.ask(
                lambda reader: neighbours(reader, self.run_id, sample_id)
            )
            self._show_identity()
        return pane.sample is None or pane.sample.status in ("pending", "running")

    @on(TranscriptView.Moved)
    def _show_identity(self) -> None:
        if self.sample is None:
            return
        place = (f"{fmt.count(self._index + 1)} of {fmt.count(len(self._ids))}", "muted")
        right = search_state(self.view) or [place]
        run = loaded.run if (loaded := self.pane.loaded) is not None else None
        self.identity(heading(self.sample, run, self.frame.glyphs, self.app.size.width - columns(right) - 3), right)

    # again, and out of it

    @on(TranscriptPane.Again)
    def _again(self, event: TranscriptPane.Again) -> None:
        ask_to_redo(self, event.loaded.run, [event.loaded.sample.id or 0], event.kind)

    @on(TranscriptPane.Exported)
    def _export(self, event: TranscriptPane.Exported) -> None:
        ask_and_export(self, [event.loaded.run], [event.loaded.sample.id or 0])

    # walking

    @on(TranscriptPane.Walked)
    def _walked(self, event: TranscriptPane.Walked) -> None:
        if event.to_failure:
            self.fetch_then(self._walk_to_failure(event.step))
            return
        index = self._index + event.step
        if 0 <= index < len(self._ids):
            self.go_to(index)
        else:
            self.say("this is the last test of the list" if event.step > 0 else "this is the first test of the list")

    def go_to(self, index: int) -> None:
        """Show the sample at `index` of the list."""
        self._index = index
        self.pane.want(self._ids[index])
        self.refresh_now()

    async def _walk_to_failure(self, step: int) -> None:
        failed = await self.frame.store.ask(lambda reader: failures(reader, self.run_id))
        index = self._index + step
        while 0 <= index < len(self._ids):
            if self._ids[index] in failed:
                self.go_to(index)
                return
            index += step
        self.say("no failure after this one" if step > 0 else "no failure before this one")
