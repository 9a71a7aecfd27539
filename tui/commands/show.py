"""`modex show`: a run's totals, or one test's transcript, as text."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click

from modex.core.safety import as_words
from modex.core.store.races import RaceRow
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.core.store.sample import STATUSES
from modex.tui.commands.options import (
    complete_stored,
    database_of,
    db_option,
    exp_argument,
    filter_option,
    json_option,
    print_json,
)
from modex.tui.plain.next_step import say_next


@click.command()
@exp_argument
@click.option(
    "--test",
    "test_id",
    shell_complete=complete_stored,
    help="One test, by id or domain/level/id: its whole transcript.",
)
@click.option(
    "--status",
    "statuses",
    type=click.Choice(STATUSES),
    multiple=True,
    help="List the samples with this status; repeatable.",
)
@click.option(
    "--domain",
    "domains",
    multiple=True,
    shell_complete=complete_stored,
    help="List the samples of this domain; repeatable.",
)
@click.option("--speed", is_flag=True, help="First-token time, output tokens a second and thinking time of each cell.")
@filter_option
@db_option
@json_option
@click.pass_context
def show(
    ctx: click.Context,
    exp: str,
    test_id: str | None,
    statuses: tuple[str, ...],
    domains: tuple[str, ...],
    speed: bool,
    filters: tuple[str, ...],
    db: Path | None,
    as_json: bool,
) -> None:
    """Show the run EXP: its matrix and totals, its samples, or one test's transcript; of a race what it decided.

    --speed takes the samples that --status, --domain and --filter leave.
    """
    from modex.core.foundation.errors import StoreError
    from modex.core.store.races import find_race
    from modex.tui.plain.lines import head_json, sample_line
    from modex.tui.plain.summary import run_json, summary_json
    from modex.tui.plain.transcript import sample_json, transcript_text
    from modex.tui.terminal.abilities import glyphs_for, use_colour

    with closing(Reader(database_of(ctx, db))) as reader:
        if race := find_race(reader, exp):
            _show_race(race, as_json=as_json)
            return
        run = reader.run(exp)
        if test_id:
            from modex.core.store.naming import test_query

            query = test_query(test_id)
            samples = list(reader.samples(run.id, query))
            if not samples:
                raise StoreError(
                    f"{run.exp_id}: no test {test_id!r}; `modex show {as_words(run.exp_id)} --status failed` lists some"
                )
            if as_json:
                print_json([sample_json(sample, reader.earlier_verdicts(sample.id or 0)) for sample in samples])
            else:
                for sample in samples:
                    click.echo(transcript_text(sample, reader.earlier_verdicts(sample.id or 0), run))
        elif speed:
            _show_speed(reader, run, _chosen(statuses, domains, filters), as_json=as_json)
        elif statuses or domains or filters:
            from modex.core.reports.reasons import with_reasons

            wanted = _chosen(statuses, domains, filters)
            heads = reader.heads(run.id, wanted, limit=1_000_000)
            if not heads:
                click.echo(_nothing_found(reader, run, domains), err=True)
            if as_json:
                print_json([head_json(head) for head in heads])
            else:
                glyphs, colour = (
                    glyphs_for(sys.stdout),
                    use_colour(sys.stdout),
                )
                for head in with_reasons(reader, heads):
                    click.echo(sample_line(head, glyphs, colour=colour))
        elif run.kind == "speed":
            from modex.core.features.speed.rule import points_of, speed_json
            from modex.tui.features.speed.table import speed_table

            points = points_of(reader, run)
            if as_json:
                print_json({**run_json(run), "points": speed_json(points)})
            else:
                click.echo("\n".join(speed_table(points)))
        elif as_json:
            print_json(summary_json(reader, run))
        else:
            _show_totals(reader, run)


def _chosen(statuses: tuple[str, ...], domains: tuple[str, ...], filters: tuple[str, ...]) -> SampleQuery:
    from modex.core.store.selecting import sample_query

    return replace(sample_query(*filters), statuses=statuses, domains=domains)


def _show_speed(reader: Reader, run: RunRow, query: SampleQuery, *, as_json: bool) -> None:
    """The figures of each cell below those of all of them."""
    from modex.core.reports.pace import by_cell, pace_json, pace_table
    from modex.core.store.speeds import paces

    found = paces(reader, run.id, query)
    if as_json:
        print_json(pace_json(found))
    elif not found:
        click.echo("no answer of these was streamed, so none was timed", err=True)
    else:
        names, cells = by_cell(found)
        click.echo("\n".join(pace_table(["all", *names], [found[None], *cells])))


def _show_totals(reader: Reader, run: RunRow) -> None:
    click.echo(_totals(reader, run))
    if run.failed_tests:
        say_next("read the answers", "review", run.exp_id, database=reader.path)


def _totals(reader: Reader, run: RunRow) -> str:
    """A run's matrix and totals, below its name, model and state."""
    from modex.core.reports.reached import named_model
    from modex.core.safety import clean_line
    from modex.tui.plain.summary import summary_text

    lines = [f"{clean_line(run.exp_id)}  {named_model(run)}  {run.state}"]
    if run.reason:
        lines.append(clean_line(run.reason))
    return "\n".join([*lines, summary_text(reader, run)])


def _show_race(race: RaceRow, *, as_json: bool) -> None:
    """What a race decided, or how far it is, in the words of `modex race`."""
    from modex.core.safety import clean_line
    from modex.tui.features.race.command import names_of, told_lines

    last = race.looks[-1] if race.looks else None
    if as_json:
        print_json(
            {"exp_id": race.exp_id, "state": race.state, "reason": race.reason, "looks": race.looks, "race": last}
        )
        return
    click.echo(f"{clean_line(race.exp_id)}  race of {len(race.contenders)}  {race.state}")
    for words in (race.reason, *(told_lines(last, names_of(race)) if last else ())):
        if words:
            click.echo(clean_line(words, 1000))


def _nothing_found(reader: Reader, run: RunRow, domains: tuple[str, ...]) -> str:
    """Why a list of samples is empty: a domain that the run does not have, or nothing in this state."""
    from modex.core.safety import clean_line
    from modex.core.store.tallies import tallies
    from modex.core.suite.suggest import did_you_mean

    known = list(dict.fromkeys(cell.domain for cell in tallies(reader, run.id)))
    unknown = next((domain for domain in domains if domain not in known), None)
    if unknown is None:
        return clean_line(f"{run.exp_id}: no such sample", 400)
    hint = did_you_mean(unknown, known) or f"; it has {', '.join(known)}"
    return clean_line(f"{run.exp_id}: no domain '{unknown}'{hint}", 400)
