"""Cells of CSV that no spreadsheet takes for anything but what they say."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any

_FORMULA = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2060\ufeff]*[=+\-@\t\r|%＝＋－＠]")
"""Spreadsheets drop blanks and signs that are not seen, and then read what follows them."""
_SURROGATES = re.compile("[\ud800-\udfff]")
"""Halves of characters, which UTF-8 cannot hold."""
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


def csv_row(cells: Sequence[str]) -> str:
    """One line of CSV (RFC 4180)."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue()


def starts_formula(text: str) -> bool:
    """Whether a spreadsheet might take `text` for a formula."""
    return _FORMULA.match(text) is not None


def unguarded(cell: str) -> str:
    """The text of a cell that `csv_cell` wrote."""
    return cell[1:] if cell[:1] == "'" and starts_formula(cell.lstrip("'")) else cell


def csv_cell(value: Any) -> str:
    """A cell that no spreadsheet runs as a formula, and that says exactly what `value` does; numbers stay numbers.

    A text that might be taken for a formula, apostrophes before it or not, gets one apostrophe more (as OWASP advises),
    which `unguarded` takes away. Half a character becomes U+FFFD.
    """
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = _SURROGATES.sub("\ufffd", text)
    return "'" + text if starts_formula(text.lstrip("'")) and not _NUMBER.fullmatch(text) else text
