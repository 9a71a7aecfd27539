"""A published figure beside a run: whether it lies in the run's interval, what was asked otherwise, and what would tell more."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from modex.core.reports.reading import ByRule, reading_of
from modex.core.store.bounds import open_bounds
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.suite.datasets.presets import preset_of

_LEAST_APART = 0.0005
"""Scores that print alike: no number of questions is worth telling them apart."""


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A published figure and what a run found of the same; scores from 0 to 1."""

    figure: float
    score: float
    low: float
    high: float
    n: int
    """Scored samples."""
    what: str
    """Which of the run's scores this is: `accuracy`, or `Weighted Score` where several sources make it."""
    by_rule: ByRule | None
    """What the benchmark's own rule makes of the same answers."""
    otherwise: tuple[str, ...]
    """What may differ from how the figure was made, a sentence without its point each."""
    without_verdict: int
    ends: tuple[float, float] | None
    """The scores if all without a verdict were wrong, and right; None where all have one."""

    @property
    def inside(self) -> bool:
        """Whether the figure lies in the interval."""
        return self.low <= self.figure <= self.high

    @property
    def is_open(self) -> bool:
        """Whether answers without a verdict could make up for what the figure lies outside of the interval."""
        return not self.inside and self.ends is not None and self.ends[0] <= self.figure <= self.ends[1]

    @property
    def more_questions(self) -> int | None:
        """About how many questions more would tell this difference from chance; None where that is told already, and where both
        scores print alike."""
        apart = abs(self.figure - self.score)
        if not self.inside or apart < _LEAST_APART:
            return None
        half = self.high - self.score if self.figure > self.score else self.score - self.low
        return max(1, math.ceil(self.n * ((half / apart) ** 2 - 1)))


def published(reader: Reader, run: RunRow, figure: float) -> PublishedFigure | None:
    """The run beside `figure` (0 to 1); None where the run has no score, or no interval."""
    sources = [name for name, metrics in run.metrics.items() if isinstance(metrics, dict) and "accuracy" in metrics]
    found = reading_of(run).by_rule
    rate: Any = run.metrics[sources[0]]["accuracy"] if len(sources) == 1 and sources != ["suite"] else None
    what, score, low, high = "Weighted Score", run.overall_score, run.ci_low, run.ci_high
    n, lost, ends = run.passed_tests + run.failed_tests, 0, None
    if isinstance(rate, dict):
        what, score, low, high, n = "accuracy", rate["rate"], rate["ci_low"], rate["ci_high"], rate["n"]
        if lost := rate.get("without_verdict", 0):
            ends = rate["if_all_wrong"], rate["if_all_right"]
    elif (open_ := open_bounds(reader, run).whole) is not None:
        lost, ends = open_.number, open_.ends
    if score is None or low is None or high is None:
        return None
    otherwise = tuple(_otherwise(reader, run, sources, n))
    return PublishedFigure(
        figure, score, low, high, n, what, found[0] if len(found) == 1 else None, otherwise, lost, ends
    )


def _otherwise(reader: Reader, run: RunRow, sources: list[str], n: int) -> Iterator[str]:
    """What a published figure is often made otherwise by, as this run did it."""
    config = run.config
    model = config.get("model")
    asked: Mapping[str, Any] = model if isinstance(model, dict) else {}
    preset = preset_of(sources[0]) if len(sources) == 1 else None
    if preset is not None and preset.protocol:
        yield f"published figures of it: {preset.protocol}"
    if preset is not None and preset.by_likelihood and config.get("reading") != "loglikelihood":
        yield f"published figures of it are mostly of another kind, by likelihood: {preset.by_likelihood}"
    agent = config.get("agent")
    if isinstance(agent, str) and agent:
        yield "the answers were made elsewhere" if agent.startswith("answers:") else "an agent answers, in its own way"
    else:
        yield from _asking(asked)
    bound = open_bounds(reader, run).whole
    if bound is not None and bound.cut_off:
        yield f"{bound.cut_off:,} answers were cut off at a limit of tokens"
    selection = config.get("selection")
    chosen = selection if isinstance(selection, dict) else {}
    if any(chosen.get(name) for name in ("limit", "sample", "filters", "planned", "tests", "domains", "levels")):
        yield f"{n:,} scored answers of a part of the questions"
    if config.get("epochs", 1) != 1:
        yield f"each question is asked {config['epochs']} times"


def _asking(asked: Mapping[str, Any]) -> Iterator[str]:
    """How the model was asked."""
    yield "no worked examples are shown but those in the prompt"
    temperature = asked.get("temperature")
    yield f"temperature {temperature:g}" if isinstance(temperature, int | float) else "the server's own temperature"
    tokens = asked.get("max_tokens")
    yield f"at most {tokens:,} tokens an answer" if isinstance(tokens, int) else "the server's own limit of tokens"


def _points(score: float) -> str:
    return f"{100 * score:.1f}"


def figure_lines(found: PublishedFigure) -> Iterator[str]:
    """What is said of it, a line each."""
    interval = f"{_points(found.low)} to {_points(found.high)}, n {found.n:,}"
    if found.inside:
        said = "the published figure lies in the interval, so this run does not speak against it"
    else:
        side = "above" if found.figure > found.score else "below"
        said = f"the published figure lies {side} the interval, which chance alone does not explain"
        if found.is_open:
            said += ", but the answers without a verdict may"
    yield f"{_points(found.figure)} is published; {found.what} here {_points(found.score)} ({interval}): {said}"
    if (more := found.more_questions) is not None:
        apart = _points(abs(found.figure - found.score))
        yield f"to tell a difference of {apart} points from chance, about {more:,} more questions would be needed"
    if (rule := found.by_rule) is not None:
        ours, theirs = _points(rule.ours / rule.scored), _points(rule.right / rule.scored)
        here = "which counts in this run" if rule.counts else "`--reading official` lets it count"
        yield f"reading: ours {ours}, by {rule.rule} {theirs} ({rule.differ} of {rule.scored:,} differ; {here})"
    if found.ends is not None:
        wrong, right = map(_points, found.ends)
        yield f"{found.without_verdict:,} without a verdict: all wrong {wrong}, all right {right}"
    yield "what may differ from how it was made: " + "; ".join(found.otherwise)


def figure_json(found: PublishedFigure) -> dict[str, Any]:
    """For `--json`."""
    return {**asdict(found), "inside": found.inside, "more_questions": found.more_questions}
