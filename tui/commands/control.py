"""`modex pause`, `stop`, `resume`: steering a run, or a race, from outside."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modex.core.config.options import MOST_TOKENS
from modex.core.safety import as_words
from modex.tui.commands.options import (
    allow_option,
    complete_stored,
    database_of,
    db_option,
    exp_argument,
    filter_option,
    run_option,
)

if TYPE_CHECKING:
    from modex.core.store.races import RaceRow


def _find(ctx: click.Context, db: Path | None, exp: str, *, steering: str | None = None) -> tuple[Path, int, str, bool]:
    """Where the run is, its number and name, and whether somebody works on it, which `steering` it needs."""
    from modex.core.foundation.errors import StoreError
    from modex.core.store.reader import Reader

    database = database_of(ctx, db)
    with closing(Reader(database)) as reader:
        run = reader.run(exp)
    if steering and not run.alive:
        left = run.state != "completed" or run.error_tests
        hint = (
            f"; `modex resume {as_words(run.exp_id)}` goes on with it"
            if left
            else f"; `modex show {as_words(run.exp_id)}` shows it"
        )
        raise StoreError(f"{run.exp_id} is {run.state}: there is nothing to {steering}{hint}")
    return database, run.id, run.exp_id, run.alive


def _race_named(database: Path, exp: str) -> RaceRow | None:
    from modex.core.store.races import find_race
    from modex.core.store.reader import Reader

    with closing(Reader(database)) as reader:
        return find_race(reader, exp)


@click.command()
@exp_argument
@db_option
@click.pass_context
def pause(ctx: click.Context, exp: str, db: Path | None) -> None:
    """Pause the run EXP: calls in flight finish, no new ones begin."""
    from modex.core.engine.commands import send_command

    if _race_named(database_of(ctx, db), exp):
        raise click.UsageError(
            f"{exp} is a race: `modex stop {as_words(exp)}` stops it, and `modex resume {as_words(exp)}` goes on", ctx
        )
    database, run_id, name, _ = _find(ctx, db, exp, steering="pause")
    send_command(database, run_id, "pause")
    click.echo(f"{name}: paused; go on with: modex resume {as_words(name)}", err=True)


@click.command()
@exp_argument
@click.option("--no-wait", is_flag=True, help="Do not wait until the run has let go.")
@db_option
@click.pass_context
def stop(ctx: click.Context, exp: str, no_wait: bool, db: Path | None) -> None:
    """Stop the run or race EXP; what is finished is stored, and it can be resumed."""
    from modex.core.engine.commands import send_command
    from modex.core.engine.control import stop_and_wait
    from modex.tui.features.race.start import stop_race

    if race := _race_named(database_of(ctx, db), exp):
        over = stop_race(database_of(ctx, db), race, wait=not no_wait)
        words = "stopped" if over else "asked to stop; calls in flight end first"
        click.echo(f"{race.exp_id}: {words}; go on with: modex resume {as_words(race.exp_id)}", err=True)
        return
    database, run_id, name, _ = _find(ctx, db, exp, steering="stop")
    if no_wait:
        send_command(database, run_id, "stop")
        click.echo(f"{name}: asked to stop; go on with: modex resume {as_words(name)}", err=True)
    elif not stop_and_wait(database, run_id):
        click.echo(f"{name}: still finishing what is in flight; it stops when that is done", err=True)
    else:
        click.echo(f"{name}: stopped; go on with: modex resume {as_words(name)}", err=True)


@click.command()
@exp_argument
@run_option("headless")
@run_option("detach", "Let it run and return.")
@run_option("concurrency", "Samples at once from now on.")
@run_option("processes", "Processes that move the samples from now on; auto: one a core.")
@run_option("cluster")
@run_option("insecure_cluster")
@allow_option
@run_option("fail_under")
@run_option("fail_by")
@click.option(
    "--test",
    "tests",
    multiple=True,
    shell_complete=complete_stored,
    help="Ask this test again, by id or domain/level/id, and nothing else of the run; repeatable.",
)
@filter_option
@click.option(
    "--more-tokens",
    type=click.IntRange(1, MOST_TOKENS),
    help="Ask the answers that were cut off again, and only those, with N tokens.",
)
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the totals as JSON.")
@click.pass_context
def resume(
    ctx: click.Context,
    exp: str,
    headless: bool,
    detach: bool,
    concurrency: int | None,
    processes: int | None,
    cluster: str | None,
    insecure_cluster: bool,
    allow: bool,
    tests: tuple[str, ...],
    filters: tuple[str, ...],
    more_tokens: int | None,
    fail_under: float | None,
    fail_by: str | None,
    db: Path | None,
    as_json: bool,
) -> None:
    """Continue the run or race EXP where it stopped: what is done stays, errors are retried.

    With --more-tokens only the answers that were cut off are asked again, with that many tokens. With --test or --filter
    only these tests are, and the rest of the run stays as it is.
    """
    from modex.core.engine.commands import send_command
    from modex.core.engine.start import change_configuration, launch_runner
    from modex.tui.commands.run import floor_of
    from modex.tui.opening import attach_to
    from modex.tui.start.foreground import work_here
    from modex.tui.start.redoing import chosen_in
    from modex.tui.terminal.abilities import screen_problem

    if race := _race_named(database_of(ctx, db), exp):
        if tests or filters or more_tokens or concurrency or fail_under is not None:
            raise click.UsageError(
                f"{exp} is a race: it goes on as it was begun; its runs ({race.contenders[-1]['exp_id']}, ...)"
                " take these; name one",
                ctx,
            )
        from modex.tui.features.race.command import resume_race

        ctx.exit(resume_race(database_of(ctx, db), exp, headless=headless, detach=detach, as_json=as_json, allow=allow))
    database, run_id, name, alive = _find(ctx, db, exp)
    chosen = chosen_in(database, name, tests, "ask", filters)
    if alive and not chosen:
        if processes is not None or cluster is not None:
            raise click.UsageError(
                f"{name} goes on: stop it first, then resume it with {'--cluster' if processes is None else '--processes'}"
            )
        if concurrency:
            send_command(database, run_id, "concurrency", concurrency)
        send_command(database, run_id, "resume")
        click.echo(f"{name}: going on", err=True)
        return
    changes: dict[str, object] = {} if chosen else {"until": "stat", "more_tokens": more_tokens}
    if concurrency:
        changes["concurrency"] = concurrency
    if processes is not None:
        changes |= {"processes": processes, "cluster": None}
    if cluster is not None:
        changes |= {"processes": 1, "cluster": cluster, "insecure_cluster": insecure_cluster}
    prepared = change_configuration(database, name, allow=allow, **changes)
    if headless or as_json or (screen_problem() and not detach):
        under = floor_of(fail_under, fail_by)
        ctx.exit(work_here(database, name, as_json=as_json, fail_under=under, chosen=chosen, lock=prepared.lock))
    launch_runner(database, name, chosen=chosen, lock=prepared.lock)
    if not detach:
        ctx.exit(attach_to(database, [name], mouse=True, fail_under=floor_of(fail_under, fail_by)))
