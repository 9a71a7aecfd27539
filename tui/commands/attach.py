"""`modex attach`: the live screen of a run, from any terminal that sees its database."""

from __future__ import annotations

from pathlib import Path

import click

from tui.commands.options import database_of, db_option, exps_argument


@click.command()
@exps_argument
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@db_option
@click.pass_context
def attach(ctx: click.Context, exps: tuple[str, ...], no_mouse: bool, db: Path | None) -> None:
    """Open the live screen of one run, or of several side by side; leaving it leaves them running."""
    from core.store.reader import Reader
    from tui.opening import attach_to
    from tui.terminal.abilities import screen_problem

    database = database_of(ctx, db)
    reader = Reader(database)
    try:
        names = [reader.run(exp).exp_id for exp in exps]
    finally:
        reader.close()
    if problem := screen_problem():
        raise click.UsageError(f"{problem} (`modex show {names[0]}`)", ctx)
    attach_to(database, names, mouse=not no_mouse)
