"""`modex review EXP --propose --with MODEL`: kinds of failure that a model proposes and a person confirms."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from core.reports.reviewing.propose import Kind
from core.store.selecting import SampleQuery
from tui.commands.options import print_json


def propose_kinds(
    database: Path, exp: str, model: str, *, seed: int, number: int, query: SampleQuery, author: str, as_json: bool
) -> None:
    """Ask the model, show what it proposes, and on a terminal ask a person kind by kind; nothing counts before."""
    from core.errors import ConfigurationError
    from core.llm.client import open_client
    from core.llm.pool import ClientPool
    from core.reports.reviewing.propose import MOST, kinds_in, question
    from core.runconfig import ModelSpec
    from core.safety import clean_line
    from core.store.draw import draw
    from core.store.reader import Reader
    from core.store.reviews import labels_used, reviews
    from tui.plain.narration import say

    reader = Reader(database)
    try:
        run = reader.run(exp)
        ids = draw(reader, run.id, "failures", seed=seed, number=min(number, MOST), query=query)
        samples = reader.samples_by_id(list(ids))
        messages = question(samples, reviews(reader, result_ids=ids), [label for label, _ in labels_used(reader)])
    finally:
        reader.close()
    if not samples:
        raise ConfigurationError(f"{run.exp_id}: no failed answer to read")
    say(f"{model} reads {len(samples)} failed answers of {run.exp_id}")
    pool = ClientPool(1)
    try:
        completion = open_client(ModelSpec(model=model), pool=pool).complete(messages, temperature=0.0)
    finally:
        pool.close()
    kinds = kinds_in(completion.text, samples)
    if not kinds:
        raise ConfigurationError(f"{model} proposed no kinds that can be read; another model may")
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        print_json(
            {
                "kind": "proposal",
                "version": 1,
                "run": run.exp_id,
                "by": model,
                "kinds": [one.as_json() for one in kinds],
            }
        )
        click.echo("nothing counts before somebody confirms: edit it, then `modex review EXP --confirm FILE`", err=True)
        return
    named = {sample.id: sample for sample in samples}
    kept: list[Kind] = []
    for one in kinds:
        click.echo(f"\n{clean_line(one.name)}: {clean_line(one.description)}")
        for id_ in one.ids:
            sample = named[id_]
            click.echo(f"  {sample.domain}/{sample.level}/{clean_line(sample.test_id)}  {clean_line(sample.why, 90)}")
        name = click.prompt("keep it as (- leaves it out)", default=one.name, err=True).strip()
        if name != "-":
            kept.append(Kind(name, one.description, one.ids))
    _give(database, exp, kept, author)


def confirm_file(database: Path, exp: str, path: Path, author: str) -> None:
    """Give the labels of a file of proposals.

    Raises:
        ConfigurationError: it is none.
    """
    from core.reports.reviewing.propose import proposals_in

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        from core.errors import ConfigurationError

        raise ConfigurationError(f"{path}: {error}") from error
    _give(database, exp, proposals_in(text, str(path)), author)


def _give(database: Path, exp: str, kinds: Sequence[Kind], author: str) -> None:
    from core.reports.reviewing.propose import confirm
    from core.store.manager import DBDataManager
    from tui.reading.reviewing import keep_label

    manager = DBDataManager(database)
    try:
        run = manager.reader.run(exp)
        given = confirm(manager.reader, kinds, run.id, author)
    finally:
        manager.close()
    for one in kinds:
        keep_label(run, one.name)
    click.echo(f"{len(kinds)} kinds, {given} answers labelled", err=True)
