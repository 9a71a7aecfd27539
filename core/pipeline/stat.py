"""The last stage: level scores, Weighted Scores, intervals and each source's metrics, stored with the run."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from modex.core.pipeline.agreement import judge_agreement
from modex.core.pipeline.instruction_rates import INSTRUCTIONS, instruction_rates
from modex.core.pipeline.likelihood_rates import LIKELIHOOD, likelihood_rates
from modex.core.pipeline.official_rates import OFFICIAL, official_rates
from modex.core.pipeline.processers.base import NO_ANSWER, BaseProcesser, SampleGroup, metrics_of, open_rates
from modex.core.pipeline.processers.factory import PROCESSER_FACTORY
from modex.core.pipeline.span_rates import SPANS, span_rates
from modex.core.statistics.intervals import score_interval
from modex.core.statistics.moments import Gathered, Moments, Shared
from modex.core.statistics.weighted import weighted_score
from modex.core.store.bounds import bounds, open_samples
from modex.core.store.exact import encode_json
from modex.core.store.hosts import hosts_of
from modex.core.store.manager import DBDataManager
from modex.core.store.pass_rates import pass_moments
from modex.core.store.sample import PASS_SCORE, STATUSES, SampleStatus
from modex.core.store.selecting import SampleQuery, sample_query
from modex.core.store.speeds import pace_of
from modex.core.store.summary import (
    Outcome,
    Scores,
    SourceReading,
    flagged,
    groups,
    outcomes,
    reading,
    replace_scores,
    score_of,
    sources,
    weight_of,
)

EXTRACTOR_ONLY = "extractor_only"
"""The metric that counts answers of PASS 2 which the response does not hold; absent where there are none."""
GOLD_IN_ANSWER = "gold_in_answer"
"""The metric that counts failed answers in which the gold stands; absent where there are none."""
PASS2 = "pass2"
"""The metric that tells how often PASS 2 was asked, and its replies that were no use by kind; absent where all were."""
NOT_BOUNDED_BY = "not_bounded_by"
"""The metric that counts samples without a verdict for which a processer's own numbers have no bounds; absent without any."""
_TOLD_EVERY = 4096
_MOST_LOOKED_AT = 20_000
TEXT_PROTOCOL = "text_protocol"
"""The metric, named as the flag, that counts answers of a model that got its tools as text; absent where there are none."""


TEXT_TOOL_CALLS, LOOKS_LIKE_CALL = "text_tool_calls", "looks_like_call"
"""The metrics, named as the flags, that count answers whose calls stood in their text (with the calls by form), and answers that
only look like a call; absent where there are none."""


@dataclass(slots=True)
class Cell:
    """One (domain, level) cell: its tests' scores and its totals."""

    domain: str
    level: int
    scores: Moments
    first: int
    """The least position of its samples."""
    counts: Counter[str] = field(default_factory=Counter)
    """Samples by status."""
    tokens: int = 0
    cost_usd: float | None = 0.0
    duration_ms: int = 0


def stat(manager: DBDataManager, run_id: int, progress: Callable[[int], None] = lambda _: None) -> float | None:
    """Compute and store everything that is summed up over the run's samples; the overall Weighted Score.

    `progress` is told how many were read so far; where it raises, nothing is stored.
    """
    cells, shared = _cells(manager, run_id, progress)
    overall = weighted_score({(cell.domain, cell.level): cell.scores.score for cell in cells})
    interval = score_interval({(cell.domain, cell.level): cell.scores for cell in cells}, shared)
    metrics = _metrics(manager, run_id)
    pace = pace_of(manager.reader, run_id)
    domains = dict.fromkeys(cell.domain for cell in cells)
    results = [_result(cell.domain, cell.level, [cell]) for cell in cells]
    results += [_result(domain, None, [cell for cell in cells if cell.domain == domain]) for domain in domains]
    levels = [_level(cell) for cell in cells]
    speeds = pace.as_dict() if pace is not None else {}
    open_ = bounds(manager.reader, run_id)
    scores = Scores(
        levels,
        results,
        overall,
        interval,
        metrics,
        speeds,
        hosts_of(manager.reader, run_id),
        open_.number if open_ else 0,
        (open_.low, open_.high) if open_ else None,
    )
    replace_scores(manager.database, run_id, scores)
    return overall


def _cells(manager: DBDataManager, run_id: int, progress: Callable[[int], None]) -> tuple[list[Cell], list[Shared]]:
    """The run's cells in planning order, filled in one pass that holds a few sums a cell; and clusters in several cells."""
    cells: dict[tuple[str, int], Cell] = {}
    gathered = Gathered()
    epochs: list[Outcome] = []

    def finish() -> None:
        if epochs and (score := score_of(epochs)) is not None:
            test = epochs[0]
            shares = None if test.cluster is None else (test.source, test.cluster)
            gathered.add((test.domain, test.level), score, weight_of(epochs), shares)

    for number, sample in enumerate(outcomes(manager.database, run_id), 1):
        if not number % _TOLD_EVERY:
            progress(number)
        if epochs and epochs[0][:4] != sample[:4]:
            finish()
            epochs = []
        epochs.append(sample)
        cell = cells.get((sample.domain, sample.level))
        if cell is None:
            cell = Cell(sample.domain, sample.level, Moments(sample.level), sample.position)
            cells[sample.domain, sample.level] = cell
        cell.first = min(cell.first, sample.position)
        cell.counts[sample.status] += 1
        cell.tokens += sample.tokens
        cell.duration_ms += sample.duration_ms
        cell.cost_usd = None if cell.cost_usd is None or sample.cost_usd is None else cell.cost_usd + sample.cost_usd
    finish()
    found, shared = gathered.settled()
    for key, moments in found.items():
        cells[key].scores = moments
    return sorted(cells.values(), key=lambda cell: cell.first), shared


