"""A dataset's columns before a run: which is what, and the first rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

ROLES = ("question_field", "answer_field", "level_field", "category_field", "id_field", "cluster_field")
"""The options that name a column, as `modex run` knows them."""
_ROWS = 50
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class DatasetColumn:
    """One column of a dataset."""

    name: str
    values: tuple[str, ...]
    """Its value in the first rows, on one line each."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What the first rows of a dataset show."""

    columns: tuple[DatasetColumn, ...]
    roles: Mapping[str, str]
    """The column of each option in `ROLES` that has one, given or guessed."""
    problem: str = ""
    """Why these columns make no dataset."""
    guesses: tuple[str, ...] = ()
    """What was guessed, in sentences."""


def preview(
    path: str,
    given: Mapping[str, Any],
    evaluator: str | None,
    preset: str | None = None,
    *,
    asks_form: bool = True,
) -> Preview:
    """Read the first rows; `given` are values of `ROLES`, `preset` is a known benchmark's name.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    from modex.core.config.runconfig import DatasetSpec
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.suite.answer_forms import form_words
    from modex.core.suite.datasets.reader import DatasetReader
    from modex.core.suite.datasets.rows import Row, iter_rows

    file = Path(path).expanduser()
    rows = [row.data for row in islice(iter_rows(file), _ROWS) if isinstance(row, Row)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = tuple(DatasetColumn(name, tuple(_short(row.get(name)) for row in rows[:_SHOWN])) for name in names)
    chosen = {name: given[name] for name in ROLES if given.get(name)}
    try:
        reader = DatasetReader(
            DatasetSpec.model_validate({"path": str(file), "preset": preset, **chosen}), evaluator=evaluator
        )
    except ConfigurationError as error:
        return Preview(columns, chosen, str(error))
    fields = reader.fields
    read = (fields.question, fields.answer, fields.level, fields.category, fields.id, fields.cluster)
    found = dict(zip(ROLES, read, strict=True))
    roles = {name: column for name, column in found.items() if column is not None}
    return Preview(columns, roles, guesses=(*reader.guesses, *([form_words(reader)] if asks_form else [])))


def _short(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else str(value)
    return " ".join(text[:300].split())
