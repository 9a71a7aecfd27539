"""Reading a transcript from the store: on a thread of the store's, never on the screen's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.pipeline.turns import most_turns
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.tui.look.glyphs import Glyphs
from modex.tui.reading.redo import mended_by
from modex.tui.widgets.transcript_sections import SampleStory, raw_sections, sections_of
from modex.tui.widgets.transcript_text import Section


@dataclass(frozen=True, slots=True)
class Loaded:
    """A sample with its parts, ready to be shown."""

    sample: EvaluationSample
    earlier: Sequence[dict[str, Any]]
    run: RunRow
    sections: Sequence[Section]
    raw: bool = False
    begun: bool = False
    """Whether a large transcript is still to be read; everything else is here."""


LARGE = 4_000_000
"""Bytes of a transcript from which on the rest of the sample is shown before it."""


def load_first(reader: Reader, sample_id: int, glyphs: Glyphs, *, colour: bool = True) -> Loaded | None:
    """All but the transcript of a sample whose transcript is large; None where it is not, or the sample is gone.

    Raises:
        StoreError: the store cannot be read.
    """
    size = reader.bytes_of_transcript(sample_id)
    if size < LARGE:
        return None
    sample = reader.sample_without_transcript(sample_id)
    run = reader.run_by_id(sample.run_id)
    sections = sections_of(SampleStory(sample, (), 5, glyphs, colour))
    note = ((f"{size / 1e6:,.0f} MB, being read", "faint"),)
    place = next((n for n, section in enumerate(sections) if section.key == "response"), len(sections))
    sections.insert(place, Section("reading", "transcript", note=note))
    return Loaded(sample, (), run, sections, begun=True)


def load(
    reader: Reader,
    sample_id: int,
    known: int,
    glyphs: Glyphs,
    *,
    raw: bool = False,
    colour: bool = True,
    beside: bool = False,
    keys: bool = False,
) -> Loaded | None:
    """The sample, or None where it is still as it was at sequence number `known`; `beside` another one in the same order.

    With `keys` an error names the key that tries it again.

    Raises:
        StoreError: it is gone, or the store cannot be read.
    """
    heads = reader.heads_by_id([sample_id])
    if heads and heads[0].seq == known:
        return None
    sample = reader.sample(sample_id)
    earlier = reader.earlier_verdicts(sample_id)
    run = reader.run_by_id(sample.run_id)
    most = most_turns(sample.definition, int(run.config.get("max_iterations") or 5))
    story = SampleStory(sample, earlier, most, glyphs, colour, beside, mended_by(sample, run) if keys else None)
    return Loaded(sample, earlier, run, raw_sections(story) if raw else sections_of(story), raw)


def neighbours(reader: Reader, run_id: int, sample_id: int) -> tuple[list[int], int]:
    """All samples of the run in planning order, and where `sample_id` stands among them."""
    ids = reader.head_ids(run_id)
    return (ids, ids.index(sample_id)) if sample_id in ids else ([sample_id], 0)


def failures(reader: Reader, run_id: int) -> frozenset[int]:
    """The failed and errored samples of a run."""
    return frozenset(reader.head_ids(run_id, SampleQuery(statuses=("failed", "error"))))
