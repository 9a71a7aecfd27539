"""`modex race`, and `modex run --against EXP --until-decided`: ask until it is decided, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from core.options import Values, merged
from core.settings import load_settings, read_option_file
from tui.commands.options import (
    GroupedCommand,
    config_option,
    database_of,
    db_option,
    json_option,
    print_json,
    run_options_without,
)

_NOT_OF_A_RACE = ("model", "limit", "max_calls", "plan", "headless", "detach", "no_mouse", "fail_under", "until")


peek_option = click.option(
    "--peek", is_flag=True, help="Decide by an e-process on passes and failures, which allows looking at any moment."
)


@click.command(cls=GroupedCommand)
@click.argument("models", nargs=-1, required=True, metavar="MODEL MODEL...")
@peek_option
@run_options_without(*_NOT_OF_A_RACE)
@config_option
@db_option
@json_option
@click.pass_context
def race(ctx: click.Context, /, **options: Any) -> None:
    """Ask several MODELs the same tests in one seeded order until it is decided which is best.

    After each twentieth of the tests it looks: a model that is decided to be worse than the leader is asked no more.
    The same command with the same --exp-id goes on with a race that was stopped or killed, and decides the same.
    """
    models = options.pop("models")
    if len(models) < 2 or len(set(models)) != len(models):
        raise click.UsageError("name at least two different models", ctx)
    database = database_of(ctx, options["db"])
    peek, as_json = options.pop("peek"), options["as_json"]
    given = merged(options, read_option_file(options["config"]) if options["config"] else {}, load_settings().run)
    ctx.exit(run_race(database, given, models, against=None, peek=peek, as_json=as_json))


def run_race(
    database: Path, given: Values, models: Sequence[str], *, against: str | None, peek: bool, as_json: bool
) -> int:
    """Run a race of `models`, and the stored run `against` where one is named; the exit code.

    Raises:
        ModexError: the suite, the selection, a key or the store does not allow it.
    """
    from core.configuration import configuration
    from core.engine.race import Contender
    from core.engine.start import checked_run, new_exp_id, notes
    from core.errors import ConfigurationError
    from core.store.reader import Reader
    from core.suite.sampling import in_draw_order
    from tui.plain.narration import say

    if given.get("limit"):
        raise ConfigurationError("--limit takes the first tests; a race draws them: say --sample instead")
    whole = {name: value for name, value in given.items() if name not in _NOT_OF_A_RACE}
    name = given.get("exp_id") or new_exp_id("race")
    configs = {f"{name}@{model}": configuration(model, whole) for model in models}
    for config in configs.values():
        checked = checked_run(config)
    for note in notes(checked):
        say(note)
    order = in_draw_order(checked.selected, config.selection.sample_seed)
    contenders = [Contender(exp_id, config) for exp_id, config in configs.items()]
    if against is not None:
        reader = Reader(database)
        try:
            contenders.insert(0, Contender(reader.run(against).exp_id, None))
        finally:
            reader.close()
    say(
        f"{name}: {len(order):,} tests, a look after each twentieth; stopped, the same command with --exp-id {name} goes on"
    )
    return _looks(database, contenders, order, peek=peek, as_json=as_json)


def _looks(database: Path, contenders: Sequence[Any], order: Sequence[Any], *, peek: bool, as_json: bool) -> int:
    from core.engine.race import ask_up_to
    from core.exit_codes import ExitCode
    from core.reports.race import RaceState, pairs_of, race_json, race_words, standing_words
    from core.statistics.racing import LOOKS
    from core.store.reader import Reader
    from tui.plain.narration import say

    state = RaceState([contender.exp_id for contender in contenders], len(order), peek)
    asked = {contender.exp_id for contender in contenders if contender.config is not None}
    reader: Reader | None = None
    while state.ending is None:
        tests = state.tests_at(state.look + 1)
        for contender in contenders:
            if contender.exp_id in state.still_in:
                outcome = ask_up_to(database, contender, tests)
                if outcome is not None and outcome.status != "completed":
                    say(f"{contender.exp_id}: {outcome.status}: {outcome.reason}")
                    return ExitCode.ABORTED if outcome.status == "aborted" else ExitCode.INTERRUPTED
        reader = Reader(database)
        try:
            runs = [reader.run(name) for name in state.still_in]
            state.advance(*pairs_of(reader, runs, frozenset(order[:tests])))
        finally:
            reader.close()
        say(f"look {state.look} of {LOOKS}, {tests:,} tests: {standing_words(state, asked)}")
    if as_json:
        print_json(race_json(state))
    else:
        for line in race_words(state):
            click.echo(line)
    return ExitCode.FINISHED
