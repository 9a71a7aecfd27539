"""`modex judge` and `modex stat`: one stage alone, on what is stored."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from modex.core.config.options import MOST_USD, Reading
from modex.tui.commands.options import (
    Amount,
    allow_option,
    complete_stored,
    database_of,
    db_option,
    exp_argument,
    filter_option,
    json_option,
    run_option,
    suite_in,
)


@click.command()
@exp_argument
@run_option("judge_model", "LLM judge; repeat for a majority; default: those of the run.")
@run_option(
    "judge_api_base",
    "Address of the judges' server; of several, one for all or one for each; default: that of the run's judge of the same"
    ' provider; "": the provider\'s.',
)
@run_option("extractor_model", "Model of PASS 2; default: that of the run.")
@run_option("extractor_api_base", "Address of the extractor's server.")
@run_option("reading", "Whose verdict counts where a benchmark has a rule of its own; default: as in the run.")
@click.option(
    "--test",
    "tests",
    multiple=True,
    shell_complete=complete_stored,
    help="Only this test, by id or domain/level/id, whatever judged it; repeatable.",
)
@click.option("--all", "everything", is_flag=True, help="Judge everything, not only what is judged otherwise now.")
@filter_option
@click.option(
    "--dry-run", "in_memory", is_flag=True, help="Only say which verdicts would flip, and why; nothing is stored."
)
@click.option("--store", "keep", is_flag=True, help="With --dry-run: store what it says without a question.")
@click.option("--max-cost", "budget_usd", type=Amount(0, MOST_USD), default=0.0, metavar="USD",
              help="With --dry-run: models may be asked for so much; without it none is.")  # fmt: skip
@click.option("--content", is_flag=True, help="With --dry-run --json: answers and reasons too, marked as untrusted.")
@allow_option
@run_option("fail_under")
@run_option("fail_by")
@db_option
@json_option
@click.pass_context
def judge(
    ctx: click.Context,
    exp: str,
    judge_model: tuple[str, ...],
    judge_api_base: tuple[str, ...],
    extractor_model: str | None,
    extractor_api_base: str | None,
    reading: Reading | None,
    tests: tuple[str, ...],
    everything: bool,
    filters: tuple[str, ...],
    in_memory: bool,
    keep: bool,
    budget_usd: float,
    content: bool,
    allow: bool,
    fail_under: float | None,
    fail_by: str | None,
    db: Path | None,
    as_json: bool,
) -> None:
    """Judge stored rollouts of EXP: those without a verdict, and those that another judge now judges otherwise.

    No rollout is repeated. PASS 2 asks the extractor, which is the model itself unless --extractor-model names
    another. Earlier verdicts are kept beside the new ones.
    """
    from modex.core.config.configuration import addresses_of
    from modex.core.config.entries.naming import model_spec
    from modex.core.engine.start import judges_of, rejudge
    from modex.core.pipeline.benchmark import Judging
    from modex.tui.commands.run import floor_of
    from modex.tui.plain.narration import say
    from modex.tui.start.foreground import work_here
    from modex.tui.start.redoing import chosen_in

    database = database_of(ctx, db)
    suite = suite_in(database, exp) if judge_model or extractor_model else None
    at = (
        judge_api_base * len(judge_model)
        if judge_api_base == ("",)
        else addresses_of(judge_model, judge_api_base, "judge")
    )
    judges = tuple(
        model_spec(name, {"api_base": base}, suite=suite, allow=allow)
        for name, base in zip(judge_model, at, strict=True)
    )
    extractor = (
        model_spec(extractor_model, {"api_base": extractor_api_base}, suite=suite, allow=allow)
        if extractor_model
        else None
    )
    if in_memory:
        from modex.tui.features.dry_run.command import dry_run

        named = (*filters, *(f'test:"{test.rsplit("/", 1)[-1]}"' for test in tests))
        judges = judges_of(database, exp, judges, say)
        dry_run(database, exp, judges, extractor, reading=reading, filters=named, everything=everything,
                budget_usd=budget_usd, keep=keep, content=content, as_json=as_json)  # fmt: skip
        return
    chosen = chosen_in(database, exp, tests, "judge", filters)
    if chosen is None and not everything:
        _tell_lacks(database, exp)
    prepared = rejudge(database, exp, judges, extractor, reading=reading, allow=allow, narrate=say)
    under = floor_of(fail_under, fail_by)
    judging: Judging = "all" if everything else "changed"
    ctx.exit(
        work_here(
            database,
            prepared.exp_id,
            as_json=as_json,
            fail_under=under,
            judging=judging,
            chosen=chosen,
            lock=prepared.lock,
        )
    )


def _tell_lacks(database: Path, exp: str) -> None:
    """Say in advance how many verdicts of before say nothing of their answer."""
    from modex.core.pipeline.lacking import lacking_in, lacking_words
    from modex.core.store.reader import Reader
    from modex.tui.plain.narration import say

    with closing(Reader(database)) as reader:
        found = lacking_in(reader, reader.run(exp).id)
    if found:
        one = len(found) == 1
        say(
            f"{lacking_words(found)}: {'it is' if one else 'they are'} judged again, and {'it changes' if one else 'all change'}"
            " unless the answer is wrong as well; --dry-run says how without storing it"
        )


@click.command()
@exp_argument
@run_option("fail_under")
@run_option("fail_by")
@db_option
@json_option
@click.pass_context
def stat(
    ctx: click.Context, exp: str, fail_under: float | None, fail_by: str | None, db: Path | None, as_json: bool
) -> None:
    """Compute level scores, Weighted Scores and metrics of the stored verdicts of EXP."""
    from modex.core.store.reader import Reader
    from modex.tui.commands.run import floor_of
    from modex.tui.start.foreground import work_here

    database = database_of(ctx, db)
    with closing(Reader(database)) as reader:
        name = reader.run(exp).exp_id
    ctx.exit(work_here(database, name, as_json=as_json, fail_under=floor_of(fail_under, fail_by), only_stat=True))
