"""`modex run`: start or continue runs, one per model, and show them live or as plain progress."""

from __future__ import annotations

from typing import Any

import click

from core.settings import load_settings
from tui.commands.options import database_of, db_option, json_option


@click.command()
@click.option("--model", "models", multiple=True, help="Model as litellm names it, or demo; repeat for several runs.")
@click.option("--suite", help="Suite folder; default: the bundled suite.")
@click.option("--domain", "domains", multiple=True, help="Only this domain; repeatable.")
@click.option("--level", "levels", multiple=True, help="Only this level (3) or range (2-4); repeatable.")
@click.option("--test", "tests", multiple=True, help="Only this test, by id or domain/level/id; repeatable.")
@click.option("--dataset", "datasets", multiple=True, help="JSONL, JSON, CSV or Parquet file of questions; repeatable.")
@click.option("--question-field", help="The dataset's field of the question (dotted for nested).")
@click.option("--answer-field", help="The dataset's field of the gold answer.")
@click.option("--level-field", help="The dataset's field of the level.")
@click.option("--category-field", help="The dataset's field of the category, which becomes the domain.")
@click.option("--id-field", help="The dataset's field of the id.")
@click.option("--evaluator", help="Evaluator of dataset rows; default two_pass; match and llm_judge need no PASS 2.")
@click.option(
    "--rollout", type=click.Choice(["direct", "reasoning", "agentic"]), help="How to ask, whatever the tests say."
)
@click.option(
    "--filter", "filters", multiple=True, help="Only tests that match, e.g. category=defi or level>=3; repeatable."
)
@click.option("--limit", type=click.IntRange(min=1), help="At most this many tests.")
@click.option("--sample", type=click.IntRange(min=1), help="This many tests, drawn at random by --seed.")
@click.option("--skip-invalid", is_flag=True, help="Run what is valid; record the rest as skipped.")
@click.option("--allow-plugins", is_flag=True, help="Let this suite's plugins/ run Python, now and later.")
@click.option("--api-base", help="Address of an OpenAI-compatible server.")
@click.option("--temperature", type=float)
@click.option("--max-tokens", type=click.IntRange(min=1))
@click.option("--seed", type=int, help="Seed of the model's sampling, and of --sample.")
@click.option("--reasoning-effort", help="As the provider names it: low, medium, high.")
@click.option(
    "--input-price", type=click.FloatRange(min=0), help="USD per million prompt tokens, where no price is known."
)
@click.option("--output-price", type=click.FloatRange(min=0), help="USD per million completion tokens.")
@click.option("--judge-model", "judge_models", multiple=True, help="LLM judge; repeat for a majority.")
@click.option("--judge-api-base", help="Address of the judges' server.")
@click.option("--extractor-model", help="Model of PASS 2; default: the model itself.")
@click.option("--exp-id", help="Name of the run; a known one is continued.")
@click.option(
    "--epochs", type=click.IntRange(1, 1000), default=1, show_default=True, help="How often each test is asked."
)
@click.option("--concurrency", type=click.IntRange(1, 1024), help="Samples at once; default 16.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds one call may take; default 300.")
@click.option("--max-cost", type=click.FloatRange(min=0), help="Stop when this many USD are spent.")
@click.option("--max-outage", type=click.FloatRange(min=0), help="Seconds a provider may be down; default 1800.")
@click.option(
    "--until", type=click.Choice(["preprocess", "rollout", "judge", "stat"]), default="stat", help="Stop after a stage."
)
@click.option("--headless", is_flag=True, help="Run here, with plain progress instead of the screen.")
@click.option("--detach", is_flag=True, help="Start the run and return; watch it with modex attach.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@click.option("--fail-under", type=click.FloatRange(0, 100), help="Exit 1 below this Weighted Score (0-100, or 0-1).")
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
    models = list(options["models"]) or settings.model
    if not models:
        raise click.UsageError("name a model: --model openai/gpt-5-mini, or --model demo to look around", ctx)
    if len(set(models)) != len(models):
        raise click.UsageError("the same --model twice; repeat it with --epochs instead", ctx)
    from tui.terminal import screen_problem

    here = options["headless"] or options["as_json"] or (screen_problem() and not options["detach"])
    if not here and not options["detach"]:
        from tui.starting import fork

        if (starting := fork(models, options["exp_id"])) is not None:
            from tui.commands.watching import watch_starting

            mouse = not options["no_mouse"]
            ctx.exit(watch_starting(database, starting, mouse=mouse, fail_under=fraction(options["fail_under"])))
    from tui.commands.starting import Start, configuration, run_here, start_runners

    wanted = [
        Start(configuration(model, options, settings), _exp_id(options["exp_id"], model, len(models)))
        for model in models
    ]
    if here:
        ctx.exit(run_here(database, wanted, as_json=options["as_json"], fail_under=fraction(options["fail_under"])))
    for name in start_runners(database, wanted, wait=options["detach"]):
        click.echo(name)


def _exp_id(given: str | None, model: str, count: int) -> str | None:
    if count == 1:
        return given
    from core.engine.control import new_exp_id

    return f"{given or new_exp_id('compare')}@{model}"


def fraction(value: float | None) -> float | None:
    """`--fail-under` as a score from 0 to 1; numbers above 1 are out of 100."""
    return value if value is None or value <= 1 else value / 100
