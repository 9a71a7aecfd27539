"""`modex attach`: the live screen of a run, from any terminal that sees its database."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from modex.core.safety import as_words
from modex.tui.commands.options import database_of, db_option, exps_argument


@click.command()
@exps_argument
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@db_option
@click.pass_context
def attach(ctx: click.Context, exps: tuple[str, ...], no_mouse: bool, db: Path | None) -> None:
    """Open the live screen of one run, of several side by side, or of a race; leaving it leaves them running."""
    from modex.core.store.races import find_race
    from modex.core.store.reader import Reader
    from modex.tui.features.race.command import watch_race
    from modex.tui.opening import attach_to
    from modex.tui.terminal.abilities import screen_problem

    database = database_of(ctx, db)
    with closing(Reader(database)) as reader:
        race = find_race(reader, exps[0]) if len(exps) == 1 else None
        names = [race.exp_id] if race else [reader.run(exp).exp_id for exp in exps]
    if problem := screen_problem():
        raise click.UsageError(f"{problem} (`modex show {as_words(names[0])}`)", ctx)
    if race is not None:
        ctx.exit(watch_race(database, race.exp_id, mouse=not no_mouse))
    attach_to(database, names, mouse=not no_mouse)
