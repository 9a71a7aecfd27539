"""The last stage: level scores, Weighted Scores, intervals and each source's metrics, stored with the run."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.pipeline.agreement import judge_agreement
from core.pipeline.processers.base import NO_ANSWER, Alike, BaseProcesser, metrics_of
from core.pipeline.processers.factory import PROCESSER_FACTORY
from core.statistics.intervals import cells_interval
from core.statistics.weighted import CellScores, weighted_score
from core.store.database import plain_errors
from core.store.exact import encode_json
from core.store.manager import DBDataManager
from core.store.reader import SampleQuery

_OF_CELLS = (
    "status, score, weight, position, prompt_tokens + completion_tokens + judge_prompt_tokens + judge_completion_tokens,"
    " cost_usd + judge_cost_usd, duration_ms"
)


@dataclass(slots=True)
class Cell:
    """One (domain, level) cell: its tests' scores and its totals."""

    domain: str
    level: int
    scores: CellScores
    first: int
    """The least position of its samples."""
    counts: Counter[str] = field(default_factory=Counter)
    """Samples by status."""
    tokens: int = 0
    cost_usd: float | None = 0.0
    duration_ms: int = 0


def stat(manager: DBDataManager, run_id: int) -> float | None:
    """Compute and store everything that is summed up over the run's samples; the overall Weighted Score."""
    cells = _cells(manager, run_id)
    overall = weighted_score({(cell.domain, cell.level): cell.scores.score for cell in cells})
    interval = cells_interval([cell.scores for cell in cells])
    metrics = _metrics(manager, run_id)
    with plain_errors(manager.path), manager.database.atomic("IMMEDIATE"):
        run = manager.database.run
        run("DELETE FROM level_scores WHERE run_id = ?", [run_id])
        run("DELETE FROM test_results WHERE run_id = ?", [run_id])
        for cell in cells:
            _store_level(manager, run_id, cell)
            _store_result(manager, run_id, cell.domain, cell.level, [cell])
        for domain in dict.fromkeys(cell.domain for cell in cells):
            _store_result(manager, run_id, domain, None, [cell for cell in cells if cell.domain == domain])
        low, high = interval or (None, None)
        run(
            "UPDATE evaluation_runs SET overall_score = ?, ci_low = ?, ci_high = ?, metrics = ?, seq = seq + 1 WHERE id = ?",
            [overall, low, high, encode_json(metrics), run_id],
        )
    return overall


def _cells(manager: DBDataManager, run_id: int) -> list[Cell]:
    """The run's cells in planning order, filled in one pass that holds two numbers a test."""
    cells: dict[tuple[str, int], Cell] = {}
    known: tuple[Any, ...] | None = None
    cell: Cell | None = None
    weight, scores = 0.0, list[float]()

    def finish() -> None:
        if cell is not None and scores:
            cell.scores.add(sum(scores) / len(scores), weight)

    for source, domain, level, test_id, *sample in manager.reader.by_test(run_id, _OF_CELLS):
        status, score, its_weight, position, tokens, cost, duration = sample
        if known != (source, domain, level, test_id):
            finish()
            known, scores, weight = (source, domain, level, test_id), [], its_weight
            cell = cells.get((domain, level))
            if cell is None:
                cell = cells[domain, level] = Cell(domain, level, CellScores(level), position)
        assert cell is not None
        cell.first = min(cell.first, position)
        cell.counts[status] += 1
        cell.tokens += tokens
        cell.duration_ms += duration
        cell.cost_usd = None if cell.cost_usd is None or cost is None else cell.cost_usd + cost
        if score is not None and status in ("passed", "failed"):
            scores.append(score)
    finish()
    return sorted(cells.values(), key=lambda cell: cell.first)


def _store_level(manager: DBDataManager, run_id: int, cell: Cell) -> None:
    low, high = cells_interval([cell.scores]) or (None, None)
    manager.database.run(
        "INSERT INTO level_scores (run_id, domain, level, average_score, weight, total_tests, passed_tests, ci_low, ci_high)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            run_id, cell.domain, cell.level, cell.scores.score, float(cell.level), cell.counts.total(),
            cell.counts["passed"], low, high,
        ],
    )  # fmt: skip


def _store_result(manager: DBDataManager, run_id: int, domain: str, level: int | None, cells: list[Cell]) -> None:
    counts = {
        status: sum(cell.counts[status] for cell in cells)
        for status in ("passed", "failed", "error", "skipped", "pending", "running")
    }
    score = weighted_score({cell.level: cell.scores.score for cell in cells})
    costs = [cell.cost_usd for cell in cells]
    manager.database.run(
        "INSERT INTO test_results (run_id, domain, level, score, status, total_tests, passed_tests, failed_tests,"
        " error_tests, total_tokens, cost_usd, duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            run_id, domain, level, score, _status(counts, score), sum(counts.values()), counts["passed"], counts["failed"],
            counts["error"], sum(cell.tokens for cell in cells),
            None if None in costs else sum(cost or 0.0 for cost in costs), sum(cell.duration_ms for cell in cells),
        ],
    )  # fmt: skip


def _status(counts: dict[str, int], score: float | None) -> str:
    """A cell's status in a sample's words: unfinished, passed or failed by its score, else what it has."""
    if counts["pending"] or counts["running"]:
        return "pending"
    if score is not None:
        return "passed" if score >= 0.7 else "failed"
    return "error" if counts["error"] else "skipped"


def _metrics(manager: DBDataManager, run_id: int) -> dict[str, Any]:
    """`{source: metrics}` by each source's processer; a processer that raises is named, not fatal."""
    sources = manager.database.rows(
        "SELECT source, min(evaluator_id), count(DISTINCT evaluator_id) FROM individual_test_results WHERE run_id = ?"
        " GROUP BY source ORDER BY min(position)",
        [run_id],
    )
    metrics: dict[str, Any] = {}
    for source, evaluator_id, evaluators in sources:
        processer = PROCESSER_FACTORY.get(source, evaluator_id if evaluators == 1 else "")
        own = inspect.getattr_static(type(processer), "calculate_metrics") is not BaseProcesser.calculate_metrics
        try:
            if own:
                samples = manager.reader.samples(run_id, SampleQuery(sources=(source,)))
                metrics[source] = processer.calculate_metrics(samples)
            else:
                metrics[source] = metrics_of(_alike(manager, run_id, source))
            encode_json(metrics[source])
        except Exception as error:
            metrics[source] = {
                "problem": f"{type(processer).__name__}.calculate_metrics: {type(error).__name__}: {error}"
            }
        metrics[source]["processer"] = type(processer).__name__
        if agreement := judge_agreement(manager, run_id, source):
            metrics[source]["judge_agreement"] = agreement
    return metrics


def _alike(manager: DBDataManager, run_id: int, source: str) -> Iterator[Alike]:
    """The source's samples summed up by cell and status."""
    no_answer = " OR ".join(f"flags LIKE '%\"{flag}\"%'" for flag in NO_ANSWER)
    rows = manager.database.rows(
        f"SELECT domain, level, status, count(*), sum({no_answer}), sum(prompt_tokens + completion_tokens),"
        " sum(duration_ms), CASE WHEN count(cost_usd) = count(*) THEN sum(cost_usd) END FROM individual_test_results"
        " WHERE run_id = ? AND source = ? GROUP BY domain, level, status",
        [run_id, source],
    )
    return (Alike(*row) for row in rows)
