"""`modex changes`: what is other in a run than in the one before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click

from modex.core.features.changes.change import TITLES, Change, Changes
from modex.tui.commands.options import complete_runs, database_of, db_option, json_option, print_json

_MOST = 20


@click.command()
@click.argument("runs", nargs=-1, required=True, metavar="[BEFORE] EXP", shell_complete=complete_runs)
@click.option("--all", "everything", is_flag=True, help="List every change, not the first 20 of each kind.")
@db_option
@json_option
@click.option("--content", is_flag=True, help="With --json: texts of prompts and golds too, marked as untrusted.")
@click.pass_context
def changes(
    ctx: click.Context, runs: tuple[str, ...], everything: bool, db: Path | None, as_json: bool, content: bool
) -> None:
    """List what is other in EXP than in BEFORE: settings, prompts by layer, golds, judges, tests, verdicts.

    Without BEFORE: than in the newest run of the same model before it.
    """
    from modex.core.features.changes.changes import changes as changed
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.store.reader import Reader
    from modex.core.store.story import run_before
    from modex.tui.plain.counting import Counting

    if len(runs) > 2:
        raise click.UsageError("name one run, or two", ctx)
    with closing(Reader(database_of(ctx, db))) as reader:
        rows = [reader.run(name) for name in runs]
        if len(rows) == 1:
            before = run_before(reader, rows[0])
            if before is None:
                raise ConfigurationError(
                    f"there is no finished run of {rows[0].model} before {rows[0].exp_id}; name one"
                )
            rows.insert(0, before)
        tests = sum(row.total_tests // max(1, int(row.config.get("epochs") or 1)) for row in rows)
        with reader.as_of_now(), Counting(tests, "tests") as counting:
            found = changed(reader, rows[0], rows[1], counting.step)
    if as_json:
        print_json(found.as_json(content=content))
        return
    for line in _lines(found, most=None if everything else _MOST):
        click.echo(line)


def _lines(found: Changes, *, most: int | None) -> Iterator[str]:
    from modex.core.safety import clean_line

    yield clean_line(f"{found.first.exp_id} → {found.second.exp_id}: {found.summary}", 200)
    for kind, title in TITLES.items():
        listed = found.of(kind)
        if not listed:
            continue
        yield ""
        yield f"{title}: {len(listed)}"
        for one in listed[:most]:
            yield from (f"  {clean_line(line, 160)}" for line in _told(one))
        if most is not None and len(listed) > most:
            yield f"  (+{len(listed) - most} more: --all)"
    if not found.changes:
        yield "nothing else is other, and no verdict went the other way"


def _told(one: Change) -> Iterator[str]:
    from modex.core.features.changes.wording import differing_lines

    many = f"   {len(one.tests)} tests" if one.kind in ("layer", "rule", "asked") and len(one.tests) > 1 else ""
    if one.written:
        yield f"{one.name}{many}"
        yield from (f"  {line}" for line in differing_lines(one.before, one.after))
        return
    values = f"   {one.before} → {one.after}" if one.before else f"   {one.after}" if one.after else ""
    yield f"{one.name}{values}{many}{f'   ({one.why})' if one.why else ''}"
