"""`modex judge` and `modex stat`: one stage alone, on what is stored."""

from __future__ import annotations

from pathlib import Path

import click

from tui.commands.options import database_of, db_option, json_option


@click.command()
@click.argument("exp")
@click.option("--judge-model", "judge_models", multiple=True, help="LLM judge; repeat for a majority.")
@click.option("--judge-api-base", help="Address of the judges' server.")
@click.option("--extractor-model", help="Model of PASS 2.")
@click.option("--all", "everything", is_flag=True, help="Judge everything, not only what is judged otherwise now.")
@click.option("--fail-under", type=click.FloatRange(0, 100), help="Exit 1 below this Weighted Score (0-100, or 0-1).")
@db_option
@json_option
@click.pass_context
def judge(
    ctx: click.Context,
    exp: str,
    judge_models: tuple[str, ...],
    judge_api_base: str | None,
    extractor_model: str | None,
    everything: bool,
    fail_under: float | None,
    db: Path | None,
    as_json: bool,
) -> None:
    """Judge stored rollouts of EXP: those without a verdict, and those that another judge now judges otherwise.

    No rollout is repeated. PASS 2 asks the extractor, which is the model itself unless --extractor-model names
    another. Earlier verdicts are kept beside the new ones.
    """
    from core.engine.control import rejudge
    from core.pipeline.benchmark import Judging
    from core.runconfig import ModelSpec
    from tui.commands.run import fraction
    from tui.commands.starting import work_here

    judges = tuple(ModelSpec(model=name, api_base=judge_api_base) for name in judge_models)
    extractor = ModelSpec(model=extractor_model) if extractor_model else None
    database = database_of(ctx, db)
    prepared = rejudge(database, exp, judges, extractor)
    under = fraction(fail_under)
    judging: Judging = "all" if everything else "changed"
    ctx.exit(work_here(database, prepared.exp_id, as_json=as_json, fail_under=under, judging=judging))


@click.command()
@click.argument("exp")
@click.option("--fail-under", type=click.FloatRange(0, 100), help="Exit 1 below this Weighted Score (0-100, or 0-1).")
@db_option
@json_option
@click.pass_context
def stat(ctx: click.Context, exp: str, fail_under: float | None, db: Path | None, as_json: bool) -> None:
    """Compute level scores, Weighted Scores and metrics of the stored verdicts of EXP."""
    from core.store.reader import Reader
    from tui.commands.run import fraction
    from tui.commands.starting import work_here

    database = database_of(ctx, db)
    reader = Reader(database)
    try:
        name = reader.run(exp).exp_id
    finally:
        reader.close()
    ctx.exit(work_here(database, name, as_json=as_json, fail_under=fraction(fail_under), only_stat=True))
