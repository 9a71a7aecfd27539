"""Rows that are inserted at once are those that were given, whatever of them is written once for all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from modex.core.store.database import open_database
from modex.core.store.inserting import _literal, insert_rows
from tests.rows import each_row


@each_row(
    ("value", "written"),
    [
        (None, "NULL"), (3, "3"), (True, "1"), (False, "0"), (0.1, "0.1"), (-1e300, "-1e+300"), (math.inf, None),
        (math.nan, None), ("", "''"), ("a" * 40, f"'{'a' * 40}'"), ("a" * 41, None), ("it's", None), ("é", None), ("a\0", None),
        ("a\n", None), (b"a", None),
    ],
)  # fmt: skip
def test_what_is_short_and_plain_is_written_into_the_statement(value: Any, written: str | None) -> None:
    assert _literal(value) == written


@pytest.mark.parametrize("bound", [True, False])
def test_rows_are_stored_as_they_were_given(tmp_path: Path, bound: bool) -> None:
    database = open_database(tmp_path / "m.db")
    columns: dict[str, Sequence[Any]] = {
        "same": ["x", "x", "x"], "odd": ["it's"] * 3, "number": [1, 1, 2], "mixed": [1, 1.0, True], "late": [None, None, 0],
        "none": [None] * 3,
    }  # fmt: skip
    if not bound:
        columns = {"same": ["x"] * 3, "none": [None] * 3}
    database.run(f"CREATE TABLE given ({', '.join(columns)})")
    insert_rows(database, "given", columns)
    assert database.rows("SELECT * FROM given ORDER BY rowid") == [*zip(*columns.values(), strict=True)]
    database.close()
