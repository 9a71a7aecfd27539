"""`modex export`: a run in a format of our own or of another tool, on stdout or in a file."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import get_args

import click

from modex.core.reports.formats import FORMATS, Format, Together, together
from modex.core.store.sample import STATUSES
from modex.tui.commands.options import complete_stored, database_of, db_option, exps_argument, filter_option


@click.command()
@exps_argument
@click.option("--format", "kind", type=click.Choice(list(FORMATS)), default="json", show_default=True)
@click.option(
    "--status",
    "statuses",
    type=click.Choice(STATUSES),
    multiple=True,
    help="Only samples with this status; repeatable.",
)
@click.option(
    "--domain",
    "domains",
    multiple=True,
    shell_complete=complete_stored,
    help="Only samples of this domain; repeatable.",
)
@filter_option
@click.option("--out", type=click.Path(path_type=Path), help="File, or folder to write a file into; default: stdout.")
@click.option("--runs", "as_one", is_flag=True, help=f"Compare several runs: --runs A B C, as {together()}.")
@db_option
@click.pass_context
def export(
    ctx: click.Context,
    exps: tuple[str, ...],
    kind: Format,
    statuses: tuple[str, ...],
    domains: tuple[str, ...],
    filters: tuple[str, ...],
    out: Path | None,
    as_one: bool,
    db: Path | None,
) -> None:
    """Write the run EXP; what is hostile in it is made harmless for the format."""
    side_by_side = next((one for one in get_args(Together) if one == kind), None)
    if len(exps) > 1 and not (as_one and side_by_side):
        raise click.UsageError(f"compare several runs with --runs A B C, as {together()}")
    from modex.core.features.export.export import comparison, file_name
    from modex.core.features.export.export import export as pieces
    from modex.core.features.export.pouring import Pour, encoded
    from modex.core.features.export.writing import write_export
    from modex.core.safety import clean
    from modex.core.store.reader import Reader
    from modex.core.store.selecting import sample_query
    from modex.tui.plain.counting import Counting

    with closing(Reader(database_of(ctx, db))) as reader:
        with reader.as_of_now():
            several = list({run.id: run for run in map(reader.run, exps)}.values())
            query = replace(sample_query(*filters), statuses=statuses, domains=domains)
            (run, *others) = several
            written = (
                comparison(reader, several, query, side_by_side)
                if others and side_by_side
                else pieces(reader, run, kind, query)
            )
            if out is None and sys.stdout.isatty() and kind == "csv":
                written = map(clean, written)  # a file says exactly what is stored; a terminal must not act on it
            if out is None:  # no bar: it would stand among what is written, where both go to one terminal
                pour = Pour(sys.stdout.buffer)
                pour.take(encoded(written))
            else:
                if out.is_dir():
                    out /= file_name(several, kind)
                samples = sum(one.total_tests for one in several) * FORMATS[kind].reads
                with Counting(samples, "samples", after_s=1.0) as bar:
                    reader.on_samples = bar.step
                    write_export(out, written, database=reader.path)
        if out is None:
            pour.finish()
        else:
            sys.stderr.write(f"{out}\n")
