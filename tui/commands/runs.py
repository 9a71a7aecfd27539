"""`modex runs`: the runs in the store, newest first."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from core.store.reader import RunOrder
from tui.commands.options import database_of, db_option, json_option, print_json

STATES = ("running", "paused", "interrupted", "completed", "stopped", "aborted", "error")
_LOOKED_AT = 100_000
"""A run's state depends on who holds it, which no query can tell."""


@click.command()
@click.option("--model", default="", help="Only models whose name holds this.")
@click.option("--status", type=click.Choice(STATES), help="Only runs in this state.")
@click.option("--order", type=click.Choice(get_args(RunOrder)), default="started", show_default=True)
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True)
@click.argument("text", default="")
@db_option
@json_option
@click.pass_context
def runs(
    ctx: click.Context,
    text: str,
    model: str,
    status: str | None,
    order: RunOrder,
    limit: int,
    db: Path | None,
    as_json: bool,
) -> None:
    """List runs; TEXT narrows them to names and models that hold it."""
    from datetime import datetime

    from core.safety import clean_line
    from core.store.reader import Reader
    from tui import format as fmt
    from tui.plain.summary import run_json

    reader = Reader(database_of(ctx, db))
    try:
        stored = status if status and status != "interrupted" else ""
        most = _LOOKED_AT if status else limit
        found = reader.runs(text=text, model=model, status=stored, order=order, limit=most)
        found = [run for run in found if status in (None, run.state)][:limit]
    finally:
        reader.close()
    if as_json:
        print_json([run_json(run) for run in found])
        return
    if not found:
        click.echo("no runs here yet; start one with: modex run --model demo", err=True)
        return
    moment = datetime.now().astimezone()
    width = max(len(clean_line(run.exp_id, 40)) for run in found)
    click.echo(
        f"{'run':{width}}  {'state':<11} {'score':>6} {'±':>5} {'passed':>11} {'err':>4} {'cost':>8} {'time':>8}  started"
    )
    for run in found:
        click.echo(
            f"{clean_line(run.exp_id, 40):{width}}  {run.state:<11} {fmt.hundred(run.overall_score, 1):>6}"
            f" {fmt.spread(run.ci_low, run.ci_high):>5} {f'{run.passed_tests}/{run.total_tests}':>11} {run.error_tests:>4}"
            f" {fmt.cost(run.cost_usd, unpriced=bool(run.unpriced_calls)):>8} {fmt.clock(run.duration_ms / 1000):>8}"
            f"  {fmt.when(run.started_at, moment)}  {clean_line(run.model, 40)}"
        )
