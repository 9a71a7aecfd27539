"""`modex runs`: the runs in the store, newest first."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import click

from modex.core.store.reader import RunOrder
from modex.tui.commands.options import COUNT, database_of, db_option, json_option, print_json, runs_filter_option
from modex.tui.plain.next_step import say_next

STATES = ("running", "paused", "starting", "interrupted", "completed", "stopped", "aborted", "error")


@click.command()
@click.option("--model", default="", help="Only models whose name holds this.")
@click.option("--status", type=click.Choice(STATES), help="Only runs in this state.")
@click.option("--archived", is_flag=True, help="Only archived runs.")
@click.option("--order", type=click.Choice(get_args(RunOrder)), default="started", show_default=True)
@runs_filter_option
@click.option("--limit", type=COUNT, default=50, show_default=True)
@click.argument("text", default="")
@db_option
@json_option
@click.pass_context
def runs(
    ctx: click.Context,
    text: str,
    model: str,
    status: str | None,
    archived: bool,
    filters: tuple[str, ...],
    order: RunOrder,
    limit: int,
    db: Path | None,
    as_json: bool,
) -> None:
    """List runs; TEXT narrows them to names and models that hold it. On a terminal the table fits its width."""
    from modex.core.store.bounds import with_bounds
    from modex.core.store.parties import parties_by_run
    from modex.core.store.reader import Reader, run_query
    from modex.core.store.speeds import with_latest_pace
    from modex.tui.plain.runs_table import runs_table
    from modex.tui.plain.summary import run_json
    from modex.tui.terminal.abilities import can_redraw, glyphs_for, use_colour

    query = run_query(*filters)
    wanted: dict[str, Any] = {
        "text": " ".join(words for words in (text, query.text) if words),
        "conditions": query.conditions,
        "archived": None if query.names("archived") and not archived else archived,
    }
    with closing(Reader(database_of(ctx, db))) as reader:
        listed = reader.runs(model=model, status=status or "", order=order, limit=limit, **wanted)
        found = with_latest_pace(reader, with_bounds(reader, listed))
        total = reader.count_runs()
        faults = parties_by_run(reader, [run.id for run in found if run.error_tests])
    if as_json:
        print_json([{**run_json(run), "at_fault": faults.get(run.id, [])} for run in found])
        return
    if not found:
        which = (
            "is archived"
            if archived
            else "matches; leave --filter, --status, --model or TEXT out, or ask for --archived"
        )
        none = f"none of the {total} runs here {which}"
        click.echo(none if total else "no runs here yet; start one with: modex run --model demo", err=True)
        return
    if not can_redraw(sys.stdout):
        click.echo(runs_table(found, faults=faults))
        return
    import shutil

    width = shutil.get_terminal_size().columns
    click.echo(
        runs_table(found, faults=faults, width=width, glyphs=glyphs_for(sys.stdout), colour=use_colour(sys.stdout))
    )
    say_next("look at one", "show", found[0].exp_id, database=reader.path)
