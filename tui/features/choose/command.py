"""`modex choose A B… FILE`: which model to take for these questions, from nothing to a decision in one command."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from modex.core.config.options import NOT_OF_A_RACE, from_settings, merged
from modex.core.config.settings import load_settings, read_option_file
from modex.core.foundation.exit_codes import ExitCode
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
    from modex.tui.features.choose.start import FirstRound, ToChoose
    from modex.tui.features.race.start import PreparedRace


@click.command(cls=GroupedCommand, options_metavar="[OPTIONS] MODEL MODEL... FILE")
@models_option(
    "Model as litellm names it, an entry of models.toml, or gguf:FILE; they may stand alone, FILE behind them."
)
@run_options_without(*NOT_OF_A_RACE)
@config_option
@db_option
@json_option
@click.pass_context
def choose(ctx: click.Context, /, **options: Any) -> None:
    """Say which of several models to take for the questions of FILE, or that these cannot tell.

    It names the columns that it took, says what so many questions can decide at all, asks each model three of them (does it
    answer, how fast, what will all cost), races the models until it is decided, and shows the decision with its caveats.
    Exit 0: decided; 4: cannot tell; 3: a model does not answer. The same command goes on with what was interrupted.
    """
    from modex.core.features.choose.showing import showing_json, showing_words
    from modex.tui.features.choose.start import (
        asked_question,
        away_words,
        choose_name,
        first_calls,
        refuse_twice,
        split_words,
    )
    from modex.tui.features.race.start import prepare_race, race_configs
    from modex.tui.plain.narration import say

    words = models_of(options)
    database, as_json = database_of(ctx, options["db"]), options["as_json"]
    said = merged(options, read_option_file(options["config"]) if options["config"] else {})
    settings = load_settings().run
    models, where = split_words(words, said)
    said = merged(where, said)
    given, usual = merged(said, settings), from_settings(settings, said)
    if len(models) < 2:
        raise click.UsageError("name at least two models before the file: modex choose A B questions.csv", ctx)
    configs = race_configs(given, models, usual)
    refuse_twice(models, configs)
    question = asked_question(configs, say)
    for line in question.read:
        say(line)
    say(showing_words(question.showing))
    if question.showing.least is None:
        if as_json:
            before = {"columns": question.read, "can_show": showing_json(question.showing), "models": []}
            _print(None, {}, before, "")
        ctx.exit(ExitCode.UNDECIDED)
    if silent := away_words(configs):
        for line in silent:
            say(line)
        ctx.exit(ExitCode.ABORTED)
    name = given.get("exp_id") or choose_name(models, given)
    race = prepare_race(database, configs, exp_id=name, against=None, peek=False, tell=lambda _: None)
    for line in race.weights:
        say(line)
    say(f"{name}: each model is asked its first questions; if this is stopped, the same command goes on")
    trial = first_calls(database, race, question.showing.questions, say)
    if trial.code is not ExitCode.FINISHED:
        ctx.exit(trial.code)
    here = bool(given.get("headless") or as_json)
    ctx.exit(_raced(database, race, question, trial, given, here=here, as_json=as_json))


def _raced(
    database: Path,
    race: PreparedRace,
    question: ToChoose,
    trial: FirstRound,
    given: dict[str, Any],
    *,
    here: bool,
    as_json: bool,
) -> int:
    """Race what was prepared, here or on its screen, and say what was decided; the exit code."""
    from modex.core.features.choose.showing import showing_json
    from modex.core.features.choose.trying import tried_json
    from modex.core.features.choose.words import decision_words, is_decided, next_words
    from modex.core.store.races import find_race
    from modex.core.store.reader import Reader
    from modex.tui.features.race.command import names_of, race_aside, told_lines
    from modex.tui.features.race.start import work_on
    from modex.tui.plain.narration import say
    from modex.tui.terminal.abilities import screen_problem

    detach = bool(given.get("detach"))
    here = here or bool(screen_problem() and not detach)
    if here:
        code: int = work_on(database, race, say).code
    else:
        code = race_aside(database, race, detach=detach, mouse=not given.get("no_mouse"))
        if detach:
            return code
    with closing(Reader(database)) as reader:
        row = find_race(reader, race.exp_id)
    if code != ExitCode.FINISHED or row is None or row.status != "completed":
        return code
    look, runs = row.looks[-1], names_of(row)
    decided = is_decided(look)
    if as_json:
        questions = question.showing.questions
        tried = [tried_json(one, questions) for one in trial.tried]
        before = {"columns": question.read, "can_show": showing_json(question.showing), "models": tried}
        _print(look, runs, before, race.exp_id)
    else:
        click.echo(decision_words(look, runs))
        # What is under the decision was said when the screen was left.
        for line in told_lines(look, runs) if here else ():
            click.echo(line)
        for line in next_words(race.exp_id, list(runs), decided=decided):
            click.echo(line)
    return ExitCode.FINISHED if decided else ExitCode.UNDECIDED


def _print(look: dict[str, Any] | None, runs: dict[str, str], before: dict[str, Any], name: str) -> None:
    from modex.core.features.choose.words import choice_json

    print_json(choice_json(name, look, runs, before))