def _level(cell: Cell) -> dict[str, Any]:
    """The cell's row of `level_scores`."""
    low, high = score_interval({(cell.domain, cell.level): cell.scores}) or (None, None)
    return {
        "domain": cell.domain,
        "level": cell.level,
        "average_score": cell.scores.score,
        "weight": float(cell.level),
        "total_tests": cell.counts.total(),
        "passed_tests": cell.counts["passed"],
        "ci_low": low,
        "ci_high": high,
    }


def _result(domain: str, level: int | None, cells: list[Cell]) -> dict[str, Any]:
    """The row of `test_results` of one cell, or of a domain's cells together."""
    counts = {status: sum(cell.counts[status] for cell in cells) for status in STATUSES}
    score = weighted_score({cell.level: cell.scores.score for cell in cells})
    costs = [cell.cost_usd for cell in cells]
    return {
        "domain": domain,
        "level": level,
        "score": score,
        "status": _status(counts, score),
        "total_tests": sum(counts.values()),
        "passed_tests": counts["passed"],
        "failed_tests": counts["failed"],
        "error_tests": counts["error"],
        "total_tokens": sum(cell.tokens for cell in cells),
        "cost_usd": None if None in costs else sum(cost or 0.0 for cost in costs),
        "duration_ms": sum(cell.duration_ms for cell in cells),
    }


def _status(counts: Mapping[SampleStatus, int], score: float | None) -> str:
    """A cell's status in a sample's words: unfinished, passed or failed by its score, else what it has."""
    if counts["pending"] or counts["running"]:
        return "pending"
    if score is not None:
        return "passed" if score >= PASS_SCORE else "failed"
    return "error" if counts["error"] else "skipped"


def _metrics(manager: DBDataManager, run_id: int) -> dict[str, Any]:
    """`{source: metrics}` by each source's processer; a processer that raises is named, not fatal."""
    metrics: dict[str, Any] = {}
    for source, evaluator_id in sources(manager.database, run_id):
        processer = PROCESSER_FACTORY.get(source, evaluator_id)
        own = inspect.getattr_static(type(processer), "calculate_metrics") is not BaseProcesser.calculate_metrics
        try:
            if own:
                samples = manager.reader.samples(run_id, SampleQuery(sources=(source,)))
                metrics[source] = processer.calculate_metrics(samples)
            else:
                metrics[source] = metrics_of(
                    (SampleGroup(*group) for group in groups(manager.database, run_id, source, NO_ANSWER)),
                    *pass_moments(manager.reader, run_id, source),
                )
                open_rates(metrics[source], open_samples(manager.reader, run_id, source))
            encode_json(metrics[source])
        except Exception as error:
            metrics[source] = {
                "problem": f"{type(processer).__name__}.calculate_metrics: {type(error).__name__}: {error}"
            }
        if own and "problem" not in metrics[source]:
            lost = sum(open_samples(manager.reader, run_id, source).values())
            metrics[source] |= {NOT_BOUNDED_BY: lost} if lost else {}
        metrics[source]["processer"] = type(processer).__name__
        metrics[source] |= _read(reading(manager.database, run_id, source))
        if as_text := flagged(manager.database, run_id, source, TEXT_PROTOCOL):
            metrics[source][TEXT_PROTOCOL] = as_text
        if by_rule := official_rates(manager, run_id, source):
            metrics[source][OFFICIAL] = by_rule
        metrics[source] |= _calls_in_text(manager, run_id, source)
        if agreement := judge_agreement(manager, run_id, source):
            metrics[source]["judge_agreement"] = agreement
        if compared := likelihood_rates(manager, run_id, source):
            metrics[source][LIKELIHOOD] = compared
        if rates := instruction_rates(manager, run_id, source):
            metrics[source][INSTRUCTIONS] = rates
        if near := span_rates(manager, run_id, source):
            metrics[source][SPANS] = near
    return metrics


def _calls_in_text(manager: DBDataManager, run_id: int, source: str) -> dict[str, Any]:
    """Answers whose calls came as text, by metric; what there is none of is left out."""
    found: dict[str, Any] = {}
    if number := flagged(manager.database, run_id, source, TEXT_TOOL_CALLS):
        forms: Counter[str] = Counter()
        wanted = replace(sample_query(f"flag:{TEXT_TOOL_CALLS}"), sources=(source,))
        for sample in islice(manager.reader.samples(run_id, wanted), _MOST_LOOKED_AT):
            calls = (call for entry in sample.transcript for call in entry.get("tool_calls") or ())
            forms.update(str(call["form"]) for call in calls if call.get("form"))
        found[TEXT_TOOL_CALLS] = {"answers": number, "calls": forms.total(), "forms": dict(forms.most_common())}
    if number := flagged(manager.database, run_id, source, LOOKS_LIKE_CALL):
        found[LOOKS_LIKE_CALL] = number
    return found


def _read(found: SourceReading) -> dict[str, Any]:
    """How a source's answers were read, by metric; what there is none of is left out."""
    metrics: dict[str, Any] = {}
    if found.extractor_only:
        metrics[EXTRACTOR_ONLY] = found.extractor_only
    if found.gold_in_answer:
        metrics[GOLD_IN_ANSWER] = found.gold_in_answer
    if found.pass2_faults:
        metrics[PASS2] = {"asked": found.pass2_asked, **found.pass2_faults}
    return metrics
