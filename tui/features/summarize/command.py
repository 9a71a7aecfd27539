"""`modex note` and `modex summarize`: what people, or a model, say of a run, kept with it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from modex.tui.commands.options import (
    Renamed,
    complete_models,
    database_of,
    db_option,
    exp_argument,
    json_option,
    print_json,
)


@click.command()
@exp_argument
@click.argument("text", required=False)
@click.option("--clear", is_flag=True, help="Take the note away.")
@db_option
@click.pass_context
def note(ctx: click.Context, exp: str, text: str | None, clear: bool, db: Path | None) -> None:
    """Show the note on the run EXP, or write TEXT as its note."""
    from modex.core.safety import clean
    from modex.core.store.manager import DBDataManager
    from modex.core.store.reader import Reader

    if text is not None and clear:
        raise click.UsageError("give a text, or --clear", ctx)
    database = database_of(ctx, db)
    if text is None and not clear:
        with closing(Reader(database)) as reader:
            found = reader.run(exp).note
        click.echo(clean(found) if found else "no note", err=not found)
        return
    with closing(DBDataManager(database)) as manager:
        run = manager.reader.run(exp)
        manager.update_run(run.id, note=None if clear else text)
    click.echo(f"{run.exp_id}: {'without a note' if clear else 'noted'}", err=True)


@click.command()
@exp_argument
@click.option(
    "--model",
    "--with",
    "model",
    cls=Renamed,
    required=True,
    shell_complete=complete_models,
    help="The model that writes: an entry of models.toml, or as litellm names it.",
)
@click.option("--api-base", help="Address of that model's server.")
@db_option
@json_option
@click.pass_context
def summarize(ctx: click.Context, exp: str, model: str, api_base: str | None, db: Path | None, as_json: bool) -> None:
    """Let a model write the strengths, weaknesses and patterns of EXP from counted facts, and keep that as the run's note.

    What cites no fact, or says a number that its facts do not hold, is left out. A note that is there stays above it.
    """
    from modex.core.features.summarize.rule import facts_of
    from modex.core.features.summarize.rule import summarize as written
    from modex.core.llm.client import open_client
    from modex.core.llm.naming import asked_model
    from modex.core.llm.pool import ClientPool
    from modex.core.safety import clean
    from modex.core.store.manager import DBDataManager
    from modex.core.suite.templates import Templates

    manager = DBDataManager(database_of(ctx, db))
    pool = ClientPool()
    try:
        run = manager.reader.run(exp)
        spec = asked_model(model, {"api_base": api_base}, suite=run.suite)
        facts = facts_of(manager.reader, run)
        summary = written(facts, Templates(), open_client(spec, pool=pool))
        text = summary.note()
        manager.update_run(run.id, note=f"{run.note}\n\n{text}" if run.note else text)
    finally:
        pool.close()
        manager.close()
    if as_json:
        rows = [
            {"kind": one.kind, "text": one.text, "facts": [facts[n - 1] for n in one.facts]}
            for one in summary.statements
        ]
        print_json({"run": run.exp_id, "by": summary.model, "statements": rows, "left_out": summary.dropped})
        return
    click.echo(clean(text))
