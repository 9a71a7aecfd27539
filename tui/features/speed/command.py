"""`modex speed`: how fast a model writes, over calls at once and lengths of prompts."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from modex.core.config.options import MOST_SECONDS
from modex.core.foundation.exit_codes import ExitCode
from modex.core.safety import as_words
from modex.tui.commands.options import (
    Amount,
    complete_models,
    database_of,
    db_option,
    json_option,
    print_json,
    run_option,
)


def _numbers(_ctx: click.Context, option: click.Parameter, text: str) -> tuple[int, ...]:
    try:
        found = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise click.BadParameter("give whole numbers with commas between them, as 1,2,4", param=option) from None
    most = 1024 if option.name == "concurrency" else 1_000_000
    if not found or not all(1 <= number <= most for number in found):
        raise click.BadParameter(f"each must be from 1 to {most:,}", param=option)
    return tuple(dict.fromkeys(found))


@click.command()
@click.option("--model", required=True, help="Model as litellm names it, or an entry of models.toml.",
              shell_complete=complete_models)  # fmt: skip
@click.option("--api-base", help="Address of an OpenAI-compatible server.")
@click.option(
    "--concurrency", default="1,2,4,8,16", callback=_numbers, help="Calls at once, one point each.", show_default=True
)
@click.option(
    "--prompt-tokens", default="128", callback=_numbers, help="Lengths of the prompts, about.", show_default=True
)
@click.option(
    "--output-tokens", default=256, type=click.IntRange(1, 100_000), help="Most tokens of an answer.", show_default=True
)
@click.option("--requests", default=8, type=click.IntRange(1, 10_000), show_default=True,
              help="Calls of each point; at least two for each of its workers.")  # fmt: skip
@click.option(
    "--max-seconds",
    default=600.0,
    type=Amount(1, MOST_SECONDS),
    help="Begin no further call after this time.",
    show_default=True,
)
@run_option("max_cost")
@run_option("timeout")
@run_option("exp_id")
@db_option
@json_option
@click.pass_context
def speed(
    ctx: click.Context,
    model: str,
    api_base: str | None,
    concurrency: tuple[int, ...],
    prompt_tokens: tuple[int, ...],
    output_tokens: int,
    requests: int,
    max_seconds: float,
    max_cost: float | None,
    timeout: float | None,
    exp_id: str | None,
    db: Path | None,
    as_json: bool,
) -> None:
    """Measure how fast a model writes: first-token time and tokens a second, over calls at once.

    Bounded by calls, seconds and cost; the first calls warm up and are not counted. It is stored as a run of the kind `speed`:
    `modex show` prints it again, and `modex compare` sets two of them side by side.
    """
    from modex.core.config.settings import load_settings
    from modex.core.features.speed.rule import points_of, speed_json
    from modex.core.features.speed.run import INTERRUPTED, Load, measure
    from modex.core.llm.naming import asked_model
    from modex.core.store.reader import Reader
    from modex.tui.features.speed.table import speed_table
    from modex.tui.plain.counting import Counting
    from modex.tui.plain.narration import say

    database = database_of(ctx, db)
    settings = load_settings().run
    spec = asked_model(
        model, {"api_base": api_base, "temperature": 0.0, "timeout": timeout}, suite=settings.get("suite")
    )
    load = Load(concurrency, prompt_tokens, output_tokens, requests, max_seconds, max_cost)
    with Counting(sum(count for _, _, count in load.points()), "calls") as counting:
        name = measure(
            database, spec, load,
            exp_id=exp_id, timeout_s=timeout or 300.0, say=counting.say, told=counting.step,
        )  # fmt: skip
    with closing(Reader(database)) as reader:
        run = reader.run(name)
        points = points_of(reader, run)
    if as_json:
        print_json({"exp_id": run.exp_id, "model": run.model, "state": run.state, "points": speed_json(points)})
    else:
        click.echo("\n".join(speed_table(points)))
        say(f"kept as {run.exp_id}: modex show {as_words(run.exp_id)}")
    if run.reason:
        say(f"{run.exp_id}: {run.state}: {run.reason}")
    if (run.state, run.reason) == ("stopped", INTERRUPTED):
        ctx.exit(ExitCode.INTERRUPTED)
    if run.state != "completed" or any(point.errors for point in points):
        ctx.exit(ExitCode.MISSED)
