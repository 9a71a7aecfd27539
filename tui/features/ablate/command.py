"""`modex ablate`: the same tests with every combination of prompt layers on and off, and what each layer does."""

from __future__ import annotations

from contextlib import closing
from itertools import chain, combinations
from typing import Any

import click

from modex.core.config.options import from_settings, merged
from modex.core.config.settings import load_settings, read_option_file
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

_NOT_OF_ABLATION = (
    "model",
    "without_layer",
    "max_calls",
    "plan",
    "headless",
    "detach",
    "no_mouse",
    "fail_under",
    "fail_by",
    "until",
)


@click.command(cls=GroupedCommand)
@models_option("Model as litellm names it, an entry of models.toml, gguf:FILE or demo.")
@click.option(
    "--layer",
    "layers",
    type=click.Choice(["domain", "level", "test"]),
    multiple=True,
    help="A layer to switch on and off; repeatable; default: all three.",
)
@run_options_without(*_NOT_OF_ABLATION)
@config_option
@db_option
@json_option
@click.pass_context
def ablate(ctx: click.Context, /, **options: Any) -> None:
    """Ask a model the same tests with every combination of prompt layers, and say what each layer does to the score.

    One run a combination, named EXP, EXP-without-domain and so on; the same command with the same --exp-id asks nothing
    again that is stored.
    """
    from modex.core.config.configuration import configuration
    from modex.core.config.entries.naming import label_of
    from modex.core.engine.start import allow_here, checked_run, new_exp_id, prepare_run
    from modex.core.engine.work import at_work
    from modex.core.features.ablate.rule import LAYERS, ablation, ablation_json, ablation_lines
    from modex.core.foundation.exit_codes import ExitCode
    from modex.core.store.reader import Reader
    from modex.tui.plain.narration import say

    models, chosen, as_json = models_of(options), options.pop("layers"), options["as_json"]
    if len(models) != 1:
        raise click.UsageError("name one model: --model openai/gpt-5-mini", ctx)
    (model,) = models
    database = database_of(ctx, options["db"])
    said, settings = (
        merged(options, read_option_file(options["config"]) if options["config"] else {}),
        load_settings().run,
    )
    given, usual = merged(said, settings), from_settings(settings, said)
    name = given.get("exp_id") or new_exp_id(f"{label_of(model)}-ablation")
    layers = [layer for layer in LAYERS if layer in chosen or not chosen]
    whole = {key: value for key, value in given.items() if key not in _NOT_OF_ABLATION}
    names: dict[frozenset[Any], str] = {}
    for off in chain.from_iterable(combinations(layers, size) for size in range(len(layers) + 1)):
        config = configuration(
            model, {**whole, "model": [model], **({"without_layer": list(off)} if off else {})}, usual
        )
        exp_id = names[frozenset(off)] = f"{name}-without-{'-'.join(off)}" if off else name
        allow_here(config)
        checked = checked_run(config)
        say(f"{exp_id}: {checked.needs.count:,} tests")
        prepared = prepare_run(database, config, exp_id)
        with at_work(database, prepared.exp_id, narrate=say, lock=prepared.lock) as (session, _):
            outcome = session.run()
        if outcome.status != "completed":
            say(f"{exp_id}: {outcome.status}: {outcome.reason}; the same command with --exp-id {name} goes on")
            ctx.exit(ExitCode.ABORTED if outcome.status == "aborted" else ExitCode.INTERRUPTED)
    with closing(Reader(database)) as reader:
        found = ablation(reader, {off: reader.run(exp_id) for off, exp_id in names.items()}, layers)
    if as_json:
        print_json(ablation_json(found))
        return
    for line in ablation_lines(found):
        click.echo(line)
