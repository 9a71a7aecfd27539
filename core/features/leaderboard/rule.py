"""The stored runs by suite: each model with the newest of its completed evaluation runs that were asked alike.

Runs are ranked by what is certain, over the tests that all of them have: what lacks a verdict for a reason that the model
can cause counts as wrong. A run that was asked otherwise (layers, variant, a part of the tests, a race) stands behind, with
the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

from modex.core.comparison.pairs import TestRow, rows_by_test
from modex.core.config.filters import Condition, Query
from modex.core.features.noise.rule import AGAIN
from modex.core.statistics.intervals import Interval, score_interval
from modex.core.statistics.moments import Cell, Gathered
from modex.core.statistics.weighted import weighted_score
from modex.core.store.bounds import outside, with_bounds
from modex.core.store.pairing import asked_otherwise, judged_otherwise
from modex.core.store.races import races
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow

BUNDLED = "bundled"
"""What the suite that comes with modex is called here."""
_MOST = 1_000_000
_ALL = Query()


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One model's run on a board, with its score over the tests that all runs compared have."""

    run: RunRow
    score: float | None
    """Of the common tests with a verdict in this run; of the run's own, where it is not compared."""
    bounds: tuple[float, float] | None = None
    """With those that lack a verdict for a reason that the model can cause all wrong and all right; None where none does."""
    apart: str = ""
    """Why the run is not compared: other layers, other prompts, a part of the tests, a race; empty where it is."""
    interval: Interval | None = None
    """Of `score`, over the same tests; None beside bounds, which it knows nothing of."""
    tests: int = 0
    """Tests with a verdict that `score` stands on."""

    @property
    def least(self) -> float:
        """What the run is ranked by: the lower bound."""
        return self.bounds[0] if self.bounds is not None else self.score or 0.0


@dataclass(frozen=True, slots=True)
class Board:
    """One suite's models, the highest certain score first, and behind them the runs that are not compared."""

    suite: str
    """Its folder, with the datasets that were added to it; `bundled` for the one that comes with modex."""
    runs: tuple[RunRow, ...]
    """One a model, the newest of those that were asked alike."""
    history: Mapping[str, tuple[RunRow, ...]] = field(default_factory=dict)
    """By model: all its runs that count here, the oldest first."""
    lines: tuple[BoardLine, ...] = ()
    """As `runs`, with what is shown of each."""
    common: int | None = None
    """Tests that all runs compared have, with a verdict or without; None where each stands on its own tests."""
    left_out: int = 0
    """Tests that only some of them have, or that the network, a key or a server kept from a verdict in one, or that were asked or
    judged otherwise."""

    def is_called(self, name: str) -> bool:
        """Whether `name` means this suite: its folder, or the last part of it."""
        return name.rstrip("/") in (self.suite, PurePath(self.suite).name)

    def line_of(self, run: RunRow) -> BoardLine:
        """What is shown of one of its runs."""
        return next((line for line in self.lines if line.run.id == run.id), _on_its_own(run))

    @property
    def words(self) -> str:
        """What the scores stand on, in a sentence."""
        compared = sum(not line.apart for line in self.lines)
        apart = len(self.lines) - compared
        lines = []
        if self.common is not None:
            lines.append(f"scores over the {self.common:,} tests that the {compared} runs compared have in common")
        elif compared > 1:
            lines.append("each score stands on the run's own tests, too many to read here; modex compare compares them")
        if self.left_out:
            lines.append(f"{self.left_out:,} left out")
        if apart:
            lines.append(f"{apart} not compared")
        return "; ".join(lines)


def leaderboards(reader: Reader, query: Query = _ALL, known: dict[_Compared, _Scored] | None = None) -> list[Board]:
    """A board a suite, by its name, of the runs that `query` asks for; `known` keeps what was read of runs that do not change.

    Runs without a score and those that other commands made are not on it, archived ones only where they are asked for.
    """
    kind = Condition("kind", "=", "evaluation")
    wanted: dict[str, Any] = {"text": query.text, "conditions": (kind, *query.conditions)}
    away = None if query.names("archived") else False
    raced = {str(one.get("exp_id")): race.exp_id for race in races(reader) for one in race.contenders}
    found: dict[str, dict[str, list[RunRow]]] = {}
    for run in reader.runs(status="completed", archived=away, limit=_MOST, **wanted):
        if run.overall_score is not None and not run.exp_id.endswith(AGAIN):
            found.setdefault(suite_of(run), {}).setdefault(run.model, []).append(run)
    return [
        _board(reader, suite, models, raced, known if known is not None else {})
        for suite, models in sorted(found.items())
    ]


