"""Doing some tests of a run again and leaving the rest of it alone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from modex.core.foundation.errors import StoreError
from modex.core.safety import as_words
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow, SampleHead
from modex.tui.look import format as fmt

if TYPE_CHECKING:
    from modex.core.store.manager import ChosenSamples, Redo


def chosen_tests(reader: Reader, run: RunRow, names: Sequence[str], redo: Redo) -> ChosenSamples:
    """The samples of the tests `names` (`id` or `domain/level/id`), every epoch of them.

    Raises:
        StoreError: the run has no such test.
    """
    from modex.core.store.manager import ChosenSamples
    from modex.core.store.naming import test_query

    ids: set[int] = set()
    for name in names:
        found = reader.head_ids(run.id, test_query(name))
        if not found:
            raise StoreError(
                f"{run.exp_id}: no test {name!r}; `modex show {as_words(run.exp_id)} --status failed` lists some"
            )
        ids.update(found)
    return ChosenSamples(frozenset(ids), redo)


def chosen_in(
    database: Path, exp_id: str, names: Sequence[str], redo: Redo, filters: Sequence[str] = ()
) -> ChosenSamples | None:
    """As `chosen_tests`, of those the samples that match `filters`; None where nothing is named and nothing filtered.

    Raises:
        ConfigurationError: a filter names a field that there is not.
        StoreError: no such run or test, no sample matches, or the store cannot be read.
    """
    if not names and not filters:
        return None
    from modex.core.store.manager import ChosenSamples
    from modex.core.store.selecting import sample_query

    with closing(Reader(database)) as reader:
        run = reader.run(exp_id)
        named = chosen_tests(reader, run, names, redo) if names else None
        if not filters:
            return named
        ids = frozenset(reader.head_ids(run.id, sample_query(*filters)))
        found = ids if named is None else ids & named.ids
        if not found:
            raise StoreError(
                f"{run.exp_id}: no sample matches {' '.join(filters)}; `modex show {as_words(run.exp_id)}` lists them"
            )
        return ChosenSamples(found, redo)


def redo_plan(run: RunRow, heads: Sequence[SampleHead], redo: Redo) -> str:
    """What doing these samples again will do, in a few words: `ask demo again, about $0.02`."""
    if redo == "judge":
        return "judge the stored answer again" if len(heads) == 1 else f"judge {len(heads):,} stored answers again"
    spent = sum(head.cost_usd or 0.0 for head in heads)
    cost = f", about {fmt.cost(spent)}" if spent else ""
    if redo == "changed":
        return f"run it as it is now{cost}; where only the gold changed, its answer is judged again"
    what = "its answer and verdict are" if len(heads) == 1 else "their answers and verdicts are"
    return f"ask {run.model} again{cost}; {what} replaced"
