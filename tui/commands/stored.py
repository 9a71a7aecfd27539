"""`modex rename`, `archive`, `delete`: what is done with runs that are over."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from modex.tui.commands.options import database_of, db_option, exp_argument, exps_argument


@click.command()
@exp_argument
@click.argument("name")
@db_option
@click.pass_context
def rename(ctx: click.Context, exp: str, name: str, db: Path | None) -> None:
    """Give the run EXP another NAME."""
    from modex.core.engine.control import rename_run

    before, after = rename_run(database_of(ctx, db), exp, name)
    click.echo(f"{before} is now called {after}", err=True)


@click.command()
@exps_argument
@click.option("--undo", is_flag=True, help="Restore them from the archive.")
@db_option
@click.pass_context
def archive(ctx: click.Context, exps: tuple[str, ...], undo: bool, db: Path | None) -> None:
    """Archive the runs EXP…: `modex runs` leaves them out unless asked with --archived. Nothing is deleted."""
    from modex.core.engine.control import archive_run

    database = database_of(ctx, db)
    for exp in exps:
        name = archive_run(database, exp, archived=not undo)
        click.echo(f"{name}: {'back from the archive' if undo else 'archived'}", err=True)


@click.command()
@exps_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
@db_option
@click.pass_context
def delete(ctx: click.Context, exps: tuple[str, ...], yes: bool, db: Path | None) -> None:
    """Delete the runs EXP… for good, with their tests and transcripts. Asks first.

    Of a race what it decided is deleted; its runs stay.
    """
    from modex.core.engine.control import delete_run, forget_race
    from modex.core.safety import clean_line
    from modex.core.store.races import find_race
    from modex.core.store.reader import Reader

    database = database_of(ctx, db)
    with closing(Reader(database)) as reader:
        races = [race for exp in exps if (race := find_race(reader, exp)) is not None]
        known = {race.exp_id for race in races}
        runs = [reader.run(exp) for exp in exps if exp not in known]
    for race in races:
        click.echo(f"{clean_line(race.exp_id)}  {race.state}  race of {len(race.contenders)}; its runs stay", err=True)
    for run in runs:
        click.echo(f"{clean_line(run.exp_id)}  {run.state}  {run.total_tests} tests  {clean_line(run.model)}", err=True)
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError("nobody to ask here; --yes deletes without a question", ctx)
        click.confirm("Delete for good?", abort=True, err=True)
    for race in races:
        forget_race(database, race)
    for run in runs:
        delete_run(database, run.id)
    numbers = ((len(races), "race"), (len(runs), "run"))
    words = " and ".join(f"{number} {name}{'s' if number != 1 else ''}" for number, name in numbers if number)
    click.echo(f"deleted {words}", err=True)
