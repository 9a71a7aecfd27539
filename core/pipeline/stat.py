"""The last stage: level scores, Weighted Scores, intervals and each source's metrics, stored with the run."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.pipeline.agreement import judge_agreement
from core.pipeline.processers.base import BaseProcesser
from core.pipeline.processers.factory import PROCESSER_FACTORY
from core.statistics.intervals import score_interval
from core.statistics.weighted import ScoredTest, level_score, weighted_score
from core.store.database import plain_errors
from core.store.exact import encode_json
from core.store.manager import DBDataManager
from core.store.reader import SampleQuery
from core.store.sample import EvaluationSample

_LIGHT = (
    "id", "source", "domain", "level", "test_id", "epoch", "status", "score", "weight", "flags", "stage", "evaluator_id",
    "prompt_tokens", "completion_tokens", "cost_usd", "judge_cost_usd", "duration_ms",
)  # fmt: skip
_LIGHT_PAGE = 5000


@dataclass(slots=True)
class Cell:
    """One (domain, level) cell: its tests' scores and its totals."""

    domain: str
    level: int
    tests: dict[tuple[str, str], ScoredTest] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    tokens: int = 0
    cost_usd: float | None = 0.0
    duration_ms: int = 0

    @property
    def scored(self) -> list[ScoredTest]:
        """Its tests that have a score."""
        return [test for test in self.tests.values() if test.scores]


def stat(manager: DBDataManager, run_id: int) -> float | None:
    """Compute and store everything that is summed up over the run's samples; the overall Weighted Score."""
    cells = _cells(manager, run_id)
    scored = [test for cell in cells for test in cell.scored]
    overall = weighted_score({(cell.domain, cell.level): level_score(cell.scored) for cell in cells})
    interval = score_interval(scored)
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
    """The run's cells in planning order, filled in one pass over light columns."""
    cells: dict[tuple[str, int], Cell] = {}
    rows = manager.reader.scored(run_id)
    for source, domain, level, test_id, _epoch, status, score, weight in rows:
        cell = cells.setdefault((domain, level), Cell(domain, level))
        cell.counts[status] = cell.counts.get(status, 0) + 1
        known = cell.tests.get((source, test_id)) or ScoredTest(domain, level, weight, ())
        if status in ("passed", "failed") and score is not None:
            known = ScoredTest(domain, level, weight, (*known.scores, score))
        cell.tests[source, test_id] = known
    for domain, level, tokens, cost, unknown, duration in manager.database.rows(
        "SELECT domain, level, sum(prompt_tokens + completion_tokens + judge_prompt_tokens + judge_completion_tokens),"
        " sum(cost_usd + judge_cost_usd), sum(cost_usd IS NULL OR judge_cost_usd IS NULL), sum(duration_ms)"
        " FROM individual_test_results WHERE run_id = ? GROUP BY domain, level",
        [run_id],
    ):
        cell = cells[domain, level]
        cell.tokens, cell.duration_ms = tokens, duration
        cell.cost_usd = None if unknown else cost
    return list(cells.values())


def _store_level(manager: DBDataManager, run_id: int, cell: Cell) -> None:
    low, high = score_interval(cell.scored) or (None, None)
    manager.database.run(
        "INSERT INTO level_scores (run_id, domain, level, average_score, weight, total_tests, passed_tests, ci_low, ci_high)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            run_id, cell.domain, cell.level, level_score(cell.scored), float(cell.level), sum(cell.counts.values()),
            cell.counts.get("passed", 0), low, high,
        ],
    )  # fmt: skip


def _store_result(manager: DBDataManager, run_id: int, domain: str, level: int | None, cells: list[Cell]) -> None:
    counts = {
        status: sum(cell.counts.get(status, 0) for cell in cells)
        for status in ("passed", "failed", "error", "skipped", "pending", "running")
    }
    score = weighted_score({cell.level: level_score(cell.scored) for cell in cells})
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
        samples = (
            manager.reader.samples(run_id, SampleQuery(sources=(source,))) if own else _light(manager, run_id, source)
        )
        try:
            metrics[source] = processer.calculate_metrics(samples)
            encode_json(metrics[source])
        except Exception as error:
            metrics[source] = {
                "problem": f"{type(processer).__name__}.calculate_metrics: {type(error).__name__}: {error}"
            }
        metrics[source]["processer"] = type(processer).__name__
        if agreement := judge_agreement(manager, run_id, source):
            metrics[source]["judge_agreement"] = agreement
    return metrics


def _light(manager: DBDataManager, run_id: int, source: str) -> Iterator[EvaluationSample]:
    """The source's samples without their long texts."""
    from core.store.rows import from_column

    after = 0
    while True:
        rows = manager.database.rows(
            f"SELECT {', '.join(_LIGHT)} FROM individual_test_results WHERE run_id = ? AND source = ? AND id > ?"
            f" ORDER BY id LIMIT {_LIGHT_PAGE}",
            [run_id, source, after],
        )
        for row in rows:
            yield EvaluationSample(**{name: from_column(name, value) for name, value in zip(_LIGHT, row, strict=True)})
        if len(rows) < _LIGHT_PAGE:
            return
        after = rows[-1][0]
