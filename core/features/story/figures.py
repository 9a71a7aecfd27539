"""A run's figures beside its score, each a number with a name: for forms that have a place for names and values only.

The scores that bound it, how fast its answers came, and the pass rates of its judges as corrected by people's labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from modex.core.features.certify.rule import judged
from modex.core.statistics.intervals import Interval
from modex.core.store.bounds import Open, bounds
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.speeds import Figure, Pace, pace_of

BOUND = "weighted_score_if"
"""Begins the names of the two scores that samples without a verdict leave a run between."""
CORRECTED = "pass_rate_corrected"
"""Begins the name of a corrected pass rate; the evaluator's id follows behind a slash."""
Unit = Literal["ms", "tokens/s", "proportion", "score"]


@dataclass(frozen=True, slots=True)
class RunFigure:
    """One number of a run. `interval` is of the level of every interval, where there is one; `n` counts the samples behind it."""

    name: str
    value: float
    unit: Unit
    n: int
    interval: Interval | None = None
    more: dict[str, float] = field(default_factory=dict)
    """Further numbers that belong to it, by name."""


def run_figures(reader: Reader, run: RunRow) -> list[RunFigure]:
    """The scores that samples without a verdict leave it between, medians and slow ends of what was streamed, then a corrected
    pass rate for each judge that has labels enough.
    """
    pace = pace_of(reader, run.id)
    return [*_bounds(reader, run), *(_paced(pace) if pace is not None else ()), *_corrected(reader, run)]


def level_rows(reader: Reader, run: RunRow, every: Open) -> list[dict[str, Any]]:
    """Each cell's stored score, with the scores that samples without a verdict leave it between (`bounds`, None without such)."""
    return [{**row, "bounds": every.ends(row["domain"], row["level"])} for row in reader.level_scores(run.id)]


def domain_rows(reader: Reader, run: RunRow, every: Open) -> list[dict[str, Any]]:
    """Each domain's Weighted Score, with the scores that samples without a verdict leave it between."""
    scores = reader.domain_scores([run.id]).get(run.id, [])
    return [{"domain": domain, "score": score, "bounds": every.ends(domain)} for domain, score in scores]


def _bounds(reader: Reader, run: RunRow) -> Iterator[RunFigure]:
    if run.error_tests and (found := bounds(reader, run.id)) is not None:
        more = {"without_verdict": float(found.number), "cut_off": float(found.cut_off)}
        yield RunFigure(f"{BOUND}_all_wrong", found.low, "score", found.number, more=more)
        yield RunFigure(f"{BOUND}_all_right", found.high, "score", found.number, more=more)


def _paced(pace: Pace) -> Iterator[RunFigure]:
    yield from _both("ttft_ms", pace.first_ms, "ms", {})
    yield from _both("output_tokens_per_s", pace.tokens_per_s, "tokens/s", {"estimated": pace.estimated})
    yield from _both("thinking_ms", pace.thinking_ms, "ms", {})


def _both(name: str, figure: Figure | None, unit: Unit, more: dict[str, float]) -> Iterator[RunFigure]:
    if figure is not None:
        yield RunFigure(f"{name}_median", figure.median, unit, figure.n, more=more)
        yield RunFigure(f"{name}_95", figure.p95, unit, figure.n, more=more)


def _corrected(reader: Reader, run: RunRow) -> Iterator[RunFigure]:
    for one in judged(reader, run):
        if (fixed := one.corrected) is not None:
            more = {"as_judged": fixed.judged, "labels": fixed.labels}
            if one.ends is not None:
                more |= {"without_verdict": one.open, "if_all_wrong": one.ends[0], "if_all_right": one.ends[1]}
            name = f"{CORRECTED}/{one.evaluator_id}"
            yield RunFigure(name, fixed.rate, "proportion", fixed.answers, fixed.interval, more)
