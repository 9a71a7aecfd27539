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
    from core.store.reader import Reader
    from tui.plain.runs_table import runs_table
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
    click.echo(runs_table(found))
