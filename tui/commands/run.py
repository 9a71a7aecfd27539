"""`modex run`: start or continue runs, one per model, and show them live or as plain progress."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import click

from modex.core.config.options import from_settings, merged
from modex.core.config.settings import load_settings, read_option_file
from modex.core.foundation.errors import ConfigurationError
from modex.core.foundation.exit_codes import Floor
from modex.tui.commands.options import (
    GroupedCommand,
    config_option,
    database_of,
    db_option,
    json_option,
    run_options,
)


@click.command(cls=GroupedCommand)
@run_options
@click.option("--against", help="A stored run to compare with while asking; with --until-decided.")
@click.option(
    "--until-decided", is_flag=True, help="Ask in a seeded order, and only until it is decided which is better."
)
@click.option(
    "--junit",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Run here and write JUnit XML, for a CI; with several models a file each.",
)
@config_option
@db_option
@json_option
@click.pass_context
def run(ctx: click.Context, /, **options: Any) -> None:
    """Start a run, or continue the one that --exp-id names, and show it live.

    The same --exp-id again does only what changed: new and edited tests are asked, edited golds are judged again,
    errors are retried.
    """
    settings = load_settings()
    database = database_of(ctx, options["db"])
    said = merged(_of_the_table(options), read_option_file(options["config"]) if options["config"] else {})
    given, usual = merged(said, settings.run), from_settings(settings.run, said)
    if given.get("filter"):
        given = _with_reviewed(database, given)
    models = given.get("model", ())
    if not models and given.get("agent"):
        from modex.core.pipeline.rollout.agent_option import agent_name

        models = given["model"] = (agent_name(given["agent"]),)
    if not models:
        raise click.UsageError("name a model: --model openai/gpt-5-mini, or --model demo to look around", ctx)
    if len(set(models)) != len(models):
        raise click.UsageError("the same --model twice; repeat it with --epochs instead", ctx)
    junit: Path | None = options["junit"]
    if junit and (given.get("detach") or options["against"]):
        raise click.UsageError(
            "--junit writes its file when a run has ended here: leave --detach and --against out, "
            "or write it afterwards by `modex export EXP --format junit --out FILE`", ctx
        )  # fmt: skip
    against, until_decided = options.pop("against"), options.pop("until_decided")
    if bool(against) != until_decided:
        raise click.UsageError(
            "--against EXP and --until-decided go together; `modex compare` compares runs that are over", ctx
        )
    if against:
        from modex.tui.features.race.command import run_race

        ctx.exit(run_race(database, given, models, usual, against=against, peek=False, as_json=options["as_json"]))
    from modex.tui.terminal.abilities import screen_problem

    exp_id, detach = given.get("exp_id"), given.get("detach", False)
    fail_under = floor_of(given.get("fail_under"), given.get("fail_by"))
    here = given.get("headless") or options["as_json"] or junit or (screen_problem() and not detach)
    if not here and not detach:
        from modex.tui.start.fork import fork

        if (starting := fork(models, exp_id)) is not None:
            from modex.tui.opening import watch_starting

            ctx.exit(watch_starting(database, starting, mouse=not given.get("no_mouse"), fail_under=fail_under))
    from modex.core.config.configuration import configuration
    from modex.core.engine.start import Start, named, start_runners
    from modex.tui.plain.narration import say
    from modex.tui.start.foreground import run_here

    wanted = [Start(configuration(model, given, usual), named(exp_id, model, len(models))) for model in models]
    if here:
        ctx.exit(run_here(database, wanted, as_json=options["as_json"], fail_under=fail_under, junit=junit))
    for started in start_runners(database, wanted, wait=detach, tell=say):
        click.echo(started.exp_id)


def _of_the_table(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in ("against", "until_decided", "junit")}


_OF_REVIEWS = ("label", "note", "review", "reviewer")


def _with_reviewed(database: Path, given: dict[str, Any]) -> dict[str, Any]:
    """Filters on what people said become the tests they said it of: in the run of that name, else in any."""
    from modex.core.config.filters import parse_condition
    from modex.core.features.review.query import reviewed_tests
    from modex.core.store.reader import Reader
    from modex.core.store.selecting import sample_query

    mine = [text for text in given["filter"] if parse_condition(text).field.lower() in _OF_REVIEWS]
    if not mine:
        return given
    with closing(Reader(database)) as reader:
        found = reviewed_tests(reader, sample_query(*mine), given.get("exp_id"))
    if not found:
        raise ConfigurationError(
            f"--filter {' '.join(mine)}: nobody said so of any answer in {database}; `modex labels` counts what was said"
        )
    wanted = given.get("test", ())
    tests = tuple(name for name in found if not wanted or name in wanted or name.rsplit("/", 1)[-1] in wanted)
    return {**given, "filter": tuple(text for text in given["filter"] if text not in mine), "test": tests}


def floor_of(fail_under: float | None, fail_by: str | None) -> Floor | None:
    """What `--fail-under` and `--fail-by` ask for; numbers above 1 are out of 100."""
    if fail_under is None:
        return None
    return Floor(fail_under if fail_under <= 1 else fail_under / 100, "score" if fail_by == "score" else "least")