def _board(
    reader: Reader,
    suite: str,
    models: Mapping[str, list[RunRow]],
    raced: Mapping[str, str],
    known: dict[_Compared, _Scored],
) -> Board:
    """One suite's board: the way to ask that most models share is compared, the newest of those where several are."""
    ways = {run.id: _way(run, raced) for runs in models.values() for run in runs}
    shared = Counter(way for runs in models.values() for way in {ways[run.id] for run in runs})
    newest = {ways[run.id]: run.id for runs in models.values() for run in reversed(runs)}
    usual = max(shared, key=lambda way: (shared[way], not way, newest[way]))
    chosen = [next((run for run in runs if ways[run.id] == usual), runs[0]) for runs in models.values()]
    chosen = with_bounds(reader, chosen)
    alike = [run for run in chosen if ways[run.id] == usual]
    apart = [replace(_on_its_own(run), apart=ways[run.id] or "all tests") for run in chosen if run not in alike]
    common, left_out, lines = _over_common(reader, alike, known)
    apart += [line for line in lines if line.apart]
    lines = [line for line in lines if not line.apart]
    lines.sort(key=lambda line: (-line.least, -(line.score or 0.0), line.run.model))
    apart.sort(key=lambda line: (-line.least, line.run.model))
    return Board(
        suite,
        tuple(line.run for line in (*lines, *apart)),
        {model: tuple(reversed(runs)) for model, runs in models.items()},
        (*lines, *apart),
        common,
        left_out,
    )


def _way(run: RunRow, raced: Mapping[str, str]) -> str:
    """How a run was asked, where it is not the whole suite as it is written; in words."""
    selection = run.config.get("selection")
    chosen: dict[str, Any] = selection if isinstance(selection, dict) else {}
    lines = []
    if run.exp_id in raced:
        lines.append(f"raced in {raced[run.exp_id]}")
    if layers := chosen.get("without_layers"):
        lines.append(f"without layer {', '.join(map(str, layers))}")
    if chosen.get("variant") is not None:
        lines.append(f"variant {chosen['variant']}")
    if run.config.get("rollout"):
        lines.append(f"rollout {run.config['rollout']}")
    if run.config.get("require"):
        lines.append(f"{run.config['require']} tries")
    parts = sorted(f"{name} {_listed(chosen[name])}" for name in _PARTS if chosen.get(name))
    if parts:
        lines.append(f"part: {', '.join(parts)}")
    return "; ".join(lines)


_PARTS = (
    "domains", "levels", "tests", "exclude_domains", "exclude_levels", "exclude_tests", "filters", "tools", "limit", "sample",
    "stratify", "max_calls", "plan", "no_judge",
)  # fmt: skip
"""Fields of a selection that leave tests of the suite out, or offer them other tools."""


