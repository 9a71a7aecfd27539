"""`modex leaderboard`: the stored runs by suite, a line a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import click

from modex.core.features.leaderboard.rule import Board
from modex.core.statistics.distributions import LEVEL_TEXT
from modex.tui.commands.options import database_of, db_option, json_option, print_json, runs_filter_option


@click.command()
@click.option("--suite", help="Only this suite: its folder, the last part of it, or 'bundled'.")
@runs_filter_option
@db_option
@json_option
@click.pass_context
def leaderboard(
    ctx: click.Context, suite: str | None, filters: tuple[str, ...], db: Path | None, as_json: bool
) -> None:
    """Show each model's newest completed run by suite, the highest score first: score with its interval, n, cost, time.

    Scores are compared over the tests that the runs have in common, and ranked by the lower bound: what lacks a verdict counts as
    wrong. Runs that were asked otherwise stand below with the reason. `modex compare` says which models can be told apart.
    """
    from modex.core.features.leaderboard.rule import leaderboards, leaderboards_json
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.safety import as_words, clean_line
    from modex.core.store.reader import Reader, run_query

    query = run_query(*filters)
    with closing(Reader(database_of(ctx, db))) as reader:
        boards = leaderboards(reader, query)
    if suite is not None:
        known = [board.suite for board in boards]
        boards = [board for board in boards if board.is_called(suite)]
        if known and not boards:
            raise ConfigurationError(
                f"no completed run is of the suite {clean_line(suite)}; there are: {', '.join(map(clean_line, known))}"
            )
    if as_json:
        print_json(leaderboards_json(boards))
        return
    if not boards:
        none = "none of the completed runs here matches; leave --filter out"
        click.echo(
            none if filters else "no completed run with a score here yet; start one with: modex run --model demo",
            err=True,
        )
        return
    click.echo("\n\n".join("\n".join(_lines(board)) for board in boards))
    if all(len(board.runs) < 2 for board in boards):
        return
    names = as_words(*(run.exp_id for run in max(boards, key=lambda board: len(board.runs)).runs[:3]))
    click.echo(f"\nwhich can be told apart: modex compare {names}", err=True)


def _lines(board: Board) -> Iterator[str]:
    """One suite as text."""
    from modex.core.comparison.wording import bounded
    from modex.core.safety import clean_line
    from modex.tui.look import format as fmt

    now = datetime.now().astimezone()
    models = [clean_line(run.model, 40) for run in board.runs]
    width = max(5, *(len(model) for model in models))
    yield f"suite {clean_line(board.suite)}"
    if board.words:
        yield f"  {board.words}"
    yield f"  {'model':<{width}} {'score':>13} {LEVEL_TEXT:>13} {'n':>6} {'err':>4} {'cost':>8} {'time':>8}  {'done':<9}  run"
    for model, run in zip(models, board.runs, strict=True):
        line = board.line_of(run)
        score = fmt.hundred(line.score, 1) if line.bounds is None else bounded(*line.bounds)
        interval = bounded(*line.interval) if line.interval else ""
        yield (
            f"  {model:<{width}} {score:>13} {interval:>13} {line.tests:>6} {run.error_tests or '':>4}"
            f" {fmt.cost(run.cost_usd, unpriced=bool(run.unpriced_calls)):>8} {fmt.clock(run.duration_ms / 1000):>8}"
            f"  {fmt.when(run.completed_at, now):<9}  {clean_line(run.exp_id, 40)}"
            f"{f'  (not compared: {clean_line(line.apart, 60)})' if line.apart else ''}"
        )
