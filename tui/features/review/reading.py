"""What the review screen asks the store: the draw, what a person said of it, the labels there are."""

from __future__ import annotations

import getpass
import os
from array import array
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from modex.core.features.review.draw import DrawOrder, draw, first_unread
from modex.core.features.review.query import HumanVerdict, ReviewRow, labels_used, reviews, say, verdict_in
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.core.store.selecting import EVERYTHING, SampleQuery
from modex.core.suite.labels import KnownLabel, known_labels, labels_path, load_labels, save_labels


@dataclass(frozen=True, slots=True)
class Draw:
    """Which samples of a run are read, and in what order."""

    order: DrawOrder = "random"
    seed: int = 0
    number: int = 100
    query: SampleQuery = EVERYTHING


@dataclass(frozen=True, slots=True)
class PersonalDraw:
    """A draw as one person finds it."""

    run: RunRow
    ids: array[int]
    start: int
    """Where the person left off."""
    verdicts: dict[int, HumanVerdict]
    """What they said of answers as they stand, by sample."""
    stale: frozenset[int]
    """Samples of which they said something before the answer changed."""
    labels: Sequence[KnownLabel]
    counts: Counter[str] = field(default_factory=Counter)
    """How often this person gave each label in this run."""
    problem: str = ""
    """What is wrong with the file of labels."""


def reviewer() -> str:
    """Who reviews where nobody is named: `MODEX_REVIEWER`, else the login name."""
    if name := os.environ.get("MODEX_REVIEWER"):
        return name
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container may know no user by its number
        return "me"


def labels_file(run: RunRow) -> Path:
    """Where the labels of the run's suite are kept."""
    selection = run.config.get("selection")
    suite = selection.get("suite") if isinstance(selection, dict) else None
    return labels_path(suite if isinstance(suite, str) else None)


def read(reader: Reader, run: RunRow, wanted: Draw, author: str, first: int | None = None) -> PersonalDraw:
    """The draw as `author` left it; `first` is a sample to begin with, whatever else is drawn."""
    ids = draw(reader, run.id, wanted.order, seed=wanted.seed, number=wanted.number, query=wanted.query)
    rows = reviews(reader, [run.id], author=author)
    if first is not None:
        ids = array("q", [first, *(id_ for id_ in ids if id_ != first)])
    used, problem = [label for label, _ in labels_used(reader)], ""
    try:
        labels: Sequence[KnownLabel] = known_labels(labels_file(run), used)
    except ConfigurationError as error:
        labels, problem = [KnownLabel(name) for name in used], str(error)
    return PersonalDraw(
        run,
        ids,
        0 if first is not None else first_unread(ids, rows),
        {row.result_id: verdict_in(row) for row in rows if not row.stale},
        frozenset(row.result_id for row in rows if row.stale),
        labels,
        _counted(rows),
        problem,
    )


def _counted(rows: Sequence[ReviewRow]) -> Counter[str]:
    return Counter(row.label for row in rows if row.label and not row.stale)


def store_verdict(database: Path, sample: EvaluationSample, author: str, verdict: HumanVerdict) -> None:
    """Store what a person says of the answer in `sample`.

    Raises:
        StoreError: the sample is gone, or the database cannot be written.
    """
    from modex.core.store.manager import DBDataManager

    with closing(DBDataManager(database)) as manager:
        say(manager.reader, sample, author, verdict)


def keep_label(run: RunRow, name: str) -> None:
    """Keep a new label with the suite.

    Raises:
        ConfigurationError: its file is wrong or cannot be written.
    """
    path = labels_file(run)
    labels = load_labels(path)
    if all(one.id.casefold() != name.casefold() for one in labels):
        save_labels(path, [*labels, KnownLabel(name)])


def labelled(verdict: HumanVerdict, label: str | None) -> HumanVerdict:
    """The same with another label; the same label again takes it away."""
    return replace(verdict, label=None if verdict.label == label else label)
