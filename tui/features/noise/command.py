"""`modex noise`: ask a run's tests again and see which verdicts flip by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modex.core.statistics.distributions import LEVEL_TEXT
from modex.tui.commands.options import database_of, db_option, exp_argument, json_option, print_json

if TYPE_CHECKING:
    from modex.core.features.noise.rule import Noise


@click.command()
@exp_argument
@click.option(
    "--times", type=click.IntRange(1, 100), default=2, show_default=True, help="How often each test is asked again."
)
@click.option("--stored", is_flag=True, help="Ask nothing: say what epochs and an earlier `noise` have shown.")
@click.option(
    "--names", is_flag=True, help="Print only the flaky tests, one a line, for `modex gate --quarantine @FILE`."
)
@db_option
@json_option
@click.pass_context
def noise(ctx: click.Context, exp: str, times: int, stored: bool, names: bool, db: Path | None, as_json: bool) -> None:
    """Ask the tests of the run EXP again, and say how often verdicts flip by themselves and on which tests.

    What was asked again is stored as a run of its own, EXP~again; the same command continues it.
    """
    from modex.core.features.noise.rule import AGAIN, noise_json, noise_of
    from modex.core.store.reader import Reader
    from modex.tui.plain.narration import say

    database = database_of(ctx, db)
    with closing(Reader(database)) as reader:
        run = reader.run(exp)
        if not stored:
            status = _ask_again(database, run.exp_id, run.exp_id + AGAIN, times)
            if status != "completed":
                say(f"{run.exp_id}{AGAIN}: {status}; the same command goes on")
                ctx.exit(3 if status == "aborted" else 130)
        again = reader.find_run(run.exp_id + AGAIN)
        found = noise_of(reader, [run, again] if again else [run])
    if as_json:
        print_json(noise_json(run, found))
        return
    for line in flaky_names(found) if names else noise_lines(found):
        click.echo(line)


def _ask_again(database: Path, exp_id: str, name: str, times: int) -> str:
    """Run the same configuration again, `times` epochs of it; how that ended."""
    from modex.core.engine.start import prepare_run
    from modex.core.engine.work import at_work
    from modex.core.store.manager import DBDataManager
    from modex.tui.plain.narration import say

    with closing(DBDataManager(database)) as manager:
        config = manager.configuration(manager.reader.run(exp_id).id)
    changed = config.model_copy(update={"epochs": times, "until": "stat", "more_tokens": None})
    prepared = prepare_run(database, changed, name, kind="noise")
    with at_work(database, prepared.exp_id, narrate=say, lock=prepared.lock) as (session, _):
        return session.run().status


def flaky_names(found: Noise) -> Iterator[str]:
    """The flaky tests as `--quarantine` reads them."""
    from modex.core.safety import clean_line

    for one in found.flaky:
        name = clean_line("/".join(map(str, one.key[1:])), 200)
        yield f"{name}  # passed {one.passed} of {one.asked}"


def noise_lines(found: Noise) -> Iterator[str]:
    """The noise as text: the share first, then the tests."""
    if found.flips is None:
        yield "no test was asked twice"
        return
    low, high = found.interval or (0.0, 1.0)
    yield (
        f"two verdicts of one test differ in {100 * found.flips:.1f} % ({LEVEL_TEXT}: {100 * low:.1f} to {100 * high:.1f}) over"
        f" {found.tests} tests; {len(found.flaky)} flipped"
    )
    yield from flaky_names(found)
