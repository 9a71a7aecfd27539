"""A transcript that can hide the verdict until the reader has given their own."""

from __future__ import annotations

import copy
from typing import ClassVar

from textual.binding import BindingType

from modex.core.pipeline.turns import most_turns
from modex.core.store.sample import EvaluationSample, without_verdict
from modex.tui.actions import bindings
from modex.tui.frame import painter
from modex.tui.widgets.transcript_load import Loaded
from modex.tui.widgets.transcript_pane import TranscriptPane
from modex.tui.widgets.transcript_sections import SampleStory, sections_of


class ReviewPane(TranscriptPane, inherit_bindings=False):
    """As a transcript, with the keys for reading; `seen` is the sample as it is stored, also where its verdict is hidden."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("review_reading")]
    REDOES: ClassVar[bool] = False

    def __init__(self, sample_id: int | None = None) -> None:
        super().__init__(sample_id)
        self.hidden = False
        """Whether verdicts are hidden."""
        self.seen: EvaluationSample | None = None
        self._whole: Loaded | None = None

    def hide(self, hidden: bool) -> None:
        """Hide the verdict, or show it."""
        if hidden != self.hidden:
            self.hidden = hidden
            if self._whole is not None:
                self._show(self._whole)

    def _show(self, found: Loaded) -> None:
        self._whole, self.seen = found, found.sample
        super()._show(self._without_verdict(found) if self.hidden else found)

    def _without_verdict(self, found: Loaded) -> Loaded:
        """The same as it would be before a judgement: what was asked, answered and expected."""
        sample = copy.copy(found.sample)
        without_verdict(sample)
        if sample.status in ("passed", "failed"):
            sample.stage, sample.status = "rollout", "pending"
        most = most_turns(sample.definition, int(found.run.config.get("max_iterations") or 5))
        story = SampleStory(sample, (), most, painter(self).glyphs)
        return Loaded(sample, (), found.run, sections_of(story))
