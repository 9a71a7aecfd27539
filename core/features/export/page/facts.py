"""What the page says about a run before it lists its tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from modex.core.features.certify.rule import corrected_lines
from modex.core.foundation.errors import advice_on
from modex.core.foundation.parties import party_of
from modex.core.reports.conversations import conversation_lines, conversations_of
from modex.core.reports.epochs import epoch_lines, epochs_of
from modex.core.reports.machines import hosts_line
from modex.core.reports.not_scored import not_scored_of, not_scored_words
from modex.core.reports.reading import reading_lines
from modex.core.reports.served import served_lines
from modex.core.statistics.weighted import weighted_score
from modex.core.store.bounds import Bounds, Open, open_bounds
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.core.store.speeds import Figure, Pace, answer_times, paces
from modex.core.store.tallies import CellTally, tallies

LEVELS = range(1, 6)
_OFTEN = 8
_HISTORY = 30
_OTHER_ANSWER = re.compile(r"expected .*, got ", re.DOTALL)
_REPEATED = re.compile(r"…(?:[\s,]*…)+")
_VALUES = re.compile(r"\"[^\"]*\"|'[^']*'|“[^”]*”|«[^»]*»|[-+]?\d[\d.,]*%?")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why tests failed, or could not be scored: values are folded into `…`; `domains` are those with the most of these tests."""

    text: str
    count: int
    domains: list[tuple[str, int]]
    advice: str = ""
    """What to do about an error; with the most frequent reason of its kind only."""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """One run, summed up."""

    run: RunRow
    cells: dict[tuple[str, int], CellTally]
    intervals: dict[tuple[str, int], tuple[float | None, float | None]]
    domains: dict[str, float | None]
    """Each domain's Weighted Score, in the order of the suite."""
    reasons: list[Reason] = field(default_factory=list)
    """Why tests failed, the most frequent first."""
    paces: Mapping[tuple[str, int] | None, Pace] = field(default_factory=dict)
    """How fast answers were written: of the run under None, and of each cell; empty where none was streamed."""
    answer_ms: Figure | None = None
    """The time of a rollout."""
    epochs: list[str] = field(default_factory=list)
    """What several epochs and simulated users tell, where there were such."""
    judging: list[str] = field(default_factory=list)
    """What people's labels make of judged pass rates, where LLMs judged."""
    reading: list[str] = field(default_factory=list)
    """Failed answers that contain the gold, and an extractor that is unfit."""
    open: Open = field(default_factory=Open)
    """What samples without a verdict leave open, in all and of each domain, level and cell."""
    hosts: str | None = None
    """On which machines it was asked, where there were several or limits."""
    served: tuple[str, ...] = ()
    """How its models were served by this program."""

    @property
    def bounds(self) -> Bounds | None:
        """Samples without a verdict, and the scores they leave it between; None where there are none."""
        return self.open.whole

    def level(self, level: int) -> tuple[float | None, int]:
        """The mean of the domains' scores at a level, as below the matrix on the screen, and how many samples have a score."""
        cells = {key: cell for key, cell in self.cells.items() if key[1] == level}
        scored = sum(cell.scored for cell in cells.values())
        return weighted_score({key: cell.score for key, cell in cells.items()}), scored


def facts_of(reader: Reader, run: RunRow) -> RunFacts:
    """Sum the run up."""
    cells = {(cell.domain, cell.level): cell for cell in tallies(reader, run.id)}
    stored = dict(reader.domain_scores([run.id]).get(run.id, []))
    domains = {domain: stored.get(domain) for domain in dict.fromkeys([*stored, *(domain for domain, _ in cells)])}
    intervals = {(row["domain"], row["level"]): (row["ci_low"], row["ci_high"]) for row in reader.level_scores(run.id)}
    paced, answer = paces(reader, run.id), answer_times(reader, run.id)
    tried = epochs_of(reader, run)
    epochs = epoch_lines(tried) if tried is not None else []
    talks = conversations_of(reader, run)
    epochs += conversation_lines(talks) if talks is not None else []
    unhappy = reader.samples(run.id, SampleQuery(statuses=("failed", "error")))
    judging = corrected_lines(reader, run)
    return RunFacts(
        run,
        cells,
        intervals,
        domains,
        _reasons(unhappy),
        paced,
        answer,
        epochs,
        judging,
        [*([lost] if (lost := not_scored_words(not_scored_of(reader, run))) else []), *reading_lines(run)],
        open_bounds(reader, run),
        hosts_line(run),
        served_lines(run),
    )


def history(reader: Reader, run: RunRow) -> list[RunRow]:
    """The finished runs of the same model with a score, oldest first, this one among them."""
    runs = [one for one in reader.runs(model=run.model) if one.model == run.model and one.overall_score is not None]
    earlier = [one for one in runs if one.id <= run.id]
    return sorted(earlier, key=lambda one: one.id)[-_HISTORY:]


def _reasons(samples: Iterable[EvaluationSample]) -> list[Reason]:
    counted: Counter[str] = Counter()
    domains: dict[str, Counter[str]] = {}
    errors: dict[str, EvaluationSample] = {}
    for sample in samples:
        reason = _reason(sample)
        counted[reason] += 1
        domains.setdefault(reason, Counter())[sample.domain] += 1
        if sample.status == "error":
            errors.setdefault(reason, sample)
    found: list[Reason] = []
    for text, count in counted.most_common(_OFTEN):
        error = errors.get(text)
        advice = advice_on(error.error_type, error.error_message) if error is not None else ""
        said = any(advice == other.advice for other in found)
        found.append(Reason(text, count, domains[text].most_common(3), "" if said else advice))
    return found


def _reason(sample: EvaluationSample) -> str:
    said = sample.why or sample.error_message or ""
    if sample.status != "error" and _OTHER_ANSWER.match(said):
        return "another answer than the expected one"
    folded = _REPEATED.sub("…", " ".join(_VALUES.sub("…", said[:400]).split()))[:120]
    return (
        f"{party_of(sample)}: {sample.error_type}: {folded}"
        if sample.status == "error"
        else folded or "no reason given"
    )
