"""The story of a finished run: where it is weak and why, what took most, and what changed since the run before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from modex.core.features.certify.rule import corrected_briefly
from modex.core.features.compare.compare import Comparison
from modex.core.features.story.since import change_since
from modex.core.reports.conversations import Conversations, conversations_of
from modex.core.reports.epochs import Epochs, epochs_of
from modex.core.reports.machines import hosts_words
from modex.core.reports.not_scored import not_scored_of
from modex.core.reports.reading import RunReading, reading_of
from modex.core.reports.served import served_lines
from modex.core.reports.spread import Spread, spreads_of
from modex.core.store.bounds import Bounds, Open, open_bounds
from modex.core.store.parties import PartyCount
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow, SampleHead
from modex.core.store.selecting import EVERYTHING, SampleQuery
from modex.core.store.speeds import Pace, paces
from modex.core.store.story import count_errors, count_reasons, ids_without_reason, took_most
from modex.core.store.tallies import CellTally, tallies
from modex.core.verdict import reason_in

OTHER_VALUE = "the answer is not the expected one"
"""Stands for all reasons that only name two values, which are hardly ever the same."""
_MOST, _MOST_TAKING = 6, 3


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """A reason or a kind of error, and how many samples have it."""

    text: str
    number: int


@dataclass(frozen=True, slots=True)
class Story:
    """What there is to say, each list with the most telling first."""

    weakest: tuple[CellTally, ...]
    """Cells that are not at 100 for certain, by the score that is certain: `ends` says where more is open."""
    reasons: tuple[ReasonCount, ...]
    errors: tuple[ReasonCount, ...]
    slowest: tuple[SampleHead, ...]
    dearest: tuple[SampleHead, ...]
    change: Comparison | None
    """With the run before of the same model; None where there is none, or it shares no test."""
    epochs: Epochs | None
    conversations: Conversations | None = None
    """What its simulated users did; None where it has none."""
    time: Spread | None = None
    """Seconds a sample."""
    cost: Spread | None = None
    """USD a sample."""
    pace: Pace | None = None
    """How fast its answers were written; None where none was streamed."""
    judging: tuple[str, ...] = ()
    """What people's labels make of judged pass rates, a judge a line; empty where there are neither labels nor certificates."""
    reading: RunReading = RunReading()
    """How its answers were read."""
    bounds: Bounds | None = None
    """Samples without a verdict for a reason that the model can cause; None where there are none."""
    ends: Mapping[tuple[str, int], tuple[float, float]] = field(default_factory=dict)
    """Between which scores samples without a verdict leave the weakest cells; only those that they leave open."""
    not_scored: tuple[PartyCount, ...] = ()
    """Its errors by whose fault they are."""
    hosts: tuple[str, ...] = ()
    """On which machines it was asked, where there were several or limits."""
    served: tuple[str, ...] = ()
    """How its models were served by this program."""
    by_agent: bool = False
    """Whether somebody's own agent answered."""


def story_of(reader: Reader, run: RunRow) -> Story:
    """The story of `run`.

    Raises:
        StoreError: the store cannot be read.
    """
    epochs = run.config.get("epochs")
    cells = tallies(reader, run.id, epochs=epochs if isinstance(epochs, int) else 1)
    left = open_bounds(reader, run)
    weakest = _weakest(cells, left)[:_MOST]
    time, cost = spreads_of(reader, run.id)
    return Story(
        time=time,
        cost=cost,
        weakest=tuple(weakest),
        reasons=frequent_reasons(reader, run.id),
        errors=tuple(ReasonCount(kind, number) for kind, number in count_errors(reader, run.id)[:_MOST]),
        not_scored=tuple(not_scored_of(reader, run)),
        slowest=tuple(took_most(reader, run.id, "time", _MOST_TAKING)),
        dearest=tuple(took_most(reader, run.id, "cost", _MOST_TAKING)),
        change=change_since(reader, run),
        epochs=epochs_of(reader, run),
        conversations=conversations_of(reader, run),
        pace=paces(reader, run.id).get(None),
        judging=tuple(corrected_briefly(reader, run)),
        reading=reading_of(run),
        bounds=left.whole,
        ends={
            (cell.domain, cell.level): ends
            for cell in weakest
            if (ends := left.ends(cell.domain, cell.level)) is not None
        },
        hosts=hosts_words(run),
        served=served_lines(run),
        by_agent=bool(run.config.get("agent")),
    )


def _weakest(cells: Sequence[CellTally], left: Open) -> list[CellTally]:
    """The cells that are not at 100 for certain, by what is certain of them, then by the best that they may be."""
    ranked = []
    for cell in cells:
        low, high = left.ends(cell.domain, cell.level) or (cell.score, cell.score)
        if low is not None and high is not None and low < 1:
            ranked.append((low, high, -cell.scored, cell.domain, cell.level, cell))
    return [one[-1] for one in sorted(ranked, key=itemgetter(slice(0, 5)))]


def frequent_reasons(reader: Reader, run_id: int, query: SampleQuery = EVERYTHING) -> tuple[ReasonCount, ...]:
    """Why failed samples failed, the most frequent reason first; verdicts stored without a sentence are read for theirs."""
    found = Counter({reason or OTHER_VALUE: number for reason, number in count_reasons(reader, run_id, query)})
    for details in reader.details_by_id(ids_without_reason(reader, run_id, query)).values():
        reason = reason_in(details, passed=False)
        if reason:
            found[OTHER_VALUE if reason.startswith("expected ") and ", got " in reason else reason] += 1
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return tuple(ReasonCount(text, number) for text, number in ranked[:_MOST])
