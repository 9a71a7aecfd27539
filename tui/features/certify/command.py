"""`modex certify`: what the LLM judges of a run are worth, measured on people's labels and by probing them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from modex.core.config.options import MOST_SAMPLES
from modex.core.safety import as_words
from modex.tui.commands.options import SEED, database_of, db_option, exp_argument, json_option, print_json


@click.command()
@exp_argument
@click.option(
    "--again",
    type=click.IntRange(0, MOST_SAMPLES),
    default=0,
    metavar="N",
    help="Let the judge judge N answers again, as they are: how many verdicts flip.",
)
@click.option(
    "--claims",
    type=click.IntRange(0, MOST_SAMPLES),
    default=0,
    metavar="N",
    help="Let it judge N answers that people hold to be wrong, with the claim that they are right.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed by which answers are drawn for it.")
@db_option
@json_option
@click.pass_context
def certify(ctx: click.Context, exp: str, again: int, claims: int, seed: int, db: Path | None, as_json: bool) -> None:
    """Certify the LLM judges of the run EXP on the labels that people gave with `modex review`.

    Says how often the judge agrees with people, passes what they pass and fails what they fail, and what is wrong with it
    beyond doubt. The certificate is stored; it is stale as soon as the judge's prompt, model or settings change by a byte.
    --again and --claims ask the judge; without them nothing is asked.
    """
    from modex.core.features.certify.probing import probes as ask
    from modex.core.features.certify.query import store_certificate
    from modex.core.features.certify.rule import certified, certified_lines, corrected_lines, judged, to_try
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.safety import clean_line
    from modex.core.statistics.judging import Probes
    from modex.core.store.manager import DBDataManager
    from modex.tui.plain.narration import say

    database = database_of(ctx, db)
    with closing(DBDataManager(database)) as manager:
        reader = manager.reader
        run = reader.run(exp)
        found = judged(reader, run)
        if not found:
            raise ConfigurationError(
                f"{run.exp_id}: no LLM judge gave verdicts there, so there is none to certify; name a run that has one"
            )
        if not any(one.agreement.number for one in found):
            raise ConfigurationError(
                f"{run.exp_id}: nobody labelled its answers yet; "
                f"`modex review {as_words(run.exp_id)} --blind` draws and asks them"
            )
        results = []
        for one in found:
            probes = Probes()
            if again or claims:
                ids = to_try(reader, one, again, claims, seed=seed)
                tried, wrong = (reader.samples_by_id(chosen) for chosen in ids)
                probes = ask(database, run.exp_id, tried, wrong, narrate=say)
            result = certified(one, probes)
            identity = run.judged_by[one.evaluator_id]
            store_certificate(
                reader, run.id, one.evaluator_id, (identity["model"], identity["prompt"]), result.as_json()
            )
            results.append(result)
        if as_json:
            print_json([result.as_json() for result in results])
            return
        for result in results:
            for line in certified_lines(result):
                click.echo(clean_line(line, 400))
        for line in corrected_lines(reader, run):
            click.echo(clean_line(line, 400))
