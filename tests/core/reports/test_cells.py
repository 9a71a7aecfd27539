"""Cells of CSV that say exactly what they hold and run nothing."""

from __future__ import annotations

from typing import Any

from modex.core.reports.cells import csv_cell, csv_row
from tests.rows import each_row


@each_row(
    ("value", "cell"),
    [
        (None, ""),
        (True, "True"),
        (0, "0"),
        (-1.5, "-1.5"),
        ("text", "text"),
        (["ä", {"b": 1}], '["ä", {"b": 1}]'),
        ("=1+1", "'=1+1"),
        ("'=1+1", "''=1+1"),
        ("'it", "'it"),
        ("@x", "'@x"),
        ("-5", "-5"),
        ("-5.25e-3", "-5.25e-3"),
        ("-5.", "'-5."),
        ("-5+cmd", "'-5+cmd"),
        ("+5", "'+5"),
        ("a\ud800b\udfff", "a\ufffdb\ufffd"),
    ],
)
def test_what_a_spreadsheet_would_run_has_an_apostrophe_before_it_and_numbers_stay_numbers(
    value: Any, cell: str
) -> None:
    assert csv_cell(value) == cell


def test_a_row_is_quoted_where_it_must_be() -> None:
    assert csv_row(["a", 'b"c', "d,e", "f\ng", ""]) == 'a,"b""c","d,e","f\ng",\r\n'
