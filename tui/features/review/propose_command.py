"""`modex review EXP --propose --model MODEL`: kinds of failure that a model proposes and a person confirms."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modex.core.features.review.propose import Kind
from modex.core.llm.types import Message
from modex.core.store.selecting import SampleQuery
from modex.tui.commands.options import print_json

if TYPE_CHECKING:
    from modex.core.config.runconfig import ModelSpec

_MOST_TOKENS = 6000
"""Of the model's answer, its thinking included."""
_BYTES_A_TOKEN = 2
"""Fewer than in any usual text, so that the sum is a bound."""


def propose_kinds(
    database: Path, exp: str, model: str, *, seed: int, number: int, query: SampleQuery, author: str, as_json: bool,
    max_cost: float | None,
) -> None:  # fmt: skip
    """Say what it may cost, ask the model, show what it proposes, and on a terminal ask a person kind by kind.

    Nothing counts before.

    Raises:
        ConfigurationError: it may cost more than `max_cost` USD, or there is nothing to read or nothing was proposed.
    """
    from modex.core.features.review.draw import draw
    from modex.core.features.review.propose import MOST, kinds_in, question
    from modex.core.features.review.query import labels_used, reviews
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.llm.client import open_client
    from modex.core.llm.naming import asked_model
    from modex.core.llm.pool import ClientPool
    from modex.core.safety import clean_line
    from modex.core.store.reader import Reader
    from modex.tui.plain.narration import say

    with closing(Reader(database)) as reader:
        run = reader.run(exp)
        ids = draw(reader, run.id, "failures", seed=seed, number=min(number, MOST), query=query)
        samples = reader.samples_by_id(list(ids))
        messages = question(samples, reviews(reader, result_ids=ids), [label for label, _ in labels_used(reader)])
    if not samples:
        raise ConfigurationError(f"{run.exp_id}: no failed answer to read; name a run that has some")
    spec = asked_model(model, suite=run.suite)
    most = _most_usd(spec, messages)
    cost = "no price of it is known" if most is None else f"at most ${most:.4f}"
    say(f"{model} reads {len(samples)} failed answers of {run.exp_id}: {cost}")
    if max_cost is not None and (most is None or most > max_cost):
        raise ConfigurationError(f"--max-cost {max_cost:g}: {cost}; read fewer with --number, or allow more")
    asks = sys.stdin.isatty() and sys.stdout.isatty()
    if max_cost is None and asks and not click.confirm("ask it", default=True, err=True):
        return
    with closing(ClientPool(1)) as pool:
        completion = open_client(spec, pool=pool).complete(messages, temperature=0.0, max_tokens=_MOST_TOKENS)
    kinds = kinds_in(completion.text, samples)
    if not kinds:
        raise ConfigurationError(f"{model} proposed no kinds that can be read; try another model")
    if as_json or not asks:
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


def _most_usd(spec: ModelSpec, messages: Sequence[Message]) -> float | None:
    """What one question may cost at most; None where the price is unknown."""
    from modex.core.foundation.usage import Usage
    from modex.core.llm.prices import price_of

    read = sum(len(str(message.get("content") or "").encode()) for message in messages)
    return price_of(spec).of(Usage(prompt=read // _BYTES_A_TOKEN, completion=_MOST_TOKENS))


def confirm_file(database: Path, exp: str, path: Path, author: str) -> None:
    """Give the labels of a file of proposals.

    Raises:
        ConfigurationError: it is none.
    """
    from modex.core.features.review.propose import proposals_in
    from modex.core.suite.files import FileFaultError, read_text

    try:
        text = read_text(path)
    except FileFaultError as fault:
        from modex.core.foundation.errors import ConfigurationError

        raise ConfigurationError(f"{path}: {fault.message}") from None
    _give(database, exp, proposals_in(text, str(path)), author)


def _give(database: Path, exp: str, kinds: Sequence[Kind], author: str) -> None:
    from modex.core.features.review.propose import confirm
    from modex.core.store.manager import DBDataManager
    from modex.tui.features.review.reading import keep_label

    with closing(DBDataManager(database)) as manager:
        run = manager.reader.run(exp)
        given = confirm(manager.reader, kinds, run.id, author)
    for one in kinds:
        keep_label(run, one.name)
    click.echo(f"{len(kinds)} kinds, {given} answers labelled", err=True)
