"""Reading a transcript from the store: on a thread of the store's, never on the screen's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.store.reader import Reader, SampleQuery
from core.store.rows import RunRow
from core.store.sample import EvaluationSample
from tui.look.glyphs import Glyphs
from tui.widgets.transcript_sections import Story, raw_sections, sections_of
from tui.widgets.transcript_text import Section


@dataclass(frozen=True, slots=True)
class Loaded:
    """A sample with its parts, ready to be shown."""

    sample: EvaluationSample
    earlier: Sequence[dict[str, Any]]
    run: RunRow
    sections: Sequence[Section]
    raw: bool = False


def load(
    reader: Reader,
    sample_id: int,
    known: int,
    glyphs: Glyphs,
    *,
    raw: bool = False,
    colour: bool = True,
    beside: bool = False,
) -> Loaded | None:
    """The sample, or None where it is still as it was at sequence number `known`; `beside` another one in the same order.

    Raises:
        StoreError: it is gone, or the store cannot be read.
    """
    heads = reader.heads_by_id([sample_id])
    if heads and heads[0].seq == known:
        return None
    sample = reader.sample(sample_id)
    earlier = reader.earlier_verdicts(sample_id)
    run = reader.run_by_id(sample.run_id)
    most = max(int(run.config.get("max_iterations") or 5), sample.definition.max_iterations or 0)
    story = Story(sample, earlier, most, glyphs, colour, beside)
    return Loaded(sample, earlier, run, raw_sections(story) if raw else sections_of(story), raw)


def neighbours(reader: Reader, run_id: int, sample_id: int) -> tuple[list[int], int]:
    """All samples of the run in planning order, and where `sample_id` stands among them."""
    ids = reader.head_ids(run_id)
    return (ids, ids.index(sample_id)) if sample_id in ids else ([sample_id], 0)


def failures(reader: Reader, run_id: int) -> frozenset[int]:
    """The failed and errored samples of a run."""
    return frozenset(reader.head_ids(run_id, SampleQuery(statuses=("failed", "error"))))
