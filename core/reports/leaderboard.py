"""The stored runs by suite: each model with the newest of its completed evaluation runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from core.filters import Condition, Query
from core.reports.noise import AGAIN
from core.store.reader import Reader
from core.store.rows import RunRow

BUNDLED = "bundled"
"""What the suite that comes with modex is called here."""
_MOST = 1_000_000
_ALL = Query()


@dataclass(frozen=True, slots=True)
class Board:
    """One suite's models, the highest score first."""

    suite: str
    """Its folder, with the datasets that were added to it; `bundled` for the one that comes with modex."""
    runs: tuple[RunRow, ...]
    """One a model, the newest."""
    history: Mapping[str, tuple[RunRow, ...]] = field(default_factory=dict)
    """By model: all its runs that count here, the oldest first."""

    def is_called(self, name: str) -> bool:
        """Whether `name` means this suite: its folder, or the last part of it."""
        return name.rstrip("/") in (self.suite, PurePath(self.suite).name)


def leaderboards(reader: Reader, query: Query = _ALL) -> list[Board]:
    """A board a suite, by its name, of the runs that `query` asks for.

    Runs without a score and those that other commands made are not on it, archived ones only where they are asked for.
    """
    kind = Condition("kind", "=", "evaluation")
    wanted: dict[str, Any] = {"text": query.text, "conditions": (kind, *query.conditions)}
    away = None if query.names("archived") else False
    found: dict[str, dict[str, list[RunRow]]] = {}
    for run in reader.runs(status="completed", archived=away, limit=_MOST, **wanted):
        if run.overall_score is not None and not run.exp_id.endswith(AGAIN):
            found.setdefault(suite_of(run), {}).setdefault(run.model, []).append(run)
    return [
        Board(
            suite,
            tuple(
                sorted((runs[0] for runs in models.values()), key=lambda run: (-(run.overall_score or 0.0), run.model))
            ),
            {model: tuple(reversed(runs)) for model, runs in models.items()},
        )
        for suite, models in sorted(found.items())
    ]


def suite_of(run: RunRow) -> str:
    """What a run's tests are from: the suite's folder, and the datasets by their files' names."""
    selection = run.config.get("selection")
    chosen: dict[str, Any] = selection if isinstance(selection, dict) else {}
    datasets = chosen.get("datasets")
    files = [
        PurePath(str(one["path"])).name
        for one in (datasets if isinstance(datasets, list | tuple) else ())
        if isinstance(one, dict) and "path" in one
    ]
    suite = chosen.get("suite")
    if isinstance(suite, str):
        return " + ".join([suite, *files])
    return " + ".join(files) or BUNDLED


def scored(run: RunRow) -> int:
    """How many of its tests the score stands on."""
    return run.passed_tests + run.failed_tests


def leaderboards_json(boards: list[Board]) -> list[dict[str, Any]]:
    """Boards as scripts get them."""
    return [
        {
            "suite": board.suite,
            "models": [
                {
                    "model": run.model,
                    "run": run.exp_id,
                    "score": run.overall_score,
                    "interval": None if run.ci_low is None or run.ci_high is None else [run.ci_low, run.ci_high],
                    "n": scored(run),
                    "total_tests": run.total_tests,
                    "errors": run.error_tests,
                    "cost_usd": run.cost_usd,
                    "unpriced_calls": run.unpriced_calls,
                    "duration_ms": run.duration_ms,
                    "completed_at": run.completed_at,
                    "history": [
                        {"run": one.exp_id, "score": one.overall_score, "completed_at": one.completed_at}
                        for one in board.history[run.model]
                    ],
                }
                for run in board.runs
            ],
        }
        for board in boards
    ]
