"""`modex labels`: the kinds of failure that people named, counted, and how far judge and people agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modex.core.statistics.distributions import LEVEL_TEXT
from modex.tui.commands.options import complete_runs, database_of, db_option, json_option, print_json

if TYPE_CHECKING:
    from modex.core.features.review.agreement import Agreement
    from modex.core.features.review.kinds import Kinds, LabelledShare
    from modex.core.features.review.query import ReviewRow


@click.command()
@click.argument("exps", nargs=-1, metavar="[EXP]...", shell_complete=complete_runs)
@click.option("--as", "author", metavar="NAME", help="Only what this person said.")
@click.option("--rename", nargs=2, metavar="OLD NEW", help="Call a label otherwise wherever it stands, in every run.")
@db_option
@json_option
@click.pass_context
def labels(
    ctx: click.Context, exps: tuple[str, ...], author: str | None, rename: tuple[str, str] | None, db: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Count the labels that people gave to answers of the runs EXP…, or of all: by label, domain, level and model."""
    from modex.core.features.review.agreement import agreement, between_people, by_label
    from modex.core.features.review.kinds import count_kinds
    from modex.core.features.review.query import reviews
    from modex.core.store.reader import Reader

    database = database_of(ctx, db)
    if rename is not None:
        _rename(database, *rename)
        return
    with closing(Reader(database)) as reader:
        runs = [reader.run(exp) for exp in exps]
        rows = reviews(reader, [run.id for run in runs] if runs else None, author=author)
    kinds = count_kinds(rows)
    if not as_json:
        for line in _lines(kinds, agreement(rows), by_label(rows), rows):
            click.echo(line)
        return
    print_json({
        "runs": [run.exp_id for run in runs] or None,
        "read": kinds.read,
        "labelled": kinds.labelled,
        "stale": kinds.stale,
        "labels": [one.as_json() for one in kinds.shares],
        **{f"by_{name}": {value: [one.as_json() for one in found] for value, found in values.items()}
           for name, values in kinds.groups.items()},
        "saturation": {"curve": kinds.curve, "since_new": kinds.since_new, "said": kinds.saturation},
        "agreement": agreement(rows).as_json(),
        "agreement_by_label": {label: one.as_json() for label, one in by_label(rows).items()},
        "between_people": [
            {"first": pair[0], "second": pair[1], "agreed": same, "of": of, "kappa": kappa}
            for pair, (same, of, kappa) in between_people(rows).items()
        ],
    })  # fmt: skip


def _rename(database: Path, before: str, after: str) -> None:
    from modex.core.features.review.query import clean_label, rename_label
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.store.manager import DBDataManager

    if (name := clean_label(after)) is None:
        raise ConfigurationError("--rename: the new name is empty; write --rename OLD NEW")
    with closing(DBDataManager(database)) as manager:
        number = rename_label(manager.reader, before, name)
    click.echo(f"{number} review{'s' if number != 1 else ''}: {before} is now {name}", err=True)


def _lines(
    kinds: Kinds, over_all: Agreement, labelled: dict[str, Agreement], rows: Sequence[ReviewRow]
) -> Iterator[str]:
    from modex.core.safety import clean_line

    if not kinds.read and not kinds.stale:
        yield "nobody has reviewed an answer here yet: `modex review EXP`"
        return
    stale = f"; {kinds.stale} of answers that have changed since count for nothing" if kinds.stale else ""
    answers = "1 answer" if kinds.read == 1 else f"{kinds.read} answers"
    yield f"{answers} read by {len({row.author for row in rows})}, {kinds.labelled} with a label{stale}"
    yield kinds.saturation
    yield ""
    width = min(32, max([5, *(len(one.label) for one in kinds.shares)]))
    yield f"{'label':<{width}}  {'n':>4}  {'%':>5}  {LEVEL_TEXT:<11}  judge agrees"
    for one in kinds.shares:
        yield f"{clean_line(one.label, width):<{width}}  {_share(one)}  {_agreed(labelled.get(one.label))}".rstrip()
    yield ""
    yield f"judge and people: {_agreed(over_all) or 'no answer has a verdict of both'}"
    for name, values in kinds.groups.items():
        if len(values) < 2:
            continue
        yield ""
        yield f"by {name}"
        names = min(28, max(len(clean_line(value)) for value in values))
        for value, shares in values.items():
            for place, one in enumerate(shares):
                shown = clean_line(value, names) if place == 0 else ""
                yield f"{shown:<{names}}  {clean_line(one.label, width):<{width}}  {_share(one)}".rstrip()


def _share(one: LabelledShare) -> str:
    low, high = one.interval or (0.0, 1.0)
    return f"{one.number:>4}  {100 * one.share:>5.1f}  {100 * low:>4.1f}–{100 * high:<5.1f} "


def _agreed(found: Agreement | None) -> str:
    if found is None or not found.number:
        return ""
    words = f"{found.agreed} of {found.number}"
    right, wrong = found.sensitivity, found.specificity
    if right[1] and wrong[1]:
        kappa = (
            ""
            if found.kappa is None
            else f", κ {found.kappa:.2f} (a constant answer: 0, {found.constant} of {found.number})"
        )
        words += f"; sensitivity {right[0]}/{right[1]}, specificity {wrong[0]}/{wrong[1]}{kappa}"
    return words
