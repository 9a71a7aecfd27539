"""`modex race`, and `modex run --against EXP --until-decided`: ask until it is decided, and no more."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from modex.core.config.options import NOT_OF_A_RACE, Values, from_settings, merged
from modex.core.config.settings import load_settings, read_option_file
from modex.core.foundation.exit_codes import ExitCode
from modex.core.safety import as_words
from modex.tui.commands.options import (
    GroupedCommand,
    config_option,
    database_of,
    db_option,
    json_option,
    models_of,
    models_option,
    print_json,
    run_options_without,
)

if TYPE_CHECKING:
    from textual.screen import Screen

    from modex.core.store.races import RaceRow
    from modex.tui.features.race.start import PreparedRace


peek_option = click.option(
    "--peek", is_flag=True, help="Decide by an e-process on passes and failures, which allows looking at any moment."
)


@click.command(cls=GroupedCommand)
@models_option(
    "Entry of models.toml, gguf:FILE, demo, or as litellm names it; at least two, each with its own --model."
)
@peek_option
@run_options_without(*NOT_OF_A_RACE)
@config_option
@db_option
@json_option
@click.pass_context
def race(ctx: click.Context, /, **options: Any) -> None:
    """Ask several models the same tests in one seeded order until it is decided which is best, and show it live.

    After each twentieth of the tests it looks: a model that is decided to be worse than the leader is asked no more.
    `modex attach` shows the race in any terminal, `modex stop` stops it. `modex resume`, or the same command with the same
    --exp-id, goes on with a race that was stopped or killed, and decides the same.
    """
    models = models_of(options)
    if len(models) < 2 or len(set(models)) != len(models):
        raise click.UsageError(
            "name at least two different models: --model A --model B; one name at two addresses needs two entries:"
            " modex models add",
            ctx,
        )
    database = database_of(ctx, options["db"])
    peek, as_json = options.pop("peek"), options["as_json"]
    said, settings = (
        merged(options, read_option_file(options["config"]) if options["config"] else {}),
        load_settings().run,
    )
    given, usual = merged(said, settings), from_settings(settings, said)
    ctx.exit(run_race(database, given, models, usual, against=None, peek=peek, as_json=as_json))


def run_race(
    database: Path,
    given: Values,
    models: Sequence[str],
    usual: Collection[str],
    *,
    against: str | None,
    peek: bool,
    as_json: bool,
) -> int:
    """Run a race of `models`, and the stored run `against` where one is named; the exit code.

    `usual` are the options that only the settings say.

    Raises:
        ModexError: the suite, the selection, a key or the store does not allow it.
    """
    from modex.tui.features.race.start import prepare_race, race_configs
    from modex.tui.plain.narration import say
    from modex.tui.terminal.abilities import screen_problem

    configs = race_configs(given, models, usual)
    race = prepare_race(database, configs, exp_id=given.get("exp_id"), against=against, peek=peek, tell=say)
    detach = bool(given.get("detach"))
    if given.get("headless") or as_json or (screen_problem() and not detach):
        return race_here(database, race, as_json=as_json)
    return race_aside(database, race, detach=detach, mouse=not given.get("no_mouse"))


def names_of(race: RaceRow) -> dict[str, str]:
    """What the models of a race are called, by their runs."""
    return {str(one["exp_id"]): str(one["model"]) for one in race.contenders}


def resume_race(database: Path, exp: str, *, headless: bool, detach: bool, as_json: bool, allow: bool) -> int:
    """Go on with the stored race `exp`, here or aside as a run does; `allow`: see `prepare_again`. The exit code.

    Raises:
        ModexError: no such race, it is decided, or somebody works on it.
    """
    from modex.tui.features.race.start import prepare_again
    from modex.tui.terminal.abilities import screen_problem

    race = prepare_again(database, exp, allow=allow)
    if headless or as_json or (screen_problem() and not detach):
        return race_here(database, race, as_json=as_json)
    return race_aside(database, race, detach=detach, mouse=True)


def race_here(database: Path, race: PreparedRace, *, as_json: bool) -> int:
    """Work on a prepared race in this process, and print what it decided; the exit code."""
    from modex.tui.features.race.start import work_on
    from modex.tui.plain.narration import say

    say(
        f"{race.exp_id}: {race.tests:,} tests, with a look at the difference after every twentieth of them; "
        f"if it is stopped, `modex resume {as_words(race.exp_id)}` goes on"
    )
    ended = work_on(database, race, say)
    if ended.code is ExitCode.FINISHED and ended.last is not None:
        if as_json:
            print_json(ended.last)
        else:
            for line in told_lines(ended.last):
                click.echo(line)
    return ended.code


def told_lines(look: dict[str, Any], names: Mapping[str, str] | None = None) -> list[str]:
    """A race's last look, a line each: what it decided, its models beside each other (called by `names`, else as their runs),
    and what the decision does not say."""
    from modex.core.features.race.speeds import model_lines

    runs = [str(one.get("run")) for one in look.get("models", ())]
    models = model_lines(look.get("models", ()), names or {run: run.partition("@")[2] or run for run in runs})
    return [*look["words"], *models, *(f"caveat: {words}" for words in look.get("caveats", ()))]


def race_aside(database: Path, race: PreparedRace, *, detach: bool, mouse: bool) -> int:
    """Start the process that works on a prepared race, and show it unless `detach`; the exit code."""
    from modex.tui.features.race.start import launch_race

    launch_race(database, race)
    if detach:
        click.echo(race.exp_id)
        return ExitCode.FINISHED
    return watch_race(database, race.exp_id, mouse=mouse)


def watch_race(database: Path, exp_id: str, *, mouse: bool) -> int:
    """Show the live screen of a race; then what it decided, or that it goes on, and its exit code."""
    from modex.core.store.races import find_race
    from modex.core.store.reader import Reader
    from modex.tui.opening import show_screen
    from modex.tui.plain.narration import say

    def make() -> Screen[Any]:
        from modex.tui.features.race.screen import RaceScreen

        return RaceScreen(exp_id)

    show_screen(database, make, mouse=mouse)
    with closing(Reader(database)) as reader:
        race = find_race(reader, exp_id)
    if race is None:
        say(f"{exp_id}: the race was deleted")
        return ExitCode.MISTAKE
    if race.alive:
        say(f"{exp_id} goes on in the background: modex attach {as_words(exp_id)}")
        return ExitCode.FINISHED
    if race.looks and race.status == "completed":
        for words in told_lines(race.looks[-1], names_of(race)):
            say(words)
    if race.reason:
        say(f"{exp_id}: {race.reason}")
    ended = {"completed": ExitCode.FINISHED, "aborted": ExitCode.ABORTED}
    return ended.get(race.state, ExitCode.INTERRUPTED)
