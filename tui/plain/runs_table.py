"""Runs side by side as plain text, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.safety import clean_line
from core.store.rows import RunRow
from tui import format as fmt


def runs_table(runs: Sequence[RunRow]) -> str:
    """State, Weighted Score with its interval, tests, errors, cost, time, start and model of each."""
    moment = datetime.now().astimezone()
    width = max(len(clean_line(run.exp_id, 40)) for run in runs)
    lines = [
        f"{'run':{width}}  {'state':<11} {'score':>6} {'±':>5} {'passed':>11} {'err':>4} {'cost':>8} {'time':>8}  started"
    ]
    for run in runs:
        lines.append(
            f"{clean_line(run.exp_id, 40):{width}}  {run.state:<11} {fmt.hundred(run.overall_score, 1):>6}"
            f" {fmt.spread(run.ci_low, run.ci_high):>5} {f'{run.passed_tests}/{run.total_tests}':>11} {run.error_tests:>4}"
            f" {fmt.cost(run.cost_usd, unpriced=bool(run.unpriced_calls)):>8} {fmt.clock(run.duration_ms / 1000):>8}"
            f"  {fmt.when(run.started_at, moment)}  {clean_line(run.model, 40)}"
        )
    return "\n".join(lines)
