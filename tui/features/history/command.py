"""`modex history`: one test, one cell or one suite over all runs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

import click

from modex.core.features.history.query import Attempt, HistoryPoint
from modex.tui.commands.options import complete_tests, database_of, db_option, json_option, print_json

_CELL = re.compile(r"[^/]+/\d")
"""`domain/level`; a test's own id begins with the name of a folder only where it is given whole."""


@click.command()
@click.argument("test", required=False, metavar="[TEST | DOMAIN/LEVEL]", shell_complete=complete_tests)
@click.option(
    "--suite", is_flag=True, help="The score of the whole suite (of the settings, else the bundled one) instead."
)
@db_option
@json_option
@click.option("--content", is_flag=True, help="With --json: answers and reasons too, marked as untrusted.")
@click.pass_context
def history(ctx: click.Context, test: str | None, suite: bool, db: Path | None, as_json: bool, content: bool) -> None:
    """Show how TEST, by id or domain/level/id, went in every run: passed or failed, the answer, the model, when.

    Of a cell (DOMAIN/LEVEL) and of the whole suite (--suite): the score in every run, and how far it moved from the run of the
    same model before.
    """
    if (test is None) == (not suite):
        raise click.UsageError("name a test, a cell (domain/level), or --suite")
    if test is None or _CELL.fullmatch(test):
        _scores(database_of(ctx, db), test, as_json=as_json)
        return
    from modex.core.features.history.query import history as found_in
    from modex.core.store.naming import test_query
    from modex.core.store.reader import Reader

    query = test_query(test)
    with closing(Reader(database_of(ctx, db))) as reader:
        domain, level = next(iter(query.domains), None), next(iter(query.levels), None)
        found = found_in(reader, query.test_ids[0], domain, level)
    if as_json:
        print_json([_json(one, content=content) for one in found])
        return
    for line in _lines(found):
        click.echo(line)


def _scores(database: Path, cell: str | None, *, as_json: bool) -> None:
    """The history of a cell, or of the suite."""
    from modex.core.features.history.query import cell_history, suite_history
    from modex.core.store.reader import Reader
    from modex.tui.reading.suite import suite_name, suite_of_settings

    with closing(Reader(database)) as reader:
        if cell is None:
            suite = suite_of_settings()
            name, found = suite_name(suite), suite_history(reader, suite)
        else:
            domain, _, level = cell.rpartition("/")
            name, found = cell, cell_history(reader, domain, int(level))
    if as_json:
        print_json([_standing_json(one) for one in found])
        return
    for line in _standings(name, found):
        click.echo(line)


def _standings(name: str, found: Sequence[HistoryPoint]) -> Iterator[str]:
    from modex.core.safety import clean_line
    from modex.tui.look import format as fmt

    now = datetime.now().astimezone()
    yield f"{clean_line(name)}: {len(found)} run{'s' if len(found) != 1 else ''}"
    models = max([5, *(len(clean_line(one.run.model, 32)) for one in found)])
    yield f"\n{'when':<9}  {'score':>5}  {'±':>5}  {'change':>6}  {'passed':>11}  {'model':<{models}}  run"
    for one in found:
        score = fmt.least(one.score, one.bounds)
        interval = fmt.spread(one.low, one.high) if one.bounds is None else ""
        change = f"{100 * one.change:+.1f}" if one.change is not None else ""
        yield (
            f"{fmt.when(one.run.started_at, now):<9}  {score:>5}  {interval:>5}  {change:>6}"
            f"  {f'{one.passed}/{one.total}':>11}  {clean_line(one.run.model, 32):<{models}}  {clean_line(one.run.exp_id, 40)}"
        )


def _standing_json(one: HistoryPoint) -> dict[str, object]:
    return {
        "run": one.run.exp_id,
        "model": one.run.model,
        "started_at": one.run.started_at,
        "score": one.score,
        "ci_low": one.low,
        "ci_high": one.high,
        "bounds": one.bounds,
        "change": one.change,
        "passed": one.passed,
        "total": one.total,
    }


def _lines(found: Sequence[Attempt]) -> Iterator[str]:
    from modex.core.safety import clean_line
    from modex.tui.look import format as fmt

    now = datetime.now().astimezone()
    names = sorted({_name(one) for one in found})
    counts = Counter(one.head.status for one in found)
    words = ", ".join(f"{count} {status}" for status, count in counts.most_common())
    runs = len({one.run.id for one in found})
    yield f"{clean_line(', '.join(names))}: {runs} run{'s' if runs != 1 else ''}; {words}"
    models = max(5, *(len(clean_line(one.run.model, 32)) for one in found))
    exps = max(3, *(len(clean_line(one.run.exp_id, 32)) for one in found))
    yield f"\n{'when':<9}  {'status':<8} {'score':>5}  {'model':<{models}}  {'run':<{exps}}  answer"
    for one in found:
        head = one.head
        epoch = f"#{head.epoch} " if head.epoch > 1 else ""
        test = f"{_name(one)} " if len(names) > 1 else ""
        answer = (head.error_type if head.status == "error" else head.extracted_answer) or ""
        yield (
            f"{fmt.when(head.completed_at or one.run.started_at, now):<9}  {head.status:<8}"
            f" {fmt.one(head.score) if head.score is not None else '':>5}  {clean_line(one.run.model, 32):<{models}}"
            f"  {clean_line(one.run.exp_id, 32):<{exps}}  {clean_line(test + epoch + answer, 80)}"
        ).rstrip()


def _name(one: Attempt) -> str:
    return f"{one.head.domain}/{one.head.level}/{one.head.test_id}"


def _json(one: Attempt, *, content: bool) -> dict[str, object]:
    """Stable fields; what a model wrote, or a reason that quotes it, stands under `untrusted` and only where asked for."""
    head, run = one.head, one.run
    written: dict[str, object] = {"untrusted": {"answer": head.extracted_answer, "why": head.reason}} if content else {}
    return {
        "run": run.exp_id,
        "model": run.model,
        "source": head.source,
        "domain": head.domain,
        "level": head.level,
        "test_id": head.test_id,
        "epoch": head.epoch,
        "status": head.status,
        "score": head.score,
        "error_type": head.error_type,
        "started_at": head.started_at,
        "completed_at": head.completed_at,
        "duration_ms": head.duration_ms,
        "cost_usd": head.cost_usd,
        **written,
    }
