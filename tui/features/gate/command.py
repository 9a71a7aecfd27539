"""`modex gate`: a run against another in a pipeline; three answers as three exit codes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modex.tui.commands.options import Amount, database_of, db_option, json_option, print_json

if TYPE_CHECKING:
    from modex.core.features.gate.rule import GateVerdict
    from modex.core.store.reader import Reader
    from modex.core.store.rows import RunRow


@click.command()
@click.argument("first")
@click.argument("second")
@click.option(
    "--margin",
    type=Amount(0, 100),
    default=3.0,
    show_default=True,
    help="By how many points SECOND may be worse and still pass.",
)
@click.option(
    "--quarantine",
    multiple=True,
    help="A flaky test that does not count, by id or domain/level/id; @FILE reads one a line; repeatable.",
)
@click.option(
    "--certified",
    is_flag=True,
    help="Refuse (exit 2) where an LLM judge of either run has no certificate, or a stale one.",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "junit", "github"]), default="text", help="How to say it."
)
@db_option
@json_option
@click.pass_context
def gate(
    ctx: click.Context,
    first: str,
    second: str,
    margin: float,
    quarantine: tuple[str, ...],
    certified: bool,
    form: str,
    db: Path | None,
    as_json: bool,
) -> None:
    """Say whether the run SECOND is not worse than FIRST by more than --margin points.

    Exits 0 where it is not worse, 1 where it is, and 4 where these tests cannot tell yet; then it says what would.
    Answers without a verdict (errors, cut-off ones) count as all wrong and as all right: where they could turn the
    answer, it is 4.
    """
    from modex.core.features.gate.rule import gate as ruled
    from modex.core.features.gate.rule import gate_json, gate_junit, gate_markdown
    from modex.core.safety import without_secrets
    from modex.core.store.reader import Reader

    named = frozenset(_named(quarantine))
    with closing(Reader(database_of(ctx, db))) as reader:
        runs = reader.run(first), reader.run(second)
        if certified:
            _certified(reader, runs)
        found = ruled(reader, *runs, margin / 100, named)
    lines = list(gate_lines(found))
    if as_json or form == "json":
        print_json(gate_json(found))
    elif form == "junit":
        click.echo(without_secrets(gate_junit(found, lines)))
    elif form == "github":
        click.echo(without_secrets(gate_markdown(found, lines)))
    else:
        click.echo("\n".join(lines))
    ctx.exit(found.exit_code)


def _certified(reader: Reader, runs: tuple[RunRow, RunRow]) -> None:
    """Refuse judges without a certificate that holds; every one of both runs is named."""
    from modex.core.features.certify.rule import standings
    from modex.core.foundation.errors import ConfigurationError

    refused = [f"{run.exp_id}: {one.words}" for run in runs for one in standings(reader, run) if not one.holds]
    if refused:
        raise ConfigurationError(
            "--certified: "
            + "\n".join(refused)
            + "\n`modex certify EXP` measures a judge; without --certified any judge will do"
        )


def _named(given: tuple[str, ...]) -> Iterator[str]:
    """The tests that were named, those of files among them; `#` begins a comment."""
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.suite.files import FileFaultError, read_text

    for text in given:
        if not text.startswith("@"):
            yield text
            continue
        try:
            lines = read_text(text[1:]).splitlines()
        except FileFaultError as fault:
            raise ConfigurationError(f"--quarantine {text}: {fault.message}") from None
        yield from filter(None, (line.partition("#")[0].strip() for line in lines))


def gate_lines(found: GateVerdict) -> Iterator[str]:
    """The ruling as text: the answer first."""
    from modex.core.comparison.wording import (
        WHAT_IS_OPEN,
        by_question_words,
        headline,
        other_questions_words,
        other_rules_words,
    )
    from modex.core.safety import as_words, clean_line

    open_ = f" ({found.lacking})" if found.lacking else ""
    yield clean_line(f"{found.second.exp_id} against {found.first.exp_id}: {found.words}{open_}", 400)
    difference = found.difference
    if difference is not None and difference.interval is not None:
        yield headline(difference)
        if found.held_to:
            yield found.held_to
    if found.lacking:
        yield WHAT_IS_OPEN
    if found.takes:
        yield found.takes
    if words := other_rules_words(found.other_rules):
        yield f"{words}: modex changes {as_words(found.first.exp_id, found.second.exp_id)}"
    if words := by_question_words(found.questions.by_question, clean_line(found.second.exp_id)):
        yield words
    if found.difference is not None and (
        words := other_questions_words(found.questions.otherwise, found.questions.twice)
    ):
        yield words
    if found.quarantined:
        names = ", ".join("/".join(map(str, key[1:])) for key in found.quarantined[:10])
        yield clean_line(f"{len(found.quarantined)} quarantined: {names}", 400)
    if found.required:
        missed = ", ".join(
            f"{one.name} {one.scored.passed}/{one.scored.total} ({one.required})" for one in found.missed[:10]
        )
        names = f": {missed}" if missed else ""
        yield clean_line(f"k of n: {found.required - len(found.missed)} of {found.required} tests hold{names}", 400)
    if found.only_first:
        yield f"{found.only_first} tests of {clean_line(found.first.exp_id)} are not in {clean_line(found.second.exp_id)}"