def _listed(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


_Compared = tuple[tuple[int, int], ...]
"""Runs with their numbers of change, which tell whether one was read as it stands."""
_Scored = tuple[int | None, int, tuple[BoardLine, ...]]
"""Common tests, tests left out, and each run's line."""


def _over_common(
    reader: Reader, runs: Sequence[RunRow], known: dict[_Compared, _Scored]
) -> tuple[int | None, int, list[BoardLine]]:
    """The runs' scores over the tests that all of them have; on their own tests where there is one, or where it is too much."""
    if len(runs) < 2 or sum(run.total_tests for run in runs) > _MOST_READ:
        return None, 0, [_on_its_own(run) for run in runs]
    key = tuple((run.id, run.seq) for run in runs)
    if key not in known:
        known[key] = _read_common(reader, runs)
    common, left_out, scored_ = known[key]
    return common, left_out, [replace(line, run=run) for run, line in zip(runs, scored_, strict=True)]


def _on_its_own(run: RunRow) -> BoardLine:
    """A run over its own tests."""
    return BoardLine(run, run.overall_score, run.bounds, interval=run.interval, tests=scored(run))


_MOST_READ = 200_000
"""Samples of the runs of a board that are read to find the tests they share."""


def _read_common(reader: Reader, every: Sequence[RunRow]) -> _Scored:
    runs, reasons = _asked_alike(reader, every)
    runs = [run for run in runs if not (why := _unasked(reader, run)) or reasons.setdefault(run.id, why) != why]
    common, left_out, lines = _read_alike(reader, runs) if len(runs) > 1 else (None, 0, {})
    return (
        common,
        left_out,
        tuple(replace(lines.get(run.id) or _on_its_own(run), apart=reasons.get(run.id, "")) for run in every),
    )


_MOST_UNASKED = 0.05
"""The part of a run's tests that a network, a key or a server may keep from a verdict: more of them would leave too few tests
in common for everybody else."""


def _unasked(reader: Reader, run: RunRow) -> str:
    """Why a run is not compared of which much lacks a verdict for reasons that say nothing of the model; empty where it is."""
    if run.error_tests <= _MOST_UNASKED * run.total_tests:
        return ""
    number = outside(reader, run.id)
    return f"{number:,} of {run.total_tests:,} samples in error" if number > _MOST_UNASKED * run.total_tests else ""


def _asked_alike(reader: Reader, every: Sequence[RunRow]) -> tuple[list[RunRow], dict[int, str]]:
    """The runs that were mostly asked in the same words, of several such groups the largest, and why the others are not there."""
    groups: list[list[RunRow]] = []
    for run in sorted(every, key=lambda run: run.id, reverse=True):
        found = next((group for group in groups if not _reworded(reader, group[0], run)), None)
        if found is None:
            groups.append([run])
        else:
            found.append(run)
    usual = max(groups, key=len)  # of groups of one size the one with the newest run
    reasons = {}
    for group in groups:
        if group is not usual:
            reasons.update({run.id: f"other prompts than {usual[0].exp_id}" for run in group})
    return [run for run in every if run.id not in reasons], reasons


def _reworded(reader: Reader, one: RunRow, other: RunRow) -> bool:
    """Whether at least half of the smaller run's tests were asked in other words."""
    changed = len(asked_otherwise(reader, one.id, other.id))
    return changed > 0 and 2 * changed >= min(one.total_tests, other.total_tests)


def _read_alike(reader: Reader, runs: Sequence[RunRow]) -> tuple[int, int, dict[int, BoardLine]]:
    """Over the tests that all have, asked in the same words and judged by the same gold."""
    first = runs[0].id
    otherwise = {
        key
        for run in runs[1:]
        for key in (*judged_otherwise(reader, first, run.id), *asked_otherwise(reader, first, run.id))
    }
    found = [_Gathering() for _ in runs]
    common = left_out = 0
    for key, rows in rows_by_test(reader, runs):
        there = [row for row in rows if row is not None]
        if len(there) < len(runs) or key in otherwise or any(row.side.outside or not row.side.counts for row in there):
            left_out += 1
            continue
        common += 1
        for gathering, row in zip(found, there, strict=True):
            gathering.add((key[1], key[2]), row)
    return common, left_out, {run.id: gathering.line(run) for run, gathering in zip(runs, found, strict=True)}


class _Gathering:
    """One run's common tests as they are read."""

    def __init__(self) -> None:
        self._ends: dict[Cell, list[float]] = {}
        """By cell: Σ weight, and Σ weight·score with what lacks a verdict all wrong, and all right."""
        self._scored = Gathered()
        self._tests = 0

    def add(self, cell: Cell, row: TestRow) -> None:
        """Count a test."""
        weight, side = row.weight, row.side
        sums = self._ends.setdefault(cell, [0.0] * 3)
        for at, value in enumerate((weight, weight * side.at_worst, weight * side.at_best)):
            sums[at] += value
        if side.mean is not None:
            self._scored.add(cell, side.mean, weight, row.cluster)
            self._tests += 1

    def line(self, run: RunRow) -> BoardLine:
        """The Weighted Score of what has a verdict, with its interval or, where something lacks a verdict, its bounds."""
        cells, shared = self._scored.settled()
        scores = {cell: moments.score for cell, moments in cells.items()}
        score = weighted_score({cell: value for cell, value in scores.items() if value is not None})
        low = weighted_score({cell: sums[1] / sums[0] for cell, sums in self._ends.items() if sums[0]})
        high = weighted_score({cell: sums[2] / sums[0] for cell, sums in self._ends.items() if sums[0]})
        if low is not None and high is not None and high > low:
            return BoardLine(run, score, (low, high), tests=self._tests)
        return BoardLine(run, score, interval=score_interval(cells, shared), tests=self._tests)


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
            "common_tests": board.common,
            "left_out": board.left_out,
            "models": [
                {
                    "model": run.model,
                    "run": run.exp_id,
                    "score": board.line_of(run).score,
                    "bounds": board.line_of(run).bounds,
                    "apart": board.line_of(run).apart or None,
                    "whole_score": run.overall_score,
                    "whole_bounds": run.bounds,
                    "interval": board.line_of(run).interval,
                    "n": board.line_of(run).tests,
                    "total_tests": run.total_tests,
                    "errors": run.error_tests,
                    "cost_usd": run.cost_usd,
                    "unpriced_calls": run.unpriced_calls,
                    "duration_ms": run.duration_ms,
                    "completed_at": run.completed_at,
                    "history": [
                        {
                            "run": one.exp_id,
                            "score": one.overall_score,
                            "bounds": one.bounds,
                            "completed_at": one.completed_at,
                        }
                        for one in board.history[run.model]
                    ],
                }
                for run in board.runs
            ],
        }
        for board in boards
    ]
